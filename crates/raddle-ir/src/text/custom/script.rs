//! Scripts: steps of `transform` whose assembly no format describes.

use super::super::format;
use super::super::lexer::{self, Kind};
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::{read_body, write_body};
use crate::attrs::{Attr, Body};
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{AttrId, OpId, StrId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
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

/// `%root, %more : (T, U) -> R failures(suppress) attributes {…} {…}`; all but the mode and the region may be absent,
/// and the brackets around the types, too.
pub(super) fn read_sequence(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind == Kind::Value {
        let operands = p.operands()?;
        p.expect(b':')?;
        let start = p.tok.start;
        let open = p.eat(b'(');
        let types = p.commas(Parser::ty)?;
        if open {
            p.expect(b')')?;
        }
        if types.len() != operands.len() {
            let span = Span::new(start, p.tok.start);
            return Err(p.error(span, "expected types to be provided for all operands"));
        }
        p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    }
    parts.results = p.arrow_types()?;
    p.expect_word("failures")?;
    p.expect(b'(')?;
    format::read_inherent(p, op, "failure_propagation_mode", &mut parts)?;
    p.expect(b')')?;
    p.attr_dict_keyword(&mut parts)?;
    read_body(p, op, Shape::of(Opcode::TransformSequence).bodies[0], &[])?;
    let root = parts.operands.len().min(1);
    let sizes = [root, parts.operands.len() - root];
    p.put_segments(&mut parts, &sizes);
    p.finish(op, parts)
}

pub(super) fn write_sequence(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    if !ir.operands(op).is_empty() {
        p.out.push(' ');
        p.values(ir.operands(op));
        p.out.push_str(" : ");
        let types: Vec<TypeId> = ir.operands(op).iter().map(|&value| ir.type_of(value)).collect();
        p.type_list(&types);
    }
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    if !results.is_empty() {
        p.out.push_str(" -> ");
        p.type_list(&results);
    }
    p.out.push_str(" failures(");
    format::write_inherent(p, op, "failure_propagation_mode");
    p.out.push(')');
    p.attr_dict_keyword(op, &["failure_propagation_mode", "operandSegmentSizes"]);
    p.out.push(' ');
    write_body(p, op, 0);
}

/// `%op after 4 {dimension = 0} : T`, or `after %size … : T, P`.
pub(super) fn read_split(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let target = p.operand()?;
    p.expect_word("after")?;
    let size = if p.tok.kind == Kind::Value { Some(p.operand()?) } else { None };
    let number = if size.is_some() { DYNAMIC } else { p.int("a value or an integer")? };
    let ty = p.ir.int_type(64);
    let number = p.ir.intern(Attr::Int { value: number.into(), ty });
    p.put(&mut parts, "static_chunk_sizes", number);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    let target = p.resolve(target, ty)?;
    parts.operands.push(target);
    if let Some(size) = size {
        p.expect(b',')?;
        let ty = p.ty()?;
        let size = p.resolve(size, ty)?;
        parts.operands.push(size);
    }
    parts.results.push(ty);
    p.finish(op, parts)
}

pub(super) fn write_split(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    p.out.push_str(" after ");
    match ir.operands(op).get(1) {
        Some(&size) => p.value(size),
        None => p.number(ir.attr(op, "static_chunk_sizes").and_then(Attr::as_i64).unwrap_or_default()),
    }
    p.attr_dict(op, &["static_chunk_sizes"]);
    p.out.push_str(" : ");
    p.types_of(ir.operands(op).iter().copied());
}

/// What stands in the options of a pass where a value of the script goes.
const PARAM_OPERAND: &str = "transform.param_operand";

/// `"name" with options = {key = value, other = [%param]} to %op : …`
pub(super) fn read_pass(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    format::read_inherent(p, op, "pass_name", &mut parts)?;
    let mut params = Vec::new();
    if p.eat_word("with") {
        p.expect_word("options")?;
        p.expect(b'=')?;
        if !p.at(b'{') {
            return Err(p.error(p.tok.span(), "expected '{' in options dictionary"));
        }
        let mut entries: Vec<(StrId, AttrId)> = Vec::new();
        p.list(b'{', b'}', |p| {
            let span = p.tok.span();
            let key = match p.tok.kind {
                Kind::Word => p.text(p.tok).into(),
                Kind::Str => lexer::unescape(p.text(p.tok)),
                _ => return Err(p.error(span, "expected key to either be an identifier or a string")),
            };
            p.bump();
            let key = p.ir.intern_str(&key);
            if entries.iter().any(|entry| entry.0 == key) {
                return Err(p.error(span, "duplicate keys found in options dictionary"));
            }
            p.expect(b'=')?;
            let value = read_option(p, &mut params)?;
            entries.push((key, value));
            Ok(())
        })?;
        let options = p.ir.dict_of(entries);
        p.put(&mut parts, "options", options);
    }
    p.expect_word("to")?;
    let mut operands = vec![p.operand()?];
    operands.extend(params);
    p.attr_dict(&mut parts)?;
    signature(p, &mut parts, &operands)?;
    p.finish(op, parts)
}
/// An attribute, a value of the script, or a list of such.
fn read_option<'a>(p: &mut Parser<'a, '_>, params: &mut Vec<Operand<'a>>) -> Res<AttrId> {
    if p.at(b'[') {
        let items = p.nested(|p| p.list(b'[', b']', |p| read_option(p, params)))?;
        return Ok(p.ir.intern(Attr::Array(items)));
    }
    if p.tok.kind != Kind::Value {
        let span = p.tok.span();
        let attr = p.attr()?;
        if param_number(p.ir, attr).is_some() {
            return Err(p.error(span, "the param_operand attribute is a marker reserved for indicating a value will be passed via params and is only used in the generic print format"));
        }
        return Ok(attr);
    }
    let ty = p.ir.int_type(64);
    let number = p.ir.intern(Attr::Int { value: params.len() as i128, ty });
    params.push(p.operand()?);
    let (name, index) = (p.ir.intern_str(PARAM_OPERAND), p.ir.intern_str("index"));
    Ok(p.ir.intern(Attr::Dialect { name, body: Body::Fields(vec![(index, number)]) }))
}

