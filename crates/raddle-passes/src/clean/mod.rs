//! Clean: fold what is known, merge what is equal, hoist what does not change, remove what nobody uses.
//!
//! Before:
//!
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %a = arith.muli %x, %c1 : index
//!   %b = arith.addi %a, %y : index
//!   %c = arith.addi %x, %y : index
//!   memref.store %v, %m[%b] : memref<?xf32>
//! }
//! ```
//!
//! After:
//!
//! ```mlir
//! %b = arith.addi %x, %y : index
//! scf.for %i = %c0 to %n step %c1 {
//!   memref.store %v, %m[%b] : memref<?xf32>
//! }
//! ```
//!
//! The four parts run in turn until none finds anything, or a bound is hit. What an operation means never changes: integer
//! arithmetic wraps, a division by zero stays where it is, floats are only rewritten where every input gives the same
//! bits. Operations that this module does not know are left alone, and so are the bodies of `linalg` operations.
//!
//! It does not reorder memory accesses or reassociate floats. Of equal reads in a row, between which nothing may write and
//! no thread waits, one is left.

mod assume;
mod blocks;
mod cast;
mod control;
mod cse;
mod dce;
mod dispatch;
mod fold;
mod forall;
mod index;
mod indexed;
mod lanes;
mod licm;
mod linalg_ext;
pub(crate) mod number;
mod scalar;
mod shape;
mod tensor;
mod transfer;
mod truth;

pub use assume::assumed;
pub use cse::{cse, merge};
pub use dce::remove;
pub use licm::hoist;
pub(crate) use licm::may_run_early;
pub(crate) use scalar::{compare, eval_int};

use raddle_ir::{BlockId, Ir, OpId, Opcode};

/// Rounds of all four parts; each finds less, and what is left after these is not worth another walk.
const ROUNDS_MAX: usize = 8;

/// Folds, merges, hoists and removes until nothing changes.
pub fn clean(ir: &mut Ir, func: OpId) {
    let mut hoisted = true;
    for _ in 0..ROUNDS_MAX {
        let folded = canonicalize(ir, func);
        // One walk merges all that is equal: another finds what was folded or hoisted since.
        if !(folded || hoisted) {
            break;
        }
        let merged = cse(ir, func);
        hoisted = hoist(ir, func);
        remove(ir, func);
        // Removing bares nothing new: loops that lose a user of what they carry are the next sweep's, if there is one.
        if !(folded || merged || hoisted) {
            break;
        }
    }
}

/// Folds to a fixpoint and removes what nobody uses. Says whether anything changed.
pub fn canonicalize(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for _ in 0..ROUNDS_MAX {
        let folded = fold::sweep(ir, func) | blocks::join(ir, func);
        let removed = remove(ir, func);
        changed |= folded || removed;
        if !folded {
            break;
        }
    }
    changed
}

/// Whether values from outside must not be used inside: so it is for these operations, and so it may be for those that
/// nobody knows.
fn isolates(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op).is_isolated() || ir.opcode(op) == Opcode::Unregistered
}

/// The blocks of all regions of an operation; a function that is only declared has none.
fn blocks_of(ir: &Ir, op: OpId) -> Vec<BlockId> {
    ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).copied().collect()
}
