//! The machine: warps run until they wait, barriers let them go on, and what is wrong is told with its place.

use pulp::Arch;
use raddle_ir::{Code, Diag};

use super::access::{Issue, Memory};
use super::ast::Place;
use super::bulk::Transfer;
use super::clock::Clock;
use super::heap::Heap;
use super::inst::{Inst, Op, Program, Special};
use super::lane::{LANES, Row};
use super::memory::{Access, Buffer, Released, Scope, View};
use super::phase::Phases;
use super::races::{Races, is_one_warp};
use super::traffic::MemoryTraffic;
use super::turns::Idle;
use super::waits::Bar;
use super::warp::{Copy, FULL, State, Warp};
use crate::{AsyncMode, Counters, Options, Progress};

/// Instructions after which another warp has its turn.
const SLICE: u32 = 1 << 16;
/// Instructions between two looks at the clock outside.
const LOOK: u64 = 1 << 18;
/// Asynchronous operations of a warp that are on their way, at most.
pub(super) const PENDING_MAX: usize = 1 << 14;

/// What was launched.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub grid: [u32; 3],
    pub workgroup: [u32; 3],
    pub cluster: [u32; 3],
    pub dynamic_shared: usize,
}

impl Shape {
    pub(super) fn threads(&self) -> u32 {
        self.workgroup.iter().product()
    }

    pub(super) fn n_warps(&self) -> usize {
        self.threads().div_ceil(LANES as u32) as usize
    }

    pub(super) fn cluster_size(&self) -> usize {
        self.cluster.iter().product::<u32>() as usize
    }
}

pub(super) struct Machine<'a> {
    pub program: &'a Program,
    pub shape: Shape,
    pub options: &'a Options,
    pub memory: Memory,
    pub counters: Counters,
    /// What accesses to memory took, with [`Options::banks`].
    pub traffic: MemoryTraffic,
    /// Which vectors this machine has.
    pub arch: Arch,
    /// The newest stamp.
    pub clock: u32,
    /// The first stamp of this cluster.
    pub start: u32,
    /// What was released in global memory, and in shared.
    pub(super) released: [Released; 2],
    /// Barriers in shared memory that count arrivals and bytes.
    pub phases: Phases,
    /// Bulk copies into shared memory that are on their way, and copies that a barrier waits for.
    pub transfers: Vec<Transfer>,
    /// What the threads of the cluster knew that have come to its barrier, and how often all have.
    pub(super) gathered: (Clock, u64),
    /// Threads of each workgroup that have not ended, and what those knew that have.
    pub(super) live: Vec<(u32, Clock)>,
    /// What may let others go on: arrivals, copies, ends.
    pub events: u64,
    /// How often threads were told that their phase still runs, and the events until then.
    pub(super) told: (u32, u64),
    /// The barriers of each workgroup of the cluster.
    pub(super) bars: Vec<[Bar; 16]>,
    /// The workgroups of the cluster, in the grid.
    pub(super) places: Vec<[u32; 3]>,
    pub(super) fuel: u64,
    /// Bytes that a warp has for calls and stacks.
    pub(super) calls_max: usize,
    /// Clusters that may be put aside, for as much as there is memory.
    pub(super) aside_max: usize,
    /// What `malloc` gives.
    pub(super) heap: Heap,
    /// Whether the cluster only asks for what others have to do.
    pub(super) idle: Idle,
    /// Races whose outcome may be of no interest.
    pub(super) races: Races,
    pub(super) executed: u64,
    next_look: u64,
    pub(super) clusters_begun: u64,
    pub(super) clusters_done: u64,
    pub(super) n_clusters: u64,
}

pub(super) type Ran<T> = Result<T, Box<Diag>>;

