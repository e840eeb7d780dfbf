//! `affine.apply`, `affine.linearize_index`, `affine.delinearize_index`.

use super::super::parser::{Parser, Res};
use super::super::printer::Printer;
use super::{ints, mixed_list, write_mixed};
use crate::attrs::Attr;
use crate::diag::Span;
use crate::ids::{OpId, TypeId};

/// `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%a)[%b]`
pub(super) fn read_apply(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let map = p.attr()?;
    let span = Span::new(start, p.tok.start);
    let Attr::Map(found) = &p.ir[map] else { return Err(p.error(span, "expected an affine map")) };
    let (dims, syms) = (found.dims as usize, found.syms as usize);
    p.put(&mut parts, "map", map);
    let mut operands = p.list(b'(', b')', Parser::operand)?;
    let n_dims = operands.len();
    if p.at(b'[') {
        operands.extend(p.list(b'[', b']', Parser::operand)?);
    }
    if n_dims != dims || operands.len() - n_dims != syms {
        let message =
            format!("the map takes {dims} dimensions and {syms} symbols, not {n_dims} and {}", operands.len() - n_dims);
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
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
    let dims = ir.map(op, "map").map_or(0, |map| map.dims as usize);
    let (dims, syms) = ir.operands(op).split_at(dims);
    p.out.push('(');
    p.values(dims);
    p.out.push(')');
    if !syms.is_empty() {
        p.out.push('[');
        p.values(syms);
        p.out.push(']');
    }
    p.attr_dict(op, &["map"]);
}

/// `affine.linearize_index disjoint [%a, %b] by (4, %n) : index`
pub(super) fn read_linearize(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.eat_word("disjoint") {
        let unit = p.unit();
        p.put(&mut parts, "disjoint", unit);
    }
    let indices = p.list(b'[', b']', Parser::operand)?;
    p.expect_word("by")?;
    let (numbers, basis) = mixed_list(p, b'(', b')')?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    p.resolve_all(&indices, ty, &mut parts.operands)?;
    let index = p.ir.index_type();
    p.resolve_all(&basis, index, &mut parts.operands)?;
    let numbers = p.ir.dense_i64(&numbers);
    p.put(&mut parts, "static_basis", numbers);
    p.put_segments(&mut parts, &[indices.len(), basis.len()]);
    parts.results.push(ty);
    p.finish(op, parts)
}

pub(super) fn write_linearize(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let parts = ir.segments(op);
    p.out.push_str(if ir.attr_id(op, "disjoint").is_some() { " disjoint [" } else { " [" });
    p.values(parts[0]);
    p.out.push_str("] by ");
    let basis = ints(p, op, "static_basis");
    write_mixed(p, '(', ')', &basis, parts[1]);
    p.attr_dict(op, &["disjoint", "static_basis", "operandSegmentSizes"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.result(op, 0)));
}

/// `affine.delinearize_index %i into (4, %n) : index, index`
pub(super) fn read_delinearize(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let linear = p.operand()?;
    p.expect_word("into")?;
    let (numbers, basis) = mixed_list(p, b'(', b')')?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let types = p.commas(Parser::ty)?;
    let linear = p.resolve(linear, types[0])?;
    parts.operands.push(linear);
    let index = p.ir.index_type();
    p.resolve_all(&basis, index, &mut parts.operands)?;
    let numbers = p.ir.dense_i64(&numbers);
    p.put(&mut parts, "static_basis", numbers);
    parts.results.extend(types);
    p.finish(op, parts)
}

pub(super) fn write_delinearize(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    p.out.push_str(" into ");
    let basis = ints(p, op, "static_basis");
    write_mixed(p, '(', ')', &basis, &ir.operands(op)[1..]);
    p.attr_dict(op, &["static_basis"]);
    p.out.push_str(" : ");
    let types: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    p.types(&types);
}
