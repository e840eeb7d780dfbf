//! Decode control flow without a fixed number of trips: `scf.while`, switches, and regions of several blocks.
//!
//! A region of blocks runs with a mask for each block: the lanes that wait at its beginning. The first block with any
//! is next, and blocks stand in an order in which every loop ends before what follows it begins. So lanes that part at
//! a branch meet again at the first block that both ways lead to, and barriers behind a join are reached by all.

use raddle_ir::{BlockId, Diag, OpId, Opcode, RegionId};
use rustc_hash::FxHashMap;

use super::{DEPTH_MAX, Decoder, Root};
use crate::inst::{Inst, Move};
use crate::regs::{Bank, Reg};

impl Decoder<'_> {
    /// `scf.while`: what is before the test, the test, and what is after it.
    pub(super) fn while_loop(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (Some(before), Some(after)) = (ir.body(op, 0), ir.body(op, 1)) else { return Err(self.unknown(op)) };
        let inits = self.regs(ir.operands(op))?;
        let carried = ir.args(before).iter().map(|&arg| self.join(arg)).collect::<Result<Vec<_>, _>>()?;
        let results: Vec<_> = ir.results(op).collect();
        let (passed, args) = (ir.terminator(before).map_or(&[][..], |end| ir.operands(end)), ir.args(after));
        if passed.len() != results.len() + 1 || args.len() != results.len() {
            return Err(self.error("the loop's regions do not match its results".into()));
        }
        self.assign(&carried, &inits)?;
        self.emit(Inst::WhileBegin)?;
        let least = self.code.least;
        let begin = self.pc();
        let tested = self.body(before)?;
        // A lane that leaves keeps what it passed on last.
        let kept = results.iter().map(|&result| self.join(result)).collect::<Result<Vec<_>, _>>()?;
        for (&arg, &reg) in args.iter().zip(&kept) {
            self.values.insert(arg, reg);
        }
        let (Some(&cond), Some(passed)) = (tested.first(), tested.get(1..)) else { return Err(self.unknown(op)) };
        self.assign(&kept, passed)?;
        let test = self.pc();
        self.emit(Inst::WhileTest { cond, exit: 0 })?;
        let yielded = self.body(after)?;
        self.assign(&carried, &yielded)?;
        self.emit(Inst::Jump { to: begin })?;
        self.patch(test);
        self.code.least = least;
        Ok(())
    }

    /// `scf.index_switch`: one region for each case, the first for every other number.
    pub(super) fn index_switch(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let arg = self.operand(op, 0)?;
        let results = ir.results(op).map(|result| self.join(result)).collect::<Result<Vec<_>, _>>()?;
        let cases = ir.attr_id(op, "cases").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let least = self.code.least;
        for (at, case) in (1..).zip(cases) {
            let cond = self.equals(arg, case)?;
            let Some(body) = ir.body(op, at) else { return Err(self.unknown(op)) };
            self.open_if(cond)?;
            let yielded = self.body(body)?;
            self.assign(&results, &yielded)?;
            self.middle_if()?;
        }
        let Some(default) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let yielded = self.body(default)?;
        self.assign(&results, &yielded)?;
        for _ in 1..ir.regions(op).len() {
            self.close_if()?;
        }
        self.code.least = least;
        Ok(())
    }

    /// `scf.execute_region`, and whatever else is its region.
    pub(super) fn execute_region(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Some(&region) = ir.regions(op).first() else { return Err(self.unknown(op)) };
        let yielded = self.region(region)?;
        for (result, reg) in ir.results(op).zip(yielded) {
            self.values.insert(result, reg);
        }
        Ok(())
    }

    /// `util.hoistable_conversion`: its region, once.
    pub(super) fn conversion(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let inputs = self.regs(ir.operands(op))?;
        self.values.extend(ir.args(body).iter().copied().zip(inputs));
        let returned = self.body(body)?;
        self.values.extend(ir.results(op).zip(returned));
        Ok(())
    }

    /// Decodes a region, and returns the registers of what leaves it.
    pub(super) fn region(&mut self, region: RegionId) -> Result<Vec<Reg>, Diag> {
        let ir = self.ir;
        let blocks = match ir.blocks(region) {
            [] => return Ok(Vec::new()),
            [block] => return self.body(*block),
            blocks => {
                order(blocks, &|block| ir.terminator(block).map(|end| ir.successors(end).to_vec()).unwrap_or_default())
            }
        };
        if self.depth >= DEPTH_MAX {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let around = (self.block, self.op);
        // Arguments first: any block may pass values to any other.
        for &block in &blocks[1..] {
            for &arg in ir.args(block) {
                self.join(arg)?;
            }
        }
        let numbers: FxHashMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
        let mut left = None;
        self.emit(Inst::FlowBegin { n: blocks.len() + 1 })?;
        let mut starts = Vec::new();
        let mut jumps = Vec::new();
        let least = self.code.least;
        for &block in &blocks {
            starts.push(self.pc());
            self.block = Some(block);
            let Some(end) = ir.terminator(block) else { return Err(self.unknown(self.op)) };
            for op in ir.block_ops(block).filter(|&op| op != end) {
                self.op = op;
                self.operation(op)?;
            }
            self.op = end;
            self.keep(block)?;
            if ir.opcode(end) == Opcode::UbUnreachable {
                self.operation(end)?;
            } else if ir.successors(end).is_empty() {
                let yielded = self.regs(ir.operands(end))?;
                if left.is_none() {
                    let fresh = ir.operands(end).iter().map(|&value| self.like(value));
                    left = Some(fresh.collect::<Result<Vec<_>, _>>()?);
                }
                let results = left.clone().unwrap_or_default();
                self.assign(&results, &yielded)?;
                self.emit(Inst::Arrive { block: numbers.len() })?;
            } else {
                self.branch_to(end, &numbers)?;
            }
            self.op = end;
            jumps.push(self.pc());
            self.emit(Inst::Jump { to: 0 })?;
        }
        let next = self.pc();
        for at in jumps {
            self.code.insts[at as usize] = Inst::Jump { to: next };
        }
        starts.push(next + 1);
        self.emit(Inst::FlowNext { starts: starts.into() })?;
        self.code.least = least;
        self.depth -= 1;
        (self.block, self.op) = around;
        Ok(left.unwrap_or_default())
    }

    /// The end of a block that goes on to others.
    fn branch_to(&mut self, end: OpId, blocks: &FxHashMap<BlockId, usize>) -> Result<(), Diag> {
        let ir = self.ir;
        let jumps = ir.jumps(end);
        // The last way is the one that is left: the else of a branch, the default of a switch.
        let (tests, other) = match (ir.opcode(end), &jumps[..]) {
            (Opcode::CfBr, &[only]) => (&[][..], only),
            (Opcode::CfCondBr, &[then, otherwise]) => (&[then][..], otherwise),
            (Opcode::CfSwitch, &[default, ref cases @ ..]) => (cases, default),
            _ => return Err(self.unknown(end)),
        };
        for jump in tests {
            let flag = self.operand(end, 0)?;
            let cond = match jump.case {
                Some(case) => self.equals(flag, case)?,
                None => flag,
            };
            self.open_if(cond)?;
            self.arrive(jump.to, jump.args, blocks)?;
            self.middle_if()?;
        }
        self.arrive(other.to, other.args, blocks)?;
        tests.iter().try_for_each(|_| self.close_if())
    }

    /// Results that other blocks use get registers that only lanes which are on write: a lane that has left a loop
    /// still has its values when others go around once more.
    fn keep(&mut self, block: BlockId) -> Result<(), Diag> {
        let ir = self.ir;
        let region = ir.block_region(block);
        let home = |user: OpId| {
            let mut at = ir.parent_block(user);
            while let Some(here) = at
                && ir.block_region(here) != region
            {
                at = ir.parent_block(ir.region_parent(ir.block_region(here)));
            }
            at
        };
        let escapes = |value: raddle_ir::ValueId| ir.uses(value).any(|(user, _)| home(user) != Some(block));
        let values: Vec<_> =
            ir.block_ops(block).flat_map(|op| ir.results(op)).filter(|&value| escapes(value)).collect();
        let srcs = self.regs(&values)?;
        let dsts = values.iter().map(|&value| self.like(value)).collect::<Result<Vec<_>, _>>()?;
        self.assign(&dsts, &srcs)?;
        self.values.extend(values.into_iter().zip(dsts));
        Ok(())
    }

    /// These lanes go to a block with these arguments.
    fn arrive(
        &mut self,
        target: BlockId,
        operands: &[raddle_ir::ValueId],
        blocks: &FxHashMap<BlockId, usize>,
    ) -> Result<(), Diag> {
        let dsts = self.regs(self.ir.args(target))?;
        let srcs = self.regs(operands)?;
        self.assign(&dsts, &srcs)?;
        match blocks.get(&target) {
            Some(&block) => self.emit(Inst::Arrive { block }),
            None => Err(self.error("the branch leaves its region".into())),
        }
    }

    /// A register for a value that comes from several places.
    fn join(&mut self, value: raddle_ir::ValueId) -> Result<Reg, Diag> {
        let reg = self.define(value)?;
        self.homes[reg.bank as usize][reg.at as usize] = None;
        if reg.bank == Bank::View {
            self.roots[reg.at as usize] = Root::Unknown;
        }
        Ok(reg)
    }

    /// A new register for values like this one.
    fn like(&mut self, value: raddle_ir::ValueId) -> Result<Reg, Diag> {
        let reg = self.reg(value)?;
        let fresh = self.fresh(reg.bank, reg.n, None)?;
        if reg.bank == Bank::View {
            self.roots[fresh.at as usize] = Root::Unknown;
        }
        Ok(fresh)
    }

    /// Fills registers all at once, without giving up the sources.
    pub(super) fn assign(&mut self, dsts: &[Reg], srcs: &[Reg]) -> Result<(), Diag> {
        let pairs: Vec<(Reg, Reg)> =
            dsts.iter().copied().zip(srcs.iter().copied()).filter(|(dst, src)| dst != src).collect();
        if dsts.len() != srcs.len() || pairs.iter().any(|(dst, src)| (dst.bank, dst.n) != (src.bank, src.n)) {
            return Err(self.error("values are passed on to others of another number or type".into()));
        }
        let (mut first, mut moves) = (Vec::new(), Vec::new());
        for &(dst, src) in &pairs {
            let overwritten = pairs.iter().any(|pair| pair.0 == src);
            let from = if overwritten { self.fresh(src.bank, src.n, None)? } else { src };
            if overwritten {
                first.push(Move { dst: from, src, swap: false });
            }
            moves.push(Move { dst, src: from, swap: false });
        }
        for list in [first, moves] {
            if !list.is_empty() {
                let cost = list.iter().map(|m| u64::from(m.dst.n)).sum();
                self.emit_cost(Inst::Move(list.into()), cost)?;
            }
        }
        Ok(())
    }

    fn equals(&mut self, value: Reg, number: i64) -> Result<Reg, Diag> {
        let (dst, b) = (self.temp()?, self.int(number)?);
        self.emit(Inst::CmpI { predicate: 0, dst, a: value, b, width: 64 })?;
        Ok(dst)
    }

    pub(super) fn open_if(&mut self, cond: Reg) -> Result<(), Diag> {
        self.ifs.push(self.pc());
        self.emit(Inst::If { cond, otherwise: 0 })
    }

    pub(super) fn middle_if(&mut self) -> Result<(), Diag> {
        let begin = self.ifs.pop().expect("a branch is open");
        self.patch(begin);
        self.ifs.push(self.pc());
        self.emit(Inst::Else { end: 0 })
    }

    pub(super) fn close_if(&mut self) -> Result<(), Diag> {
        let last = self.ifs.pop().expect("a branch is open");
        self.patch(last);
        self.emit(Inst::EndIf)
    }
}

