//! The machine: workgroups one after the other, the subgroups of each from barrier to barrier, lanes in lockstep.
//!
//! A subgroup is registers, a program counter and a mask of the lanes that are on, so that it can stop at a barrier and
//! go on later. Pure instructions work on all lanes: what a lane that is off computes is never looked at. Moves at the
//! end of regions, memory and whatever may trap respect the mask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigInt;
use raddle_ir::{Diag, Ir, OpId};
use rustc_hash::FxHashMap;

use crate::cost::Tally;
use crate::fault::{Fault, Kind, Run, lanes};
use crate::grid;
use crate::inst::{Code, Inst, Known, Move};
use crate::launch::Launch;
use crate::memory::{Access, Buffer, Element, Now};
use crate::ops::copies::{self, Copies};
use crate::ops::gpu::{pick_lane, shuffle};
use crate::ops::rows::{Form, move_rows};
use crate::ops::transfer::{load, store};
use crate::ops::vector::{collect, extract, extract_slice, gather, insert, insert_slice, place, select, spread};
use crate::ops::{
    arith, atomic, complex, gpu, intrinsic, linalg, math, matrix, phase, scan, transfer, vector, view, whole,
};
use crate::order::Order;
use crate::regs::{Complex, Num, Reg, Regs, Space, View, by_bank};
use crate::schedule::{Arrived, Clocks};
use crate::{Counters, Options, Progress};

/// Fuel that is used between two looks at the clock: some milliseconds.
const SLICE: u64 = 1 << 24;

/// Instructions of a turn, where subgroups can wait for one another without a barrier.
const TURN: u32 = 1 << 12;

/// Everything outside the registers.
pub(crate) struct Machine<'a> {
    pub ir: &'a Ir,
    /// The function's code.
    pub code: &'a Code,
    pub launch: &'a Launch,
    pub options: &'a Options,
    pub globals: Vec<Buffer>,
    pub shared: Vec<Option<Buffer>>,
    pub counters: Counters,
    /// For each instruction what its executions cost; empty when nobody asks.
    pub tallies: Vec<Tally>,
    /// Fuel until the next look at the clock, and what is left behind it.
    pub fuel: u64,
    pub reserve: u64,
    pub memory_left: usize,
    /// Workgroups that are done, on all threads of the emulator together.
    pub done: Arc<AtomicU64>,
    /// The caller's clock has ended the run.
    pub stopped: bool,
    /// The workgroup's number, and its place in the grid.
    pub workgroup: u32,
    pub block: [u32; 3],
    /// When subgroups are in relation to one another: in global memory, and in that of the workgroup.
    pub clocks: [Clocks; 2],
    /// What atomic accesses put in order.
    pub order: Order,
    /// Barriers that count in phases, and what is on its way to them.
    pub phases: FxHashMap<phase::Name, phase::Phases>,
    pub bulk: Vec<phase::Bulk>,
    /// For each barrier of some threads, the subgroups that came and did not wait.
    pub arrived: FxHashMap<i64, Vec<Arrived>>,
    /// Races, and reads of what nobody has written, of this epoch. They are told when it ends: until then another
    /// thread may still write the element that was read, and then the two raced, in whatever order they ran; or a
    /// subgroup may prove not to reach its barrier.
    pub pending: Pending,
    /// Addresses of the lanes, between two steps of one instruction.
    pub addresses: Vec<usize>,
}

/// Findings that wait for the end of the epoch.
#[derive(Default)]
pub(crate) struct Pending {
    /// The one to tell.
    pub first: Option<(Kind, Box<Diag>)>,
    /// Elements that were read before anyone wrote them.
    unwritten: Vec<Element>,
    n: u32,
}

/// Findings in one epoch, before the first is told.
const PENDING_MAX: u32 = 1 << 12;

/// Lanes in lockstep.
#[derive(Clone)]
pub(crate) struct Subgroup {
    pub id: u32,
    pub regs: Regs,
    pub private: Vec<Option<Buffer>>,
    /// How often it has come to each allocation that the workgroup shares.
    pub generations: Vec<u32>,
    pub pc: u32,
    /// Lanes that are on.
    pub mask: u128,
    /// Lanes that exist.
    pub launched: u128,
    pub active: u64,
    pub stack: Vec<Around>,
    /// For each region of blocks that is open, innermost last: the lanes that wait at each block, and at the end.
    pub flows: Vec<Vec<u128>>,
    /// Asynchronous copies on their way.
    pub copies: Copies,
    /// Whether the next question about a phase is answered, whatever the answer.
    pub told: bool,
}

/// Lanes to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    saved: u128,
    otherwise: u128,
}

