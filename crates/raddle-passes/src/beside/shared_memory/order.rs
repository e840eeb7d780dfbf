//! Order: whether a pipelined loop does to memory what the loop did.
//!
//! Two accesses of the same place, one of which writes, must come in the order of the old loop. Where threads waited for
//! one another between the two, they must do so in the new loop, too, and behind an asynchronous copy its thread must
//! have waited for it before. Accesses of several buffers in turn touch the same place only every so many rounds: an
//! index that is a number once the loop's index is one tells them apart.
//!
//! Rounds that the new loop begins behind the last one count as well: what is guarded may still fill its destination
//! with zeros.

use std::collections::BTreeMap;

use raddle_ir::views::{Mixed, SliceView, Transfer};
use raddle_ir::{Attr, Class, Expr, Ir, OpId, Opcode, ValueId};
use raddle_layout::sort::{sort_by, sort_by_key};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::{self, Effect};
use super::places::{self, place};
use super::{may_alias, root};
use crate::overlap::software_pipeline::{Bounds, Part, Schedule};

/// Rounds of which each is looked at; in longer loops buffers are not told apart.
const ROUNDS_MAX: i64 = 4096;

/// A loop and what it is to become.
pub struct Order<'a> {
    ir: &'a Ir,
    body: Vec<OpId>,
    /// The loop's index, and what it carries.
    args: Vec<ValueId>,
    bounds: Bounds,
    /// Stage, and place in the schedule, of each operation.
    slots: BTreeMap<OpId, Slot>,
    last_stage: i64,
    guarded: bool,
    /// Buffers that are to become several, one for each round in turn, and how many.
    turns: Vec<(ValueId, i64)>,
}

/// Where an operation stands.
#[derive(Clone, Copy)]
struct Slot {
    /// In the old loop's body.
    old: usize,
    stage: i64,
    place: usize,
}

/// One access of one operation.
struct Access {
    slot: Slot,
    writes: bool,
    /// `None` for what may touch anything.
    base: Option<ValueId>,
    asynchronous: bool,
    /// The part of the buffer, along its first dimension, in each round; empty for all of it.
    parts: Vec<(i64, i64)>,
}

/// When something happens: the time, and the place in the schedule.
type Time = (i64, usize);

impl<'a> Order<'a> {
    /// The loop's bounds are known, and every operation of its body is in the schedule, or has no effect.
    pub fn new(ir: &'a Ir, loop_op: OpId, bounds: Bounds, schedule: &Schedule, guarded: bool) -> Order<'a> {
        let body = ir.ops_of(ir.entry(loop_op));
        let old: FxHashMap<OpId, usize> = body.iter().copied().zip(0..).collect();
        let slots = schedule.iter().enumerate();
        let slots = slots.map(|(place, &(op, stage))| (op, Slot { old: old[&op], stage: stage as i64, place }));
        Order {
            ir,
            args: ir.args(ir.entry(loop_op)).to_vec(),
            bounds,
            slots: slots.collect(),
            last_stage: schedule.iter().map(|entry| entry.1 as i64).max().unwrap_or(0),
            body,
            guarded,
            turns: Vec::new(),
        }
    }

    /// The same, when so many buffers take turns at the place of each of these.
    pub fn with_turns(self, buffers: &[ValueId], n: i64) -> Order<'a> {
        Order { turns: buffers.iter().map(|&buffer| (buffer, n)).collect(), ..self }
    }

    /// Whether all accesses keep their order; with `barriers`, also whether threads wait for one another as before.
    pub fn is_kept(&self, barriers: bool) -> bool {
        let accesses = self.accesses();
        accesses.iter().all(|first| accesses.iter().all(|second| self.pair_is_kept(first, second, barriers)))
    }