/// Why a warp stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Its turn is over.
    Slice,
    Waits,
    Done,
}

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, shape: Shape, options: &'a Options, globals: Vec<Buffer>) -> Machine<'a> {
        let n = shape.cluster_size();
        let memory = Memory { globals, shared: Self::new_shared(program, &shape, options) };
        Machine {
            program,
            options,
            counters: Counters::default(),
            traffic: MemoryTraffic::default(),
            arch: Arch::new(),
            clock: 0,
            start: 1,
            released: Default::default(),
            phases: Phases::default(),
            transfers: Vec::new(),
            gathered: Default::default(),
            live: vec![Default::default(); n],
            events: 0,
            told: (0, 0),
            bars: vec![Default::default(); n],
            places: Vec::new(),
            fuel: options.fuel,
            calls_max: 0,
            aside_max: 0,
            heap: Heap::behind(memory.globals.len()),
            memory,
            idle: Idle::default(),
            races: Races::default(),
            executed: 0,
            next_look: LOOK,
            clusters_begun: 0,
            clusters_done: 0,
            n_clusters: shape.grid.iter().map(|&extent| u64::from(extent)).product::<u64>() / n as u64,
            shape,
        }
    }

    pub(super) fn tick(&mut self) -> Ran<u32> {
        self.clock = self.clock.checked_add(1).ok_or_else(|| {
            Box::new(Diag::nowhere(Code::LimitHit, "limit: the run has more synchronizations than can be numbered"))
        })?;
        Ok(self.clock)
    }

    /// The warps of a cluster.
    pub(super) fn new_warps(&self) -> Vec<Warp> {
        let (n, n_warps) = (self.shape.cluster_size(), self.shape.n_warps());
        (0..n * n_warps)
            .map(|at| Warp::new(self.program, at, at / n_warps, (at % n_warps) as u32, n * n_warps))
            .collect()
    }

    /// The shared memory of a cluster.
    pub(super) fn new_shared(program: &Program, shape: &Shape, options: &Options) -> Vec<Buffer> {
        let bytes = program.shared_bytes + shape.dynamic_shared;
        let shared = |_| {
            let initialised = options.allows_unwritten;
            let mut buffer =
                Buffer::new("shared memory".into(), vec![0; bytes], Scope::Shared, initialised, options.sanitize);
            buffer.system = program.system.clone();
            buffer
        };
        (0..shape.cluster_size()).map(shared).collect()
    }

    /// A cluster begins, with its first workgroup at this place of the grid.
    pub(super) fn begin(&mut self, warps: &mut [Warp], [x, y, z]: [u32; 3]) -> Ran<()> {
        let [cx, cy, cz] = self.shape.cluster;
        let parts = (0..cz).flat_map(|z| (0..cy).flat_map(move |y| (0..cx).map(move |x| [x, y, z])));
        self.places = parts.map(|[dx, dy, dz]| [x + dx, y + dy, z + dz]).collect();
        self.start = self.tick()?;
        self.released[1] = Released::default();
        self.memory.shared.iter_mut().for_each(Buffer::forget);
        for warp in &mut *warps {
            let first = warp.id * LANES as u32;
            let here = (self.shape.threads() - first).min(LANES as u32);
            warp.start(FULL >> (LANES as u32 - here));
            warp.now = self.start;
            warp.known.reset(self.start - 1);
            self.fill(warp);
        }
        for bars in &mut self.bars {
            bars.iter_mut().for_each(|bar| *bar = Bar::default());
        }
        self.phases.clear();
        self.gathered = Default::default();
        self.live.fill((self.shape.threads(), Clock::default()));
        Ok(())
    }

    /// Runs a cluster until it ends, or asks for what others have to do; whether it has ended.
    pub(super) fn cluster(&mut self, warps: &mut [Warp]) -> Ran<bool> {
        loop {
            let mut moved = false;
            for at in 0..warps.len() {
                if warps[at].is_done() || !warps[at].paths.iter().any(|path| path.state == State::Ready) {
                    continue;
                }
                moved = true;
                self.run_warp(&mut warps[at])?;
            }
            moved |= self.pass_barriers(warps)?;
            moved |= self.pass_cluster(warps)?;
            moved |= self.pass_products(warps)?;
            moved |= self.pass_phases(warps);
            if warps.iter().all(Warp::is_done) {
                self.end_transfers(warps)?;
                return Ok(true);
            }
            if self.is_idle() {
                return Ok(false);
            }
            if !moved
                && !self.deliver_next(warps)?
                && !self.tell_waiting(warps)
                && !warps.iter_mut().any(|warp| warp.part_joined(FULL))
            {
                return Err(self.stuck(warps));
            }
        }
    }

    /// Rows that hold constants and what the launch says.
    fn fill(&self, warp: &mut Warp) {
        for &(row, value) in &self.program.constants {
            warp.regs[row as usize] = [value; LANES];
        }
        if let Some(row) = self.program.stack {
            warp.regs[row as usize] = [warp.stack_start() as u64; LANES];
        }
        let [wx, wy, _] = self.shape.workgroup;
        let place = self.places[warp.rank];
        for &(row, special) in &self.program.specials {
            let row = &mut warp.regs[row as usize];
            for (lane, word) in row.iter_mut().enumerate() {
                let thread = warp.id * LANES as u32 + lane as u32;
                *word = u64::from(match special {
                    Special::Tid(axis) => [thread % wx, thread / wx % wy, thread / wx / wy][axis],
                    Special::Ntid(axis) => self.shape.workgroup[axis],
                    Special::Ctaid(axis) => place[axis],
                    Special::Nctaid(axis) => self.shape.grid[axis],
                    Special::LaneId => lane as u32,
                    Special::WarpId => warp.id,
                    Special::NWarps => self.shape.n_warps() as u32,
                    Special::LaneMask(kind) => {
                        let bit = 1u32 << lane;
                        let (before, upto) = (bit - 1, bit | (bit - 1));
                        [bit, before, upto, !upto, !before][kind as usize]
                    }
                    Special::ClusterId(axis) => place[axis] / self.shape.cluster[axis],
                    Special::NClusterId(axis) => self.shape.grid[axis] / self.shape.cluster[axis],
                    Special::ClusterCtaid(axis) => place[axis] % self.shape.cluster[axis],
                    Special::ClusterNctaid(axis) => self.shape.cluster[axis],
                    Special::ClusterRank => warp.rank as u32,
                    Special::ClusterSize => self.shape.cluster_size() as u32,
                    Special::DynamicShared => self.shape.dynamic_shared as u32,
                    Special::TotalShared => (self.program.shared_bytes + self.shape.dynamic_shared) as u32,
                    Special::One => 1,
                    Special::Zero => 0,
                });
            }
        }
    }

    /// Runs a warp until all of its paths wait or have ended.
    fn run_warp(&mut self, warp: &mut Warp) -> Ran<()> {
        loop {
            let Some(path) = warp.paths.iter().rposition(|path| path.state == State::Ready) else {
                if !warp.paths.iter().any(|path| path.state == State::Gather) {
                    return Ok(());
                }
                if !self.gather(warp)? {
                    return Ok(());
                }
                continue;
            };
            match self.run_path(warp, path)? {
                Stop::Slice => {
                    warp.paths.rotate_right(1);
                    return Ok(());
                }
                // Lanes that wait for each other meet before the turn is over.
                Stop::Waits | Stop::Done
                    if self.is_idle() && warp.paths.iter().any(|path| path.state == State::Ready) =>
                {
                    return Ok(());
                }
                Stop::Waits | Stop::Done => {}
            }
        }
    }

    /// Runs a path until it waits, parts, or ends.
    fn run_path(&mut self, warp: &mut Warp, path: usize) -> Ran<Stop> {
        let program = self.program;
        let mut pc = warp.paths[path].pc;
        let mask = warp.paths[path].mask;
        let join = warp.join_of(path);
        let width = u64::from(mask.count_ones());
        let mut left = SLICE;
        loop {
            let inst = &program.insts[pc as usize];
            let on = match inst.guard {
                None => mask,
                Some((row, false)) => mask & warp.holds(row),
                Some((row, true)) => mask & !warp.holds(row),
            };
            self.executed += 1;
            self.counters.lane_ops += width;
            left -= 1;
            if !warp.unknown.is_empty() {
                self.follow_unknown(warp, pc, mask, on)?;
            }
            if !warp.products.is_empty() && on != 0 && self.checks_sums() {
                self.check_products(warp, pc, on)?;
            }
            match &inst.op {
                Op::Lanes { lanes, dst, srcs, more } => {
                    if on != 0 {
                        let regs = &warp.regs;
                        let mut out = [0; LANES];
                        let rows = srcs.map(|src| &regs[src as usize]);
                        lanes(&mut out, rows);
                        match more {
                            None => warp.put(*dst, on, &out),
                            Some(more) => {
                                let second = more.second.as_ref().map(|(lanes, dst)| {
                                    let mut out = [0; LANES];
                                    lanes(&mut out, rows);
                                    (*dst, out)
                                });
                                let carry = more.carry.as_ref().map(|(lanes, dst)| {
                                    let mut out = [0; LANES];
                                    lanes(&mut out, rows);
                                    (*dst, out)
                                });
                                warp.put(*dst, on, &out);
                                for (dst, out) in second.into_iter().chain(carry) {
                                    warp.put(dst, on, &out);
                                }
                            }
                        }
                    }
                }
                Op::Branch { target, join: meet } => {
                    if on == mask {
                        pc = *target;
                        if pc == join || left == 0 {
                            break;
                        }
                        continue;
                    }
                    if on != 0 {
                        self.charge(SLICE - left, width, inst)?;
                        // The path that goes on runs first.
                        warp.part(path, &[(*target, on), (pc + 1, mask & !on)], *meet);
                        return Ok(Stop::Waits);
                    }
                }
                Op::BranchTable { index, targets, join: meet } => {
                    let row = warp.regs[*index as usize];
                    let mut ways: Vec<(u32, u32)> = Vec::new();
                    let mut add = |to: u32, lane: usize| match ways.iter_mut().find(|way| way.0 == to) {
                        Some(way) => way.1 |= 1 << lane,
                        None => ways.push((to, 1 << lane)),
                    };
                    for lane in lanes_of(mask) {
                        if on >> lane & 1 == 0 {
                            add(pc + 1, lane);
                            continue;
                        }
                        let Some(&to) = targets.get(row[lane] as usize) else {
                            let message = format!("the index {} is outside the {} targets", row[lane], targets.len());
                            return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
                        };
                        add(to, lane);
                    }
                    self.charge(SLICE - left, width, inst)?;
                    warp.part(path, &ways, *meet);
                    return Ok(Stop::Waits);
                }
                Op::Call(call) => {
                    self.charge(SLICE - left, width, inst)?;
                    self.call(warp, path, pc, call)?;
                    return Ok(Stop::Waits);
                }
                Op::Return => {
                    self.charge(SLICE - left, width, inst)?;
                    warp.leave(path);
                    return Ok(Stop::Waits);
                }
                Op::Exit => {
                    if on != 0 {
                        self.charge(SLICE - left, width, inst)?;
                        warp.paths[path].pc = pc + 1;
                        self.end_threads(warp, pc, on)?;
                        if !warp.copies.is_empty() {
                            self.end_copies(warp, on);
                        }
                        if !warp.end(path, on) {
                            warp.resolve(path);
                        }
                        return Ok(Stop::Done);
                    }
                }
                Op::Trap(what, text) => {
                    if on != 0 {
                        let lane = on.trailing_zeros() as usize;
                        let text = text.and_then(|row| self.memory.text(warp.regs[row as usize][lane], 200));
                        let text = text.as_deref().map_or("", str::trim);
                        let what = if text.is_empty() { (*what).to_owned() } else { format!("{what}: {text}") };
                        return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &what));
                    }
                }
                Op::Barrier(barrier) => {
                    if on != 0 {
                        self.charge(SLICE - left, width, inst)?;
                        // All lanes come together, or wait until they can.
                        warp.paths[path].pc = pc;
                        if on != warp.live {
                            if on != mask && barrier.is_aligned {
                                return Err(self.diverged(warp, pc, on));
                            }
                            warp.paths[path].state = State::Gather;
                            return Ok(Stop::Waits);
                        }
                        return self.arrive(warp, path, pc, on, barrier);
                    }
                }
                Op::PhaseWait(wait) => {
                    if on != 0
                        && let Some(state) = self.phase_wait(warp, pc, wait, on, path)?
                    {
                        self.charge(SLICE - left, width, inst)?;
                        warp.paths[path].pc = pc;
                        warp.paths[path].state = state;
                        return Ok(Stop::Waits);
                    }
                }
                Op::ClusterWait => {
                    if on != 0 {
                        self.charge(SLICE - left, width, inst)?;
                        warp.paths[path].pc = pc + 1;
                        warp.paths[path].state = self.cluster_wait(warp, pc, on)?;
                        return Ok(Stop::Waits);
                    }
                }
                Op::Shuffle(_)
                | Op::Vote { .. }
                | Op::Match { .. }
                | Op::Reduce { .. }
                | Op::Elect { .. }
                | Op::WarpSync { .. }
                | Op::LoadMatrix(_)
                | Op::StoreMatrix(_)
                | Op::MoveMatrix { .. }
                | Op::Mma(_)
                | Op::FragmentMma(_)
                | Op::GroupMma(_)
                | Op::CommitProducts
                | Op::WaitProducts { .. } => {
                    if on != 0 {
                        let members = self.members(warp, inst, on);
                        if members & warp.live & !on != 0 {
                            self.charge(SLICE - left, width, inst)?;
                            warp.paths[path].pc = pc;
                            warp.paths[path].state = State::Gather;
                            return Ok(Stop::Waits);
                        }
                        self.in_sets(warp, pc, inst, on)?;
                        if let Op::WaitProducts { .. } = inst.op {
                            self.charge(SLICE - left, width, inst)?;
                            warp.paths[path].pc = pc + 1;
                            warp.paths[path].state = State::Products;
                            return Ok(Stop::Waits);
                        }
                    }
                }
                _ => {
                    if on != 0 {
                        self.each(warp, pc, inst, on)?;
                        if self.is_idle() || warp.has_spun() {
                            pc += 1;
                            break;
                        }
                    }
                }
            }
            pc += 1;
            if pc == join || left == 0 {
                break;
            }
        }
        self.charge(SLICE - left, width, &program.insts[(pc as usize).min(program.insts.len() - 1)])?;
        warp.paths[path].pc = pc;
        if pc == join {
            warp.resolve(path);
            return Ok(Stop::Waits);
        }
        Ok(Stop::Slice)
    }

    /// Fuel for some instructions of a path.
    fn charge(&mut self, n: u32, width: u64, inst: &Inst) -> Ran<()> {
        let cost = u64::from(n) * (width + 4);
        let limit = |this: &Self, message: &str, help: &str| {
            let diag = Diag::error(Code::LimitHit, inst.span, format!("limit: {message}"));
            Err(Box::new(this.placed(diag, inst).help(help)))
        };
        match self.fuel.checked_sub(cost) {
            Some(left) => self.fuel = left,
            None => {
                let message = format!("the run has used up its {} of fuel", self.options.fuel);
                return limit(self, &message, "raise the fuel, or look for a loop that does not end");
            }
        }
        if self.executed >= self.next_look {
            self.next_look = self.executed + LOOK;
            let progress = Progress { done: self.clusters_done, all: self.n_clusters };
            if self.options.stop.as_ref().is_some_and(|stop| (stop.0)(progress)) {
                return limit(self, "the run takes too long", "raise the time, or look for a loop that does not end");
            }
        }
        Ok(())
    }

    /// A program may not leave more on its way than can be kept.
    pub(super) fn check_pending(&self, pc: u32, n: usize, max: usize) -> Ran<()> {
        if n <= max {
            return Ok(());
        }
        let span = self.program.insts[pc as usize].span;
        let message = format!("limit: more than {max} asynchronous operations are on their way");
        Err(Box::new(Diag::error(Code::LimitHit, span, message).help("wait for earlier ones first")))
    }

    /// Fuel for what one instruction does beyond an addition in each lane.
    pub(super) fn burn(&mut self, work: u64) {
        self.fuel = self.fuel.saturating_sub(work);
    }

    /// A finding at an instruction and a lane.
    pub(super) fn tell(&self, warp: &Warp, pc: u32, lane: usize, code: Code, kind: &str, message: &str) -> Box<Diag> {
        let inst = &self.program.insts[pc as usize];
        let who = self.thread_name(warp.rank, warp.id * LANES as u32 + lane as u32);
        let [x, y, z] = self.places[warp.rank];
        let diag = Diag::error(code, inst.span, format!("{kind}: {message}"))
            .label(format!("{who} of workgroup ({x}, {y}, {z})"));
        Box::new(self.placed(diag, inst))
    }

    /// With the line of the source, if the text says it.
    fn placed(&self, diag: Diag, inst: &Inst) -> Diag {
        let Place { file, line, into } = self.program.places[inst.place as usize];
        if line == 0 {
            return diag;
        }
        let name = |file: u64| match self.program.files.get(&file) {
            Some(name) => format!("`{name}`"),
            None => format!("file {file}"),
        };
        let mut note = format!("by `.loc`, this is line {line} of {}", name(file));
        if into.1 != 0 {
            note += &format!(", inlined into line {} of {}", into.1, name(into.0));
        }
        diag.note(note)
    }

    pub(super) fn thread_name(&self, rank: usize, thread: u32) -> String {
        let [x, y, _] = self.shape.workgroup;
        let name = format!("thread ({}, {}, {})", thread % x, thread / x % y, thread / x / y);
        if self.places.len() > 1 { format!("{name} of rank {rank}") } else { name }
    }

    /// A finding about an access.
    #[cold]
    pub(super) fn fault(&self, warp: &Warp, pc: u32, lane: usize, issue: &Issue) -> Box<Diag> {
        let view = self.view(warp, pc);
        if let Some(number) = issue.open() {
            let span = self.program.insts[pc as usize].span;
            return Box::new(self.races.finding(number).related(span, "what was written is read here"));
        }
        let (code, kind, message) = issue.describe(&self.memory, |other| {
            let n = self.shape.n_warps() as u32 * LANES as u32;
            if view.is_elsewhere(other) {
                return "a thread of another workgroup".to_owned();
            }
            self.thread_name((other.thread() / n) as usize, other.thread() % n)
        });
        let mut diag = self.tell(warp, pc, lane, code, kind, &message);
        if let Some(at) = issue.other().and_then(Access::pc)
            && let Some(inst) = self.program.insts.get(at)
        {
            *diag = diag.related(inst.span, "the other access");
        }
        let is_elsewhere = issue.other().is_some_and(|other| view.is_elsewhere(other));
        let is_same = issue.other().is_some_and(|other| is_one_warp(view.who, other) && other.pc() == view.who.pc());
        let help = match code {
            Code::Race if is_same => Some(
                "lanes write different values to one place at once, and any of them may stay: let one lane write, or all the \
                 same value",
            ),
            Code::Race if is_elsewhere => {
                Some("no barrier orders two workgroups: make both atomic, or leave one to another launch")
            }
            _ => issue.help(self.program.is_dynamic),
        };
        match help {
            Some(help) => Box::new(diag.help(help)),
            None => diag,
        }
    }

    /// What a warp knows, for an access of its first lane.
    #[inline(always)]
    pub(super) fn view<'w>(&self, warp: &'w Warp, pc: u32) -> View<'w> {
        let thread = (warp.rank * self.shape.n_warps() + warp.id as usize) * LANES;
        View { who: Access::new(warp.now, thread as u32, pc), start: self.start, known: &warp.known }
    }

    /// Strong accesses of some lanes: what others released is known, and what this warp did can be.
    pub(super) fn order(&mut self, warp: &mut Warp, addresses: &Row, on: u32, reads: bool, writes: bool) -> Ran<()> {
        if !self.program.has_fences || !self.options.sanitize {
            return Ok(());
        }
        for lane in lanes_of(on) {
            let address = addresses[lane];
            let released = &mut self.released[usize::from(address >> 36 == 0)];
            if reads {
                released.acquire(address, self.start, &mut warp.known);
            }
            if writes {
                released.release(address, &warp.known, warp.index, warp.now);
            }
        }
        if writes {
            warp.now = self.tick()?;
        }
        Ok(())
    }

    /// Lanes of a warp have waited for one another: what one of them did is known to all.
    pub(super) fn sync_warp(&mut self, warp: &mut Warp) -> Ran<()> {
        warp.known.seen[warp.index] = warp.now;
        warp.now = self.tick()?;
        Ok(())
    }

    /// Begins an asynchronous copy.
    pub(super) fn begin_copy(&mut self, warp: &mut Warp, copy: Copy) -> Ran<()> {
        let view = self.view(warp, copy.pc);
        let is_eager = self.options.copies == AsyncMode::Eager;
        if let Err((lane, issue)) = self.memory.begin_copy(&copy, &view, warp.rank, is_eager) {
            return Err(self.fault(warp, copy.pc, lane, &issue));
        }
        self.check_pending(copy.pc, warp.copies.len(), PENDING_MAX)?;
        warp.n_copies += 1;
        warp.copies.push(copy);
        Ok(())
    }

    /// Copies of these lanes that belong to all groups but the newest `n` have arrived.
    pub(super) fn wait_copies(&mut self, warp: &mut Warp, pc: u32, lanes: u32, n: Option<u32>) -> Ran<()> {
        let mut copies = std::mem::take(&mut warp.copies);
        let view = self.view(warp, pc);
        let is_late = self.options.copies == AsyncMode::Lazy;
        for copy in &mut copies {
            let is_over = |&lane: &usize| match n {
                None => true,
                Some(n) => copy.group[lane] <= warp.committed[lane].saturating_sub(n),
            };
            let over = lanes_of(copy.mask & lanes).filter(is_over).fold(0, |mask, lane| mask | 1 << lane);
            copy.mask &= !over;
            let who = |lane| Access::new(warp.now, view.who.of_lane(lane).thread(), copy.pc);
            if let Err((lane, issue)) = self.memory.end_copy(copy, over, &view, who, warp.rank, is_late) {
                return Err(self.fault(warp, copy.pc, lane, &issue));
            }
        }
        copies.retain(|copy| copy.mask != 0);
        warp.copies = copies;
        Ok(())
    }
}

impl Machine<'_> {
    /// A lane's copies before the number `upto` have arrived.
    pub(super) fn end_copies_upto(
        &mut self,
        warp: &mut Warp,
        pc: u32,
        lane: usize,
        upto: u64,
        (who, is_late): (Access, bool),
    ) -> Ran<()> {
        let mut copies = std::mem::take(&mut warp.copies);
        let view = self.view(warp, pc);
        for copy in copies.iter_mut().filter(|copy| copy.number < upto && copy.mask >> lane & 1 == 1) {
            copy.mask &= !(1 << lane);
            let who = Access::new(who.stamp(), who.thread(), copy.pc);
            if let Err((lane, issue)) = self.memory.end_copy(copy, 1 << lane, &view, |_| who, warp.rank, is_late) {
                return Err(self.fault(warp, copy.pc, lane, &issue));
            }
        }
        copies.retain(|copy| copy.mask != 0);
        warp.copies = copies;
        Ok(())
    }
}

/// The lanes of a mask.
#[inline(always)]
pub(super) fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}