/// Why a subgroup stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// At a barrier of the whole workgroup.
    Barrier,
    /// At a barrier that so many threads reach: its number, and how many.
    Named {
        id: i64,
        threads: i64,
    },
    /// Until this phase of a barrier has ended; who only asks may also be told that it has not. The instruction runs
    /// again.
    Phase {
        barrier: phase::Name,
        phase: u64,
        asks: bool,
    },
    /// It has used up its turn, and goes on when the others have had theirs.
    Turn,
    Done,
}

impl Subgroup {
    pub(crate) fn new(id: u32, code: &Code, lanes: usize, launched: u128) -> Subgroup {
        let [f32s, f64s, ints, wides, complexes, views] = &code.sizes;
        let regs = Regs {
            lanes,
            f32s: f32s.iter().map(|&n| vec![0.0; n as usize * lanes]).collect(),
            f64s: f64s.iter().map(|&n| vec![0.0; n as usize * lanes]).collect(),
            ints: ints.iter().map(|&n| vec![0; n as usize * lanes]).collect(),
            wides: wides.iter().map(|&n| vec![BigInt::ZERO; n as usize * lanes]).collect(),
            complexes: complexes.iter().map(|&n| vec![Complex::default(); n as usize * lanes]).collect(),
            views: vec![View::default(); views.len()],
        };
        let mut subgroup = Subgroup {
            id,
            regs,
            private: code.private.iter().map(|_| None).collect(),
            generations: vec![0; code.shared.len()],
            pc: 0,
            mask: launched,
            launched,
            active: u64::from(launched.count_ones()),
            stack: Vec::new(),
            flows: Vec::new(),
            copies: Copies::default(),
            told: false,
        };
        for (reg, known) in &code.known {
            subgroup.fill(*reg, known);
        }
        subgroup
    }

    /// Fills a register that is known from the start.
    fn fill(&mut self, reg: Reg, known: &Known) {
        let lanes = self.regs.lanes;
        let first = self.id as usize * lanes;
        match known {
            Known::Float(value) => by_float(&mut self.regs, reg, |_, out| *out = *value),
            Known::Floats(values) => by_float(&mut self.regs, reg, |at, out| *out = values[at / lanes]),
            Known::Int(value) => self.regs.ints[reg.at as usize].fill(*value),
            Known::Ints(values) => {
                let out = &mut self.regs.ints[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(at, out)| *out = values[at / lanes]);
            }
            Known::Wide(value) => self.regs.wides[reg.at as usize].fill(value.clone()),
            Known::Wides(values) => {
                let out = &mut self.regs.wides[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(at, out)| out.clone_from(&values[at / lanes]));
            }
            Known::Complexes(values) => {
                let out = &mut self.regs.complexes[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(at, out)| *out = values[(at / lanes).min(values.len() - 1)]);
            }
            Known::Thread { stride, extent } => {
                let out = &mut self.regs.ints[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(lane, out)| *out = (first + lane) as i64 / stride % extent);
            }
            Known::Lane => {
                let out = &mut self.regs.ints[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(lane, out)| *out = lane as i64);
            }
            Known::Subgroup => self.regs.ints[reg.at as usize].fill(i64::from(self.id)),
            Known::Block(_) | Known::Loop(_) => {}
        }
    }

    /// Back to the first instruction, for the next workgroup.
    pub(crate) fn restart(&mut self, code: &Code, block: [u32; 3]) {
        self.pc = 0;
        self.set_mask(self.launched);
        self.stack.clear();
        self.flows.clear();
        self.copies.clear();
        self.told = false;
        self.generations.fill(0);
        for (reg, known) in &code.known {
            if let Known::Block(dim) = known {
                self.regs.ints[reg.at as usize].fill(i64::from(block[*dim]));
            }
        }
    }

    pub(crate) fn set_mask(&mut self, mask: u128) {
        self.mask = mask;
        self.active = u64::from(mask.count_ones());
    }

    /// Whether the lane is on.
    #[inline(always)]
    pub(crate) fn is_on(&self, lane: usize) -> bool {
        self.mask >> lane & 1 == 1
    }

    /// Whether every register lane is on.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.active as usize == self.regs.lanes
    }

    /// Which lanes that are on satisfy a condition.
    #[inline(always)]
    fn lanes_where(&self, condition: impl Fn(usize) -> bool) -> u128 {
        let lanes = self.regs.lanes;
        let word = |first: usize| {
            (first..lanes.min(first + 64)).fold(0u64, |word, lane| word | u64::from(condition(lane)) << (lane - first))
        };
        let high = if lanes > 64 { u128::from(word(64)) << 64 } else { 0 };
        (u128::from(word(0)) | high) & self.mask
    }
}

