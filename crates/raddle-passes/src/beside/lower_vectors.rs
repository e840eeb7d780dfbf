//! Lower vectors: what one thread does with vectors of several dimensions, as what machines have for one.
//!
//! Before: `vector.contract {…} %a, %b, %c : vector<3x4x2xf32>, vector<4x3x2xf32> into vector<3x2xf32>`
//! After:  a chain of four `math.fma` on `vector<6xf32>`, the sum of one the addend of the next.
//!
//! Before: `iree_vector_ext.transfer_gather %m[%c0, %c0] [%i : vector<4xindex>], … : memref<4096x64xf16>, vector<4x64xf16>`
//! After:  four of `vector.load`, each of a row.
//!
//! Products that are summed are not rounded before: a contraction does not say how it rounds, and a product that
//! `vector.multi_reduction` sums counts as one, as it does in MLIR.
//!
//! Leaves what it has no rule for: accesses that may lie outside, rows that are not contiguous.

mod chain;
mod rows;

use raddle_ir::{Code, Diag, Ir, OpId, Opcode};

use crate::clean;
use crate::code::extents::positions;

/// Pieces that one operation falls into, at most.
const PIECES_MAX: i64 = 1 << 12;

/// Rewrites a function.
pub fn lower_vectors(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    // What is nested first, for it goes with what is around it.
    for op in ir.walk(func).into_iter().rev() {
        match ir.opcode(op) {
            Opcode::VectorMask => chain::masked(ir, op)?,
            // What a mask stands around has no rule of its own.
            _ if ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) == Opcode::VectorMask) => {}
            Opcode::VectorContract => chain::contract(ir, op)?,
            Opcode::VectorMultiReduction => chain::reduce(ir, op)?,
            Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => rows::indexed(ir, op)?,
            Opcode::VectorTransferRead | Opcode::VectorTransferWrite => rows::plain(ir, op)?,
            _ => {}
        }
    }
    clean::remove(ir, func);
    Ok(())
}

/// Whether so many pieces are not too many.
fn check(ir: &Ir, op: OpId, extents: &[i64]) -> Result<(), Diag> {
    let n = extents.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
    if n.is_some_and(|n| n <= PIECES_MAX) {
        return Ok(());
    }
    let message = format!("`{}` falls into too many pieces", ir.name(op));
    Err(Diag::error(Code::UnrollsTooFar, ir.span(op), message)
        .note(format!("{PIECES_MAX} are the limit"))
        .help("choose smaller tiles"))
}
