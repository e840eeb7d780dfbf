//! Order: in which kernels, and what the host does between them, can run.

use std::collections::BTreeSet;

use raddle_ir::{BlockId, Ir, OpId};
use raddle_layout::sort::sort_by_key;
use rustc_hash::FxHashSet;

use super::{Needs, Unit};

/// The units in an order in which each runs behind those that it uses; the earlier in the program goes first.
pub(super) fn in_order(needs: &Needs, units: Vec<Unit>, of: &[usize]) -> Vec<Unit> {
    let used = |u: usize| needs.makers_of(&units[u].ops).map(|at| of[at]).filter(move |&other| other != u);
    let mut waits: Vec<usize> = Vec::new();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for u in 0..units.len() {
        let used: BTreeSet<usize> = used(u).collect();
        waits.push(used.len());
        for other in used {
            users[other].push(u);
        }
    }
    let mut ready: BTreeSet<usize> = (0..units.len()).filter(|&u| waits[u] == 0).collect();
    let mut order = Vec::new();
    while let Some(u) = ready.pop_first() {
        order.push(u);
        for &user in &users[u] {
            waits[user] -= 1;
            if waits[user] == 0 {
                ready.insert(user);
            }
        }
    }
    assert_eq!(order.len(), units.len(), "kernels do not wait for one another");
    let mut units: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
    order.into_iter().filter_map(|u| units[u].take()).filter(|unit| !unit.ops.is_empty()).collect()
}

/// The kernels of a block that has been rewritten, with all else that is in it now, in order.
pub(super) fn rearranged(ir: &Ir, block: BlockId, mut units: Vec<Unit>) -> Vec<Unit> {
    let needs = Needs::of(ir, block);
    units.retain(|unit| unit.is_kernel);
    let inside: FxHashSet<OpId> = units.iter().flat_map(|unit| unit.ops.clone()).collect();
    let outside = needs.ops.iter().filter(|op| !inside.contains(op));
    units.extend(outside.map(|&op| Unit { ops: vec![op], is_kernel: false, joined: Vec::new() }));
    sort_by_key(&mut units, |unit| unit.ops.last().map(|op| needs.places[op]));
    let mut of = vec![0; needs.ops.len()];
    for (u, unit) in units.iter().enumerate() {
        unit.ops.iter().for_each(|op| of[needs.places[op]] = u);
    }
    in_order(&needs, units, &of)
}