fn by_float(regs: &mut Regs, reg: Reg, value: impl Fn(usize, &mut f64)) {
    let mut number = 0.0;
    match reg.bank {
        crate::regs::Bank::F32 => regs.f32s[reg.at as usize].iter_mut().enumerate().for_each(|(at, out)| {
            value(at, &mut number);
            *out = number as f32;
        }),
        _ => regs.f64s[reg.at as usize].iter_mut().enumerate().for_each(|(at, out)| value(at, out)),
    }
}

impl<'a> Machine<'a> {
    /// Runs a subgroup to its next barrier. One that may wait for others by looking at memory gives them a turn now and
    /// then.
    pub(crate) fn run(&mut self, code: &Code, subgroup: &mut Subgroup) -> Result<Stop, Box<Diag>> {
        let mut turn = if code.atomic && self.launch.n_subgroups() > 1 { TURN } else { u32::MAX };
        loop {
            if turn != u32::MAX {
                turn -= 1;
                if turn == 0 {
                    return Ok(Stop::Turn);
                }
            }
            let pc = subgroup.pc;
            match self.step(code, subgroup) {
                Ok(None) => {}
                Ok(Some(stop)) => return Ok(stop),
                Err(Failed::Here(fault)) => return Err(self.diag(code, subgroup, pc, &fault)),
                Err(Failed::Told(diag)) => return Err(diag),
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, code: &Code, subgroup: &mut Subgroup) -> Result<Option<Stop>, Failed> {
        let pc = subgroup.pc as usize;
        match self.fuel.checked_sub(code.fuel[pc]) {
            Some(left) => self.fuel = left,
            None => self.refuel(code.fuel[pc])?,
        }
        let ops = code.costs[pc].saturating_mul(subgroup.active);
        self.counters.lane_ops = self.counters.lane_ops.saturating_add(ops);
        if !self.tallies.is_empty() && std::ptr::eq(code, self.code) {
            self.tallies[pc].executed(subgroup.active, subgroup.launched);
        }
        subgroup.pc += 1;
        let s = subgroup;
        match &code.insts[pc] {
            Inst::Float1 { op, dst, a, round } => math::float1(s, *op, *dst, *a, *round),
            Inst::Float2 { op, dst, a, b, round } => arith::float2(s, *op, *dst, *a, *b, *round),
            Inst::Fma { dst, a, b, c, round } => arith::fma(s, *dst, [*a, *b, *c], *round),
            Inst::Int2 { op, dst, a, b, width } => arith::int2(s, *op, *dst, *a, *b, *width)?,
            Inst::Int1 { op, dst, a, width } => arith::int1(s, *op, *dst, *a, *width),
            Inst::PowI { dst, a, b, round } => math::powi(s, *dst, *a, *b, *round),
            Inst::Complex(inst) => complex::complex(&mut s.regs, inst),
            Inst::Test { test, dst, a, least_normal } => math::test(s, *test, *dst, *a, *least_normal),
            Inst::CmpI { predicate, dst, a, b, width } => arith::cmpi(s, *predicate, *dst, *a, *b, *width),
            Inst::CmpF { predicate, dst, a, b } => arith::cmpf(s, *predicate, *dst, *a, *b),
            Inst::Select { dst, cond, a, b } => by_bank!(dst.bank, select::<_>(s, *dst, *cond, *a, *b)),
            Inst::FloatCast { dst, a, round } => arith::float_cast(s, *dst, *a, *round),
            Inst::IntCast { dst, a, signed, from, to } => arith::int_cast(s, *dst, *a, *signed, *from, *to),
            Inst::IntToFloat { dst, a, signed, width, round } => {
                arith::int_to_float(s, *dst, *a, *signed, *width, *round);
            }
            Inst::FloatToInt { dst, a, signed, width } => arith::float_to_int(s, *dst, *a, *signed, *width),
            Inst::Bitcast { dst, a, from, to } => arith::bitcast(s, *dst, *a, *from, *to),

            Inst::Gather { dst, src, table } => by_bank!(dst.bank, gather::<_>(s, *dst, *src, table)),
            Inst::Place { dst, src, into, table } => by_bank!(dst.bank, place::<_>(s, *dst, *src, *into, table)),
            Inst::Extract { dst, src, at } => by_bank!(dst.bank, extract::<_>(s, *dst, *src, at))?,
            Inst::Insert { dst, src, into, at } => by_bank!(dst.bank, insert::<_>(s, *dst, *src, *into, at))?,
            Inst::Collect { dst, parts } => by_bank!(dst.bank, collect::<_>(s, *dst, parts)),
            Inst::Spread { src, parts } => by_bank!(src.bank, spread::<_>(s, *src, parts)),
            Inst::Reduce { dst, src, acc, table, combine } => vector::reduce(s, *dst, *src, *acc, table, *combine),
            Inst::Scan(scan) => scan::scan(s, scan),
            Inst::ArgCompare(compare) => scan::arg_compare(self, s, compare)?,
            Inst::Contract(contract) => matrix::contract(s, contract),
            Inst::CreateMask { dst, bounds, shape } => vector::create_mask(s, *dst, bounds, shape),
            Inst::Nest(nest) => linalg::nest(self, s, nest)?,
            Inst::Whole(whole) => whole::whole(self, s, whole)?,
            Inst::ExtractSlice(slice) => by_bank!(slice.base.bank, extract_slice::<_>(s, slice))?,
            Inst::InsertSlice(slice) => by_bank!(slice.base.bank, insert_slice::<_>(s, slice))?,

            Inst::Load { dst, view, at } => by_bank!(dst.bank, load::<_>(self, s, *dst, *view, at, pc))?,
            Inst::Store { src, view, at } => by_bank!(src.bank, store::<_>(self, s, *src, *view, at, pc))?,
            Inst::Read(transfer) => transfer::read(self, s, transfer, pc)?,
            Inst::Write(transfer) => transfer::write(self, s, transfer, pc)?,
            Inst::SubView(subview) => transfer::subview(s, subview)?,
            Inst::Regroup(regroup) => view::regroup(s, regroup)?,
            Inst::Permute { dst, base, order } => view::permute(s, *dst, *base, order),
            Inst::Recast(cast) => view::recast(self, s, cast)?,
            Inst::Extent { dst, view, dim } => view::extent(s, *dst, *view, *dim),
            Inst::Alloc { dst, site, shape } => transfer::alloc(self, s, *dst, *site as usize, shape)?,
            Inst::Alloca { dst, site, shape } => transfer::alloca(self, s, *dst, *site as usize, shape)?,
            Inst::Dealloc { view } => transfer::dealloc(self, s, *view, pc)?,

            Inst::Move(moves) => move_all(s, moves)?,
            Inst::LoopBegin { iv, ub, step, exit, least } => {
                check_step(s, *step)?;
                let inside = lanes_below(s, *iv, *ub);
                if inside == 0 {
                    s.pc = *exit;
                } else {
                    self.check_trips(s, inside, [*iv, *ub, *step], *least)?;
                    s.stack.push(Around { saved: s.mask, otherwise: 0 });
                    s.set_mask(inside);
                }
            }
            Inst::LoopEnd { iv, ub, step, body } => {
                advance(s, *iv, *step);
                let inside = lanes_below(s, *iv, *ub);
                if inside == 0 {
                    let around = s.stack.pop().expect("a loop's end follows its beginning");
                    s.set_mask(around.saved);
                } else {
                    s.set_mask(inside);
                    s.pc = *body;
                }
            }
            Inst::If { cond, otherwise } => {
                let cond = &s.regs.ints[cond.at as usize];
                let then = s.lanes_where(|lane| cond[lane] != 0);
                s.stack.push(Around { saved: s.mask, otherwise: s.mask & !then });
                s.set_mask(then);
                if then == 0 {
                    s.pc = *otherwise;
                }
            }
            Inst::Else { end } => {
                let around = *s.stack.last().expect("a branch's middle follows its beginning");
                s.set_mask(around.otherwise);
                if around.otherwise == 0 {
                    s.pc = *end;
                }
            }
            Inst::EndIf => {
                let around = s.stack.pop().expect("a branch's end follows its beginning");
                s.set_mask(around.saved);
            }
            Inst::WhileBegin => s.stack.push(Around { saved: s.mask, otherwise: 0 }),
            Inst::WhileTest { cond, exit } => {
                let cond = &s.regs.ints[cond.at as usize];
                let inside = s.lanes_where(|lane| cond[lane] != 0);
                if inside == 0 {
                    let around = s.stack.pop().expect("a loop's test follows its beginning");
                    s.set_mask(around.saved);
                    s.pc = *exit;
                } else {
                    s.set_mask(inside);
                }
            }
            Inst::Jump { to } => s.pc = *to,
            Inst::FlowBegin { n } => s.flows.push(vec![0; *n]),
            Inst::Arrive { block } => {
                let mask = s.mask;
                s.flows.last_mut().expect("a region of blocks is open")[*block] |= mask;
            }
            Inst::FlowNext { starts } => {
                let waiting = s.flows.last_mut().expect("a region of blocks is open");
                let next = waiting.iter().position(|&mask| mask != 0).expect("every lane waits somewhere");
                let mask = std::mem::take(&mut waiting[next]);
                s.set_mask(mask);
                s.pc = starts[next];
                if next + 1 == starts.len() {
                    s.flows.pop();
                }
            }
            Inst::Assert { cond, message } => check_assertion(s, *cond, message)?,
            Inst::CheckIndex { index, extent, dim } => check_index(s, [*index, *extent], *dim)?,
            Inst::Unreachable => {
                return Err(Fault::new(Kind::Undefined, None, "the program is here, which it says cannot be").into());
            }
            Inst::Barrier(_) => {
                gpu::check_converged(s, "a barrier")?;
                return Ok(Some(Stop::Barrier));
            }
            Inst::SubgroupBarrier(fences) => {
                gpu::check_converged(s, "a barrier")?;
                self.resolve(s.id as usize, *fences);
            }
            Inst::Shuffle { mode, dst, valid, src, offset, width } => {
                self.count_shuffles(code, pc, 1);
                by_bank!(dst.bank, shuffle::<_>(s, *mode, [*dst, *valid], [*src, *offset, *width]))?;
            }
            Inst::LaneScan(scan) => {
                self.count_shuffles(code, pc, u64::from(scan.size.trailing_zeros()));
                gpu::lane_scan(self, s, scan)?;
            }
            Inst::Vote { ballot, dst, src, lanes } => gpu::vote(s, *ballot, *dst, *src, *lanes)?,
            Inst::Broadcast { dst, src, from } => by_bank!(dst.bank, pick_lane::<_>(s, *dst, *src, *from))?,
            Inst::NamedBarrier { id, threads, waits, .. } => {
                gpu::check_converged(s, "a barrier")?;
                let (id, threads) = gpu::named(s, *id, *threads, self.launch)?;
                if *waits {
                    return Ok(Some(Stop::Named { id, threads }));
                }
                self.arrive(s, id, threads)?;
            }
            Inst::Atomic(atomic) => atomic::update(self, s, atomic, pc)?,
            Inst::AsyncCopy(copy) => match copy.barrier {
                Some(barrier) => phase::issue(self, s, copy, barrier, pc)?,
                None => copies::issue(self, s, copy, pc)?,
            },
            Inst::PhaseBarrier(barrier) => return phase::step(self, s, barrier, pc),
            Inst::AsyncCommit => s.copies.commit(s.mask),
            Inst::AsyncWait { left } => copies::wait(self, s, *left)?,
            Inst::SubgroupReduce { dst, src, combine, size, stride } => {
                self.count_shuffles(code, pc, u64::from(size.trailing_zeros()));
                gpu::subgroup_reduce(s, *dst, *src, *combine, *size as usize, *stride as usize)?;
            }
            Inst::Mma(inst) => {
                self.counters.matrix_ops += 1;
                if let Some(tally) = self.tallies.get_mut(pc) {
                    tally.matrix_ops += 1;
                }
                matrix::mma(s, inst)?;
            }
            Inst::SharedProduct(inst) => {
                self.counters.matrix_ops += 1;
                if let Some(tally) = self.tallies.get_mut(pc) {
                    tally.matrix_ops += 1;
                }
                matrix::shared_product(self, s, inst, pc)?;
            }
            Inst::Matrices { vector, view, at, n_tiles, transposed, stores } => {
                let form = Form { n_tiles: *n_tiles as usize, transposed: *transposed, stores: *stores };
                by_bank!(vector.bank, move_rows::<_>(self, s, *vector, *view, at, form, pc))?;
            }
            Inst::Intrinsic(inst) => {
                self.counters.matrix_ops += 1;
                if let Some(tally) = self.tallies.get_mut(pc) {
                    tally.matrix_ops += 1;
                }
                intrinsic::intrinsic(self, s, inst, pc)?;
            }
            Inst::Return => {
                copies::finish(self, s)?;
                return Ok(Some(Stop::Done));
            }
        }
        Ok(None)
    }

    /// A machine for another thread of the emulator, in the state of this one.
    pub(crate) fn fork(&mut self, written: &[bool]) -> Machine<'a> {
        let globals = self.globals.iter_mut().zip(written).map(|(buffer, &written)| buffer.fork(written)).collect();
        Machine {
            globals,
            shared: self.shared.clone(),
            counters: Counters::default(),
            tallies: vec![Tally::default(); self.tallies.len()],
            done: self.done.clone(),
            clocks: self.clocks.clone(),
            order: Order::default(),
            arrived: FxHashMap::default(),
            phases: FxHashMap::default(),
            bulk: Vec::new(),
            pending: Pending::default(),
            addresses: Vec::new(),
            ..*self
        }
    }

    /// Takes over what a fork did; `None` if it depends on the order of the workgroups.
    pub(crate) fn join(&mut self, fork: &Machine<'_>) -> Option<()> {
        for (buffer, other) in self.globals.iter_mut().zip(&fork.globals) {
            buffer.join(other)?;
        }
        self.counters.add(&fork.counters);
        self.tallies.iter_mut().zip(&fork.tallies).for_each(|(tally, other)| tally.add(other));
        Some(())
    }

    fn count_shuffles(&mut self, code: &Code, pc: usize, n: u64) {
        self.counters.shuffles += n;
        if std::ptr::eq(code, self.code)
            && let Some(tally) = self.tallies.get_mut(pc)
        {
            tally.shuffles += n;
        }
    }

    /// The slice is used up: looks at the clock, and takes the next one.
    #[cold]
    fn refuel(&mut self, needed: u64) -> Run<()> {
        let left = self.fuel_left();
        let Some(rest) = left.checked_sub(needed) else { return Err(self.out_of_fuel()) };
        let all = self.launch.grid.iter().map(|&extent| u64::from(extent)).product();
        let progress = Progress { done: self.done.load(Ordering::Relaxed), all };
        if self.options.stop.as_ref().is_some_and(|stop| (stop.0)(progress)) {
            self.stopped = true;
            return Err(Fault::new(Kind::Limit, None, "the run has used up its time")
                .help("raise the time limit, or run a smaller launch"));
        }
        self.fuel = rest.min(SLICE);
        self.reserve = rest - self.fuel;
        Ok(())
    }

    /// Uses up fuel for work whose size is known only now.
    pub(crate) fn charge(&mut self, fuel: u64) -> Run<()> {
        match self.fuel.checked_sub(fuel) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => self.refuel(fuel),
        }
    }