/// The blocks of a region, entry first, so that a block stands behind all that lead to it, but for the ways back of
/// loops, and the blocks of a loop stand together. Blocks that nothing leads to are left out.
fn order(blocks: &[BlockId], successors: &dyn Fn(BlockId) -> Vec<BlockId>) -> Vec<BlockId> {
    let numbers: FxHashMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
    let number = |block: BlockId| numbers.get(&block).copied();
    let edges: Vec<Vec<usize>> =
        blocks.iter().map(|&block| successors(block).into_iter().filter_map(number).collect()).collect();
    let mut out = Vec::new();
    arrange(&edges, 0, &mut out);
    out.into_iter().map(|at| blocks[at]).collect()
}

/// Arranges the part of a graph that is reached from `entry`: its loops in the order of the graph between them, each
/// loop beginning with its entry and then arranged without the ways back to that.
fn arrange(edges: &[Vec<usize>], entry: usize, out: &mut Vec<usize>) {
    // A list of its own instead of recursion: loops may be nested deeply.
    let mut work = vec![(vec![true; edges.len()], entry, false)];
    while let Some((inside, entry, is_loop)) = work.pop() {
        let step = |from: usize| -> Vec<usize> {
            edges[from].iter().copied().filter(|&to| inside[to] && !(is_loop && to == entry)).collect()
        };
        let components = components(edges.len(), entry, &step);
        // What stands last is pushed first.
        for component in components.iter().rev() {
            if let [single] = component[..] {
                work.push((vec![false; 0], single, false));
                continue;
            }
            let mut part = vec![false; edges.len()];
            component.iter().for_each(|&at| part[at] = true);
            // The one that others lead to from outside; the entry of the region if it is here.
            let reached = |at: &&usize| {
                **at == entry || (0..edges.len()).any(|from| inside[from] && !part[from] && edges[from].contains(at))
            };
            let first = component.iter().find(reached).copied().unwrap_or(component[0]);
            work.push((part, first, true));
        }
        // A single block is done.
        while let Some((part, single, _)) = work.last() {
            if !part.is_empty() {
                break;
            }
            out.push(*single);
            work.pop();
        }
    }
}

/// The strongly connected parts that are reached from `entry`, in topological order (Tarjan 1972, without recursion).
fn components(n: usize, entry: usize, step: &dyn Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let (mut index, mut low, mut on_stack) = (vec![usize::MAX; n], vec![0; n], vec![false; n]);
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    let mut calls: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut enter = Some(entry);
    loop {
        if let Some(at) = enter.take() {
            (index[at], low[at], on_stack[at]) = (next, next, true);
            next += 1;
            stack.push(at);
            calls.push((at, step(at)));
        }
        let Some((at, left)) = calls.last_mut() else { break };
        let at = *at;
        match left.pop() {
            Some(to) if index[to] == usize::MAX => enter = Some(to),
            Some(to) if on_stack[to] => low[at] = low[at].min(index[to]),
            Some(_) => {}
            None => {
                calls.pop();
                if let Some((caller, _)) = calls.last() {
                    low[*caller] = low[*caller].min(low[at]);
                }
                if low[at] == index[at] {
                    let from = stack.iter().position(|&other| other == at).unwrap_or(0);
                    let part = stack.split_off(from);
                    part.iter().for_each(|&at| on_stack[at] = false);
                    found.push(part);
                }
            }
        }
    }
    found.reverse();
    found
}
