//! Reads of slices: what a body reads of a slice by index is read of what the slice is a part of.
//!
//! Before: `tensor.extract %slice[%i, %j]` in the body of an operation whose output, which it does not read, is that slice, as
//!         pieces of a reflection are imported
//! After:  `tensor.extract %x[%i', %j']`, and an output that holds nothing
//!
//! A slice that something else than windows needs is a kernel, which copies it.

use raddle_ir::views::{Linalg, SliceView};
use raddle_ir::{Builder, DYNAMIC, Ir, OpId, Opcode, ValueId};

use crate::structured::moves;

/// Rewrites such reads and outputs of a function.
pub(super) fn read_through(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        match ir.opcode(op) {
            Opcode::TensorExtract => while read_whole(ir, op).is_some() {},
            Opcode::LinalgGeneric => forget_unread(ir, op),
            _ => {}
        }
    }
}

fn slice_of(ir: &Ir, value: ValueId) -> Option<OpId> {
    ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice)
}

/// Reads what a slice is a part of; `None` where none is read.
fn read_whole(ir: &mut Ir, op: OpId) -> Option<()> {
    let slice = slice_of(ir, ir.operand(op, 0))?;
    let view = SliceView::of(ir, slice);
    let kept = moves::kept(&view.sizes, ir.shape_of(ir.operand(op, 0)));
    let (first, steps) = (moves::numbers(&view.offsets)?, moves::numbers(&view.strides)?);
    let indices = ir.operands(op)[1..].to_vec();
    let builder = &mut Builder::before(ir, op);
    let mut operands = vec![view.base];
    for (d, (&first, &step)) in first.iter().zip(&steps).enumerate() {
        let mut index = match kept.iter().position(|&own| own == d) {
            Some(at) => indices[at],
            None => builder.index(0),
        };
        if step != 1 {
            let step = builder.index(step);
            index = builder.binary(Opcode::ArithMuli, index, step);
        }
        if first != 0 {
            let first = builder.index(first);
            index = builder.binary(Opcode::ArithAddi, index, first);
        }
        operands.push(index);
    }
    builder.ir.set_operands(op, &operands);
    Some(())
}

/// Lets an operation begin with nothing in place of a slice that it does not read.
fn forget_unread(ir: &mut Ir, op: OpId) {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true)) else { return };
    let Some(body) = ir.body(op, 0) else { return };
    let n = linalg.inputs.len();
    for (i, &output) in linalg.outputs.iter().enumerate() {
        let is_known = !ir.shape_of(output).contains(&DYNAMIC);
        if is_known && slice_of(ir, output).is_some() && ir.is_unused(ir.args(body)[n + i]) {
            let ty = ir.type_of(output);
            let empty = Builder::before(ir, op).value(Opcode::TensorEmpty, &[], ty, &[]);
            ir.set_operand(op, n + i, empty);
        }
    }
}