    /// Fuel that this thread of the emulator may still use.
    pub(crate) fn fuel_left(&self) -> u64 {
        self.fuel.saturating_add(self.reserve)
    }

    #[cold]
    fn out_of_fuel(&self) -> Box<Fault> {
        Fault::new(Kind::Limit, None, format!("the run has used up its fuel of {}", self.options.fuel))
            .help("raise the fuel, or look for a loop that does not end")
    }

    /// A loop that cannot end with the fuel that is left ends before it begins.
    fn check_trips(&self, s: &Subgroup, inside: u128, [iv, ub, step]: [Reg; 3], least: u64) -> Run<()> {
        let lane = inside.trailing_zeros() as usize;
        let (iv, ub, step) = (s.regs.int(iv, lane), s.regs.int(ub, lane), s.regs.int(step, lane));
        let trips = ub.abs_diff(iv).div_ceil(step.unsigned_abs());
        if trips.saturating_mul(least) <= self.fuel_left() {
            return Ok(());
        }
        let message = format!(
            "a loop of {trips} iterations needs more than what is left of the run's fuel of {}",
            self.options.fuel
        );
        Err(Fault::new(Kind::Limit, Some(lane), message).help("raise the fuel, or look for a bound that is wrong"))
    }

    /// The access of the first lane to a memory, for the shadow.
    pub(crate) fn now(&self, subgroup: &Subgroup, space: Space, pc: usize) -> Now {
        let lanes = subgroup.regs.lanes as u32;
        let memory = usize::from(!matches!(space, Space::Global(_)));
        let (epoch, floor, seen) = self.clocks[memory].now(subgroup.id as usize);
        Now {
            who: Access::new(self.workgroup, subgroup.id * lanes, epoch, pc),
            floor,
            seen,
            lanes,
            careful: self.code.is_careful(),
            acquired: self.order.of(subgroup.id as usize, memory),
            generation: if let Space::Shared(at) = space { subgroup.generations[at as usize] } else { 0 },
        }
    }

