//! Reads inside: elements at places that are numbers of a tensor are read inside of theirs, where a program may ask for
//! others.
//!
//! Before: `tensor.extract %x[%i, %j]`, where %i is what another tensor holds
//! After:  %i is at least 0 and at most the last place
//!
//! So it is in programs of StableHLO, whose gathers mean the nearest place inside, which IREE says of some and leaves out of
//! others, and where a mask hides what is read outside, as selections do behind `jax.numpy.take`. What the mask is, is not
//! asked: a place inside stays what it is, and one outside has no meaning in the program as written. Places in other
//! programs stay, so that who executes them can say where they are wrong.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Builder, Ir, OpId, Opcode, ValueId};

use crate::structured::sizes::mixed_extent;

/// Operations from a number in memory to a place, and from an element to the selection that hides it, at most.
const CHAIN_MAX: usize = 8;

/// Whether an element is read at a place that may be outside, and nothing but selections uses it.
pub(super) fn is_hidden(ir: &Ir, op: OpId) -> bool {
    may_be_outside(ir, op) && is_chosen(ir, ir.result(op, 0), CHAIN_MAX)
}

/// Keeps the places of such elements inside.
pub(super) fn keep_hidden(ir: &mut Ir, func: OpId) {
    keep(ir, func, is_hidden);
}

/// Keeps all places inside that are numbers of tensors.
pub(super) fn keep_all(ir: &mut Ir, func: OpId) {
    keep(ir, func, may_be_outside);
}

fn keep(ir: &mut Ir, func: OpId, which: fn(&Ir, OpId) -> bool) {
    for op in ir.walk(func) {
        if which(ir, op) {
            keep_inside(ir, op);
        }
    }
}

/// Whether an operation reads an element at a place that is in memory, without a word on whether it is inside.
fn may_be_outside(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::TensorExtract
        && ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) == Opcode::LinalgGeneric && !is_checked(ir, parent))
        && ir.operands(op)[1..].iter().any(|&place| is_from_memory(ir, op, place))
}

fn keep_inside(ir: &mut Ir, op: OpId) {
    let (tensor, owner) = (ir.operand(op, 0), ir.parent_op(op).expect("the read is in a body"));
    for d in 0..ir.operands(op).len() - 1 {
        let place = ir.operand(op, d + 1);
        if !is_from_memory(ir, op, place) {
            continue;
        }
        let extent = mixed_extent(&mut Builder::before(ir, owner), tensor, d);
        let b = &mut Builder::before(ir, op);
        let last = match extent {
            Mixed::Static(extent) => b.index(extent.max(1) - 1),
            Mixed::Value(extent) => {
                let one = b.index(1);
                b.binary(Opcode::ArithSubi, extent, one)
            }
        };
        let first = b.index(0);
        let place = b.binary(Opcode::ArithMaxsi, place, first);
        let place = b.binary(Opcode::ArithMinsi, place, last);
        b.ir.set_operand(op, d + 1, place);
    }
}

/// Whether a body says itself that its places are inside.
fn is_checked(ir: &Ir, op: OpId) -> bool {
    ir.ops_of(ir.entry(op)).into_iter().any(|op| ir.opcode(op) == Opcode::CfAssert)
}

/// Whether a place is a number of a tensor as it is there, or with the extent added where it counts from the end.
fn is_from_memory(ir: &Ir, op: OpId, place: ValueId) -> bool {
    let body = ir.parent_block(op);
    let mut waiting = vec![place];
    for _ in 0..CHAIN_MAX {
        let Some(at) = waiting.pop() else { return false };
        let Some(made) = ir.def_op(at) else { return body.is_some_and(|body| ir.args(body).contains(&at)) };
        match ir.opcode(made) {
            Opcode::TensorExtract => return true,
            Opcode::ArithIndexCast
            | Opcode::ArithIndexCastui
            | Opcode::ArithExtsi
            | Opcode::ArithExtui
            | Opcode::ArithTrunci
            | Opcode::ArithAddi
            | Opcode::ArithSubi => waiting.extend(ir.operands(made)),
            Opcode::ArithSelect => waiting.extend(&ir.operands(made)[1..]),
            _ => {}
        }
    }
    false
}

/// Whether all that becomes of a value is what a selection chooses, or not.
fn is_chosen(ir: &Ir, value: ValueId, left: usize) -> bool {
    !ir.is_unused(value) && ir.uses(value).all(|(user, at)| left > 0 && is_choice(ir, user, at, left - 1))
}

fn is_choice(ir: &Ir, user: OpId, at: usize, left: usize) -> bool {
    match ir.opcode(user) {
        Opcode::ArithSelect => at > 0,
        Opcode::TensorCollapseShape | Opcode::TensorExpandShape | Opcode::TensorCast => {
            is_chosen(ir, ir.result(user, 0), left)
        }
        Opcode::LinalgYield => {
            ir.parent_op(user).and_then(|op| ir.results(op).nth(at)).is_some_and(|result| is_chosen(ir, result, left))
        }
        Opcode::LinalgGeneric => Linalg::try_of(ir, user)
            .filter(|linalg| at < linalg.inputs.len())
            .is_some_and(|_| is_chosen(ir, ir.args(ir.entry(user))[at], left)),
        _ => false,
    }
}
