//! Fold transfers: what is seen to lie inside says so, masks that are on everywhere go, and what was just written to a
//! tensor is what is read there.

use raddle_ir::views::Transfer;
use raddle_ir::{Attr, DYNAMIC, Expr, Ir, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::number::{self, Number};

/// Folds one `vector.transfer_read` or `vector.transfer_write`.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if !matches!(ir.opcode(op), Opcode::VectorTransferRead | Opcode::VectorTransferWrite) {
        return None;
    }
    let view = Transfer::of(ir, op);
    if let Some(mask) = view.mask
        && number::of(ir, mask) == Some(Number::Int(-1))
    {
        let operands = ir.operands(op).to_vec();
        let (_, rest) = operands.split_last()?;
        let sizes = ir.attr_id(op, "operandSegmentSizes").and_then(|attr| ir.ints(attr))?;
        let mut sizes: Vec<usize> = sizes.into_iter().map(|size| size as usize).collect();
        *sizes.last_mut()? = 0;
        let sizes = ir.segment_sizes(&sizes);
        ir.set_operands(op, rest);
        ir.set_attr(op, "operandSegmentSizes", sizes);
        return Some(Fold::Changed);
    }
    if let Some(fold) = read_back(ir, op, &view) {
        return Some(fold);
    }
    let in_bounds = seen_inside(ir, op, &view)?;
    let flags = in_bounds.iter().map(|&flag| ir.intern(Attr::Bool(flag))).collect();
    let flags = ir.intern(Attr::Array(flags));
    ir.set_attr(op, "in_bounds", flags);
    Some(Fold::Changed)
}

/// The flags, with those set whose dimension is seen to end inside the base; `None` if that sets none.
fn seen_inside(ir: &Ir, op: OpId, view: &Transfer) -> Option<Vec<bool>> {
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let (shape, base) = (ir.shape_of(vector), ir.ty(view.base).shape()?);
    let mut flags = view.in_bounds.clone();
    if flags.len() != shape.len() || view.map.results.len() != shape.len() {
        return None;
    }
    let mut changed = false;
    for (d, flag) in flags.iter_mut().enumerate().filter(|(_, flag)| !**flag) {
        let Expr::Dim(along) = view.map.results[d] else { continue };
        let (Some(&extent), Some(&start)) = (base.get(along as usize), view.indices.get(along as usize)) else {
            continue;
        };
        let Some(start) = number::of(ir, start).and_then(Number::int) else { continue };
        let inside = extent != DYNAMIC && start >= 0 && start.checked_add(shape[d]).is_some_and(|end| end <= extent);
        *flag = inside;
        changed |= inside;
    }
    changed.then_some(flags)
}

/// A read of what was just written whole to a tensor, at the same place.
fn read_back(ir: &Ir, op: OpId, view: &Transfer) -> Option<Fold> {
    let written = ir.def_op(view.base).filter(|&made| ir.opcode(made) == Opcode::VectorTransferWrite)?;
    if view.vector.is_some() || ir.attr_id(written, "layouts").is_some() {
        return None;
    }
    let put = Transfer::of(ir, written);
    let value = put.vector?;
    // Where a mask is off, a read of poison may be anything, and so it may be what was not written.
    let anything = |value: ValueId| ir.def_op(value).is_some_and(|op| ir.opcode(op) == Opcode::UbPoison);
    let elements = view.mask == put.mask && (view.mask.is_none() || view.padding.is_some_and(anything));
    let whole = |view: &Transfer| view.in_bounds.iter().all(|&flag| flag);
    let same = elements
        && whole(view)
        && whole(&put)
        && put.indices == view.indices
        && put.map == view.map
        && ir.type_of(value) == ir.type_of(ir.result(op, 0));
    same.then(|| Fold::Values(vec![value]))
}
