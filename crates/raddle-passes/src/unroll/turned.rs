//! Turned: reductions of transposed vectors combine what was transposed.
//!
//! Before: `%t = vector.transpose %r, [0, 2, 1] : vector<8x3x16xf32> to vector<8x16x3xf32>`,
//!         `%s = vector.multi_reduction <maximumf>, %t, %acc [2]`
//! After:  `%s = vector.multi_reduction <maximumf>, %r, %acc [1]`
//!
//! The rows of a vector are native vectors: those along windows would have their few elements, and each would be combined
//! by itself.

use raddle_ir::{Ir, OpId, Opcode};

use crate::lay_out::{permutation, reduced};

/// Rewrites the reductions of a function under no mask whose dimensions keep their order, those that go and the others.
pub(super) fn reductions(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let masked = ir.parent_op(op).is_some_and(|around| ir.opcode(around) == Opcode::VectorMask);
        if ir.opcode(op) != Opcode::VectorMultiReduction || masked {
            continue;
        }
        let Some(turn) = ir.def_op(ir.operand(op, 0)).filter(|&def| ir.opcode(def) == Opcode::VectorTranspose) else {
            continue;
        };
        let (perm, marks) = (permutation(ir, turn), reduced(ir, op));
        let dims = |marked: bool| (0..perm.len()).filter(|&d| marks[d] == marked).map(|d| perm[d]).collect::<Vec<_>>();
        let (kept, gone) = (dims(false), dims(true));
        if kept.is_sorted() && gone.is_sorted() {
            let list: Vec<i64> = gone.iter().map(|&d| d as i64).collect();
            let (source, list) = (ir.operand(turn, 0), ir.dense_i64(&list));
            ir.set_operand(op, 0, source);
            ir.set_attr(op, "reduction_dims", list);
        }
    }
}
