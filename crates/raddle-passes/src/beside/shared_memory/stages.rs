//! Stages: which operation of a loop with copies to shared memory begins how many rounds ahead.
//!
//! Three schedules, of a pipeline of depth D:
//!
//! | | stage 0 | later |
//! | --- | --- | --- |
//! | [`Strategy::Reads`] | reads of global memory, asynchronous copies | all else in stage D, in front of them |
//! | [`Strategy::Copies`] | the same and the writes to shared memory, with the barriers | all else in stage D |
//! | [`Strategy::Matrices`] | asynchronous copies | waits and the operands of the first products in stage D - 2, products in stage D - 1, each behind the operands of the next |
//!
//! A loop that a schedule does not fit, or in which accesses to memory would change their order, stays as it is: several
//! rounds on their way need several buffers, and making those is not done here.

use raddle_ir::{Attr, BlockId, Builder, Code, Diag, Ir, OpId, Opcode, Scalar, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::{Effect, effects, is_pure};
use super::order::{Order, is_barrier, waits_for_groups};
use super::{is_global, is_shared, views};
use crate::clean;
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};
use crate::overlap::software_pipeline::{Bounds, Ending, Guard, Part, fits, pipeline};

/// Options of the pass.
pub const OPTIONS: &[PassOption] = &[
    PassOption { name: "epilogue-peeling", sentence: "write out the last rounds", kind: OptionKind::Flag(true) },
    PassOption { name: "pipeline-depth", sentence: "how many rounds are on their way", kind: OptionKind::Int(2) },
    PassOption {
        name: "schedule-index",
        sentence: "what begins ahead: 0 reads, 1 reads and writes, 2 copies for matrix instructions",
        kind: OptionKind::Int(0),
    },
    PassOption {
        name: "transform-file-name",
        sentence: "accepted; scripts are carried out by a pass of their own",
        kind: OptionKind::Text(""),
    },
];

/// Pipelines deeper than this would write out more rounds than anyone wants to read.
const DEPTH_MAX: i64 = 64;

/// What begins ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Reads of global memory.
    Reads,
    /// Reads of global memory and writes to shared memory.
    Copies,
    /// Asynchronous copies, and the operands of matrix instructions.
    Matrices,
}

/// The pass: every loop that the schedule fits.
pub fn pipeline_copies(ir: &mut Ir, func: OpId, _: &Facts, options: &Options) -> Result<(), Diag> {
    let depth = depth(options.int("pipeline-depth")).map_err(|why| Diag::error(Code::BadInput, ir.span(func), why))?;
    let strategy = match options.int("schedule-index") {
        0 => Strategy::Reads,
        1 => Strategy::Copies,
        2 => Strategy::Matrices,
        other => {
            let message = format!("there is no schedule {other}");
            return Err(Diag::error(Code::BadInput, ir.span(func), message).help("give `schedule-index` 0, 1 or 2"));
        }
    };
    let peels = options.flag("epilogue-peeling");
    for loop_op in ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::ScfFor).collect::<Vec<_>>() {
        pipeline_loop(ir, loop_op, strategy, depth, peels);
    }
    Ok(())
}

/// A depth that can be written out.
pub fn depth(depth: i64) -> Result<usize, String> {
    match depth {
        1..=DEPTH_MAX => Ok(depth as usize),
        _ => Err(format!("a pipeline is 1 to {DEPTH_MAX} rounds deep, not {depth}")),
    }
}

