//! Beside: kernels that reduce the same tensors, neither of which needs what the other gives, are one reduction of several
//! results.
//!
//! Before: `%a = linalg.generic ins(%x)` sums rows, and `%b = linalg.generic ins(%x, %y)` the products of rows, in kernels of
//!         their own
//! After:  `%a, %b = linalg.generic ins(%x, %x, %y)`, in one kernel, which reads `%x` once
//!
//! So are the sums of a gradient and of the same times what a norm gave computed, the least and the greatest of a tensor, and
//! the three sums of a cosine. What is elementwise in front of either reduction, or small and behind it, comes along.
//!
//! Does not touch products of matrices, nor kernels that write as much as they read.

use std::collections::BTreeSet;

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Builder, DYNAMIC, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::again::{bytes, elements};
use super::{Needs, Trials, Unit, compiles, holds, in_order, is_elementwise, nested, top};
use crate::configure::group;
use crate::facts::Facts;
use crate::structured::generalize::{body_of, generic};
use crate::structured::{body, windows};

/// What a kernel reads at least so that it is worth looking at.
const BYTES_MIN: i64 = 1 << 18;
/// Results that a reduction may get: each has an accumulator for every element of a thread.
const RESULTS_MAX: usize = 4;

/// Joins such kernels of a block.
pub(super) fn join(
    ir: &mut Ir,
    block: BlockId,
    func: OpId,
    mut units: Vec<Unit>,
    facts: &Facts,
    trials: &mut Trials,
) -> Vec<Unit> {
    if facts.chip.native.is_some() {
        return units;
    }
    let reducing = |(u, unit): (usize, &Unit)| Some((u, Reducing::of(ir, unit)?));
    let mut found: Vec<(usize, Reducing)> = units.iter().enumerate().filter_map(reducing).collect();
    let mut needs = None;
    let mut changed = false;
    let mut b = 1;
    while b < found.len() {
        let sharing: Vec<usize> = (0..b).filter(|&a| found[a].1.shares_with(ir, &found[b].1)).collect();
        let joined = sharing.into_iter().find_map(|a| {
            let (first, second) = (found[a].0, found[b].0);
            let needs = needs.get_or_insert_with(|| Needs::of(ir, block));
            let apart = !waits(needs, &units, second, first) && !waits(needs, &units, first, second);
            let ops = apart.then(|| joined(ir, block, func, [&found[a].1, &found[b].1], facts, trials))??;
            Some((a, ops))
        });
        let Some((a, ops)) = joined else {
            b += 1;
            continue;
        };
        let (first, (second, _)) = (found[a].0, found.remove(b));
        units[second].ops.clear();
        units[first] = Unit { ops, is_kernel: true, joined: Vec::new() };
        (needs, changed) = (None, true);
        match Reducing::of(ir, &units[first]) {
            Some(reducing) => found[a].1 = reducing,
            None => {
                found.remove(a);
                b = (b - 1).max(1);
            }
        }
    }
    if !changed {
        return units;
    }
    let needs = Needs::of(ir, block);
    units.retain(|unit| !unit.ops.is_empty());
    let mut of = vec![0; needs.ops.len()];
    for (u, unit) in units.iter().enumerate() {
        unit.ops.iter().filter_map(|op| needs.places.get(op)).for_each(|&at| of[at] = u);
    }
    in_order(&needs, units, &of)
}

/// Whether a kernel needs what others make of what another one gives.
fn waits(needs: &Needs, units: &[Unit], unit: usize, on: usize) -> bool {
    let mut of: FxHashMap<usize, usize> = FxHashMap::default();
    for (u, unit) in units.iter().enumerate() {
        of.extend(unit.ops.iter().filter_map(|op| Some((*needs.places.get(op)?, u))));
    }
    let (mut waiting, mut seen) = (vec![unit], BTreeSet::from([unit]));
    while let Some(between) = waiting.pop() {
        let ops: Vec<OpId> = units[between].ops.iter().copied().filter(|op| needs.places.contains_key(op)).collect();
        for at in needs.makers_of(&ops) {
            match of.get(&at) {
                Some(&maker) if maker == on && between != unit => return true,
                Some(&maker) if maker == on => {}
                Some(&maker) if seen.insert(maker) => waiting.push(maker),
                Some(_) | None => {}
            }
        }
    }
    false
}

