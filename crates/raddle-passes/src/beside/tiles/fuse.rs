//! Take what makes the operands of dealt tiles into the loop over threads: each computes the slice that it reads.
//!
//! Before: `%t = linalg.transpose …` outside, `tensor.extract_slice %t[…]` inside
//! After:  a `linalg.transpose` of slices inside; the other one goes when nobody else uses it
//!
//! Only structured operations on tensors, whose operands each loop index picks one place of. Where the loop begins with
//! the result of one, it begins with what that was written into instead: the threads cover it.

use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{BlockId, Builder, DYNAMIC, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::deal::Slice;

/// Producers that one loop may take in.
const FUSED_MAX: usize = 1 << 8;

/// Takes producers into the body of a `scf.forall`, and theirs, as long as there are some.
pub fn producers(ir: &mut Ir, forall: OpId) {
    let body = ir.entry(forall);
    let mut slices: Vec<OpId> = ir.block_ops(body).filter(|&op| ir.opcode(op) == Opcode::TensorExtractSlice).collect();
    let mut n = 0;
    while let Some(slice) = slices.pop() {
        n += 1;
        if n > FUSED_MAX {
            return;
        }
        slices.extend(fuse(ir, forall, body, slice).unwrap_or_default());
    }
}

/// Replaces a slice of a producer's result by the producer of the slice; returns the slices that this takes.
fn fuse(ir: &mut Ir, forall: OpId, body: BlockId, slice: OpId) -> Option<Vec<OpId>> {
    let view = SliceView::of(ir, slice);
    let args = ir.args(body);
    // The loop's tensor stands for what it begins with.
    let shared =
        args[1..].iter().position(|&arg| arg == view.base).map(|at| ir.operands(forall).len() - (args.len() - 1) + at);
    let source = shared.map_or(view.base, |at| ir.operand(forall, at));
    let producer = ir.def_op(source).filter(|&op| ir.parent_block(op) != Some(body))?;
    let result = ir.result(slice, 0);
    if ir.opcode(producer) == Opcode::TensorEmpty && shared.is_none() {
        return empty(ir, slice, result);
    }
    let linalg = Linalg::try_of(ir, producer).filter(|linalg| linalg.outputs.len() == 1)?;
    let dims: Vec<Vec<usize>> = linalg.maps.iter().map(Map::as_dims).collect::<Option<_>>()?;
    let counts = ir.walk(producer).into_iter().any(|op| ir.opcode(op) == Opcode::LinalgIndex);
    let is_tensor = ir.ty(linalg.outputs[0]).is_tensor();
    let out = &dims[linalg.inputs.len()];
    let distinct = out.iter().enumerate().all(|(at, d)| !out[..at].contains(d));
    let same_rank = ir.shape_of(result).len() == view.offsets.len();
    if counts || !is_tensor || !distinct || !same_rank || shared.is_some() && ir.uses(view.base).count() > 2 {
        return None;
    }

    let mut builder = Builder::before(ir, slice);
    // What of each loop the slice needs: all of those that the result does not have.
    let extents = linalg.extents(builder.ir);
    let mut ranges = Vec::new();
    for (d, &extent) in extents.iter().enumerate() {
        ranges.push(match out.iter().position(|other| *other == d) {
            Some(at) => (view.offsets[at], view.sizes[at], view.strides[at]),
            None if extent == DYNAMIC => return None,
            None => (Mixed::Static(0), Mixed::Static(extent), Mixed::Static(1)),
        });
    }
    let mut made = Vec::new();
    let mut part = |builder: &mut Builder<'_>, value: ValueId, dims: &[usize]| {
        if !builder.ir.ty(value).is_tensor() {
            return value;
        }
        let slice = Slice {
            offsets: dims.iter().map(|&d| ranges[d].0).collect(),
            sizes: dims.iter().map(|&d| ranges[d].1).collect(),
            strides: dims.iter().map(|&d| ranges[d].2).collect(),
        };
        let value = slice.extract(builder, value);
        made.extend(builder.ir.def_op(value));
        value
    };
    let mut operands = Vec::new();
    for (&input, dims) in linalg.inputs.iter().zip(&dims) {
        operands.push(part(&mut builder, input, dims));
    }
    // In place of the loop's tensor stands its slice, which is kept.
    let init = linalg.outputs[0];
    let dest = match shared {
        Some(_) => part(&mut builder, view.base, out),
        None => part(&mut builder, init, out),
    };
    operands.push(dest);
    let copy = builder.copy(producer, &mut ValueMap::default());
    builder.ir.set_operands(copy, &operands);
    let ty = builder.ir.type_of(dest);
    let new = builder.ir.result(copy, 0);
    builder.ir.set_type(new, ty);
    ir.replace_uses(result, new);
    ir.erase(slice);
    if let Some(at) = shared {
        ir.set_operand(forall, at, init);
    }
    if ir.is_unused(source) {
        ir.erase(producer);
    }
    Some(made)
}

/// A slice of a tensor without contents is one.
fn empty(ir: &mut Ir, slice: OpId, result: ValueId) -> Option<Vec<OpId>> {
    let ty = ir.type_of(result);
    let sizes: Vec<ValueId> = SliceView::of(ir, slice)
        .sizes
        .iter()
        .zip(ir.shape_of(result))
        .filter_map(|(size, &extent)| match size {
            Mixed::Value(value) if extent == DYNAMIC => Some(*value),
            Mixed::Value(_) | Mixed::Static(_) => None,
        })
        .collect();
    let new = Builder::before(ir, slice).value(Opcode::TensorEmpty, &sizes, ty, &[]);
    ir.replace_uses(result, new);
    ir.erase(slice);
    Some(Vec::new())
}
