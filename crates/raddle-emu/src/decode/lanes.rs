//! Decode what threads do together beyond shuffles: votes, scans, barriers of some threads, atomics, asynchronous copies.

use raddle_ir::views::Transfer as TransferView;
use raddle_ir::{Attr, Diag, OpId, Opcode, Scalar, Type, ValueId};

use super::{Decoder, Numeric};
use crate::inst::{
    AsyncCopy, Atomic, Combine, Fences, Index, Inst, Int2, Joint, Known, LaneScan, Shuffle, Site, Update, Vote,
};
use crate::launch::Mode;
use crate::ops::gpu::BARRIER_VALUES;
use crate::regs::{Bank, Reg};

impl Decoder<'_> {
    /// `gpu.ballot`, `rocdl.ballot`, `nvvm.vote.sync`
    pub(super) fn vote(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let (src, lanes, ballot) = match ir.opcode(op) {
            Opcode::NvvmVoteSync => {
                let ballot = match ir.keyword_of(op, "kind") {
                    Some("any") => Vote::Any,
                    Some("all") => Vote::All,
                    Some("uni") => Vote::Uniform,
                    Some("ballot") => Vote::Ballot,
                    _ => return Err(self.unknown(op)),
                };
                (self.operand(op, 1)?, Some(self.operand(op, 0)?), ballot)
            }
            _ => (self.operand(op, 0)?, None, Vote::Ballot),
        };
        let Numeric { bank, n, scalar } = self.numeric(ir.type_of(ir.result(op, 0)))?;
        if bank != Bank::Int || n != 1 || src.bank != Bank::Int || src.n != 1 {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        if ballot == Vote::Ballot && self.lanes > scalar.bits() as usize {
            return Err(self.error(format!("`{scalar}` has no bit for each of {} lanes", self.lanes)));
        }
        let dst = self.result(op)?;
        self.emit(Inst::Vote { ballot, dst, src, lanes })?;
        // A word of all bits is negative in a register of its width.
        if scalar.bits() < 64 && ballot == Vote::Ballot {
            let width = scalar.bits();
            return self.emit(Inst::IntCast { dst, a: dst, signed: false, from: 64, to: width });
        }
        Ok(())
    }

    /// `gpu.subgroup_broadcast`
    pub(super) fn subgroup_broadcast(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let src = self.operand(op, 0)?;
        let from = match (ir.keyword_of(op, "broadcast_type"), ir.operands(op).get(1)) {
            (Some("first_active_lane" | "any_lane"), _) => None,
            (_, Some(&lane)) => Some(self.reg(lane)?),
            _ => return Err(self.unknown(op)),
        };
        let dst = self.result(op)?;
        self.check_lanes(dst, src)?;
        self.emit_cost(Inst::Broadcast { dst, src, from }, u64::from(dst.n))
    }

    /// `gpu.rotate`: each lane's value comes from the lane `offset` behind it, around the end of its segment.
    pub(super) fn rotate(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let number = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64());
        let (Some(offset), Some(width)) = (number("offset"), number("width")) else { return Err(self.unknown(op)) };
        if width <= 0 || width.count_ones() != 1 || offset < 0 || offset >= width {
            return Err(self.error("a rotation has a width that is a power of two, and an offset below it".into()));
        }
        let src = self.operand(op, 0)?;
        let lane = self.known(Bank::Int, 1, Known::Lane)?;
        let from = self.int2(Int2::Add, lane, Index::Known(offset))?;
        let from = self.int2(Int2::ModE, from, Index::Known(width))?;
        let width = self.int(width)?;
        let dst = self.define(ir.result(op, 0))?;
        self.check_lanes(dst, src)?;
        let valid = self.define(ir.result(op, 1))?;
        self.emit_cost(Inst::Shuffle { mode: Shuffle::Idx, dst, valid, src, offset: from, width }, u64::from(dst.n))
    }

    /// `iree_gpu.subgroup_scan`
    pub(super) fn subgroup_scan(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let src = self.operand(op, 0)?;
        let inclusive = ir.attr(op, "inclusive").is_some();
        let init = match ir.operands(op).get(1) {
            Some(&identity) if !inclusive => Some(self.reg(identity)?),
            None if !inclusive => return Err(self.error("an exclusive scan has an identity".into())),
            _ => None,
        };
        let number = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64());
        let lanes = self.lanes as i64;
        let (size, stride) = (number("cluster_size").unwrap_or(lanes), number("cluster_stride").unwrap_or(1));
        if size < 1 || stride < 1 || lanes % size.saturating_mul(stride) != 0 {
            return Err(self
                .error(format!("clusters of {size} lanes at stride {stride} do not fit a subgroup of {lanes} lanes")));
        }
        let Some(block) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let joint = self.joint(op, block, src)?;
        let (dst, total) = (self.define(ir.result(op, 0))?, self.define(ir.result(op, 1))?);
        self.check_lanes(dst, src)?;
        self.check_lanes(total, src)?;
        if src.n != 1 {
            return Err(self.error("a scan over lanes is of single numbers".into()));
        }
        let (size, stride) = (size as u32, stride as u32);
        let cost = u64::from(size);
        self.emit_cost(Inst::LaneScan(Box::new(LaneScan { dst, total, src, init, size, stride, joint })), cost)
    }

    /// A region that makes one number out of two.
    fn joint(&mut self, op: OpId, block: raddle_ir::BlockId, src: Reg) -> Result<Joint, Diag> {
        let body = self.callee(op, block, self.lanes)?;
        let same =
            |regs: &[Reg], n: usize| regs.len() == n && regs.iter().all(|reg| reg.bank == src.bank && reg.n == 1);
        if !same(&body.args, 2) || !same(&body.yielded, 1) {
            return Err(self.error(format!("the region of `{}` makes one number out of two", self.name())));
        }
        Ok(Joint::Body(Box::new(body)))
    }

    /// `gpu.all_reduce`: over the lanes of each subgroup in order, then over subgroups in order, through shared memory.
    pub(super) fn all_reduce(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let src = self.operand(op, 0)?;
        let Numeric { bank, n, scalar } = self.numeric(ir.type_of(ir.operand(op, 0)))?;
        if n != 1 {
            return Err(self.error("a reduction over all threads is of single numbers".into()));
        }
        let joint = || match ir.body(op, 0) {
            Some(block) => Ok(Some(block)),
            None if ir.keyword_of(op, "op").is_some() => Ok(None),
            None => Err(self.unknown(op)),
        };
        let block = joint()?;
        let word = ir.keyword_of(op, "op").unwrap_or("add").to_owned();
        let over_lanes = match block {
            Some(block) => self.joint(op, block, src)?,
            None => Joint::Combine(self.combine_named(&word, scalar)?),
        };
        let [part, total] = [self.fresh(bank, 1, self.block)?, self.fresh(bank, 1, self.block)?];
        let size = self.lanes as u32;
        let scan = LaneScan { dst: part, total, src, init: None, size, stride: 1, joint: over_lanes };
        self.emit_cost(Inst::LaneScan(Box::new(scan)), u64::from(size))?;

        let n_subgroups = self.launch.n_subgroups() as i64;
        let at = self.code.shared.len() as u32;
        self.code.shared.push(Site { op, elem: scalar, bank });
        let view = self.fresh(Bank::View, 1, self.block)?;
        self.roots[view.at as usize] = super::Root::Local;
        self.emit(Inst::Alloc { dst: view, site: at, shape: [Index::Known(n_subgroups)].into() })?;
        let (lane, subgroup) = (self.known(Bank::Int, 1, Known::Lane)?, self.known(Bank::Int, 1, Known::Subgroup)?);
        let (zero, first) = (self.int(0)?, self.temp()?);
        self.emit(Inst::CmpI { predicate: 0, dst: first, a: lane, b: zero, width: 64 })?;
        self.open_if(first)?;
        self.emit(Inst::Store { src: total, view, at: [subgroup].into() })?;
        self.middle_if()?;
        self.close_if()?;
        self.emit(Inst::Barrier(Fences::ALL))?;
        let mut sum = None;
        for subgroup in 0..n_subgroups {
            let (value, at) = (self.fresh(bank, 1, self.block)?, self.int(subgroup)?);
            self.emit(Inst::Load { dst: value, view, at: [at].into() })?;
            sum = Some(match (sum, block) {
                (None, _) => value,
                (Some(sum), Some(block)) => {
                    let args = ir.args(block);
                    self.values.extend(args.iter().copied().zip([sum, value]));
                    let yielded = self.body(block)?;
                    *yielded.first().ok_or_else(|| self.unknown(op))?
                }
                (Some(sum), None) => {
                    let (dst, combine) = (self.fresh(bank, 1, self.block)?, self.combine_named(&word, scalar)?);
                    self.pairwise(combine, dst, sum, value)?;
                    dst
                }
            });
        }
        self.emit(Inst::Barrier(Fences::ALL))?;
        let Some(sum) = sum else { return Err(self.unknown(op)) };
        self.values.insert(ir.result(op, 0), sum);
        Ok(())
    }

    // ---- barriers

    /// A barrier of all threads, or of those that a value or numbers name.
    pub(super) fn barrier(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let opcode = ir.opcode(op);
        let fences = self.fences(op)?;
        self.code.fenced |= fences != Fences::ALL;
        match ir.keyword_of(op, "scope") {
            None | Some("workgroup") => {}
            // Lanes of a subgroup run in lockstep, but what they see of memory is ordered by this alone.
            Some("subgroup") => {
                self.only_in(Mode::Simt)?;
                self.code.partial = true;
                return self.emit(Inst::SubgroupBarrier(fences));
            }
            Some(_) => {
                return Err(self
                    .error("a barrier of another scope than a workgroup or a subgroup is not supported".into())
                    .help("clusters of workgroups are not emulated"));
            }
        }
        let (id, threads) = match (opcode, ir.operands(op)) {
            (_, []) => return self.emit(Inst::Barrier(fences)),
            (Opcode::GpuBarrier, [value]) => {
                let pair = self.reg(*value)?;
                if (pair.bank, pair.n) != (Bank::Int, 2) {
                    return Err(self.error("the barrier is named by another value than a named barrier".into()));
                }
                let [id, threads] = [self.temp()?, self.temp()?];
                self.gather(id, pair, [0].into())?;
                self.gather(threads, pair, [1].into())?;
                (id, Some(threads))
            }
            (Opcode::NvvmBarrierArrive, [id @ .., threads]) => {
                let threads = self.reg(*threads)?;
                let id = match id.first() {
                    Some(&id) => self.reg(id)?,
                    None => self.int(0)?,
                };
                (id, Some(threads))
            }
            _ => {
                let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
                let one = |part: usize| parts.get(part).and_then(|part| part.first().copied());
                let id = match one(0) {
                    Some(id) => self.reg(id)?,
                    None => self.int(0)?,
                };
                (id, one(1).map(|threads| self.reg(threads)).transpose()?)
            }
        };
        self.only_in(Mode::Simt)?;
        self.code.partial = true;
        self.emit(Inst::NamedBarrier { id, threads, waits: opcode != Opcode::NvvmBarrierArrive, fences })
    }

    /// Which memory a barrier orders: all without a list, and only what a list names. The barrier for shared memory does
    /// not wait for accesses to global memory (MLIR's documentation of the operation).
    fn fences(&self, op: OpId) -> Result<Fences, Diag> {
        let ir = self.ir;
        if ir.opcode(op) == Opcode::AmdgpuLdsBarrier {
            return Ok(Fences { global: false, shared: true });
        }
        let spaces = match ir.attr(op, "address_spaces") {
            None => return Ok(Fences::ALL),
            Some(Attr::Array(spaces)) => spaces,
            Some(_) => return Err(self.unknown(op)),
        };
        let mut fences = Fences { global: false, shared: false };
        for &space in spaces {
            match ir.keyword(space) {
                Some("global") => fences.global = true,
                Some("workgroup") => fences.shared = true,
                // No other thread sees it.
                Some("private") => {}
                _ => return Err(self.error("the barrier orders accesses to a memory that is not known".into())),
            }
        }
        Ok(fences)
    }

    /// `gpu.initialize_named_barrier`: a pair of its number and how many threads it is for.
    pub(super) fn named_barrier(&mut self, op: OpId) -> Result<(), Diag> {
        let threads = self.operand(op, 0)?;
        let number = self.int(BARRIER_VALUES + i64::from(self.pc()))?;
        let pair = self.fresh(Bank::Int, 2, self.block)?;
        self.values.insert(self.ir.result(op, 0), pair);
        self.emit_cost(Inst::Collect { dst: pair, parts: [number, threads].into() }, 2)
    }

    // ---- atomics

    /// `memref.atomic_rmw` and `memref.generic_atomic_rmw`
    pub(super) fn atomic(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let generic = ir.opcode(op) == Opcode::MemrefGenericAtomicRmw;
        let operands = self.regs(ir.operands(op))?;
        let (base, at) = if generic { (0, 1) } else { (1, 2) };
        let (Some(&view), Some(at)) = (operands.get(base), operands.get(at..)) else { return Err(self.unknown(op)) };
        let memory = ir.operand(op, base);
        let scalar = self.elem(memory)?;
        let dst = self.result(op)?;
        self.check_access(memory, at.len(), dst)?;
        let update = if generic {
            let Some(block) = ir.body(op, 0) else { return Err(self.unknown(op)) };
            let body = self.callee(op, block, self.lanes)?;
            let same = |regs: &[Reg]| matches!(regs, [reg] if (reg.bank, reg.n) == (dst.bank, 1));
            if !same(&body.args) || !same(&body.yielded) {
                return Err(self.error("the region makes a new element out of the old one".into()));
            }
            Update::Body(Box::new(body))
        } else {
            let value = operands[0];
            self.check_lanes(dst, value)?;
            match self.rmw(op, scalar)? {
                None => Update::Assign(value),
                Some(combine) => Update::Combine(combine, value),
            }
        };
        self.writes(view);
        (self.code.atomic, self.code.partial) = (true, true);
        let acquires = ir.uses(ir.result(op, 0)).next().is_some();
        self.emit(Inst::Atomic(Box::new(Atomic { dst, view, at: at.into(), update, acquires })))
    }

    /// How an atomic access combines; `None` where the value takes the place of the element.
    fn rmw(&self, op: OpId, scalar: Scalar) -> Result<Option<Combine>, Diag> {
        // The order is that of MLIR's `arith::AtomicRMWKind`.
        const WORDS: [&str; 16] = [
            "add", "add", "and", "", "maximumf", "maxnumf", "maxsi", "maxui", "minimumf", "minnumf", "minsi", "minui",
            "mul", "mul", "or", "xor",
        ];
        let kind = self.ir.attr(op, "kind").and_then(Attr::as_i64).and_then(|kind| usize::try_from(kind).ok());
        match kind.and_then(|kind| WORDS.get(kind)) {
            Some(&"") => Ok(None),
            Some(word) => self.combine_named(word, scalar).map(Some),
            None => Err(self.unknown(op)),
        }
    }

    // ---- asynchronous copies

    /// `nvgpu.device_async_copy`
    pub(super) fn async_copy(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let [to, to_at, from, from_at, count] = &parts[..] else { return Err(self.unknown(op)) };
        let n = ir.attr(op, "dstElements").and_then(|attr| attr.as_i64());
        let (Some(&to), Some(&from), Some(n)) = (to.first(), from.first(), n) else { return Err(self.unknown(op)) };
        let count = count.first().map(|&count| self.reg(count)).transpose()?;
        self.copy_inst(op, (from, from_at), (to, to_at), n, count, [false; 2])?;
        self.token(op)
    }

    /// A gather into shared memory: each lane's elements go side by side behind the place that the first lane names.
    pub(super) fn gather_to_shared(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let at_once = ir.attr(op, "async").is_none();
        let (Some([from, to]), Some(from_at), Some(to_at)) = (
            ir.operands(op).first().and_then(|&from| Some([from, *ir.operands(op).get(1 + parts.get(1)?.len())?])),
            parts.get(1),
            parts.get(3),
        ) else {
            return Err(self.unknown(op));
        };
        let n = match ir.attr(op, "transferType") {
            Some(&Attr::Type(ty)) => ir[ty].shape().map_or(1, |shape| shape.iter().product()),
            _ => return Err(self.unknown(op)),
        };
        self.copy_inst(op, (from, from_at), (to, to_at), n, None, [true, at_once])
    }

    fn copy_inst(
        &mut self,
        op: OpId,
        (from, from_at): (ValueId, &[ValueId]),
        (to, to_at): (ValueId, &[ValueId]),
        n: i64,
        count: Option<Reg>,
        [side_by_side, at_once]: [bool; 2],
    ) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        let ir = self.ir;
        if !matches!((ir.ty(from), ir.ty(to)), (Type::MemRef { .. }, Type::MemRef { .. })) || from == to {
            return Err(self.error("a copy is from one memref to another".into()));
        }
        let (elem, same) = (self.elem(from)?, ir.elem_of(from) == ir.elem_of(to));
        let bytes = usize::try_from(n).ok().and_then(|n| n.checked_mul(elem.bytes()));
        let Some(bytes) = bytes.filter(|bytes| (1..=16).contains(bytes) && same) else {
            return Err(self.error(format!(
                "an asynchronous copy moves at most 16 bytes of one type, not {n} elements of `{elem}`"
            )));
        };
        let shape = [n];
        let side = |this: &mut Self, base: ValueId, at: &[ValueId]| {
            let view: TransferView = this.whole_transfer(base, at, &shape)?;
            let mut transfer = this.transfer(op, &view, &shape)?;
            transfer.align = if bytes.is_power_of_two() { bytes } else { 1 };
            this.check_access(base, at.len(), Reg { bank: this.bank(elem)?, at: 0, n: 1 })?;
            Ok(transfer)
        };
        let (mut from, mut to) = (side(self, from, from_at)?, side(self, to, to_at)?);
        if let Some(count) = count {
            // What is not counted is not read, wherever it would lie; zeros come in its place.
            let mut bits = Vec::new();
            for at in 0..n {
                let (bit, at) = (self.temp()?, self.int(at)?);
                self.emit(Inst::CmpI { predicate: 2, dst: bit, a: at, b: count, width: 64 })?;
                bits.push(bit);
            }
            let mask = self.fresh(Bank::Int, n as u32, self.block)?;
            self.emit_cost(Inst::Collect { dst: mask, parts: bits.into() }, n as u64)?;
            from.mask = Some(mask);
            from.mask_table = (0..n as u32).collect();
        }
        if side_by_side {
            to.align = 1;
        }
        self.writes(to.base);
        let bank = self.bank(elem)?;
        let copy = AsyncCopy { from, to, bank, side_by_side, at_once, barrier: None };
        self.emit_cost(Inst::AsyncCopy(Box::new(copy)), n as u64)
    }

    /// What a lane has issued so far becomes a group.
    pub(super) fn async_group(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        self.emit(Inst::AsyncCommit)?;
        self.token(op)
    }

    pub(super) fn async_wait(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        let number = |name: &str| self.ir.attr(op, name).and_then(|attr| attr.as_i64());
        let left = number("numGroups").or(number("n")).or(number("count")).unwrap_or(0);
        let Ok(left) = u32::try_from(left) else {
            return Err(self.error(format!("{left} groups cannot be left on their way")));
        };
        self.emit(Inst::AsyncWait { left })
    }

    /// A token says nothing that the machine does not know.
    fn token(&mut self, op: OpId) -> Result<(), Diag> {
        if let Some(token) = self.ir.results(op).next() {
            let zero = self.int(0)?;
            self.values.insert(token, zero);
        }
        Ok(())
    }
}
