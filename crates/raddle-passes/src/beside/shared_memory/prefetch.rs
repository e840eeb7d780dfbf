//! Prefetch: read the next rounds' part of global memory while this round computes on shared memory.
//!
//! Before: `for i { %v = read global; write %v, %s; barrier; read %s; compute; barrier }`
//! After:  `read; write; for i { read next; barrier; read %s; compute; barrier; write next }; barrier; read %s; compute`
//!
//! The idea: a loop's body falls into what reads global memory, what writes shared memory, and what computes, each with
//! all that it needs. Two stages begin reads and writes a round ahead; three begin reads two rounds ahead, and writes one.
//! Where gathers carry data to shared memory by themselves, two or three buffers take turns, the gathers run one or two
//! rounds ahead, and marks count the rounds that are on their way.
//!
//! Barriers of the body go, and new ones come where writes follow reads of shared memory, or reads follow writes.
//!
//! Only the first of the innermost loops is looked at. A loop that does not fall apart like this, or has no more than two
//! rounds, or in which accesses would change their order, stays as it is.

use raddle_ir::{Attr, BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, ValueId, keyword_attr};
use rustc_hash::FxHashSet;

use super::effects::{Effect, effects, is_pure, reads, writes};
use super::order::{Order, is_barrier, orders_all};
use super::{buffers, is_global, is_private, is_shared, may_alias, root, views};
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};
use crate::overlap::software_pipeline::{Bounds, Ending, Part, Pipelined, fits, pipeline, used};

/// Options of the pass.
pub const OPTIONS: &[PassOption] = &[PassOption {
    name: "num-stages",
    sentence: "how many rounds are on their way; 1 leaves the loop alone",
    kind: OptionKind::Int(2),
}];

/// Stages that the parts of a round can be told into.
const STAGES_MAX: i64 = 3;
/// A loop of fewer rounds is not worth it.
const TRIPS_MIN: i64 = 3;

/// How data comes to shared memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Through registers: a read and a write.
    Registers,
    /// By itself, while the thread goes on.
    Gathers,
}

/// The pass: the first innermost loop.
pub fn prefetch(ir: &mut Ir, func: OpId, _: &Facts, options: &Options) -> Result<(), Diag> {
    let stages = options.int("num-stages");
    if stages < 0 {
        let message = format!("there are no {stages} stages");
        return Err(Diag::error(Code::BadInput, ir.span(func), message).help("give `num-stages` 1, 2 or 3"));
    }
    if let Some(loop_op) = first_innermost(ir, func) {
        prefetch_in(ir, loop_op, stages);
    }
    Ok(())
}

fn first_innermost(ir: &Ir, op: OpId) -> Option<OpId> {
    let first = ir.walk(op).into_iter().find(|&op| ir.opcode(op) == Opcode::ScfFor)?;
    first_innermost(ir, first).or(Some(first))
}

