//! Made again: a value that costs next to nothing is made again where another kernel uses it, if what it is made of goes
//! through memory anyway, or is smaller.
//!
//! Before: a product whose kernel returns a sum in f16, the same in f32, and its square, for the norm that follows
//! After:  it returns the sum in f16; the kernel of the norm extends and squares it
//!
//! What it is made of may be such a value, too, which is then made again with it: the sum over rows of a gradient times what
//! a norm gave reads the gradient and what the norm is of, and no product of both goes through memory.
//!
//! What one other kernel alone needs moves there, as the exponentials of a log softmax that was narrowed do, if each element is
//! computed once there, too. A kernel that does nothing else is none then, as one that widens an image which several norms reduce.
//!
//! So does what reads a tensor that the other kernel reads anyway: the probabilities of an attention, by which its gradient
//! multiplies what a product gives and then the sum of that, are read once, behind the product.
//!
//! Does not touch what is returned from the function, nor what costs more where it is made again (`again.rs`).

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Class, Ir, OpId, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::again::{bytes, costs_more, is_repeated};
use super::{Trials, Unit, are_elementwise, compiles, holds, is_elementwise, may_join, nested, top};
use crate::facts::Facts;
use crate::normalize::loops::is_costly;

/// Operations on one element, at most.
const OPERATIONS_MAX: usize = 2;
/// Values that are made again together, at most.
const CHAIN_MAX: usize = 4;
/// What moves in exchange for as much saves at least this part of it.
const WORTH: i64 = 4;

/// Takes such values out of what kernels return, but for `kept`.
pub(super) fn make_again(
    ir: &mut Ir,
    func: OpId,
    units: &mut Vec<Unit>,
    kept: &FxHashSet<OpId>,
    facts: &Facts,
    trials: &mut Trials,
) {
    let mut unit_of: FxHashMap<OpId, usize> = FxHashMap::default();
    for (u, unit) in units.iter().enumerate() {
        unit_of.extend(unit.ops.iter().map(|&op| (op, u)));
    }
    // What is made again is not made again once more, unless it only widens a tensor: the kernels of a program's layers would
    // be longer and longer.
    let mut copied: FxHashSet<OpId> = FxHashSet::default();
    // Those that have lost operations.
    let mut smaller: BTreeSet<usize> = BTreeSet::new();
    for u in 0..units.len() {
        if !units[u].is_kernel {
            continue;
        }
        // Users first: what these read then goes through memory in any case.
        for op in units[u].ops.clone().into_iter().rev() {
            let Some(Again { chain, users }) = Again::of(ir, op, &units[u], &unit_of, &copied) else { continue };
            if kept.contains(&op) || !users.keys().all(|&unit| units[unit].is_kernel) {
                continue;
            }
            // What is left may not be tiled as it was with the operation, or hang together no more. Fewer elementwise
            // operations are tiled as more of them: each of hundreds would be a reason to try all others.
            let left: Vec<OpId> = units[u].ops.iter().copied().filter(|&other| other != op).collect();
            let mut parts = apart(ir, &left).into_iter();
            let holds_without = are_elementwise(ir, &left)
                || parts.all(|part| compiles(&mut None, ir, func, &part, facts, trials).is_ok());
            if !holds_without {
                continue;
            }
            for (unit, ops) in users {
                let copies = clone_for(ir, func, (&left, &chain), (&mut units[unit], &ops), facts, trials);
                for copy in copies.into_iter().flatten() {
                    unit_of.insert(copy, unit);
                    copied.insert(copy);
                }
            }
            if ir.results(op).all(|value| ir.is_unused(value)) {
                units[u].ops.retain(|&other| other != op);
                ir.erase(op);
                smaller.insert(u);
            }
        }
    }
    // Operations that nobody needs any more have no kernel.
    for &u in &smaller {
        for op in std::mem::take(&mut units[u].ops).into_iter().rev() {
            match is_elementwise(ir, op) && ir.results(op).all(|value| ir.is_unused(value)) {
                true => ir.erase(op),
                false => units[u].ops.insert(0, op),
            }
        }
    }
    let split = |(u, unit): (usize, Unit)| match smaller.contains(&u) {
        true => apart(ir, &unit.ops).into_iter().map(|ops| Unit { ops, is_kernel: true, joined: Vec::new() }).collect(),
        false => vec![unit],
    };
    *units = std::mem::take(units).into_iter().enumerate().flat_map(split).collect();
    units.retain(|unit| !unit.ops.is_empty());
}

