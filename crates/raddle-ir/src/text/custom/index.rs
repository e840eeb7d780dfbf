//! `affine.linearize_index`, `affine.delinearize_index`.

use super::super::parser::{Parser, Res};
use super::super::printer::Printer;
use super::{ints, mixed_list, write_mixed};
use crate::ids::OpId;

/// `affine.linearize_index disjoint [%a, %b] by (4, %n) : index`
pub(super) fn read_linearize(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.eat_word("disjoint") {
        p.flag(&mut parts, "disjoint");
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
    p.types_of(p.ir.results(op));
}