    /// What to tell: threads that do not meet explain a race between them, and a race or an unwritten element explains
    /// everything else.
    pub(crate) fn first_cause(&mut self, diag: Box<Diag>) -> Box<Diag> {
        match self.pending.first.take() {
            Some((_, first)) if diag.code != Kind::Barrier.code() => first,
            _ => diag,
        }
    }

    /// Puts off a finding until the epoch ends, if it is of a kind that something else may explain.
    #[cold]
    pub(crate) fn put_off(&mut self, subgroup: &Subgroup, pc: usize, fault: Box<Fault>) -> Run<()> {
        let Some(element) = fault.element else { return Err(fault) };
        if self.pending.n == PENDING_MAX {
            return Err(fault);
        }
        self.pending.n += 1;
        let tell = match (&self.pending.first, fault.kind) {
            (None, _) => true,
            // What was read too early is written now: that is the race.
            (Some((Kind::Uninitialised, _)), Kind::Race) => self.pending.unwritten.contains(&element),
            _ => false,
        };
        if tell {
            self.pending.first = Some((fault.kind, self.diag(self.code, subgroup, pc as u32, &fault)));
        }
        if fault.kind == Kind::Uninitialised {
            self.pending.unwritten.push(element);
        }
        Ok(())
    }

    /// A thread as people call it, beside another one.
    fn call(&self, access: Access, beside: Access) -> String {
        let [x, y, z] = grid::place(self.launch.grid, access.workgroup);
        let lanes = self.launch.lanes() as u32;
        match (self.launch.mode, access.workgroup == beside.workgroup) {
            (crate::Mode::Simd, _) => format!("workgroup ({x}, {y}, {z})"),
            (crate::Mode::Simt, same) => {
                let (thread, subgroup, lane) = (access.thread, access.thread / lanes, access.thread % lanes);
                let group = if same { String::new() } else { format!(" of workgroup ({x}, {y}, {z})") };
                format!("thread {thread} (subgroup {subgroup}, lane {lane}){group}")
            }
        }
    }

