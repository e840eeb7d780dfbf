//! `affine.for`, `affine.if`, `affine.apply`, `affine.min`, `affine.max`, and memory accesses whose indices are affine expressions.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Res};
use super::super::printer::Printer;
use super::{read_body, write_body};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::{Body, Shape};
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// `(%dims)[%symbols]` behind a map or set; checks their numbers.
fn map_operands<'a>(p: &mut Parser<'a, '_>, dims: u32, syms: u32) -> Res<Vec<Operand<'a>>> {
    let start = p.tok.start;
    let mut operands = p.list(b'(', b')', Parser::operand)?;
    let n_dims = operands.len();
    if p.at(b'[') {
        operands.extend(p.list(b'[', b']', Parser::operand)?);
    }
    let n_syms = operands.len() - n_dims;
    if n_dims != dims as usize || n_syms != syms as usize {
        let message = format!("the map takes {dims} dimensions and {syms} symbols, not {n_dims} and {n_syms}");
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
    Ok(operands)
}

fn write_map_operands(p: &mut Printer<'_>, dims: usize, operands: &[ValueId]) {
    let (dims, syms) = operands.split_at(dims.min(operands.len()));
    p.out.push('(');
    p.values(dims);
    p.out.push(')');
    if !syms.is_empty() {
        p.out.push('[');
        p.values(syms);
        p.out.push(']');
    }
}

/// `affine_map<…>(%a)[%b]` of `affine.apply`, `affine.min` and `affine.max`.
pub(super) fn read_apply(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let map = p.attr()?;
    let Attr::Map(found) = &p.ir[map] else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an affine map"));
    };
    let (dims, syms) = (found.dims, found.syms);
    p.put(&mut parts, "map", map);
    let operands = map_operands(p, dims, syms)?;
    p.attr_dict(&mut parts)?;
    let index = p.ir.index_type();
    p.resolve_all(&operands, index, &mut parts.operands)?;
    parts.results.push(index);
    p.finish(op, parts)
}

pub(super) fn write_apply(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(map) = ir.attr_id(op, "map") {
        p.attr(map);
    }
    write_map_operands(p, ir.map(op, "map").map_or(0, |map| map.dims as usize), ir.operands(op));
    p.attr_dict(op, &["map"]);
}

/// A bound of a loop: a number, a value, or a map with its operands and `max` or `min` in front.
fn bound<'a>(p: &mut Parser<'a, '_>, word: &str) -> Res<(Map, Vec<Operand<'a>>)> {
    p.eat_word(word);
    if p.tok.kind == Kind::Value {
        let value = p.operand()?;
        return Ok((Map { dims: 0, syms: 1, results: vec![Expr::Sym(0)] }, vec![value]));
    }
    if matches!(p.tok.kind, Kind::Int | Kind::Punct(b'-')) {
        let number = p.int("a bound")?;
        return Ok((Map { dims: 0, syms: 0, results: vec![Expr::Const(number)] }, Vec::new()));
    }
    let start = p.tok.start;
    let map = p.attr()?;
    let Attr::Map(map) = p.ir[map].clone() else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an affine map, a number or a value"));
    };
    let operands = map_operands(p, map.dims, map.syms)?;
    Ok((map, operands))
}

fn write_bound(p: &mut Printer<'_>, op: OpId, name: &str, word: &str, operands: &[ValueId]) {
    let ir = p.ir;
    let (Some(map), Some(attr)) = (ir.map(op, name), ir.attr_id(op, name)) else { return };
    match (&map.results[..], operands) {
        ([Expr::Const(number)], []) => p.out.push_str(&number.to_string()),
        ([Expr::Sym(0)], &[value]) => p.value(value),
        (results, operands) => {
            if results.len() > 1 {
                p.out.push_str(word);
                p.out.push(' ');
            }
            p.attr(attr);
            write_map_operands(p, map.dims as usize, operands);
        }
    }
}