/// A kernel that reduces.
struct Reducing {
    ops: Vec<OpId>,
    /// The reduction.
    op: OpId,
    /// How long its loops are, and whether it reduces them.
    loops: Vec<(i64, bool)>,
    /// The tensors from outside that it reads, along these loops of the reduction, and their bytes.
    read: Vec<(ValueId, Vec<usize>)>,
    bytes: i64,
}

impl Reducing {
    fn of(ir: &Ir, unit: &Unit) -> Option<Reducing> {
        let fits = |&op: &OpId| {
            group::computes(ir, op) && ir.walk(op).into_iter().all(|inner| ir.opcode(inner) != Opcode::TensorExtract)
        };
        if !unit.is_kernel || !unit.ops.iter().all(fits) {
            return None;
        }
        let mut reducing = unit.ops.iter().copied().filter(|&op| !is_elementwise(ir, op));
        let op = reducing.next().filter(|_| reducing.next().is_none())?;
        let linalg = Linalg::of(ir, op);
        let extents = linalg.extents(ir);
        let is_plain = !body::is_contraction(ir, op)
            && ir.attr(op, "lowering_config").is_none()
            && (0..linalg.outputs.len()).all(|output| body::reduction_of(ir, op, output).is_some())
            && linalg.maps.iter().all(|map| map.as_dims().is_some())
            && linalg.inputs.iter().all(|&input| ir.ty(input).is_tensor())
            && !extents.contains(&DYNAMIC);
        if !is_plain {
            return None;
        }
        let inputs = linalg.inputs.iter().zip(&linalg.maps);
        let mut waiting: Vec<(ValueId, Vec<usize>)> =
            inputs.map(|(&value, map)| Some((value, map.as_dims()?))).collect::<Option<_>>()?;
        let (mut read, mut front): (Vec<(ValueId, Vec<usize>)>, BTreeSet<OpId>) = Default::default();
        let mut seen: FxHashSet<(ValueId, Vec<usize>)> = FxHashSet::default();
        while let Some((value, dims)) = waiting.pop() {
            if !ir.ty(value).is_tensor() || !seen.insert((value, dims.clone())) {
                continue;
            }
            let Some(made) = ir.def_op(value).filter(|made| unit.ops.contains(made)) else {
                if ir.def_op(value).is_some_and(|made| windows::is_window(ir, made)) {
                    return None;
                }
                read.push((value, dims));
                continue;
            };
            let own = Linalg::of(ir, made);
            front.insert(made);
            let written = own.maps.last()?.as_dims().filter(|written| written.len() == own.reduction.len())?;
            let mut loops = vec![0; written.len()];
            written.iter().zip(&dims).for_each(|(&own, &d)| loops[own] = d);
            for (&input, map) in own.inputs.iter().zip(&own.maps) {
                waiting.push((input, map.as_dims()?.into_iter().map(|d| loops[d]).collect()));
            }
        }
        let is_inside = |op: &OpId| {
            let mut users = ir.results(*op).flat_map(|value| ir.uses(value));
            users.all(|(user, _)| unit.ops.contains(&top(ir, user, *op)))
        };
        let most = ir.results(op).map(|value| elements(ir, value)).max()?;
        let is_small = |other: &OpId| ir.results(*other).all(|value| elements(ir, value) <= most);
        let holds =
            |other: &OpId| *other == op || if front.contains(other) { is_inside(other) } else { is_small(other) };
        let large = read.iter().map(|(value, _)| bytes(ir, *value)).sum::<i64>();
        let fits = unit.ops.iter().all(holds) && large >= BYTES_MIN && ir.results(op).len() < RESULTS_MAX;
        let loops = extents.into_iter().zip(linalg.reduction).collect();
        fits.then(|| Reducing { ops: unit.ops.clone(), op, loops, read, bytes: large })
    }

    /// Whether one kernel of both would read half of what one of them does once instead of twice.
    fn shares_with(&self, ir: &Ir, other: &Reducing) -> bool {
        let both = self.read.iter().filter(|read| other.read.contains(read)).map(|(value, _)| bytes(ir, *value));
        self.loops == other.loops
            && ir.results(self.op).len() + ir.results(other.op).len() <= RESULTS_MAX
            && 2 * both.sum::<i64>() >= self.bytes.min(other.bytes)
    }
}

