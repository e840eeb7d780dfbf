//! Which numbers and flags are computed element by element, because no vector of them is ever used.
//!
//! Before: `%r = arith.addi %h, %steps : vector<4x3xindex>`, `%f = arith.cmpi ult, %r, %n`, and a mask of `vector<4x3x16xi1>`
//!         that repeats each flag for 16 elements
//! After:  a scalar for each of the twelve rows, so that those that are alike are one: row 1 of the first window is row 0
//!         of the second.

use raddle_ir::{Class, Ir, OpId, Opcode, Scalar, ValueId};
use rustc_hash::FxHashSet;

use super::grid::row_dim;
use crate::lay_out::permutation;

/// The vectors of a function whose elements had better be computed one by one.
pub(super) fn find(ir: &Ir, func: OpId) -> FxHashSet<ValueId> {
    let mut apart = FxHashSet::default();
    // Users come first.
    for op in ir.walk(func).into_iter().rev() {
        let results: Vec<ValueId> = ir.results(op).collect();
        let [value] = results[..] else { continue };
        let is_rule =
            matches!(ir.class(op), Class::Elementwise | Class::Constant | Class::Broadcast | Class::Transpose);
        let is_number = |value: ValueId| {
            ir.ty(value).is_vector()
                && matches!(Scalar::of(&ir[ir.elem_of(value)]), Some(Scalar::Index | Scalar::Int(1)))
        };
        let is_one = |value: ValueId| row_dim(ir.shape_of(value)).is_none_or(|d| ir.shape_of(value)[d] < 2);
        if !is_rule || !is_number(value) || is_one(value) {
            continue;
        }
        let mut uses = ir.uses(value).peekable();
        if uses.peek().is_some() && uses.all(|(user, _)| takes_apart(ir, &apart, user, value)) {
            apart.insert(value);
        }
    }
    apart
}

/// Whether an operation needs the elements of an operand alone.
fn takes_apart(ir: &Ir, apart: &FxHashSet<ValueId>, user: OpId, operand: ValueId) -> bool {
    let Some(result) = ir.results(user).next() else { return false };
    if ir.class(user) == Class::Elementwise {
        return apart.contains(&result);
    }
    if !matches!(ir.opcode(user), Opcode::VectorBroadcast | Opcode::VectorTranspose) || !ir.ty(result).is_vector() {
        return false;
    }
    if apart.contains(&result) {
        return true;
    }
    let Some(to) = row_dim(ir.shape_of(result)) else { return false };
    // Whether all elements of a row of the result are one of the operand.
    match ir.opcode(user) {
        Opcode::VectorBroadcast => repeats(ir, user, to),
        _ => {
            let source = permutation(ir, user)[to];
            ir.def_op(operand).is_some_and(|def| ir.opcode(def) == Opcode::VectorBroadcast && repeats(ir, def, source))
        }
    }
}

/// Whether a broadcast repeats elements along a dimension of its result.
fn repeats(ir: &Ir, op: OpId, dim: usize) -> bool {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let from = if ir.ty(source).is_vector() { ir.shape_of(source) } else { &[] };
    let lead = ir.shape_of(result).len() - from.len();
    dim.checked_sub(lead).is_none_or(|d| from[d] == 1)
}