/// Prefetches in one loop; the new loop, or `None` where it stays as it is.
pub fn prefetch_in(ir: &mut Ir, loop_op: OpId, stages: i64) -> Option<OpId> {
    let bounds = Bounds::of(ir, loop_op)?;
    let body = ir.entry(loop_op);
    let has_loop = ir.block_ops(body).any(|op| ir.opcode(op) == Opcode::ScfFor);
    if bounds.trips < TRIPS_MIN || has_loop || stages < 2 || !is_in_loops_only(ir, loop_op) {
        return None;
    }
    let way = if has_gather(ir, loop_op) { Way::Gathers } else { Way::Registers };
    if way == Way::Gathers && (stages > STAGES_MAX || has_copies(ir, loop_op)) {
        return None;
    }
    let stages = stages.min(STAGES_MAX) as usize;
    let round = parts(ir, body, way)?;
    let mut schedule = round.schedule(stages);
    // Threads that share their results in the middle of a round would need barriers of their own there.
    // The new barriers order shared memory only.
    let orders_all = ir.block_ops(body).any(|op| is_barrier(ir.opcode(op)) && orders_all(ir, op));
    if orders_all && writes(ir, loop_op, |base| !is_shared(ir, base) && !is_private(ir, base)) {
        return None;
    }
    if round.compute.iter().any(|&op| writes(ir, op, |base| is_shared(ir, base))) || waits_between_writes(ir, body) {
        return None;
    }
    let ending = Ending::Peeled;
    let targets = if way == Way::Gathers { gathered(ir, loop_op) } else { Vec::new() };
    let n = stages as i64;
    let plans: Vec<buffers::Plan> =
        targets.iter().map(|&buffer| buffers::plan(ir, loop_op, buffer, n)).collect::<Option<_>>()?;
    let order = Order::new(ir, loop_op, bounds, &schedule, false).with_turns(&targets, n);
    // Without the barriers, which go; but they are in no schedule.
    let barriers: Vec<OpId> = ir.block_ops(body).filter(|&op| is_barrier(ir.opcode(op))).collect();
    let with_barriers: Vec<(OpId, usize)> =
        schedule.iter().copied().chain(barriers.iter().map(|&op| (op, 0))).collect();
    if !order.is_kept(false) || !fits(ir, loop_op, &with_barriers, ending) {
        return None;
    }
    let touched = touches_in_front(ir, loop_op);
    for barrier in barriers {
        ir.erase(barrier);
    }
    if !plans.is_empty() {
        for plan in plans {
            buffers::multiply(ir, loop_op, bounds, n, plan);
        }
        // The choice of the buffer belongs to the parts now.
        schedule = parts(ir, body, way)?.schedule(stages);
    }
    views::split(ir, &mut schedule);
    let block = ir.parent_block(loop_op)?;
    let mut in_front = ir.ops_of(block);
    in_front.truncate(in_front.iter().position(|&op| op == loop_op)?);
    let mut times: Vec<(OpId, usize)> = Vec::new();
    let done = pipeline(ir, loop_op, &schedule, ending, &mut |_, _, copy, part| {
        if let Part::Prologue(time) = part {
            times.push((copy, time));
        }
    })?;
    put_barriers(ir, &done, way, touched);
    if way == Way::Gathers {
        wait_in_front(ir, &in_front, &done);
        put_marks(ir, &done, &times, stages);
    }
    Some(done.kernel)
}

/// A round, told apart; each part in the order of the body.
struct Parts {
    /// Reads of global memory, or gathers.
    read: Vec<OpId>,
    /// Writes to shared memory.
    write: Vec<OpId>,
    /// All that the next round, or the code behind the loop, sees.
    compute: Vec<OpId>,
    way: Way,
}

impl Parts {
    fn schedule(&self, stages: usize) -> Vec<(OpId, usize)> {
        let staged = |part: &[OpId], stage: usize| part.iter().map(|&op| (op, stage)).collect::<Vec<_>>();
        let last = stages - 1;
        match (self.way, stages) {
            (Way::Gathers, _) => [staged(&self.read, 0), staged(&self.compute, last)].concat(),
            // What is read waits in registers while the round computes.
            (Way::Registers, 2) => {
                [staged(&self.read, 0), staged(&self.compute, last), staged(&self.write, 0)].concat()
            }
            (Way::Registers, _) => {
                [staged(&self.compute, last), staged(&self.write, 1), staged(&self.read, 0)].concat()
            }
        }
    }
}

