//! Made again: a value that costs next to nothing is made again where another kernel uses it, if what it is made of goes
//! through memory anyway, or is smaller.
//!
//! Before: a product whose kernel returns a sum in f16, the same in f32, and its square, for the norm that follows
//! After:  it returns the sum in f16; the kernel of the norm extends and squares it
//!
//! Does not touch what is returned from the function, nor kernels in which nothing is reduced: these are there because
//! their results had better be made once.

use std::collections::BTreeMap;

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Class, Ir, OpId, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::again::{bytes, costs_more};
use super::{Trials, Unit, compiles, holds, is_elementwise, may_join, nested, top};
use crate::facts::Facts;
use crate::normalize::loops::is_costly;

/// Operations on one element, at most.
const OPERATIONS_MAX: usize = 2;

/// Takes such values out of what kernels return, but for `kept`.
pub(super) fn make_again(
    ir: &mut Ir,
    func: OpId,
    units: &mut [Unit],
    kept: &FxHashSet<OpId>,
    facts: &Facts,
    trials: &mut Trials,
) {
    let mut unit_of: FxHashMap<OpId, usize> = FxHashMap::default();
    for (u, unit) in units.iter().enumerate() {
        unit_of.extend(unit.ops.iter().map(|&op| (op, u)));
    }
    for u in 0..units.len() {
        if !units[u].is_kernel || units[u].ops.iter().all(|&op| is_elementwise(ir, op)) {
            continue;
        }
        // Users first: what these read then goes through memory in any case.
        for op in units[u].ops.clone().into_iter().rev() {
            let Some(users) = users(ir, op, &unit_of).filter(|_| is_cheap(ir, op)) else { continue };
            // What is left may not be tiled as it was with the operation.
            let left: Vec<OpId> = units[u].ops.iter().copied().filter(|&other| other != op).collect();
            let holds_without = compiles(&mut None, ir, func, &left, facts, trials).is_ok();
            if !holds_without || kept.contains(&op) || !users.keys().all(|&unit| units[unit].is_kernel) {
                continue;
            }
            for (unit, ops) in users {
                if let Some(copy) = clone_for(ir, func, op, (&mut units[unit], &ops), facts, trials) {
                    unit_of.insert(copy, unit);
                }
            }
            if ir.results(op).all(|value| ir.is_unused(value)) {
                units[u].ops.retain(|&other| other != op);
                ir.erase(op);
            }
        }
    }
}

/// The operations of other kernels that use an operation's results, if nobody else needs these, and less would go through
/// memory if they made it themselves.
fn users(ir: &Ir, op: OpId, unit_of: &FxHashMap<OpId, usize>) -> Option<BTreeMap<usize, Vec<OpId>>> {
    let own = unit_of.get(&op);
    let goes_out = |value: ValueId| {
        let made_here = ir.def_op(value).is_some_and(|made| unit_of.get(&made) == own);
        !made_here || ir.uses(value).any(|(user, _)| unit_of.get(&top(ir, user, op)) != own)
    };
    let mut found: BTreeMap<usize, Vec<OpId>> = BTreeMap::new();
    for (user, _) in ir.results(op).flat_map(|value| ir.uses(value)) {
        let user = top(ir, user, op);
        let unit = unit_of.get(&user)?;
        if Some(unit) != own {
            found.entry(*unit).or_default().push(user);
        }
    }
    let is_less = || {
        let inputs = Linalg::of(ir, op).inputs;
        let more: i64 = inputs.iter().filter(|&&input| !goes_out(input)).map(|&input| bytes(ir, input)).sum();
        more == 0 || more < bytes(ir, ir.result(op, 0))
    };
    (!found.is_empty() && is_elementwise(ir, op) && is_less()).then_some(found)
}

/// Whether an operation does a little with each element, of which it reads neighbours together.
fn is_cheap(ir: &Ir, op: OpId) -> bool {
    let costs = |inner: &OpId| ir.class(*inner) == Class::Elementwise;
    let is_simple = |inner: &OpId| !is_costly(ir, *inner);
    let inner = ir.walk(op);
    ir.results(op).len() == 1
        && inner.iter().filter(|inner| costs(inner)).count() <= OPERATIONS_MAX
        && inner.iter().all(|inner| is_simple(inner) && ir.regions(*inner).is_empty())
}

/// Gives another kernel its own copy of an operation, if that reads no more than it does now, and compiles.
fn clone_for(
    ir: &mut Ir,
    func: OpId,
    op: OpId,
    (unit, users): (&mut Unit, &[OpId]),
    facts: &Facts,
    trials: &mut Trials,
) -> Option<OpId> {
    if !unit.ops.iter().all(|&other| may_join(ir, other)) {
        return None;
    }
    let place = unit.ops.iter().position(|other| users.contains(other))?;
    let result = ir.result(op, 0);
    let read = |value: ValueId| {
        unit.ops.iter().any(|&other| nested(ir, other).iter().any(|&op| ir.operands(op).contains(&value)))
    };
    let more: i64 =
        Linalg::of(ir, op).inputs.iter().filter(|&&input| !read(input)).map(|&input| bytes(ir, input)).sum();
    if more > bytes(ir, result) || users.iter().any(|&user| costs_more(ir, &[op], user, facts)) {
        return None;
    }
    let copy = Builder::before(ir, unit.ops[place]).copy(op, &mut ValueMap::default());
    let own = ir.result(copy, 0);
    let mut replaced = Vec::new();
    for &user in users {
        for inner in nested(ir, user) {
            for i in 0..ir.operands(inner).len() {
                if ir.operand(inner, i) == result {
                    ir.set_operand(inner, i, own);
                    replaced.push((inner, i));
                }
            }
        }
    }
    unit.ops.insert(place, copy);
    if holds(ir, &unit.ops, false, facts) && compiles(&mut None, ir, func, &unit.ops, facts, trials).is_ok() {
        return Some(copy);
    }
    unit.ops.remove(place);
    replaced.into_iter().for_each(|(inner, i)| ir.set_operand(inner, i, result));
    ir.erase(copy);
    None
}
