//! Sums again: parts of a sum are combined in each kernel that uses it.
//!
//! Before: a kernel that sums parts of the rows, one that combines them to means, and two that read the means: the sums of
//!         the squares of what is left, and what follows in the norm
//! After:  the two combine the parts, each workgroup those of its rows, and so there is one kernel less
//!
//! Parts are few, and caches have them. What keeps the kernel in place, because the function returns what it gives, or one
//! of those who use it would not compile, keeps the sums as they are.

use std::collections::BTreeMap;

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Ir, OpId, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use super::again::bytes;
use super::{Trials, Unit, compiles, holds, may_join, nested, top};
use crate::facts::Facts;

/// Bytes that the kernel of a sum reads, at most.
const BYTES_MAX: i64 = 1 << 18;

/// Takes the kernels of `sums` apart.
pub(super) fn make_again(
    ir: &mut Ir,
    func: OpId,
    units: &mut Vec<Unit>,
    sums: &FxHashMap<OpId, OpId>,
    facts: &Facts,
    trials: &mut Trials,
) {
    for u in 0..units.len() {
        if !units[u].ops.iter().any(|op| sums.contains_key(op)) || read(ir, &units[u].ops) > BYTES_MAX {
            continue;
        }
        let Some(users) = users(ir, units, u) else { continue };
        let made = units[u].ops.clone();
        let mut copies = Vec::new();
        let taken = users.iter().all(|(&user, at)| {
            let (copy, ops) = Copy::put(ir, &made, &units[user].ops, at);
            copies.push((user, copy));
            // They are a kernel without the sum: nothing is asked but whether they can be tiled with it.
            let fits = holds(ir, &ops, true, facts) && compiles(&mut None, ir, func, &ops, facts, trials).is_ok();
            units[user].ops = ops;
            fits
        });
        if !taken {
            for (user, copy) in copies.into_iter().rev() {
                units[user].ops.retain(|op| !copy.ops.contains(op));
                copy.take_back(ir);
            }
            continue;
        }
        for op in units[u].ops.drain(..).rev() {
            ir.erase(op);
        }
    }
    units.retain(|unit| !unit.ops.is_empty());
}

/// Bytes that operations read of what others make.
fn read(ir: &Ir, ops: &[OpId]) -> i64 {
    let inputs = ops.iter().flat_map(|&op| Linalg::try_of(ir, op).map_or(Vec::new(), |linalg| linalg.inputs));
    inputs.filter(|&value| ir.def_op(value).is_none_or(|made| !ops.contains(&made))).map(|value| bytes(ir, value)).sum()
}

/// The other units that use what a unit gives, if these are kernels, with the operations that do.
fn users(ir: &Ir, units: &[Unit], u: usize) -> Option<BTreeMap<usize, Vec<OpId>>> {
    let mut found: BTreeMap<usize, Vec<OpId>> = BTreeMap::new();
    for &op in &units[u].ops {
        for (user, _) in ir.results(op).flat_map(|value| ir.uses(value)) {
            let user = top(ir, user, op);
            let unit = units.iter().position(|unit| unit.ops.contains(&user))?;
            if unit != u {
                found.entry(unit).or_default().push(user);
            }
        }
    }
    let takes = |unit: &usize| units[*unit].is_kernel && units[*unit].ops.iter().all(|&op| may_join(ir, op));
    (!found.is_empty() && found.keys().all(takes)).then_some(found)
}

/// Operations that are made again in another kernel.
struct Copy {
    ops: Vec<OpId>,
    /// Which operands are theirs now, and what they were.
    replaced: Vec<(OpId, usize, ValueId)>,
}

impl Copy {
    /// Copies operations for a kernel, some of whose operations use them. Returns what is in the kernel then, too.
    fn put(ir: &mut Ir, made: &[OpId], kernel: &[OpId], users: &[OpId]) -> (Copy, Vec<OpId>) {
        let place = kernel.iter().position(|op| users.contains(op)).expect("users are of the kernel");
        let mut map = ValueMap::default();
        let builder = &mut Builder::before(ir, kernel[place]);
        let ops: Vec<OpId> = made.iter().map(|&op| builder.copy(op, &mut map)).collect();
        let mut replaced = Vec::new();
        for inner in users.iter().flat_map(|&user| nested(ir, user)).collect::<Vec<_>>() {
            for (i, value) in ir.operands(inner).to_vec().into_iter().enumerate() {
                if let Some(own) = map.find(value) {
                    ir.set_operand(inner, i, own);
                    replaced.push((inner, i, value));
                }
            }
        }
        let all = [&kernel[..place], &ops, &kernel[place..]].concat();
        (Copy { ops, replaced }, all)
    }

    fn take_back(self, ir: &mut Ir) {
        self.replaced.into_iter().for_each(|(op, i, value)| ir.set_operand(op, i, value));
        self.ops.into_iter().rev().for_each(|op| ir.erase(op));
    }
}