/// Tells the parts of a loop's body; `None` where something belongs to none of them.
fn parts(ir: &Ir, body: BlockId, way: Way) -> Option<Parts> {
    let ops = ir.ops_of(body);
    let (&end, ops) = ops.split_last()?;
    let (mut read_roots, mut write_roots) = (Vec::new(), Vec::new());
    for &op in ops {
        let (reads, writes) = match way {
            Way::Gathers => (has_gather(ir, op), false),
            Way::Registers => roots_in(ir, op)?,
        };
        read_roots.extend(reads.then_some(op));
        write_roots.extend(writes.then_some(op));
    }
    let read = needed(ir, body, &read_roots);
    let write = needed(ir, body, &write_roots);
    let compute = needed(ir, body, &[end]);
    if read_roots.is_empty() || way == Way::Registers && compute.len() == 1 {
        return None;
    }
    let mut parts = Parts { read: Vec::new(), write: Vec::new(), compute: Vec::new(), way };
    for &op in ops {
        match op {
            op if read.contains(&op) => parts.read.push(op),
            op if write.contains(&op) => parts.write.push(op),
            op if compute.contains(&op) || is_pure(ir, op) => parts.compute.push(op),
            op if is_barrier(ir.opcode(op)) => {}
            _ => return None,
        }
    }
    Some(parts)
}

/// Whether an operation reads global memory, and whether it writes elsewhere; `None` for a branch that carries data all
/// the way.
fn roots_in(ir: &Ir, op: OpId) -> Option<(bool, bool)> {
    let reads = |op: OpId| {
        let opcode = ir.opcode(op);
        opcode == Opcode::AmdgpuGlobalTransposeLoad
            || matches!(opcode, Opcode::VectorTransferRead) && is_global(ir, ir.operand(op, 0))
    };
    let writes = |op: OpId| ir.opcode(op) == Opcode::VectorTransferWrite;
    if ir.opcode(op) != Opcode::ScfIf {
        return Some((reads(op), writes(op)));
    }
    let inside = ir.walk(op);
    let base = |op: OpId| ir.operand(op, 1);
    let is_read = inside.iter().any(|&op| reads(op));
    let is_write = inside.iter().any(|&op| writes(op) && !is_global(ir, base(op)));
    let carries = is_read && inside.iter().any(|&op| writes(op) && is_shared(ir, base(op)));
    (!carries).then_some((is_read, is_write))
}

/// Some operations of a body, and all of it that they need.
fn needed(ir: &Ir, body: BlockId, roots: &[OpId]) -> FxHashSet<OpId> {
    let mut found = FxHashSet::default();
    let mut left = roots.to_vec();
    while let Some(op) = left.pop() {
        if found.insert(op) {
            let defs = used(ir, op).into_iter().filter_map(|value| ir.def_op(value));
            left.extend(defs.filter(|&def| ir.parent_block(def) == Some(body)));
        }
    }
    found
}

/// Whether an operation is a gather to shared memory, or holds one.
fn has_gather(ir: &Ir, op: OpId) -> bool {
    gathers(ir, op).next().is_some()
}

fn gathers(ir: &Ir, op: OpId) -> impl Iterator<Item = OpId> {
    let is_gather = |op: &OpId| ir.opcode(*op) == Opcode::AmdgpuGatherToLds;
    [op].into_iter().chain(ir.walk(op)).filter(is_gather).collect::<Vec<_>>().into_iter()
}

/// Whether a loop also carries data to shared memory through registers.
fn has_copies(ir: &Ir, loop_op: OpId) -> bool {
    let inside = ir.walk(loop_op);
    let any = |opcode: Opcode, at: usize, is_it: fn(&Ir, ValueId) -> bool| {
        inside.iter().any(|&op| ir.opcode(op) == opcode && is_it(ir, ir.operand(op, at)))
    };
    any(Opcode::VectorTransferRead, 0, is_global) && any(Opcode::VectorTransferWrite, 1, is_shared)
}

/// The buffers that gathers of a loop fill.
fn gathered(ir: &Ir, loop_op: OpId) -> Vec<ValueId> {
    let mut found = Vec::new();
    for gather in gathers(ir, loop_op) {
        let buffer = root(ir, ir.segments(gather)[2][0]);
        if !found.contains(&buffer) {
            found.push(buffer);
        }
    }
    found
}

