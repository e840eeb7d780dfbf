//! Reads of scatters: on CPUs a scatter computes the numbers of its places, and its updates, from what these are made of.
//!
//! Before: a kernel that puts the numbers of rows and those of columns side by side, and `iree_linalg_ext.scatter` in another one
//! After:  one kernel, which reads the two numbers of an update where they are
//!
//! There a thread looks at each update once (`scalar_loops/scatter.rs`), where teams of a GPU look at all places for each row.
//!
//! Does not touch what others need, too, what is made of the destination, in whose place the result may lie, and what costs
//! more by one element at a time: functions, divisions, and reads that are not along rows.

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, OpId, Opcode, ValueId};

use super::{Trials, Unit, compiles, is_cheap, is_elementwise, nested, top};
use crate::facts::Facts;
use crate::normalize::loops::is_costly;
use crate::scalar_loops;

/// Takes such kernels, and reshapes, into those of scatters.
pub(super) fn take_in(ir: &Ir, func: OpId, units: &mut Vec<Unit>, facts: &Facts, trials: &mut Trials) {
    if facts.chip.native.is_none() {
        return;
    }
    for u in 0..units.len() {
        let &[scatter] = &units[u].ops[..] else { continue };
        if ir.opcode(scatter) != Opcode::IreeLinalgExtScatter || !scalar_loops::looks_once(ir, scatter) {
            continue;
        }
        let (mut ops, mut taken) = (vec![scatter], Vec::new());
        let serves = |unit: &Unit, ops: &[OpId]| {
            let is_own = |user: OpId| ops.contains(&user) || unit.ops.contains(&user);
            unit.ops.iter().all(|&op| all_users(ir, op, &is_own))
        };
        let whole = ir.operands(scatter).last().map(|&whole| seen(ir, whole));
        let is_apart = |unit: &Unit| {
            let mut read = unit.ops.iter().flat_map(|&op| nested(ir, op)).flat_map(|op| ir.operands(op));
            read.all(|&value| Some(seen(ir, value)) != whole)
        };
        let is_new = |m: usize, ops: &[OpId]| !units[m].ops.is_empty() && !ops.contains(&units[m].ops[0]);
        let next = |ops: &[OpId]| {
            let fits =
                |unit: &Unit| is_apart(unit) && unit.ops.iter().all(|&op| is_little(ir, op)) && serves(unit, ops);
            (0..units.len()).find(|&m| is_new(m, ops) && fits(&units[m]))
        };
        while let Some(maker) = next(&ops) {
            // Who makes what others use stands in front of them.
            ops.splice(0..0, units[maker].ops.iter().copied());
            taken.push(maker);
        }
        // Reshapes alone are the host's.
        if taken.iter().any(|&maker| units[maker].is_kernel)
            && compiles(&mut None, ir, func, &ops, facts, trials).is_ok()
        {
            taken.into_iter().for_each(|maker| units[maker].ops.clear());
            units[u].ops = ops;
        }
    }
    units.retain(|unit| !unit.ops.is_empty());
}

/// Whether all who use an operation's results are such, or make views of these for such.
fn all_users(ir: &Ir, op: OpId, is_one: &dyn Fn(OpId) -> bool) -> bool {
    let mut users = ir.results(op).flat_map(|value| ir.uses(value)).map(|(user, _)| top(ir, user, op));
    users.all(|user| is_one(user) || is_cheap(ir, user) && all_users(ir, user, is_one))
}

/// What a tensor is a view of.
fn seen(ir: &Ir, mut value: ValueId) -> ValueId {
    const VIEWS: [Opcode; 5] = [
        Opcode::TensorExpandShape,
        Opcode::TensorCollapseShape,
        Opcode::TensorCast,
        Opcode::TensorExtractSlice,
        Opcode::TensorPad,
    ];
    while let Some(op) = ir.def_op(value).filter(|&op| VIEWS.contains(&ir.opcode(op))) {
        value = ir.operand(op, 0);
    }
    value
}

/// Whether an operation costs next to nothing for each of its elements, also one by one.
fn is_little(ir: &Ir, op: OpId) -> bool {
    match ir.opcode(op) {
        Opcode::TensorExpandShape | Opcode::TensorCollapseShape => true,
        Opcode::TensorPad => true,
        _ => is_elementwise(ir, op) && reads_along_rows(ir, op) && nested(ir, op).iter().all(|&op| !is_costly(ir, op)),
    }
}

/// Whether an operation reads elements of its operands in the order in which it gives those of its result.
fn reads_along_rows(ir: &Ir, op: OpId) -> bool {
    let linalg = Linalg::of(ir, op);
    linalg.maps.iter().all(|map| map.as_dims().is_some_and(|dims| dims.is_sorted()))
}
