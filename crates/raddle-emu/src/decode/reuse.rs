//! Registers whose values are not needed at the same time share an array.
//!
//! Decoding gives every value a register of its own. Here each one's first and last use are found in the order of the
//! instructions, and registers of one bank and length are reused. A use inside a loop of what comes from outside lasts
//! to the end of that loop. Lanes wait at blocks while others run, so that what two blocks of a region use lasts as
//! long as the region. What is filled before the program begins, or read when it has ended, keeps its array. A vector
//! whose last use is an insertion into it becomes the result, and no element but the new ones is touched.
//!
//! Memrefs keep their registers: lanes that disagree on one are compared with what it held before.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use raddle_ir::Diag;
use rustc_hash::FxHashMap;

use super::Decoder;
use crate::inst::{Body, Digit, GroupFactor, Index, Inst, Joint, PhaseStep, Source, SubView, Transfer, Update};
use crate::regs::{Bank, Reg};

/// A bank, and a register's number in it.
type Name = (Bank, u32);

/// The first and the last instruction that need a register.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    last: u32,
}

/// The last use of what is read when the program has ended.
const END: u32 = u32::MAX;

/// Instructions that run again, or that some lanes run while others wait.
#[derive(Debug)]
struct Region {
    span: Span,
    around: Option<usize>,
    depth: usize,
    /// Whether its parts are blocks that run in any order.
    flows: bool,
}

impl Decoder<'_> {
    /// Gives the function's registers their arrays, and counts these against the limit.
    pub(super) fn share_registers(&mut self) -> Result<(), Diag> {
        let mut spans = self.spans();
        let heirs = self.heirs(&mut spans);
        let mut order: Vec<(u32, Name)> = spans.iter().map(|(&name, span)| (span.first, name)).collect();
        order.sort_unstable();
        let mut arrays: [Vec<u32>; 6] = Default::default();
        let mut homes: FxHashMap<Name, u32> = FxHashMap::default();
        let mut free: FxHashMap<(Bank, u32), BTreeSet<u32>> = FxHashMap::default();
        let mut busy: BinaryHeap<Reverse<(u32, Name)>> = BinaryHeap::new();
        for (first, (bank, at)) in order {
            while let Some(&Reverse((last, (bank, array)))) = busy.peek()
                && last < first
            {
                busy.pop();
                free.entry((bank, arrays[bank as usize][array as usize])).or_default().insert(array);
            }
            let n = self.code.sizes[bank as usize][at as usize];
            let array = match free.get_mut(&(bank, n)).and_then(BTreeSet::pop_first) {
                Some(array) => array,
                None => {
                    self.op = self.code.ops[first as usize];
                    self.reserve(self.array_bytes(bank, n))?;
                    arrays[bank as usize].push(n);
                    arrays[bank as usize].len() as u32 - 1
                }
            };
            homes.insert((bank, at), array);
            busy.push(Reverse((spans[&(bank, at)].last, (bank, array))));
        }
        let rename = |reg: &mut Reg| {
            if reg.bank != Bank::View {
                let name = (reg.bank, reg.at);
                reg.at = homes[heirs.get(&name).unwrap_or(&name)];
            }
        };
        self.code.insts.iter_mut().for_each(|inst| each_reg(inst, &mut |reg| rename(reg)));
        self.code.known.iter_mut().for_each(|(reg, _)| rename(reg));
        self.code.args.iter_mut().chain(&mut self.code.results).for_each(rename);
        for bank in Bank::NUMBERS {
            self.code.sizes[bank as usize] = std::mem::take(&mut arrays[bank as usize]);
        }
        Ok(())
    }

    /// From where to where each register is needed.
    fn spans(&mut self) -> FxHashMap<Name, Span> {
        let mut spans: FxHashMap<Name, Span> = FxHashMap::default();
        let mut note = |reg: Reg, first: u32, last: u32| {
            if reg.bank != Bank::View {
                let span = spans.entry((reg.bank, reg.at)).or_insert(Span { first, last });
                *span = Span { first: span.first.min(first), last: span.last.max(last) };
            }
        };
        for (inst, pc) in self.code.insts.iter_mut().zip(0..) {
            each_reg(inst, &mut |reg| note(*reg, pc, pc));
        }
        self.code
            .known
            .iter()
            .map(|known| known.0)
            .chain(self.code.args.iter().copied())
            .for_each(|reg| note(reg, 0, END));
        self.code.results.iter().for_each(|&reg| note(reg, END, END));
        let (regions, innermost) = self.regions();
        spans.values_mut().for_each(|span| extend(span, &regions, &innermost));
        spans
    }

    /// Regions from the outside in, and for each instruction the innermost around it.
    fn regions(&self) -> (Vec<Region>, Vec<Option<usize>>) {
        let mut regions: Vec<Region> = Vec::new();
        let mut innermost = Vec::with_capacity(self.code.insts.len());
        let mut open: Vec<usize> = Vec::new();
        let begin = |regions: &mut Vec<Region>, open: &mut Vec<usize>, first: u32, flows: bool| {
            let around = open.last().copied();
            open.push(regions.len());
            regions.push(Region { span: Span { first, last: first }, around, depth: open.len(), flows });
        };
        let end = |regions: &mut Vec<Region>, open: &mut Vec<usize>, last: u32| {
            let region = open.pop().expect("a region's end follows its beginning");
            regions[region].span.last = last;
        };
        for (inst, pc) in self.code.insts.iter().zip(0..) {
            match inst {
                Inst::LoopBegin { .. } | Inst::WhileBegin => begin(&mut regions, &mut open, pc, false),
                Inst::FlowBegin { .. } => begin(&mut regions, &mut open, pc, true),
                _ => {}
            }
            innermost.push(open.last().copied());
            match inst {
                Inst::LoopEnd { .. } => end(&mut regions, &mut open, pc),
                Inst::FlowBegin { .. } => begin(&mut regions, &mut open, pc + 1, false),
                // Back to the beginning of a loop, or out of a block and on to the next one.
                Inst::Jump { to } => {
                    end(&mut regions, &mut open, pc);
                    if *to > pc {
                        begin(&mut regions, &mut open, pc + 1, false);
                    }
                }
                // Behind the last block stands one without instructions.
                Inst::FlowNext { .. } => {
                    end(&mut regions, &mut open, pc);
                    end(&mut regions, &mut open, pc);
                }
                _ => {}
            }
        }
        (regions, innermost)
    }

    /// Results that take over the array of the vector that they begin as. The span of that grows.
    fn heirs(&mut self, spans: &mut FxHashMap<Name, Span>) -> FxHashMap<Name, Name> {
        let mut heirs: FxHashMap<Name, Name> = FxHashMap::default();
        for (inst, pc) in self.code.insts.iter_mut().zip(0..) {
            let (dst, into) = match inst {
                Inst::Place { dst, into, .. } | Inst::Insert { dst, into, .. } => (*dst, *into),
                Inst::Reduce { dst, acc, .. } => (*dst, *acc),
                Inst::InsertSlice(slice) => (slice.dst, slice.base),
                Inst::Write(write) => match write.dst {
                    Some(dst) => (dst, write.base),
                    None => continue,
                },
                _ => continue,
            };
            let name = |reg: Reg| (reg.bank, reg.at);
            let root = |name: Name| heirs.get(&name).copied().unwrap_or(name);
            let (dst, into) = (name(dst), root(name(into)));
            let mut uses = 0;
            each_reg(inst, &mut |reg| uses += u32::from(root(name(*reg)) == into));
            // Nothing else of the instruction may be read from the array that it writes to.
            if spans[&into].last == pc && spans.get(&dst).is_some_and(|span| span.first == pc) && uses == 1 {
                let last = spans.remove(&dst).expect("the register is used here").last;
                spans.insert(into, Span { last, ..spans[&into] });
                heirs.insert(dst, into);
            }
        }
        heirs
    }
}