/// The operations of a kernel, those that use one another together.
fn apart(ir: &Ir, ops: &[OpId]) -> Vec<Vec<OpId>> {
    let mut parts: Vec<Vec<OpId>> = Vec::new();
    for &op in ops {
        let uses = |part: &Vec<OpId>| {
            let made = |value: &ValueId| ir.def_op(*value).is_some_and(|made| part.contains(&made));
            nested(ir, op).iter().any(|&op| ir.operands(op).iter().any(made))
        };
        let (used, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(uses);
        parts = others;
        parts.push(used.into_iter().flatten().chain([op]).collect());
    }
    let place = |op: &OpId| ops.iter().position(|other| other == op);
    parts.iter_mut().for_each(|part| part.sort_by_key(place));
    parts
}

/// What is made again.
struct Again {
    /// In the order of the program; the last one's results are those that others use.
    chain: Vec<OpId>,
    /// The operations of other kernels that use them.
    users: BTreeMap<usize, Vec<OpId>>,
}

impl Again {
    /// `None` if somebody else needs an operation's results, or as much would go through memory if those who use them made
    /// them.
    fn of(ir: &Ir, op: OpId, unit: &Unit, unit_of: &FxHashMap<OpId, usize>, copied: &FxHashSet<OpId>) -> Option<Again> {
        let is_new = |op: OpId| !copied.contains(&op) || widens(ir, op);
        let users = users(ir, op, unit_of)?;
        let own = unit_of.get(&op);
        // What one other kernel alone needs moves there, whatever it costs: it is computed once.
        let moves = |op: OpId, chain: &FxHashSet<OpId>| {
            let mut own_users = ir.results(op).flat_map(|value| ir.uses(value)).map(|(user, _)| top(ir, user, op));
            users.len() == 1 && own_users.all(|user| chain.contains(&user) || unit_of.get(&user) != own)
        };
        let may_be_again = |op: OpId, chain: &FxHashSet<OpId>| {
            is_elementwise(ir, op) && is_new(op) && is_plain(ir, op) && (is_cheap(ir, op) || moves(op, chain))
        };
        if !may_be_again(op, &FxHashSet::default()) {
            return None;
        }
        let goes_out = |value: ValueId| {
            let made_here = ir.def_op(value).is_some_and(|made| unit_of.get(&made) == own);
            !made_here || ir.uses(value).any(|(user, _)| unit_of.get(&top(ir, user, op)) != own)
        };
        let whole = bytes(ir, ir.result(op, 0));
        // Bytes that go through memory besides.
        let (mut chain, mut more) = (FxHashSet::from_iter([op]), 0i64);
        let mut waiting = vec![op];
        while let Some(user) = waiting.pop() {
            for input in Linalg::of(ir, user).inputs {
                match ir.def_op(input).filter(|_| !goes_out(input)) {
                    Some(made) if chain.contains(&made) => {}
                    // Small values are given to others as they are.
                    Some(made)
                        if bytes(ir, input) >= whole && may_be_again(made, &chain) && chain.len() < CHAIN_MAX =>
                    {
                        chain.insert(made);
                        waiting.push(made);
                    }
                    Some(_) => more = more.saturating_add(bytes(ir, input)),
                    None => {}
                }
            }
        }
        let chain = unit.ops.iter().copied().filter(|op| chain.contains(op)).collect();
        // Where one kernel alone needs it, as much may go out in its place.
        let is_enough = more == 0 || more < whole || more == whole && moves(op, &FxHashSet::default());
        is_enough.then_some(Again { chain, users })
    }
}

/// The operations of other kernels that use an operation's results, if all who use these are in kernels.
fn users(ir: &Ir, op: OpId, unit_of: &FxHashMap<OpId, usize>) -> Option<BTreeMap<usize, Vec<OpId>>> {
    let mut found: BTreeMap<usize, Vec<OpId>> = BTreeMap::new();
    for (user, _) in ir.results(op).flat_map(|value| ir.uses(value)) {
        let user = top(ir, user, op);
        let unit = unit_of.get(&user)?;
        if Some(unit) != unit_of.get(&op) {
            found.entry(*unit).or_default().push(user);
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether an operation has one result, and reads neighbours together.
fn is_plain(ir: &Ir, op: OpId) -> bool {
    ir.results(op).len() == 1 && ir.walk(op).into_iter().all(|inner| ir.regions(inner).is_empty())
}

/// Whether an operation does a little with each element.
fn is_cheap(ir: &Ir, op: OpId) -> bool {
    let inner = ir.walk(op);
    inner.iter().filter(|&&inner| ir.class(inner) == Class::Elementwise).count() <= OPERATIONS_MAX
        && !inner.iter().any(|&inner| is_costly(ir, inner))
}

/// Whether an operation gives what it reads in a wider type.
fn widens(ir: &Ir, op: OpId) -> bool {
    let inputs = Linalg::of(ir, op).inputs;
    matches!(inputs[..], [input] if bytes(ir, input) < bytes(ir, ir.result(op, 0)))
}

/// Gives another kernel its own copy of some operations, the last of which it uses, if no more goes through memory then, and
/// it compiles. `left` are the operations that stay where that one is.
fn clone_for(
    ir: &mut Ir,
    func: OpId,
    (left, chain): (&[OpId], &[OpId]),
    (unit, users): (&mut Unit, &[OpId]),
    facts: &Facts,
    trials: &mut Trials,
) -> Option<Vec<OpId>> {
    let op = *chain.last()?;
    if !unit.ops.iter().all(|&other| may_join(ir, other)) {
        return None;
    }
    let place = unit.ops.iter().position(|other| users.contains(other))?;
    let result = ir.result(op, 0);
    let read = |value: ValueId| unit.ops.iter().any(|&other| reads(ir, other, value));
    let is_made = |value: ValueId| ir.def_op(value).is_some_and(|made| chain.contains(&made));
    let inputs: BTreeSet<ValueId> = chain.iter().flat_map(|&op| Linalg::of(ir, op).inputs).collect();
    let more = inputs.into_iter().filter(|&input| !read(input) && !is_made(input));
    let more = more.map(|input| bytes(ir, input)).fold(0, i64::saturating_add);
    let whole = bytes(ir, result);
    let (mut saved, mut least) = (whole, 0);
    // Who makes it for one kernel alone need not write it, nor read what nothing else is made of, but writes what it makes it
    // of. Where that is as much, what it reads must be worth it.
    if ir.uses(result).all(|(user, _)| users.contains(&top(ir, user, op))) {
        let is_left = |input: ValueId| ir.def_op(input).is_some_and(|made| left.contains(&made));
        let is_read = |input: ValueId| left.iter().any(|&other| reads(ir, other, input));
        let goes_out = |input: ValueId| {
            let mut users = ir.uses(input).map(|(user, _)| top(ir, user, op));
            users.any(|user| !left.contains(&user) && !chain.contains(&user))
        };
        let inputs = chain.iter().flat_map(|&op| Linalg::of(ir, op).inputs).filter(|&input| !is_made(input));
        let (made, given): (BTreeSet<ValueId>, BTreeSet<ValueId>) = inputs.partition(|&input| is_left(input));
        let read = given.into_iter().filter(|&input| !is_read(input)).map(|input| bytes(ir, input));
        let written = made.into_iter().filter(|&input| !goes_out(input)).map(|input| bytes(ir, input));
        let written = written.fold(0, i64::saturating_add);
        saved = read.fold(saved.saturating_mul(2), i64::saturating_add).saturating_sub(written);
        least = if written < whole { 0 } else { whole / WORTH };
    }
    let is_costly = chain.iter().any(|&op| !is_cheap(ir, op));
    let costs = |&user: &OpId| costs_more(ir, chain, user, facts) || is_costly && is_repeated(ir, chain, user);
    if more.saturating_add(least) > saved || users.iter().any(costs) {
        return None;
    }
    let (mut map, mut builder) = (ValueMap::default(), Builder::before(ir, unit.ops[place]));
    let copies: Vec<OpId> = chain.iter().map(|&op| builder.copy(op, &mut map)).collect();
    let own = map.get(result);
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
    unit.ops.splice(place..place, copies.iter().copied());
    if holds(ir, &unit.ops, false, facts) && compiles(&mut None, ir, func, &unit.ops, facts, trials).is_ok() {
        return Some(copies);
    }
    unit.ops.drain(place..place + copies.len());
    replaced.into_iter().for_each(|(inner, i)| ir.set_operand(inner, i, result));
    copies.into_iter().rev().for_each(|copy| ir.erase(copy));
    None
}

/// Whether an operation, or one in its regions, reads a value.
fn reads(ir: &Ir, op: OpId, value: ValueId) -> bool {
    nested(ir, op).iter().any(|&op| ir.operands(op).contains(&value))
}
