//! Scripts: `transform.structured.tile_using_for` and `transform.foreach_match`.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::ints;
use crate::attrs::Attr;
use crate::diag::Span;
use crate::ids::OpId;
use crate::types::DYNAMIC;

/// `: (types) -> types`, for all operands in order.
fn signature<'a>(p: &mut Parser<'a, '_>, parts: &mut Parts, operands: &[Operand<'a>]) -> Res<()> {
    p.expect(b':')?;
    let start = p.tok.start;
    let inputs = p.list(b'(', b')', Parser::ty)?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    parts.results = p.result_types()?;
    p.resolve_each(operands, &inputs, Span::new(start, p.tok.start), &mut parts.operands)
}

/// `%op tile_sizes [8, [4], %n] interchange = [1, 0] : …`; a size in brackets is scalable.
pub(super) fn read_tile_using_for(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mut operands = vec![p.operand()?];
    if p.eat_word("tile_sizes") {
        let (mut sizes, mut scalable) = (Vec::new(), Vec::new());
        p.list(b'[', b']', |p| {
            let open = p.eat(b'[');
            if p.tok.kind == Kind::Value {
                operands.push(p.operand()?);
                sizes.push(DYNAMIC);
            } else {
                sizes.push(p.int("a value or an integer")?);
            }
            if open {
                p.expect(b']')?;
            }
            scalable.push(i64::from(open));
            Ok(())
        })?;
        let sizes = p.ir.dense_i64(&sizes);
        p.put(&mut parts, "static_sizes", sizes);
        let elem = p.ir.int_type(1);
        let scalable = p.ir.intern(Attr::DenseArray { elem, values: scalable });
        p.put(&mut parts, "scalable_sizes", scalable);
    }
    if p.eat_word("interchange") {
        p.expect(b'=')?;
        let order = p.int_list()?;
        let order = p.ir.dense_i64(&order);
        p.put(&mut parts, "interchange", order);
    }
    p.attr_dict(&mut parts)?;
    signature(p, &mut parts, &operands)?;
    // The last groups are filled by MLIR's builders, never by text.
    p.put_segments(&mut parts, &[1, operands.len() - 1, 0, 0, 0]);
    p.finish(op, parts)
}

pub(super) fn write_tile_using_for(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    let (sizes, scalable) = (ints(p, op, "static_sizes"), ints(p, op, "scalable_sizes"));
    if !sizes.is_empty() {
        p.out.push_str(" tile_sizes [");
        let mut values = ir.operands(op)[1..].iter();
        for (i, &size) in sizes.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            let open = scalable.get(i) == Some(&1);
            p.out.push_str(if open { "[" } else { "" });
            match (size, values.as_slice().first()) {
                (DYNAMIC, Some(&value)) => {
                    values.next();
                    p.value(value);
                }
                _ => p.number(size),
            }
            p.out.push_str(if open { "]" } else { "" });
        }
        p.out.push(']');
    }
    let order = ints(p, op, "interchange");
    if !order.is_empty() {
        p.out.push_str(" interchange = ");
        p.int_list(&order);
    }
    p.attr_dict(op, &["static_sizes", "scalable_sizes", "interchange", "operandSegmentSizes"]);
    p.out.push_str(" : ");
    p.functional_type(op);
}

/// `restrict_root in %root, %other @matcher -> @action, … : …`
pub(super) fn read_foreach_match(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    while p.at_word("restrict_root") || p.at_word("flatten_results") {
        let word = p.word("a flag")?;
        p.flag(&mut parts, word);
    }
    p.expect_word("in")?;
    let operands = p.commas(Parser::operand)?;
    let (mut matchers, mut actions) = (Vec::new(), Vec::new());
    p.commas(|p| {
        matchers.push(p.attr()?);
        p.expect_kind(Kind::Arrow, "`->`")?;
        actions.push(p.attr()?);
        Ok(())
    })?;
    for (name, items) in [("matchers", matchers), ("actions", actions)] {
        let items = p.ir.intern(Attr::Array(items));
        p.put(&mut parts, name, items);
    }
    p.attr_dict(&mut parts)?;
    signature(p, &mut parts, &operands)?;
    p.finish(op, parts)
}

pub(super) fn write_foreach_match(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    for flag in ["restrict_root", "flatten_results"] {
        if ir.attr_id(op, flag).is_some() {
            p.out.push(' ');
            p.out.push_str(flag);
        }
    }
    p.out.push_str(" in ");
    p.values(ir.operands(op));
    p.out.push(' ');
    let symbols = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    for (i, (matcher, action)) in symbols("matchers").into_iter().zip(symbols("actions")).enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        p.attr(matcher);
        p.out.push_str(" -> ");
        p.attr(action);
    }
    p.attr_dict(op, &["restrict_root", "flatten_results", "matchers", "actions"]);
    p.out.push_str(" : ");
    p.functional_type(op);
}