/// A span that leaves a region goes to the end of it, and one between two blocks of a region is all of that.
fn extend(span: &mut Span, regions: &[Region], innermost: &[Option<usize>]) {
    let region = |pc: u32| innermost.get(pc as usize).copied().flatten();
    let depth = |region: Option<usize>| region.map_or(0, |at| regions[at].depth);
    let (mut first, mut last) = (region(span.first), region(span.last));
    while first != last {
        if depth(first) >= depth(last) {
            let left = &regions[first.expect("the deeper one is a region")];
            (span.first, first) = (left.span.first, left.around);
        } else {
            let left = &regions[last.expect("the deeper one is a region")];
            (span.last, last) = (left.span.last, left.around);
        }
        if first == last
            && let Some(common) = first
            && regions[common].flows
        {
            *span = regions[common].span;
        }
    }
}

/// Calls `f` with every register of an instruction.
pub(super) fn each_reg(inst: &mut Inst, f: &mut dyn FnMut(&mut Reg)) {
    match inst {
        Inst::Float1 { dst, a, .. }
        | Inst::Int1 { dst, a, .. }
        | Inst::Test { dst, a, .. }
        | Inst::FloatCast { dst, a, .. }
        | Inst::IntCast { dst, a, .. }
        | Inst::IntToFloat { dst, a, .. }
        | Inst::FloatToInt { dst, a, .. }
        | Inst::Bitcast { dst, a, .. }
        | Inst::Gather { dst, src: a, .. }
        | Inst::SubgroupReduce { dst, src: a, .. } => [dst, a].into_iter().for_each(f),
        Inst::Float2 { dst, a, b, .. }
        | Inst::Int2 { dst, a, b, .. }
        | Inst::PowI { dst, a, b, .. }
        | Inst::CmpI { dst, a, b, .. }
        | Inst::CmpF { dst, a, b, .. }
        | Inst::Place { dst, src: a, into: b, .. }
        | Inst::Reduce { dst, src: a, acc: b, .. } => [dst, a, b].into_iter().for_each(f),
        Inst::Fma { dst, a, b, c, .. } | Inst::Select { dst, cond: a, a: b, b: c } => {
            [dst, a, b, c].into_iter().for_each(f);
        }
        Inst::Complex(inst) => [&mut inst.dst, &mut inst.a, &mut inst.b].into_iter().for_each(f),
        Inst::Extract { dst, src, at } => {
            [dst, src].into_iter().for_each(&mut *f);
            each_digit(at, f);
        }
        Inst::Insert { dst, src, into, at } => {
            [dst, src, into].into_iter().for_each(&mut *f);
            each_digit(at, f);
        }
        Inst::Collect { dst: whole, parts } | Inst::Spread { src: whole, parts } => {
            f(whole);
            parts.iter_mut().for_each(f);
        }
        Inst::Scan(scan) => {
            [&mut scan.dst, &mut scan.total, &mut scan.src].into_iter().chain(&mut scan.init).for_each(f);
        }
        Inst::ArgCompare(compare) => {
            f(&mut compare.value);
            compare.dsts.iter_mut().chain(&mut compare.inits).for_each(&mut *f);
            compare.index.iter_mut().chain(&mut compare.base).chain(&mut compare.mask).for_each(&mut *f);
            each_capture(&mut compare.body, f);
        }
        Inst::Contract(product) => {
            [&mut product.dst, &mut product.lhs, &mut product.rhs, &mut product.acc].into_iter().for_each(f);
        }
        Inst::CreateMask { dst, bounds, .. } => {
            f(dst);
            each_index(bounds, f);
        }
        Inst::Nest(nest) => {
            nest.inputs.iter_mut().for_each(|input| f(&mut input.reg));
            nest.outputs
                .iter_mut()
                .for_each(|output| [&mut output.operand.reg, &mut output.dst].into_iter().for_each(&mut *f));
            nest.captures.iter_mut().for_each(|(outer, _)| f(outer));
        }
        Inst::ExtractSlice(slice) | Inst::InsertSlice(slice) => {
            [&mut slice.dst, &mut slice.base].into_iter().chain(&mut slice.value).for_each(&mut *f);
            each_index(&mut slice.offsets, f);
            each_index(&mut slice.strides, f);
        }
        Inst::Load { dst: value, view, at }
        | Inst::Store { src: value, view, at }
        | Inst::Matrices { vector: value, view, at, .. } => {
            [value, view].into_iter().chain(at).for_each(f);
        }
        Inst::Read(transfer) | Inst::Write(transfer) => each_of_transfer(transfer, f),
        Inst::SubView(view) | Inst::Recast(view) => each_of_view(view, f),
        Inst::Regroup(regroup) => {
            [&mut regroup.dst, &mut regroup.base].into_iter().for_each(&mut *f);
            regroup.sizes.iter_mut().for_each(|sizes| each_index(sizes, f));
        }
        Inst::Permute { dst, base, .. } => [dst, base].into_iter().for_each(f),
        Inst::Extent { dst, view, .. } => [dst, view].into_iter().for_each(f),
        Inst::Alloc { dst, shape, .. } | Inst::Alloca { dst, shape, .. } => {
            f(dst);
            each_index(shape, f);
        }
        Inst::Dealloc { view } => f(view),
        Inst::Whole(whole) => {
            let (regs, body) = whole.parts_mut();
            regs.into_iter().for_each(&mut *f);
            body.into_iter().for_each(|body| each_capture(body, f));
        }
        Inst::Move(moves) => {
            moves.iter_mut().for_each(|step| [&mut step.dst, &mut step.src].into_iter().for_each(&mut *f));
        }
        Inst::LoopBegin { iv, ub, step, .. } | Inst::LoopEnd { iv, ub, step, .. } => {
            [iv, ub, step].into_iter().for_each(f);
        }
        Inst::CheckIndex { index, extent, .. } => [index, extent].into_iter().for_each(f),
        Inst::If { cond, .. } | Inst::WhileTest { cond, .. } | Inst::Assert { cond, .. } => f(cond),
        Inst::Shuffle { dst, valid, src, offset, width, .. } => {
            [dst, valid, src, offset, width].into_iter().for_each(f);
        }
        Inst::LaneScan(scan) => {
            [&mut scan.dst, &mut scan.total, &mut scan.src].into_iter().chain(&mut scan.init).for_each(&mut *f);
            match &mut scan.joint {
                Joint::Combine(_) => {}
                Joint::Body(body) => each_capture(body, f),
            }
        }
        Inst::Vote { dst, src, lanes: more, .. } | Inst::Broadcast { dst, src, from: more } => {
            [dst, src].into_iter().chain(more).for_each(f);
        }
        Inst::NamedBarrier { id, threads, .. } => [id].into_iter().chain(threads).for_each(f),
        Inst::Atomic(atomic) => {
            [&mut atomic.dst, &mut atomic.view].into_iter().chain(&mut atomic.at).for_each(&mut *f);
            match &mut atomic.update {
                Update::Combine(_, value) | Update::Assign(value) => f(value),
                Update::Body(body) => each_capture(body, f),
            }
        }
        Inst::AsyncCopy(copy) => {
            each_of_transfer(&mut copy.from, f);
            each_of_transfer(&mut copy.to, f);
            copy.barrier.iter_mut().for_each(|(view, at)| [view, at].into_iter().for_each(&mut *f));
        }
        Inst::PhaseBarrier(barrier) => {
            [&mut barrier.view, &mut barrier.at].into_iter().for_each(&mut *f);
            match &mut barrier.step {
                PhaseStep::Make { count: reg } | PhaseStep::Wait { parity: reg } => f(reg),
                PhaseStep::Arrive { times, bytes, token } => {
                    times.iter_mut().chain(bytes).chain(token).for_each(f);
                }
                PhaseStep::Ask { token, dst } => [token, dst].into_iter().for_each(f),
            }
        }
        Inst::Mma(product) => [&mut product.dst].into_iter().chain(&mut product.operands).for_each(f),
        Inst::SharedProduct(product) => {
            match &mut product.lhs {
                GroupFactor::Shared(factor) => [&mut factor.view, &mut factor.at].into_iter().for_each(&mut *f),
                GroupFactor::Registers(reg, _) => f(reg),
            }
            let rhs = &mut product.rhs;
            [&mut product.dst, &mut product.acc, &mut rhs.view, &mut rhs.at].into_iter().for_each(f);
        }
        Inst::Intrinsic(product) => {
            let places = product.places.iter_mut().map(|places| &mut places.reg);
            [&mut product.dst, &mut product.acc].into_iter().chain(places).for_each(&mut *f);
            product.factors.iter_mut().for_each(|factor| match factor {
                Source::Register(reg) | Source::Shared(reg) => f(reg),
            });
            product.scales.iter_mut().flat_map(|scales| &mut scales.regs).for_each(f);
        }
        Inst::EndIf | Inst::Else { .. } | Inst::WhileBegin | Inst::Jump { .. } => {}
        Inst::FlowBegin { .. } | Inst::Arrive { .. } | Inst::FlowNext { .. } => {}
        Inst::Unreachable
        | Inst::Barrier(_)
        | Inst::SubgroupBarrier(_)
        | Inst::AsyncCommit
        | Inst::AsyncWait { .. }
        | Inst::Return => {}
    }
}