/// Pipelines one loop; the new loop, or `None` where it stays as it is.
pub fn pipeline_loop(ir: &mut Ir, loop_op: OpId, strategy: Strategy, depth: usize, peels: bool) -> Option<OpId> {
    let bounds = Bounds::of(ir, loop_op)?;
    let body = ir.entry(loop_op);
    // Innermost loops without branches only.
    if ir.block_ops(body).any(|op| !ir.regions(op).is_empty()) {
        return None;
    }
    let (mut schedule, dropped) = match strategy {
        Strategy::Reads => (two_stages(ir, body, false, depth)?, None),
        Strategy::Copies => {
            let mut schedule = two_stages(ir, body, true, depth)?;
            // The first barrier is the one in front of the writes; the one behind them serves the next round as well.
            let first = schedule.iter().map(|entry| entry.0).find(|&op| is_barrier(ir.opcode(op)));
            schedule.retain(|entry| Some(entry.0) != first);
            (schedule, first)
        }
        Strategy::Matrices => {
            let (schedule, first) = matrix_stages(ir, body, depth)?;
            (schedule, Some(first))
        }
    };
    let last = schedule.iter().map(|entry| entry.1).max()?;
    let ending = if peels { Ending::Peeled } else { Ending::Guarded(GUARD) };
    let begun = schedule.iter().filter(|entry| entry.1 < last);
    let order = Order::new(ir, loop_op, bounds, &schedule, !peels);
    let keeps = order.is_kept(true)
        && (peels || begun.clone().all(|entry| may_be_guarded(ir, entry.0)) && order.stays_inside());
    if !keeps {
        return None;
    }
    // How many groups each wait leaves on their way, in each part of the new loop.
    let mut left: Vec<(OpId, Part, i64)> = Vec::new();
    for &(op, stage) in schedule.iter().filter(|entry| waits_for_groups(ir.opcode(entry.0))) {
        let prologue = (stage..last).map(Part::Prologue);
        let epilogue = (1..=stage).filter(|_| peels).map(Part::Epilogue);
        let parts = prologue.chain([Part::Kernel]).chain(epilogue);
        left.extend(parts.map(|part| (op, part, order.groups_left(op, part))));
    }
    // Who uses the buffers in front or behind relies on barriers at the ends of the old loop.
    let others = super::lives_on(ir, loop_op);
    let (front, back) = order.open_ends();
    if let Some(barrier) = dropped {
        let next = ir.next_op(barrier)?;
        ir.detach(barrier);
        if !fits(ir, loop_op, &schedule, ending) {
            ir.insert_before(next, barrier);
            return None;
        }
        ir.erase(barrier);
    } else if !fits(ir, loop_op, &schedule, ending) {
        return None;
    }
    views::split(ir, &mut schedule);
    let done = pipeline(ir, loop_op, &schedule, ending, &mut |ir, old, new, part| {
        if let Some(&(_, _, n)) = left.iter().find(|entry| (entry.0, entry.1) == (old, part)) {
            set_groups_left(ir, new, n);
        }
    })?;
    if others && front {
        let first = done.prologue.first().copied().unwrap_or(done.kernel);
        Builder::before(ir, first).barrier();
    }
    let last = done.epilogue.last().copied().unwrap_or(done.kernel);
    let next = ir.next_op(last).expect("what was a loop is not the last operation of its block");
    if others && !peels {
        drain(ir, next);
    }
    if others && (back || !peels) {
        Builder::before(ir, next).barrier();
    }
    Some(done.kernel)
}

/// Reads of global memory that go to shared memory, and asynchronous copies, with what they need, in stage 0; all else
/// in the last stage, and in front. With `writes`, also the writes to shared memory and the barriers are in stage 0.
fn two_stages(ir: &Ir, body: BlockId, writes: bool, depth: usize) -> Option<Vec<(OpId, usize)>> {
    let ops = work(ir, body);
    let mut first: FxHashSet<OpId> = FxHashSet::default();
    let mut barriers: Vec<OpId> = Vec::new();
    let mut copies = false;
    for &op in &ops {
        match ir.opcode(op) {
            opcode if is_barrier(opcode) => barriers.push(op),
            Opcode::NvgpuDeviceAsyncCopy | Opcode::NvgpuDeviceAsyncCreateGroup => {
                copies = true;
                add_needed(ir, body, op, &mut first);
                // The wait for those who still read what is overwritten goes along.
                first.extend(barriers.drain(..));
            }
            Opcode::VectorTransferRead | Opcode::VectorLoad if is_global(ir, ir.operand(op, 0)) => {
                let mut users = ir.uses(ir.result(op, 0));
                let Some((write, 0)) = users.next() else { continue };
                let to_shared = matches!(ir.opcode(write), Opcode::VectorTransferWrite | Opcode::VectorStore)
                    && is_shared(ir, ir.operand(write, 1));
                if users.next().is_none() && to_shared && ir.parent_block(write) == Some(body) {
                    copies = true;
                    add_needed(ir, body, if writes { write } else { op }, &mut first);
                }
            }
            _ => {}
        }
    }
    if writes {
        first.extend(ops.iter().copied().filter(|&op| is_barrier(ir.opcode(op))));
    }
    let (ahead, behind): (Vec<OpId>, Vec<OpId>) = ops.into_iter().partition(|op| first.contains(op));
    let schedule = behind.into_iter().map(|op| (op, depth)).chain(ahead.into_iter().map(|op| (op, 0)));
    copies.then(|| schedule.collect())
}