/// `%i = 0 to %n step 2 iter_args(%a = %x) -> (f32) { … } {…}`
pub(super) fn read_for(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.tok.start;
    let mut parts = p.parts();
    let index = p.ir.index_type();
    let iv = p.operand()?;
    p.expect(b'=')?;
    let mut sizes = Vec::new();
    for (name, word) in [("lowerBoundMap", "max"), ("upperBoundMap", "min")] {
        let (map, operands) = bound(p, word)?;
        sizes.push(operands.len());
        p.resolve_all(&operands, index, &mut parts.operands)?;
        let map = p.ir.intern(Attr::Map(map));
        p.put(&mut parts, name, map);
        if name == "lowerBoundMap" {
            p.expect_word("to")?;
        }
    }
    let step = if p.eat_word("step") { p.int("a step")? } else { 1 };
    let step = p.ir.intern(Attr::Int { value: step.into(), ty: index });
    p.put(&mut parts, "step", step);
    let (mut args, mut inits) = (Vec::new(), Vec::new());
    if p.eat_word("iter_args") {
        (args, inits) = super::scf::assignments(p)?.into_iter().unzip();
        parts.results = p.arrow_types()?;
    }
    let results = parts.results.clone();
    p.resolve_each(&inits, &results, Span::new(start, p.tok.start), &mut parts.operands)?;
    sizes.push(inits.len());
    p.put_segments(&mut parts, &sizes);
    let args: Vec<(Operand<'_>, TypeId)> = std::iter::once((iv, index)).chain(args.into_iter().zip(results)).collect();
    read_body(p, op, Shape::of(Opcode::AffineFor).bodies[0], &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_for(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    let args = ir.args(ir.entry(op));
    p.out.push(' ');
    p.value(args[0]);
    p.out.push_str(" = ");
    write_bound(p, op, "lowerBoundMap", "max", groups[0]);
    p.out.push_str(" to ");
    write_bound(p, op, "upperBoundMap", "min", groups[1]);
    let step = ir.attr(op, "step").and_then(Attr::as_i64).unwrap_or(1);
    if step != 1 {
        p.out.push_str(&format!(" step {step}"));
    }
    if !groups[2].is_empty() {
        p.out.push_str(" iter_args(");
        for (i, (&arg, &init)) in args[1..].iter().zip(groups[2]).enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.value(arg);
            p.out.push_str(" = ");
            p.value(init);
        }
        p.out.push_str(") -> (");
        p.types_of(groups[2].iter().copied());
        p.out.push(')');
    }
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, !groups[2].is_empty());
    p.attr_dict(op, &["operandSegmentSizes", "lowerBoundMap", "upperBoundMap", "step"]);
}

/// `affine_set<…>(%i)[%n] -> f32 { … } else { … } {…}`
pub(super) fn read_if(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let set = p.attr()?;
    let Attr::Set(found) = &p.ir[set] else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an integer set"));
    };
    let (dims, syms) = (found.dims, found.syms);
    p.put(&mut parts, "condition", set);
    let operands = map_operands(p, dims, syms)?;
    let index = p.ir.index_type();
    p.resolve_all(&operands, index, &mut parts.operands)?;
    parts.results = p.arrow_types()?;
    let bodies = &Shape::of(Opcode::AffineIf).bodies;
    read_body(p, op, bodies[0], &[])?;
    if p.eat_word("else") {
        // Said is said, even where nothing stands between the braces.
        read_body(p, op, Body { empty: false, ..bodies[1] }, &[])?;
    } else {
        p.ir.add_region(op);
    }
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_if(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(set) = ir.attr_id(op, "condition") {
        p.attr(set);
    }
    let dims = match ir.attr(op, "condition") {
        Some(Attr::Set(set)) => set.dims as usize,
        _ => 0,
    };
    write_map_operands(p, dims, ir.operands(op));
    let types: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    if !types.is_empty() {
        p.out.push_str(" -> ");
        p.type_list(&types);
    }
    p.out.push(' ');
    write_body(p, op, 0);
    if ir.body(op, 1).is_some() {
        p.out.push_str(" else ");
        write_body(p, op, 1);
    }
    p.attr_dict(op, &["condition"]);
}

/// `%m[%i + 1, symbol(%n)] {…} : M`, with a value and a comma in front for stores and a vector type behind for vectors.
pub(super) fn read_access(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let stores = matches!(opcode, Opcode::AffineStore | Opcode::AffineVectorStore);
    let vectors = matches!(opcode, Opcode::AffineVectorLoad | Opcode::AffineVectorStore);
    let mut parts = p.parts();
    let value = if stores {
        let value = p.operand()?;
        p.expect(b',')?;
        Some(value)
    } else {
        None
    };
    let memref = p.operand()?;
    let (map, indices) = p.affine_of_values()?;
    let map = p.ir.intern(Attr::Map(map));
    p.put(&mut parts, "map", map);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    let elem = if vectors {
        p.expect(b',')?;
        p.ty()?
    } else {
        p.elem(ty)
    };
    if let Some(value) = value {
        let value = p.resolve(value, elem)?;
        parts.operands.push(value);
    } else {
        parts.results.push(elem);
    }
    let memref = p.resolve(memref, ty)?;
    parts.operands.push(memref);
    let index = p.ir.index_type();
    p.resolve_all(&indices, index, &mut parts.operands)?;
    p.finish(op, parts)
}

pub(super) fn write_access(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let operands = ir.operands(op);
    let stores = matches!(ir.opcode(op), Opcode::AffineStore | Opcode::AffineVectorStore);
    let at = usize::from(stores);
    p.out.push(' ');
    if stores {
        p.value(operands[0]);
        p.out.push_str(", ");
    }
    p.value(operands[at]);
    p.out.push('[');
    if let Some(map) = ir.map(op, "map") {
        for (i, expr) in map.results.iter().enumerate() {
            if i > 0 {
                p.out.push_str(", ");
            }
            write_expr(p, &expr.to_string(), map.dims as usize, &operands[at + 1..]);
        }
    }
    p.out.push(']');
    p.attr_dict(op, &["map"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(operands[at]));
    if let Some(vector) = vector_type(ir, op) {
        p.out.push_str(", ");
        p.ty(vector);
    }
}

fn vector_type(ir: &Ir, op: OpId) -> Option<TypeId> {
    match ir.opcode(op) {
        Opcode::AffineVectorLoad => Some(ir.type_of(ir.result(op, 0))),
        Opcode::AffineVectorStore => Some(ir.type_of(ir.operand(op, 0))),
        _ => None,
    }
}

/// The text of an expression with values in the place of `d0` and `s0`.
fn write_expr(p: &mut Printer<'_>, text: &str, dims: usize, operands: &[ValueId]) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let (head, tail) = rest.split_at(at);
        p.out.push_str(head);
        let len = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (word, tail) = tail.split_at(len);
        rest = tail;
        let number = word[1..].parse::<usize>().ok();
        match (word.as_bytes()[0], number) {
            (b'd', Some(i)) if i < operands.len() => p.value(operands[i]),
            (b's', Some(i)) if dims + i < operands.len() => {
                p.out.push_str("symbol(");
                p.value(operands[dims + i]);
                p.out.push(')');
            }
            _ => p.out.push_str(word),
        }
    }
    p.out.push_str(rest);
}