/// Whether only loops and the function are around an operation: a branch around it ends where no barrier is put.
fn is_in_loops_only(ir: &Ir, op: OpId) -> bool {
    let mut around = ir.parent_op(op);
    while let Some(op) = around {
        match ir.opcode(op) {
            Opcode::FuncFunc | Opcode::UtilFunc => return true,
            Opcode::ScfFor | Opcode::ScfForall => around = ir.parent_op(op),
            _ => return false,
        }
    }
    false
}

/// Whether threads wait for one another between two writes to a shared buffer.
fn waits_between_writes(ir: &Ir, body: BlockId) -> bool {
    let mut written: Vec<(ValueId, bool)> = Vec::new();
    for op in ir.ops_of(body) {
        if is_barrier(ir.opcode(op)) {
            written.iter_mut().for_each(|entry| entry.1 = true);
        }
        for effect in effects(ir, op) {
            let Effect::Writes(base) = effect else { continue };
            if !is_shared(ir, base) {
                continue;
            }
            if written.iter().any(|&(other, waited)| waited && may_alias(ir, other, base)) {
                return true;
            }
            written.push((base, false));
        }
    }
    false
}

/// Whether what stands in front of a loop, in its block, uses shared memory.
fn touches_in_front(ir: &Ir, loop_op: OpId) -> bool {
    let mut at = ir.parent_block(loop_op).and_then(|block| ir.first_op(block));
    let shared = |base: ValueId| is_shared(ir, base);
    while let Some(op) = at.filter(|&op| op != loop_op) {
        if reads(ir, op, shared) || writes(ir, op, shared) {
            return true;
        }
        at = ir.next_op(op);
    }
    false
}

/// Which accesses to shared memory need a barrier in front of them.
#[derive(Clone, Copy, Default)]
struct Pending {
    write: bool,
    read: bool,
}

/// Puts barriers in front of writes that follow reads, and of reads that follow writes.
fn synchronize(ir: &mut Ir, ops: &[OpId], mut pending: Pending, holds: bool) -> Pending {
    for &op in ops {
        if is_barrier(ir.opcode(op)) {
            pending = Pending::default();
            continue;
        }
        let shared = |base: ValueId| is_shared(ir, base);
        let (reads, writes) = (reads(ir, op, shared), writes(ir, op, shared));
        if reads && pending.read || writes && pending.write {
            barrier(ir, op);
            if holds && writes && pending.write {
                // Writes behind the barrier are not to be pulled in front of what the round computes.
                let none = keyword_attr(ir, "rocdl.sched_group_mask", "none");
                Builder::before(ir, op).op(Opcode::AmdgpuSchedBarrier, &[], &[], &[("opts", none)]);
            }
            pending = Pending::default();
        }
        pending.write |= reads;
        pending.read |= writes;
    }
    pending
}

fn put_barriers(ir: &mut Ir, done: &Pipelined, way: Way, touched_in_front: bool) {
    // An earlier round of a loop around, or what stands in front, may still use the buffers.
    let used_before = touched_in_front || ir.parent_op(done.kernel).is_none_or(|op| ir.class(op) == Class::Loop);
    let mut pending = Pending { write: used_before, read: false };
    pending = synchronize(ir, &done.prologue, pending, false);
    match way {
        // The first round reads what the prologue has written.
        Way::Registers if !used_before => pending = Pending { write: false, read: true },
        Way::Registers => {}
        // The round before has read what this one writes.
        Way::Gathers => pending.write = true,
    }
    let body = work(ir, done.kernel);
    pending = synchronize(ir, &body, pending, way == Way::Registers);
    if way == Way::Gathers {
        // What the last round of the loop has gathered is read behind it.
        pending.read = true;
    }
    let mut behind = Vec::new();
    let mut next = ir.next_op(done.kernel);
    while let Some(op) = next {
        behind.push(op);
        next = ir.next_op(op);
    }
    pending = synchronize(ir, &behind, pending, false);
    // The next round of a loop around this one begins with what stands in front.
    if let Some(&end) = behind.last()
        && ir.opcode(end) == Opcode::ScfYield
        && touched_in_front
        && (pending.read || pending.write)
    {
        barrier(ir, end);
    }
}

