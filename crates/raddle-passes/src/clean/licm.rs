//! Hoist out of loops what is the same in every iteration and cannot trap.

use raddle_ir::{BlockId, Class, Def, Division, Ir, OpId, Opcode, ValueId};

use super::{blocks_of, number};

/// Hoists out of each `scf.for` in an operation, and out of the operation if it is one, inner loops first; says whether
/// anything moved.
pub fn hoist(ir: &mut Ir, op: OpId) -> bool {
    let mut changed = false;
    for block in blocks_of(ir, op) {
        hoist_in(ir, block, &mut changed);
    }
    hoist_from_loop(ir, op, &mut changed);
    changed
}

fn hoist_in(ir: &mut Ir, block: BlockId, changed: &mut bool) {
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if ir.regions(op).is_empty() || ir.class(op) == Class::Structured {
            continue;
        }
        for block in blocks_of(ir, op) {
            hoist_in(ir, block, changed);
        }
        hoist_from_loop(ir, op, changed);
    }
}

fn hoist_from_loop(ir: &mut Ir, op: OpId, changed: &mut bool) {
    if ir.opcode(op) == Opcode::ScfFor
        && let Some(body) = ir.body(op, 0)
    {
        hoist_from(ir, op, body, changed);
    }
}

fn hoist_from(ir: &mut Ir, for_op: OpId, body: BlockId, changed: &mut bool) {
    let mut next = ir.first_op(body);
    while let Some(op) = next {
        next = ir.next_op(op);
        if may_run_early(ir, op) && ir.operands(op).iter().all(|&operand| block_of(ir, operand) != Some(body)) {
            ir.detach(op);
            ir.insert_before(for_op, op);
            *changed = true;
        }
    }
}

/// The block that a value is defined in. Operands of an operation right in the loop's body are defined there or outside.
fn block_of(ir: &Ir, value: ValueId) -> Option<BlockId> {
    match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    }
}

/// Whether an operation may be executed where it would not have been: it only computes, and does not divide by zero.
pub(crate) fn may_run_early(ir: &Ir, op: OpId) -> bool {
    let info = ir.opcode(op).info();
    if !info.is_pure() || !ir.regions(op).is_empty() {
        return false;
    }
    let Some(division) = info.division() else { return true };
    let divisor = ir.operands(op).last().and_then(|&divisor| number::of(ir, divisor)).and_then(number::Number::int);
    divisor.is_some_and(|divisor| match division {
        Division::Unsigned => divisor != 0,
        // The least number divided by -1 overflows.
        Division::Signed => divisor != 0 && divisor != -1,
    })
}