fn each_digit(digits: &mut [Digit], f: &mut dyn FnMut(&mut Reg)) {
    digits.iter_mut().for_each(|digit| each_index(std::slice::from_mut(&mut digit.index), f));
}

fn each_index(indices: &mut [Index], f: &mut dyn FnMut(&mut Reg)) {
    for index in indices {
        match index {
            Index::Known(_) => {}
            Index::Reg(reg) => f(reg),
        }
    }
}

/// The registers around a body that it uses; its own are of other code.
fn each_capture(body: &mut Body, f: &mut dyn FnMut(&mut Reg)) {
    body.captures.iter_mut().for_each(|(outer, _)| f(outer));
}

fn each_of_transfer(transfer: &mut Transfer, f: &mut dyn FnMut(&mut Reg)) {
    let Transfer { dst, src, base, indices, padding, mask, gathered, .. } = transfer;
    [base].into_iter().chain(indices).chain(dst).chain(src).chain(padding).chain(mask).for_each(&mut *f);
    gathered.iter_mut().for_each(|(_, reg, _)| f(reg));
}

fn each_of_view(view: &mut SubView, f: &mut dyn FnMut(&mut Reg)) {
    [&mut view.dst, &mut view.base].into_iter().for_each(&mut *f);
    [&mut view.offsets, &mut view.sizes, &mut view.strides].into_iter().for_each(|list| each_index(list, f));
}