fn barrier(ir: &mut Ir, before: OpId) {
    let space = keyword_attr(ir, "gpu.address_space", "workgroup");
    let spaces = ir.intern(Attr::Array(vec![space]));
    Builder::before(ir, before).op(Opcode::GpuBarrier, &[], &[], &[("address_spaces", spaces)]);
}

/// What runs in each round: all but the end of the body.
fn work(ir: &Ir, loop_op: OpId) -> Vec<OpId> {
    let mut ops = ir.ops_of(ir.entry(loop_op));
    ops.pop();
    ops
}

/// Gathers in front of the prologue are on their way, too, and done where they were done before: at the next barrier or
/// read of shared memory.
fn wait_in_front(ir: &mut Ir, in_front: &[OpId], done: &Pipelined) {
    let mut pending = false;
    let first = done.prologue.first().copied().unwrap_or(done.kernel);
    for &op in in_front.iter().chain([&first]) {
        if pending && (op == first || is_barrier(ir.opcode(op)) || reads(ir, op, |base| is_shared(ir, base))) {
            mark(ir, op);
            wait(ir, op, 0);
            pending = false;
        }
        if op != first && ir.opcode(op) == Opcode::AmdgpuGatherToLds {
            set_async(ir, op);
            pending = true;
        }
    }
}

/// Marks the gathers of each round, and waits for those of the round that is read.
fn put_marks(ir: &mut Ir, done: &Pipelined, times: &[(OpId, usize)], stages: usize) {
    let all: Vec<OpId> = done.prologue.iter().copied().chain([done.kernel]).collect();
    for gather in all.iter().flat_map(|&op| gathers(ir, op)).collect::<Vec<_>>() {
        set_async(ir, gather);
    }
    for time in 0..stages - 1 {
        let last = times.iter().rfind(|entry| entry.1 == time && has_gather(ir, entry.0));
        if let Some(&(last, _)) = last {
            mark_behind(ir, last);
        }
    }
    let body = work(ir, done.kernel);
    if let Some(&last) = body.iter().rev().find(|&&op| has_gather(ir, op)) {
        mark_behind(ir, last);
    }
    wait_in_front_of_reads(ir, &body, stages as i64 - 1);
    wait_in_front_of_reads(ir, &done.epilogue, 0);
}

/// Waits in front of the first read of shared memory, and of the barrier in front of that.
fn wait_in_front_of_reads(ir: &mut Ir, ops: &[OpId], left: i64) {
    let Some(&read) = ops.iter().find(|&&op| reads(ir, op, |base| is_shared(ir, base))) else { return };
    let block = ir.parent_block(read).expect("the operation is in a block");
    let previous = ir.block_ops(block).take_while(|&op| op != read).last();
    let at = previous.filter(|&op| is_barrier(ir.opcode(op))).unwrap_or(read);
    wait(ir, at, left);
}

fn set_async(ir: &mut Ir, gather: OpId) {
    let unit = ir.intern(Attr::Unit);
    ir.set_attr(gather, "async", unit);
}

fn mark(ir: &mut Ir, before: OpId) {
    Builder::before(ir, before).op(Opcode::RocdlAsyncmark, &[], &[], &[]);
}

fn mark_behind(ir: &mut Ir, op: OpId) {
    let next = ir.next_op(op).expect("a gather is not the last operation of its block");
    mark(ir, next);
}

fn wait(ir: &mut Ir, before: OpId, left: i64) {
    let ty = ir.int_type(16);
    let left = ir.intern(Attr::Int { value: left.into(), ty });
    Builder::before(ir, before).op(Opcode::RocdlWaitAsyncmark, &[], &[], &[("count", left)]);
}