    /// How many groups of copies a wait may leave on their way, there where it stands in the new loop.
    pub fn groups_left(&self, wait: OpId, part: Part) -> i64 {
        let slot = self.slots[&wait];
        let groups = self.groups();
        // Old order: of what is closed before the wait, the last ones may stay on their way.
        let round = match part {
            Part::Prologue(time) => time as i64 - slot.stage,
            // In the middle; long loops are all alike there.
            Part::Kernel => self.trips() - 1 - self.last_stage,
            Part::Epilogue(time) => self.trips() - 1 + time as i64 - slot.stage,
        };
        let now = (round + slot.stage, slot.place);
        let Some(needed) = self.groups_needed(wait, slot, round) else { return 0 };
        let mut closed: Vec<(Time, i64)> = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            for of in (round - 1 - self.last_stage).max(0)..=round + self.last_stage + 1 {
                let time = (of + group.stage, group.place);
                if time < now && self.exists(*group, of) {
                    closed.push((time, of * groups.len() as i64 + i as i64));
                }
            }
        }
        sort_by(&mut closed, Ord::cmp);
        let last = closed.iter().rposition(|entry| entry.1 < needed);
        (closed.len() - last.map_or(0, |at| at + 1)) as i64
    }

    fn trips(&self) -> i64 {
        self.bounds.trips
    }

    /// Whether an operation is run for this round.
    fn exists(&self, slot: Slot, round: i64) -> bool {
        let end = if self.guarded { self.trips() + self.last_stage - slot.stage } else { self.trips() };
        (0..end).contains(&round)
    }

    fn slots_of(&self, is_it: impl Fn(Opcode) -> bool) -> Vec<Slot> {
        let ops = self.body.iter().filter(|&&op| is_it(self.ir.opcode(op)));
        ops.filter_map(|op| self.slots.get(op).copied()).collect()
    }

    fn groups(&self) -> Vec<Slot> {
        self.slots_of(closes_group)
    }

    /// The number of groups, counted from the first round on, that are done when the old loop has waited; `None` where
    /// that is none.
    fn groups_needed(&self, wait: OpId, slot: Slot, round: i64) -> Option<i64> {
        let groups = self.groups();
        let closed = round * groups.len() as i64 + groups.iter().filter(|group| group.old < slot.old).count() as i64;
        let left = ["numGroups", "n", "count"].iter().find_map(|name| self.ir.attr(wait, name)?.as_i64()).unwrap_or(0);
        Some(closed.checked_sub(left)?).filter(|&needed| needed > 0)
    }

    fn accesses(&self) -> Vec<Access> {
        let mut found = Vec::new();
        for (&top, &slot) in &self.slots {
            for op in self.ir.walk(top).into_iter().chain([top]) {
                let asynchronous = match self.ir.opcode(op) {
                    Opcode::NvgpuDeviceAsyncCopy => true,
                    Opcode::AmdgpuGatherToLds => self.ir.attr_id(op, "async").is_some(),
                    _ => false,
                };
                for effect in effects::own(self.ir, op) {
                    let (writes, base) = match effect {
                        Effect::Reads(base) => (false, Some(base)),
                        Effect::Writes(base) => (true, Some(base)),
                        Effect::Anything => (true, None),
                        Effect::Allocates | Effect::Waits => continue,
                    };
                    let parts = base.map_or(Vec::new(), |base| self.parts(op, slot, base));
                    found.push(Access { slot, writes, base, asynchronous, parts });
                }
            }
        }
        found
    }

    fn pair_is_kept(&self, first: &Access, second: &Access, barriers: bool) -> bool {
        if !(first.writes || second.writes) {
            return true;
        }
        if let (Some(a), Some(b)) = (first.base, second.base)
            && !may_alias(self.ir, a, b)
        {
            return true;
        }
        let barriers = barriers && !self.is_private(first);
        // Later rounds come later in any case, and whole rounds lie in between.
        let begin = i64::from(first.slot.old >= second.slot.old);
        (begin..=self.last_stage + 1).all(|later| {
            // In the middle of a loop it does not matter for their order which round it is, and where no round is looked
            // at by itself, not at all.
            let edge = 2 * self.last_stage + 4;
            let end = self.trips() + self.last_stage;
            let is_middle = |round: i64| round >= edge && round + later + edge < self.trips();
            let middle = self.instance_is_kept(first, edge, second, edge + later, barriers);
            let all = if end > ROUNDS_MAX { (0..edge + 1).chain(end - 2 * edge..end) } else { (0..end).chain(0..0) };
            all.filter(|&round| self.exists(first.slot, round) && self.exists(second.slot, round + later)).all(
                |round| {
                    let kept = if is_middle(round) {
                        middle
                    } else {
                        self.instance_is_kept(first, round, second, round + later, barriers)
                    };
                    kept || !self.may_touch(first, round, second, round + later)
                },
            )
        })
    }

    /// Whether both may touch the same element.
    fn may_touch(&self, first: &Access, a: i64, second: &Access, b: i64) -> bool {
        let (Some(x), Some(y)) = (first.base, second.base) else { return true };
        let (x, y) = (root(self.ir, x), root(self.ir, y));
        if x != y {
            return true;
        }
        // A buffer that is made in each round is another one each time.
        let is_own = self.ir.def_op(x).is_some_and(|op| self.slots.contains_key(&op));
        if is_own && a != b {
            return false;
        }
        if self.turns.iter().any(|&(buffer, n)| buffer == x && (b - a) % n != 0) {
            return false;
        }
        match (first.parts.get(a as usize), second.parts.get(b as usize)) {
            (Some(&(at, n)), Some(&(other, m))) => at < other.saturating_add(m) && other < at.saturating_add(n),
            _ => true,
        }
    }

    /// Whether the second access, of round `b`, still comes behind the first one, of round `a`, and behind all that was
    /// between them.
    fn instance_is_kept(&self, first: &Access, a: i64, second: &Access, b: i64, barriers: bool) -> bool {
        let (old_first, old_second) = ((a, first.slot.old), (b, second.slot.old));
        let (new_first, new_second) = (time(first.slot, a), time(second.slot, b));
        if new_first >= new_second {
            return false;
        }
        if !barriers {
            return true;
        }
        if first.asynchronous
            && let Some((done_old, done_new)) = self.done(first.slot, a, old_second)
        {
            return new_first < done_new
                && done_new < new_second
                && self.barrier_is_kept(first, (done_old, old_second), (done_new, new_second));
        }
        self.barrier_is_kept(first, (old_first, old_second), (new_first, new_second))
    }

    /// Whether threads that share an access wait for one another between two times of the new loop, if they did so
    /// between those of the old one.
    fn barrier_is_kept(&self, access: &Access, old: (Time, Time), new: (Time, Time)) -> bool {
        // Also those that are not to stay.
        let was = self
            .barriers(access)
            .any(|(at, _)| (old.0.0..=old.1.0).any(|round| old.0 < (round, at) && (round, at) < old.1));
        !was || self.barriers(access).filter_map(|(_, slot)| slot).any(|slot| {
            (new.0.0..=new.1.0).any(|at| {
                let at = (at, slot.place);
                self.exists(slot, at.0 - slot.stage) && new.0 < at && at < new.1
            })
        })
    }

    /// The barriers that order accesses like this one: their places in the old loop, and in the new one.
    fn barriers(&self, access: &Access) -> impl Iterator<Item = (usize, Option<Slot>)> {
        let shared = access.base.is_some_and(|base| super::is_shared(self.ir, base));
        let ops = self.body.iter().enumerate();
        let orders =
            ops.filter(move |(_, op)| is_barrier(self.ir.opcode(**op)) && (shared || orders_all(self.ir, **op)));
        orders.map(|(at, op)| (at, self.slots.get(op).copied()))
    }

    /// Whether threads waited for one another in front of an access, or behind one, where the new loop has nothing in
    /// front, or behind.
    pub fn open_ends(&self) -> (bool, bool) {
        let (mut front, mut back) = (false, false);
        for access in self.accesses().iter().filter(|access| !self.is_private(access)) {
            let barriers: Vec<(usize, Option<Slot>)> = self.barriers(access).collect();
            let (Some(first), Some(last)) = (barriers.first(), barriers.last()) else { continue };
            let kept = || barriers.iter().filter_map(|entry| entry.1);
            let begin = kept().map(|slot| time(slot, 0)).min();
            let end = kept().map(|slot| time(slot, self.trips() - 1)).max();
            let slot = access.slot;
            let rounds = self.trips().min(self.last_stage + 2);
            front |= (0..rounds)
                .filter(|&round| (round, slot.old) > (0, first.0))
                .any(|round| begin.is_none_or(|begin| time(slot, round) < begin));
            back |= (self.trips() - rounds..self.trips())
                .filter(|&round| (round, slot.old) < (self.trips() - 1, last.0))
                .any(|round| end.is_none_or(|end| time(slot, round) > end));
        }
        (front, back)
    }

    /// Whether an access is to a thread's own memory, which concerns no other thread.
    fn is_private(&self, access: &Access) -> bool {
        access.base.is_some_and(|base| super::is_private(self.ir, base))
    }

    /// When an asynchronous copy is known to be done, in the old loop and in the new: its group is closed, and waited
    /// for. `None` where that is not so before `until`.
    fn done(&self, copy: Slot, round: i64, until: Time) -> Option<(Time, Time)> {
        let groups = self.groups();
        let n = groups.len() as i64;
        let (at, of) = match groups.iter().position(|group| group.old > copy.old) {
            Some(at) => (at, round),
            None => (0, round + 1),
        };
        let group = *groups.get(at)?;
        let number = of * n + at as i64;
        let mut waits: Vec<(Time, Slot, OpId)> = Vec::new();
        for &op in self.body.iter().filter(|&&op| waits_for_groups(self.ir.opcode(op))) {
            let slot = *self.slots.get(&op)?;
            waits.extend((of..=until.0).map(|round| ((round, slot.old), slot, op)));
        }
        sort_by_key(&mut waits, |entry| entry.0);
        let (old, slot, _) = waits.into_iter().find(|&(at, slot, op)| {
            at < until && self.groups_needed(op, slot, at.0).is_some_and(|needed| number < needed)
        })?;
        let new = time(slot, old.0);
        // What is closed too late, or not waited for, is not done.
        let in_order = time(copy, round) < time(group, of) && time(group, of) < new && self.exists(slot, old.0);
        Some((old, if in_order { new } else { (i64::MAX, 0) }))
    }

    /// The part of a buffer that an operation touches, along the buffer's first dimension, in each round.
    fn parts(&self, op: OpId, slot: Slot, base: ValueId) -> Vec<(i64, i64)> {
        let Some((first, n)) = self.first_dimension(op, base) else { return Vec::new() };
        let end = self.trips() + self.last_stage - slot.stage;
        if end > ROUNDS_MAX {
            return Vec::new();
        }
        let part = |round: i64| {
            let index = round.checked_mul(self.bounds.step)?.checked_add(self.bounds.lower)?;
            match places::at(&first, self.args[0], index) {
                Expr::Const(at) => Some((at, n)),
                _ => None,
            }
        };
        (0..end).map(part).collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// Where along a buffer's first dimension an access begins, and how far it reaches.
    fn first_dimension(&self, op: OpId, base: ValueId) -> Option<(Expr, i64)> {
        let (indices, inner) = self.indices(op, base)?;
        let index = place(self.ir, *indices.first()?);
        self.through_views(base, index, if inner < indices.len() { 1 } else { i64::MAX })
    }

    /// The indices of an access, and along how many of the last dimensions it reaches beyond one element.
    fn indices(&self, op: OpId, base: ValueId) -> Option<(Vec<ValueId>, usize)> {
        let ir = self.ir;
        let parts = ir.segments(op);
        let operands = ir.operands(op);
        Some(match ir.opcode(op) {
            Opcode::VectorTransferRead | Opcode::VectorTransferWrite => {
                let transfer = Transfer::of(ir, op);
                let inner = transfer.map.results.len();
                (transfer.indices, inner)
            }
            Opcode::MemrefLoad => (operands[1..].to_vec(), 0),
            Opcode::MemrefStore => (operands[2..].to_vec(), 0),
            Opcode::VectorLoad => (operands[1..].to_vec(), ir.shape_of(ir.result(op, 0)).len()),
            Opcode::VectorStore => (operands[2..].to_vec(), ir.shape_of(operands[0]).len()),
            Opcode::NvgpuLdmatrix => (operands[1..].to_vec(), 1),
            Opcode::NvgpuStmatrix => (operands[2..].to_vec(), 1),
            // Rows of a matrix go on from one row of the buffer to the next.
            Opcode::GpuSubgroupMmaLoadMatrix => (operands[1..].to_vec(), 2),
            Opcode::GpuSubgroupMmaStoreMatrix => (operands[2..].to_vec(), 2),
            Opcode::NvgpuDeviceAsyncCopy => (if parts[0][0] == base { parts[1] } else { parts[3] }.to_vec(), 1),
            Opcode::AmdgpuGatherToLds if parts[0][0] == base => (parts[1].to_vec(), 1),
            // Lanes write side by side, as far as the buffer goes.
            Opcode::AmdgpuGatherToLds => (parts[3].to_vec(), parts[3].len()),
            _ => return None,
        })
    }

    /// Whether what runs for rounds behind the last one stays inside its buffers: only reads of global memory are
    /// guarded.
    pub fn stays_inside(&self) -> bool {
        let varying = self.varying();
        self.slots.iter().filter(|(_, slot)| slot.stage < self.last_stage).all(|(&op, slot)| {
            effects::own(self.ir, op).into_iter().all(|effect| match effect {
                Effect::Reads(base) | Effect::Writes(base) if !super::is_global(self.ir, base) => {
                    let indices = self.indices(op, base).map(|(indices, _)| indices);
                    let extents = self.ir.shape_of(base);
                    let more = self.last_stage - slot.stage;
                    indices.is_some_and(|indices| {
                        indices
                            .iter()
                            .zip(extents)
                            .all(|(&index, &extent)| self.is_inside(index, extent, more, &varying))
                    }) && self.views_stay(base, more, &varying)
                }
                Effect::Reads(_) | Effect::Writes(_) | Effect::Allocates | Effect::Waits => true,
                Effect::Anything => false,
            })
        })
    }

    /// Whether an index is below an extent for so many rounds behind the last one, if it differs from round to round.
    fn is_inside(&self, index: ValueId, extent: i64, more: i64, varying: &FxHashSet<ValueId>) -> bool {
        let place = place(self.ir, index);
        !varying.contains(&index)
            || (0..more).all(|round| {
                let at = self.trips().checked_add(round).and_then(|n| n.checked_mul(self.bounds.step));
                let at = at.and_then(|at| at.checked_add(self.bounds.lower));
                at.is_some_and(
                    |at| matches!(places::at(&place, self.args[0], at), Expr::Const(c) if (0..extent).contains(&c)),
                )
            })
    }

    /// The same of the views that an access goes through: each is one thick where its place differs.
    fn views_stay(&self, base: ValueId, more: i64, varying: &FxHashSet<ValueId>) -> bool {
        let Some(view) = self.ir.def_op(base).filter(|&op| super::is_view(self.ir.opcode(op))) else { return true };
        let source = self.ir.operand(view, 0);
        let stays = if self.ir.opcode(view) == Opcode::MemrefSubview {
            let slice = SliceView::of(self.ir, view);
            let extents = self.ir.shape_of(source);
            slice.offsets.iter().zip(&slice.sizes).zip(extents).all(|((&offset, &size), &extent)| {
                match (offset, size) {
                    (Mixed::Value(at), _) if !varying.contains(&at) => true,
                    (Mixed::Value(at), Mixed::Static(1)) => self.is_inside(at, extent, more, varying),
                    (Mixed::Value(_), _) => false,
                    (Mixed::Static(_), _) => true,
                }
            })
        } else {
            true
        };
        stays && self.views_stay(source, more, varying)
    }

    /// Values of the body that differ from round to round.
    fn varying(&self) -> FxHashSet<ValueId> {
        let mut found: FxHashSet<ValueId> = self.args.iter().copied().collect();
        for &op in &self.body {
            let used = self.ir.operands(op).iter().any(|value| found.contains(value));
            if used || !effects::effects(self.ir, op).is_empty() || !self.ir.regions(op).is_empty() {
                found.extend(self.ir.results(op));
            }
        }
        found
    }

    /// The same, of the buffer that a memref is a view of.
    fn through_views(&self, base: ValueId, index: Expr, n: i64) -> Option<(Expr, i64)> {
        let ir = self.ir;
        let Some(view) = ir.def_op(base) else { return Some((index, n)) };
        match ir.opcode(view) {
            Opcode::MemrefSubview => {
                let slice = SliceView::of(ir, view);
                let offset = match *slice.offsets.first()? {
                    Mixed::Static(at) => Expr::Const(at),
                    Mixed::Value(value) => place(ir, value),
                };
                match (slice.sizes.first()?, slice.strides.first()?) {
                    // All of a view that is one thick.
                    (Mixed::Static(1), _) => self.through_views(slice.base, offset, 1),
                    (_, Mixed::Static(1)) if ir.shape_of(base).len() == ir.shape_of(slice.base).len() => {
                        let sum = Expr::binary(raddle_ir::affine::BinOp::Add, offset, index);
                        self.through_views(slice.base, sum, n)
                    }
                    _ => None,
                }
            }
            Opcode::MemrefCast | Opcode::MemrefAssumeAlignment => self.through_views(ir.operand(view, 0), index, n),
            opcode if super::is_view(opcode) => None,
            _ => Some((index, n)),
        }
    }
}

fn time(slot: Slot, round: i64) -> Time {
    (round + slot.stage, slot.place)
}

fn closes_group(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::NvgpuDeviceAsyncCreateGroup | Opcode::RocdlAsyncmark | Opcode::NvvmCpAsyncCommitGroup)
}

/// Whether an operation waits for groups of copies.
pub fn waits_for_groups(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::NvgpuDeviceAsyncWait | Opcode::RocdlWaitAsyncmark | Opcode::NvvmCpAsyncWaitGroup)
}

/// Whether all threads wait for one another.
pub fn is_barrier(opcode: Opcode) -> bool {
    opcode.class() == Class::Barrier
        || matches!(opcode, Opcode::AmdgpuLdsBarrier | Opcode::RocdlBarrier | Opcode::RocdlSBarrier)
}

/// Whether a barrier orders accesses to global memory, too.
pub fn orders_all(ir: &Ir, barrier: OpId) -> bool {
    match ir.opcode(barrier) {
        Opcode::AmdgpuLdsBarrier => false,
        _ => match ir.attr(barrier, "address_spaces") {
            Some(Attr::Array(spaces)) => spaces.iter().any(|&space| ir.keyword(space) == Some("global")),
            _ => true,
        },
    }
}