    /// A fault as a diagnostic at its operation.
    #[cold]
    pub(crate) fn diag(&self, code: &Code, subgroup: &Subgroup, pc: u32, fault: &Fault) -> Box<Diag> {
        let op: OpId = code.ops[pc as usize];
        let [x, y, z] = self.block;
        let mut message = format!("{}: {}", fault.kind.name(), fault.message);
        if let Some(race) = &fault.race {
            message = message.replace("{who}", &self.call(race.who, race.who));
            message = message.replace("{earlier}", &self.call(race.earlier, race.who));
        }
        let mut diag =
            Diag::error(fault.kind.code(), self.ir.span(op), message).label(format!("in `{}`", self.ir.name(op)));
        if let Some(race) = &fault.race
            && let Some(&earlier) = self.code.ops.get(race.earlier.pc())
        {
            let did =
                format!("{} {} it here, in `{}`", self.call(race.earlier, race.who), race.did, self.ir.name(earlier));
            diag = diag.related(self.ir.span(earlier), did);
        }
        let place = match (self.launch.mode, fault.lane) {
            (crate::Mode::Simd, _) => format!("in workgroup ({x}, {y}, {z})"),
            (crate::Mode::Simt, None) => format!("in workgroup ({x}, {y}, {z}), subgroup {}", subgroup.id),
            (crate::Mode::Simt, Some(lane)) => {
                format!("in workgroup ({x}, {y}, {z}), subgroup {}, lane {lane}", subgroup.id)
            }
        };
        diag = diag.note(place);
        if fault.race.is_some() && self.code.fenced {
            diag = diag.note("barriers of this program order the accesses to some memory only");
        }
        if let Some((argument, index)) = fault.outside
            && let Some(note) = self.globals.get(argument as usize).and_then(|buffer| buffer.beyond(index))
        {
            diag = diag.note(note);
        }
        if self.options.seed != 0 || self.launch.n_subgroups() > 1 {
            diag = diag.note(format!("the subgroups ran in the order of seed {}", self.options.seed));
        }
        diag.help = fault.help.map(str::to_string);
        Box::new(diag)
    }
}

