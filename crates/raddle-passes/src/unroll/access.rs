//! Plain and masked accesses as transfers: `vector.load`, `vector.store`, `vector.maskedload`, `vector.maskedstore`.
//!
//! Before: `%r = vector.maskedload %m[%i], %mask, %other : …`
//! After:  `vector.transfer_read` of what is there under the mask, and `%other` elsewhere.

use raddle_ir::views::minor_identity;
use raddle_ir::{Builder, Ir, OpId, Opcode};

/// Expands the accesses of a function whose memory has elements of their vectors' types.
pub(super) fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        expand_one(ir, op);
    }
}

fn expand_one(ir: &mut Ir, op: OpId) {
    let operands = ir.operands(op).to_vec();
    let (base, indices, mask, value) = match (ir.opcode(op), &operands[..]) {
        (Opcode::VectorLoad, [base, indices @ ..]) => (*base, indices, None, None),
        (Opcode::VectorStore, [value, base, indices @ ..]) => (*base, indices, None, Some(*value)),
        (Opcode::VectorMaskedload | Opcode::VectorMaskedstore, [base, indices @ .., mask, value]) => {
            (*base, indices, Some(*mask), Some(*value))
        }
        _ => return,
    };
    let result = ir.results(op).next();
    let Some(vector) = result.or(value) else { return };
    if ir.elem_of(base) != ir.elem_of(vector) {
        return;
    }
    let (ty, elem, rank) = (ir.type_of(vector), ir.elem_of(vector), ir.shape_of(vector).len());
    let (map, in_bounds) = (minor_identity(indices.len(), rank), vec![true; rank]);
    let mut builder = Builder::before(ir, op);
    let Some(result) = result else {
        let write = builder.transfer_write(vector, base, indices, map, &in_bounds);
        if let Some(mask) = mask {
            ir.set_transfer_mask(write, mask);
        }
        return ir.erase(op);
    };
    let padding = builder.splat(0.0, elem);
    let mut read = builder.transfer_read(base, indices, padding, map, &in_bounds, ty);
    if let (Some(mask), Some(other), Some(op)) = (mask, value, builder.ir.def_op(read)) {
        builder.ir.set_transfer_mask(op, mask);
        read = builder.value(Opcode::ArithSelect, &[mask, read, other], ty, &[]);
    }
    ir.replace_uses(result, read);
    ir.erase(op);
}
