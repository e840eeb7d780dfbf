//! `tensor.extract_slice`, `memref.subview`, `tensor.insert_slice`, `tensor.parallel_insert_slice`.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::{ints, mixed_list, write_mixed};
use crate::ids::{OpId, ValueId};
use crate::ops::Opcode;

const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];
const ELIDED: [&str; 4] = ["operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"];

/// `[offsets] [sizes] [strides]`
type Lists<'a> = [(Vec<i64>, Vec<Operand<'a>>); 3];

fn lists<'a>(p: &mut Parser<'a, '_>) -> Res<Lists<'a>> {
    let offsets = mixed_list(p, b'[', b']')?;
    let sizes = mixed_list(p, b'[', b']')?;
    let strides = mixed_list(p, b'[', b']')?;
    Ok([offsets, sizes, strides])
}

/// Puts the lists behind the first operands, which are there already.
fn put_lists<'a>(p: &mut Parser<'a, '_>, parts: &mut Parts, lists: Lists<'a>) -> Res<()> {
    let index = p.ir.index_type();
    let mut sizes = vec![1; parts.operands.len()];
    for (name, (numbers, values)) in LISTS.into_iter().zip(lists) {
        p.resolve_all(&values, index, &mut parts.operands)?;
        sizes.push(values.len());
        let numbers = p.ir.dense_i64(&numbers);
        p.put(parts, name, numbers);
    }
    p.put_segments(parts, &sizes);
    Ok(())
}

/// `%source[%i, 0] [16, 64] [1, 1] : S to R`
pub(super) fn read_extract(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let source = p.operand()?;
    let lists = lists(p)?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    p.expect_word("to")?;
    let result = p.ty()?;
    let source = p.resolve(source, ty)?;
    parts.operands.push(source);
    parts.results.push(result);
    put_lists(p, &mut parts, lists)?;
    p.finish(op, parts)
}

/// `%source into %dest[%i, 0] [16, 64] [1, 1] : S into D`
pub(super) fn read_insert(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let source = p.operand()?;
    p.expect_word("into")?;
    let dest = p.operand()?;
    let lists = lists(p)?;
    p.attr_dict(&mut parts)?;
    p.expect_kind(Kind::Punct(b':'), "`:`")?;
    let source_ty = p.ty()?;
    p.expect_word("into")?;
    let dest_ty = p.ty()?;
    let source = p.resolve(source, source_ty)?;
    let dest = p.resolve(dest, dest_ty)?;
    parts.operands.extend([source, dest]);
    if opcode == Opcode::TensorInsertSlice {
        parts.results.push(dest_ty);
    }
    put_lists(p, &mut parts, lists)?;
    p.finish(op, parts)
}

fn write_lists(p: &mut Printer<'_>, op: OpId, parts: &[&[ValueId]]) {
    for (i, (name, values)) in LISTS.iter().zip(parts).enumerate() {
        if i > 0 {
            p.out.push(' ');
        }
        let numbers = ints(p, op, name);
        write_mixed(p, '[', ']', &numbers, values);
    }
}

pub(super) fn write_extract(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let parts = ir.segments(op);
    p.out.push(' ');
    p.value(parts[0][0]);
    write_lists(p, op, &parts[1..]);
    p.attr_dict(op, &ELIDED);
    p.out.push_str(" : ");
    p.ty(ir.type_of(parts[0][0]));
    p.out.push_str(" to ");
    p.ty(ir.type_of(ir.result(op, 0)));
}

pub(super) fn write_insert(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let parts = ir.segments(op);
    p.out.push(' ');
    p.value(parts[0][0]);
    p.out.push_str(" into ");
    p.value(parts[1][0]);
    write_lists(p, op, &parts[2..]);
    p.attr_dict(op, &ELIDED);
    p.out.push_str(" : ");
    p.ty(ir.type_of(parts[0][0]));
    p.out.push_str(" into ");
    p.ty(ir.type_of(parts[1][0]));
}