/// A fault of this instruction, or a finished diagnostic of one inside it.
pub(crate) enum Failed {
    Here(Box<Fault>),
    Told(Box<Diag>),
}

impl From<Box<Fault>> for Failed {
    fn from(fault: Box<Fault>) -> Failed {
        Failed::Here(fault)
    }
}

impl From<Box<Diag>> for Failed {
    fn from(diag: Box<Diag>) -> Failed {
        Failed::Told(diag)
    }
}

/// Lanes that have another iteration.
#[inline(always)]
fn lanes_below(s: &Subgroup, iv: Reg, ub: Reg) -> u128 {
    let (iv, ub) = (&s.regs.ints[iv.at as usize][..], &s.regs.ints[ub.at as usize][..]);
    let all = iv.iter().zip(ub).all(|(iv, ub)| iv < ub);
    if all { s.mask } else { s.lanes_where(|lane| iv[lane] < ub[lane]) }
}

fn advance(s: &mut Subgroup, iv: Reg, step: Reg) {
    let mut values = s.regs.take::<i64>(iv);
    let steps = s.regs.get::<i64>(step);
    // A lane that has left keeps its last index; nothing reads it, but it must not come back below the bound.
    if s.is_full() {
        values.iter_mut().zip(steps).for_each(|(iv, step)| *iv = iv.saturating_add(*step));
    } else {
        for (half, (values, steps)) in values.chunks_mut(64).zip(steps.chunks(64)).enumerate() {
            let word = (s.mask >> (64 * half)) as u64;
            for (lane, (iv, step)) in values.iter_mut().zip(steps).enumerate() {
                *iv = if word >> lane & 1 == 1 { iv.saturating_add(*step) } else { *iv };
            }
        }
    }
    s.regs.put(iv, values);
}