/// Which value of the script an option stands for.
pub(crate) fn param_number(ir: &Ir, attr: AttrId) -> Option<usize> {
    match &ir[attr] {
        Attr::Dialect { name, body: Body::Fields(fields) } if ir[*name] == *PARAM_OPERAND => {
            usize::try_from(ir[fields.first()?.1].as_i64()?).ok()
        }
        _ => None,
    }
}

pub(super) fn write_pass(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    format::write_inherent(p, op, "pass_name");
    if let Some(Attr::Dict(entries)) = ir.attr(op, "options")
        && !entries.is_empty()
    {
        p.out.push_str(" with options = {");
        for (i, &(key, value)) in entries.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.escaped(&ir[key]);
            p.out.push_str(" = ");
            write_option(p, op, value);
        }
        p.out.push('}');
    }
    p.out.push_str(" to ");
    p.value(ir.operand(op, 0));
    p.attr_dict(op, &["pass_name", "options"]);
    p.out.push_str(" : ");
    p.functional_type(op);
}

fn write_option(p: &mut Printer<'_>, op: OpId, value: AttrId) {
    let ir = p.ir;
    let param = param_number(ir, value).and_then(|number| ir.operands(op).get(number + 1));
    match (&ir[value], param) {
        (_, Some(&param)) => p.value(param),
        (Attr::Array(items), None) => {
            p.out.push('[');
            for (i, &item) in items.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                write_option(p, op, item);
            }
            p.out.push(']');
        }
        (_, None) => p.attr(value),
    }
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
