//! Several: an operation joins more than one kernel that reduces rows, so that what they give it stays in registers.
//!
//! Before: the softmax of a kernel, and whether nothing is left of a row, which another kernel has found, in a third one
//! After:  one kernel, which reads the scores once
//!
//! They read the same, or one of them gives as much as the operation does, which would go through memory.
//!
//! Does not touch products, nor sums of columns: workgroups that have all of a few columns read little at once, and each
//! kernel chooses for itself how many.

use std::collections::BTreeSet;

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, Map, OpId, ValueId};

use super::{Unit, again, are_elementwise, is_elementwise};
use crate::facts::Facts;
use crate::structured::body;

/// The last of some kernels that reduce, and those in front of it with which it becomes one where an operation uses them.
/// `None` if there are no others.
pub(super) fn joined(ir: &Ir, units: &[Unit], kernels: &[usize], op: OpId, facts: &Facts) -> Option<Vec<usize>> {
    let reduces = |&u: &usize| !are_elementwise(ir, &units[u].ops) && units[u].ops.iter().all(|&op| is_of_rows(ir, op));
    let kernels: Vec<usize> = kernels.iter().copied().filter(reduces).collect();
    let (&last, front) = kernels.split_last().filter(|_| facts.chip.native.is_none())?;
    let result = ir.results(op).map(|value| again::elements(ir, value)).max();
    let gives_all = |u: &usize| {
        let mut made = units[*u].ops.iter().flat_map(|&made| ir.results(made));
        made.any(|value| ir.operands(op).contains(&value) && Some(again::elements(ir, value)) >= result)
    };
    let all = kernels.iter().any(gives_all);
    let own = read(ir, &units[last]);
    let reads_same = |u: usize| {
        let other = read(ir, &units[u]);
        let both: BTreeSet<ValueId> = own.intersection(&other).copied().collect();
        bytes(ir, &both).saturating_mul(2) >= bytes(ir, &own).min(bytes(ir, &other))
    };
    let found: Vec<usize> = front.iter().copied().filter(|&u| all || reads_same(u)).chain([last]).collect();
    (found.len() > 1).then_some(found)
}

/// Whether an operation is elementwise, or reduces what lies beside one another.
fn is_of_rows(ir: &Ir, op: OpId) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|_| !body::is_contraction(ir, op)) else { return false };
    let lies_beside = |d: usize| {
        let last = |map: &Map| map.as_dims().and_then(|dims| dims.last().copied());
        linalg.maps[..linalg.inputs.len()].iter().any(|map| last(map) == Some(d))
    };
    is_elementwise(ir, op) || (0..linalg.reduction.len()).any(|d| linalg.reduction[d] && lies_beside(d))
}

/// What a kernel reads of others.
fn read(ir: &Ir, unit: &Unit) -> BTreeSet<ValueId> {
    let inputs = unit.ops.iter().filter_map(|&op| Linalg::try_of(ir, op)).flat_map(|linalg| linalg.inputs);
    inputs.filter(|&value| ir.def_op(value).is_none_or(|made| !unit.ops.contains(&made))).collect()
}

fn bytes(ir: &Ir, values: &BTreeSet<ValueId>) -> i64 {
    values.iter().map(|&value| again::bytes(ir, value)).fold(0, i64::saturating_add)
}