fn check_assertion(s: &Subgroup, cond: Reg, message: &str) -> Run<()> {
    let cond = s.regs.get::<i64>(cond);
    match (0..s.regs.lanes).find(|&lane| s.is_on(lane) && cond[lane] == 0) {
        None => Ok(()),
        Some(lane) => Err(Fault::new(Kind::Undefined, Some(lane), format!("the assertion does not hold: {message}"))),
    }
}

fn check_index(s: &Subgroup, regs: [Reg; 2], dim: u32) -> Run<()> {
    let [index, extent] = regs.map(|reg| s.regs.get::<i64>(reg));
    let is_outside = |lane: usize| s.is_on(lane) && !(0..extent[lane]).contains(&index[lane]);
    match (0..s.regs.lanes).find(|&lane| is_outside(lane)) {
        None => Ok(()),
        Some(lane) => {
            let message = format!("index {} along dimension {dim}, whose extent is {}", index[lane], extent[lane]);
            Err(Fault::new(Kind::Bounds, Some(lane), message))
        }
    }
}

fn check_step(s: &Subgroup, step: Reg) -> Run<()> {
    let steps = s.regs.get::<i64>(step);
    match (0..steps.len()).find(|&lane| s.is_on(lane) && steps[lane] <= 0) {
        None => Ok(()),
        Some(lane) => Err(Fault::new(
            Kind::Undefined,
            Some(lane),
            format!("the loop's step is {}, and a step is positive", steps[lane]),
        )),
    }
}

fn move_all(s: &mut Subgroup, moves: &[Move]) -> Run<()> {
    for &Move { dst, src, swap } in moves {
        if dst.bank == crate::regs::Bank::View {
            move_view(s, dst, src)?;
        } else {
            by_bank!(dst.bank, move_one::<_>(s, dst, src, swap));
        }
    }
    Ok(())
}

fn move_one<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, swap: bool) {
    if swap && s.is_full() {
        T::bank_mut(&mut s.regs).swap(dst.at as usize, src.at as usize);
        return;
    }
    let mut out = s.regs.take::<T>(dst);
    let values = s.regs.get::<T>(src);
    if s.is_full() {
        out.clone_from_slice(values);
    } else {
        let lanes = s.regs.lanes;
        for (out, values) in out.chunks_exact_mut(lanes).zip(values.chunks_exact(lanes)) {
            for lane in 0..lanes {
                if s.is_on(lane) {
                    out[lane] = values[lane].clone();
                }
            }
        }
    }
    s.regs.put(dst, out);
}

/// A memref that a region yields. Lanes may disagree on where it begins, not on what it is.
fn move_view(s: &mut Subgroup, dst: Reg, src: Reg) -> Run<()> {
    let new = s.regs.view(src).clone();
    let full = s.mask == s.launched;
    let old = &s.regs.views[dst.at as usize];
    if full {
        s.regs.views[dst.at as usize] = new;
        return Ok(());
    }
    if old.space != Space::Nowhere
        && (old.space, old.elem, &old.shape, &old.strides) != (new.space, new.elem, &new.shape, &new.strides)
    {
        return Err(Fault::new(
            Kind::Unsupported,
            None,
            format!("lanes {} take another memref than the rest of the subgroup", lanes(s.mask)),
        ));
    }
    let mut merged = new;
    if old.space != Space::Nowhere {
        for lane in 0..merged.offset.len() {
            if !s.is_on(lane) {
                merged.offset[lane] = old.offset[lane];
            }
        }
    }
    s.regs.views[dst.at as usize] = merged;
    Ok(())
}

/// Numbers below `n` in an order that a seed chooses; seed 0 keeps them in order.
#[derive(Clone, Copy)]
pub(crate) struct Shuffled {
    n: u64,
    factor: u64,
    start: u64,
}

impl Shuffled {
    pub(crate) fn new(n: u64, seed: u64) -> Shuffled {
        if seed == 0 || n < 2 {
            return Shuffled { n, factor: 1, start: 0 };
        }
        let mut state = seed;
        // SplitMix64 (Steele, Lea, Flood 2014).
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        let start = next() % n;
        // i -> start + factor * i is one to one modulo n when the factor has no divisor in common with n.
        let mut factor = next() % n;
        while gcd(factor, n) != 1 {
            factor = (factor + 1) % n;
        }
        Shuffled { n, factor, start }
    }

    pub(crate) fn at(&self, index: u64) -> u64 {
        ((u128::from(self.factor) * u128::from(index) + u128::from(self.start)) % u128::from(self.n.max(1))) as u64
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Shuffled;

    /// Every order names every number once.
    #[test]
    fn orders_are_permutations() {
        for n in 1..40 {
            for seed in 0..20 {
                let order = Shuffled::new(n, seed);
                let mut seen: Vec<u64> = (0..n).map(|at| order.at(at)).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..n).collect::<Vec<_>>());
            }
        }
    }
}