/// What runs in the body: all but its end.
fn work(ir: &Ir, body: BlockId) -> Vec<OpId> {
    let mut ops = ir.ops_of(body);
    ops.pop();
    ops
}

/// Adds an operation and all of the body that it needs.
fn add_needed(ir: &Ir, body: BlockId, op: OpId, found: &mut FxHashSet<OpId>) {
    let mut left = vec![op];
    while let Some(op) = left.pop() {
        if ir.parent_block(op) == Some(body) && found.insert(op) {
            left.extend(ir.operands(op).iter().filter_map(|&value| ir.def_op(value)));
        }
    }
}

/// Parts of a round around matrix instructions; products of step k add to those of step k - 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cluster {
    Copies,
    Operands(usize),
    Products(usize),
}

/// A schedule in which each step of products runs behind the loads of the next step's operands, and those of the first
/// step are loaded a round ahead; with the barrier that is not needed then.
fn matrix_stages(ir: &Ir, body: BlockId, depth: usize) -> Option<(Vec<(OpId, usize)>, OpId)> {
    let ops = work(ir, body);
    let of =
        |is_it: &dyn Fn(Opcode) -> bool| ops.iter().copied().filter(|&op| is_it(ir.opcode(op))).collect::<Vec<_>>();
    let copies = of(&|opcode| opcode == Opcode::NvgpuDeviceAsyncCopy);
    let products = of(&|opcode| opcode == Opcode::NvgpuMmaSync);
    let (groups, waits) = (
        of(&|opcode| opcode == Opcode::NvgpuDeviceAsyncCreateGroup),
        of(&|opcode| opcode == Opcode::NvgpuDeviceAsyncWait),
    );
    let barriers = of(&is_barrier);
    let (&[group], &[wait], &[first, second]) = (&groups[..], &waits[..], &barriers[..]) else { return None };
    let mut steps: FxHashMap<OpId, usize> = FxHashMap::default();
    for &op in &products {
        let before = ir.def_op(ir.operand(op, 2)).and_then(|acc| steps.get(&acc));
        let step = before.map_or(0, |step| step + 1);
        steps.insert(op, step);
    }
    let n_steps = steps.values().max()? + 1;
    if n_steps < 2 || depth < 3 || copies.is_empty() {
        return None;
    }
    // What several need belongs to the first.
    let mut clusters: FxHashMap<OpId, Cluster> = FxHashMap::default();
    let mut seen: FxHashSet<OpId> = FxHashSet::default();
    let mut claim = |roots: Vec<OpId>, cluster: Cluster| {
        for root in roots {
            let before = seen.clone();
            add_needed(ir, body, root, &mut seen);
            clusters.extend(seen.difference(&before).map(|&op| (op, cluster)));
        }
    };
    claim(copies, Cluster::Copies);
    let of_step = |step: usize| products.iter().copied().filter(|op| steps[op] == step).collect::<Vec<_>>();
    let operands = |op: OpId| [0, 1].map(|i| ir.def_op(ir.operand(op, i))).into_iter().flatten().collect::<Vec<_>>();
    for step in 0..n_steps {
        claim(of_step(step).into_iter().flat_map(operands).collect(), Cluster::Operands(step));
    }
    for step in 0..n_steps {
        claim(of_step(step), Cluster::Products(step));
    }
    let member = |cluster: Cluster, stage: usize| {
        ops.iter().filter(|&op| clusters.get(op) == Some(&cluster)).map(|&op| (op, stage)).collect::<Vec<_>>()
    };
    let last = depth - 1;
    let mut schedule = Vec::new();
    for step in 0..n_steps - 1 {
        schedule.extend(member(Cluster::Operands(step + 1), last));
        schedule.extend(member(Cluster::Products(step), last));
    }
    schedule.extend(member(Cluster::Copies, 0));
    schedule.extend([(group, 0), (wait, last - 1), (second, last - 1)]);
    schedule.extend(member(Cluster::Operands(0), last - 1));
    schedule.extend(member(Cluster::Products(n_steps - 1), last));
    // What is left, if it acts on nothing, goes with the last products.
    let placed: FxHashSet<OpId> = schedule.iter().map(|entry| entry.0).chain([first]).collect();
    let rest: Vec<OpId> = ops.into_iter().filter(|op| !placed.contains(op)).collect();
    if !rest.iter().all(|&op| is_pure(ir, op)) {
        return None;
    }
    schedule.extend(rest.into_iter().map(|op| (op, last)));
    Some((schedule, first))
}

