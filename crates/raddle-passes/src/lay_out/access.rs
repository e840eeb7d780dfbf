//! Layouts around what reads, writes and acts under masks: vectors of indices and masks lie as what they go with.

use raddle_ir::views::{Contract, Indexed, Transfer};
use raddle_ir::{Class, Ir, OpId, Opcode, ValueId};
use raddle_layout::Nested;

use super::layouts::Layouts;
use super::rules::{iteration, mask_layout};

/// The operand that an operation writes.
pub fn written(ir: &Ir, op: OpId) -> Option<usize> {
    match ir.opcode(op) {
        Opcode::VectorTransferWrite | Opcode::VectorStore | Opcode::MemrefStore => Some(0),
        Opcode::IreeVectorExtTransferScatter => Some(1),
        Opcode::VectorScatter | Opcode::VectorMaskedstore => Some(ir.operands(op).len() - 1),
        _ => None,
    }
}

/// The operation that acts where a mask is set.
pub fn masked(ir: &Ir, mask: OpId) -> Option<OpId> {
    let block = ir.body(mask, 0).filter(|_| ir.opcode(mask) == Opcode::VectorMask)?;
    ir.first_op(block).filter(|&op| ir.opcode(op) != Opcode::VectorYield)
}

/// The `vector.mask` around an operation.
pub fn mask_of(ir: &Ir, op: OpId) -> Option<OpId> {
    ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::VectorMask)
}

/// The vector that an operation reads or writes.
fn vector(ir: &Ir, op: OpId) -> Option<ValueId> {
    match written(ir, op) {
        Some(operand) => Some(ir.operand(op, operand)),
        None => ir.results(op).next(),
    }
}

/// Whether a mask is the same for all neighbours along a dimension.
pub fn is_uniform(ir: &Ir, mask: ValueId, dim: usize) -> bool {
    let Some(op) = ir.def_op(mask) else { return false };
    match ir.opcode(op) {
        Opcode::VectorBroadcast => {
            let (source, extent) = (ir.operand(op, 0), ir.shape_of(mask)[dim]);
            let shape = ir.ty(source).shape().unwrap_or_default();
            let missing = ir.shape_of(mask).len() - shape.len();
            dim < missing || shape[dim - missing] == 1 && extent > 1 || is_uniform(ir, source, dim - missing)
        }
        Opcode::VectorTranspose => ir
            .attr_id(op, "permutation")
            .and_then(|order| ir.ints(order))
            .is_some_and(|order| order.get(dim).is_some_and(|&from| is_uniform(ir, ir.operand(op, 0), from as usize))),
        Opcode::VectorCreateMask => ir.const_int(ir.operand(op, dim)) == Some(ir.shape_of(mask)[dim]),
        Opcode::IreeVectorExtToLayout => is_uniform(ir, ir.operand(op, 0), dim),
        Opcode::ArithAndi => ir.operands(op).iter().all(|&part| is_uniform(ir, part, dim)),
        _ => false,
    }
}

/// The same of the mask of an access, along a dimension of what it reads.
pub fn masks_alike(ir: &Ir, op: OpId, mask: ValueId, dim: usize) -> bool {
    match ir.opcode(op) {
        Opcode::IreeVectorExtTransferGather => {
            let view = Indexed::of(ir, op);
            let along = view.dims(view.index_vecs.len());
            along.iter().position(|&d| d == dim).is_none_or(|at| is_uniform(ir, mask, at))
        }
        _ => is_uniform(ir, mask, dim),
    }
}

/// The layouts that vectors of indices, masks, and what stands in for masked elements need; `None` for an operation
/// that has none of these.
pub fn needs(ir: &Ir, op: OpId, layouts: &Layouts) -> Option<Vec<(usize, Nested)>> {
    match ir.opcode(op) {
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
            let (view, first) = (Indexed::of(ir, op), if written(ir, op).is_some() { 2 } else { 1 });
            let Some(layout) = vector(ir, op).and_then(|vector| layouts.get(vector)) else { return Some(Vec::new()) };
            let along = |i: usize| {
                let dims = view.dims(i).into_iter().map(Some).collect::<Vec<_>>();
                layout.apply(&dims)
            };
            let first = first + view.offsets.len();
            let n = view.index_vecs.len();
            let mut needs: Vec<(usize, Nested)> =
                (0..n).filter(|&i| ir.ty(view.index_vecs[i]).is_vector()).map(|i| (first + i, along(i))).collect();
            needs.extend(view.mask.map(|_| (ir.operands(op).len() - 1, along(n))));
            Some(needs)
        }
        Opcode::VectorGather | Opcode::VectorScatter | Opcode::VectorMaskedload | Opcode::VectorMaskedstore => {
            let Some(layout) = vector(ir, op).and_then(|vector| layouts.get(vector)) else { return Some(Vec::new()) };
            let others = (0..ir.operands(op).len()).filter(|&i| Some(i) != written(ir, op));
            let vectors = others.filter(|&i| ir.ty(ir.operand(op, i)).is_vector());
            Some(vectors.map(|i| (i, layout.clone())).collect())
        }
        Opcode::VectorMask => {
            let mut needs: Vec<(usize, Nested)> =
                mask_needs(ir, op, layouts).map(|layout| (0, layout)).into_iter().collect();
            if let (1, Some(layout)) = (ir.operands(op).len() - 1, ir.results(op).next().and_then(|v| layouts.get(v))) {
                needs.push((1, layout.clone()));
            }
            Some(needs)
        }
        _ => None,
    }
}

/// The layout that the mask of `vector.mask` needs.
fn mask_needs(ir: &Ir, mask: OpId, layouts: &Layouts) -> Option<Nested> {
    let op = masked(ir, mask)?;
    match ir.class(op) {
        Class::Read | Class::Write => {
            let layout = layouts.get(vector(ir, op)?)?;
            Some(match ir.opcode(op) {
                Opcode::VectorTransferRead | Opcode::VectorTransferWrite => mask_layout(&Transfer::of(ir, op), layout),
                _ => layout.clone(),
            })
        }
        Class::Reduce => layouts.get(ir.operand(op, 0)).cloned(),
        Class::Contract => {
            let view = Contract::of(ir, op);
            iteration(&view, layouts.get(view.lhs)?, layouts.get(view.rhs)?, layouts.launch_at(ir, op))
        }
        _ => None,
    }
}