/// The operations of one kernel of both, where that compiles.
fn joined(
    ir: &mut Ir,
    block: BlockId,
    func: OpId,
    both: [&Reducing; 2],
    facts: &Facts,
    trials: &mut Trials,
) -> Option<Vec<OpId>> {
    let in_block: Vec<OpId> = ir.block_ops(block).collect();
    let place = |op: OpId| in_block.iter().position(|&other| other == op);
    let (first, last) = (place(both[0].op)?.min(place(both[1].op)?), place(both[0].op)?.max(place(both[1].op)?));
    // What needs the first one comes behind the last one.
    let mut moved: Vec<(OpId, OpId)> = Vec::new();
    for at in first + 1..=last {
        let is_late = |value: &ValueId| {
            let made = ir.def_op(*value);
            made.is_some_and(|made| made == in_block[first] || moved.iter().any(|(op, _)| *op == made))
        };
        if nested(ir, in_block[at]).iter().any(|&op| ir.operands(op).iter().any(is_late)) {
            moved.push((in_block[at], in_block[at - 1]));
        }
    }
    let last = in_block[last];
    if moved.iter().any(|(op, _)| *op == last) {
        return None;
    }
    let new = one_of(ir, last, [both[0].op, both[1].op]);
    let mut uses = Vec::new();
    let old: Vec<ValueId> = both.iter().flat_map(|reducing| ir.results(reducing.op)).collect();
    for (at, &value) in old.iter().enumerate() {
        uses.extend(ir.uses(value).map(|(user, operand)| (user, operand, value)));
        ir.replace_uses(value, ir.result(new, at));
    }
    for (op, _) in &moved {
        ir.detach(*op);
        ir.insert_before(last, *op);
    }
    // The two use nothing meanwhile.
    let operands = both.map(|reducing| ir.operands(reducing.op).to_vec());
    both.iter().for_each(|reducing| ir.set_operands(reducing.op, &[]));
    let is_member = |op: &OpId| *op == new || both.iter().any(|of| *op != of.op && of.ops.contains(op));
    let ops: Vec<OpId> = ir.block_ops(block).filter(is_member).collect();
    if holds(ir, &ops, false, facts) && compiles(&mut None, ir, func, &ops, facts, trials).is_ok() {
        both.iter().for_each(|reducing| ir.erase(reducing.op));
        return Some(ops);
    }
    both.iter().zip(&operands).for_each(|(reducing, operands)| ir.set_operands(reducing.op, operands));
    uses.into_iter().for_each(|(user, operand, value)| ir.set_operand(user, operand, value));
    for (op, before) in moved {
        ir.detach(op);
        ir.insert_after(before, op);
    }
    ir.erase(new);
    None
}

/// One reduction that gives what both do, in front of an operation.
fn one_of(ir: &mut Ir, before: OpId, both: [OpId; 2]) -> OpId {
    let [a, b] = both.map(|op| Linalg::of(ir, op));
    let maps = |linalg: &Linalg| -> [Vec<Map>; 2] {
        let (inputs, outputs) = linalg.maps.split_at(linalg.inputs.len());
        [inputs.to_vec(), outputs.to_vec()]
    };
    let ([of_a, out_a], [of_b, out_b]) = (maps(&a), maps(&b));
    let linalg = Linalg {
        inputs: [&a.inputs[..], &b.inputs].concat(),
        outputs: [&a.outputs[..], &b.outputs].concat(),
        maps: [of_a, of_b, out_a, out_b].concat(),
        reduction: a.reduction.clone(),
    };
    let builder = &mut Builder::before(ir, before);
    let new = generic(builder, &linalg, &[]);
    let elems: Vec<TypeId> =
        linalg.inputs.iter().chain(&linalg.outputs).map(|&value| builder.ir.elem_of(value)).collect();
    body_of(builder, new, &elems, |inner, args| {
        let (inputs, outputs) = args.split_at(linalg.inputs.len());
        let (of_a, of_b) = (inputs.split_at(a.inputs.len()), outputs.split_at(a.outputs.len()));
        let own = [[of_a.0, of_b.0].concat(), [of_a.1, of_b.1].concat()];
        let mut given = Vec::new();
        for (op, own) in both.into_iter().zip(own) {
            let (block, mut map) = (inner.ir.entry(op), ValueMap::default());
            let args = inner.ir.args(block).to_vec();
            args.into_iter().zip(own).for_each(|(old, new)| map.set(old, new));
            let end = body::yield_of(inner.ir, op);
            for other in inner.ir.ops_of(block).into_iter().filter(|&other| other != end) {
                inner.copy(other, &mut map);
            }
            given.extend(inner.ir.operands(end).iter().map(|&value| map.get(value)));
        }
        given
    });
    new
}