/// Rounds that there are not copy nothing: no element is read, and the destination gets zeros.
const GUARD: Guard = Guard { wanted: |ir, op| ir.opcode(op) == Opcode::NvgpuDeviceAsyncCopy, put: guard_copy };

/// Whether an operation may run for rounds that there are not, if asynchronous copies are guarded.
fn may_be_guarded(ir: &Ir, op: OpId) -> bool {
    let harmless = |effect| match effect {
        Effect::Waits => true,
        Effect::Reads(base) => is_shared(ir, base),
        Effect::Writes(_) | Effect::Allocates | Effect::Anything => false,
    };
    match effects(ir, op)[..] {
        [] => clean::may_run_early(ir, op),
        _ if ir.opcode(op) == Opcode::NvgpuDeviceAsyncCopy => true,
        ref effects => effects.iter().copied().all(harmless),
    }
}

/// Lets a copy copy nothing where a value is false.
fn guard_copy(ir: &mut Ir, copy: OpId, begins: ValueId) {
    let parts: Vec<Vec<ValueId>> = ir.segments(copy).iter().map(|part| part.to_vec()).collect();
    let n = ir.attr(copy, "dstElements").and_then(Attr::as_i64).unwrap_or(0);
    let mut builder = Builder::before(ir, copy);
    let all = parts[4].first().copied().unwrap_or_else(|| builder.index(n));
    let none = builder.index(0);
    let index = builder.ir.index_type();
    let count = builder.value(Opcode::ArithSelect, &[begins, all, none], index, &[]);
    let operands = [&parts[..4].concat()[..], &[count]].concat();
    let sizes = [1, parts[1].len(), 1, parts[3].len(), 1];
    let sizes = ir.segment_sizes(&sizes);
    ir.set_operands(copy, &operands);
    ir.set_attr(copy, "operandSegmentSizes", sizes);
    let bits = Scalar::of(&ir[ir.elem_of(parts[0][0])]).map_or(0, |elem| i64::from(elem.bits()));
    // As in IREE, copies of 16 bytes leave out the first cache.
    if bits.checked_mul(n) == Some(128) {
        let unit = ir.intern(Attr::Unit);
        ir.set_attr(copy, "bypassL1", unit);
    }
}

fn set_groups_left(ir: &mut Ir, wait: OpId, n: i64) {
    let (name, width) = match ir.opcode(wait) {
        Opcode::NvgpuDeviceAsyncWait => ("numGroups", 32),
        Opcode::NvvmCpAsyncWaitGroup => ("n", 32),
        _ => ("count", 16),
    };
    let ty = ir.int_type(width);
    let n = ir.intern(Attr::Int { value: n.into(), ty });
    ir.set_attr(wait, name, n);
}

/// Waits for all copies: what is guarded still fills buffers.
fn drain(ir: &mut Ir, before: OpId) {
    let mut builder = Builder::before(ir, before);
    let token = builder.ir.intern_str("nvgpu.device.async.token");
    let token = builder.ir.intern_type(Type::Dialect(token));
    let group = builder.value(Opcode::NvgpuDeviceAsyncCreateGroup, &[], token, &[]);
    builder.op(Opcode::NvgpuDeviceAsyncWait, &[group], &[], &[]);
}
