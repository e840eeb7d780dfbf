//! Decode barriers that count arrivals and bytes in phases, and copies of boxes that they wait for.
//!
//! A descriptor is the memref that it was made of: boxes are taken from it as they are, without swizzles. Coordinates
//! name the innermost dimension first (CUDA driver API, `cuTensorMapEncodeTiled`), and what lies outside is zero.

use raddle_ir::{Diag, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use super::{Decoder, Root};
use crate::inst::{AsyncCopy, Index, Inst, PhaseBarrier, PhaseStep, Site};
use crate::launch::Mode;
use crate::regs::{Bank, Reg};

/// Elements of a box along one dimension, and bytes that its rows are a multiple of (CUDA driver API,
/// `cuTensorMapEncodeTiled`).
const BOX_MAX: i64 = 256;
const ROW: usize = 16;

impl Decoder<'_> {
    pub(super) fn phases(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let operands = ir.operands(op);
        if ir.opcode(op) == Opcode::NvgpuMbarrierCreate {
            return self.phase_barriers(op);
        }
        let [barriers, rest @ ..] = operands else { return Err(self.unknown(op)) };
        let view = self.reg(*barriers)?;
        let rest = self.regs(rest)?;
        let (step, at, predicate) = match (ir.opcode(op), &rest[..]) {
            (Opcode::NvgpuMbarrierInit, [count, at, more @ ..]) => (PhaseStep::Make { count: *count }, *at, more),
            (Opcode::NvgpuMbarrierArrive, [at]) => {
                (PhaseStep::Arrive { times: None, bytes: None, token: Some(self.result(op)?) }, *at, &[][..])
            }
            (Opcode::NvgpuMbarrierArriveNocomplete, [at, times]) => {
                (PhaseStep::Arrive { times: Some(*times), bytes: None, token: Some(self.result(op)?) }, *at, &[][..])
            }
            (Opcode::NvgpuMbarrierArriveExpectTx, [bytes, at, more @ ..]) => {
                (PhaseStep::Arrive { times: None, bytes: Some(*bytes), token: None }, *at, more)
            }
            (Opcode::NvgpuMbarrierTestWait, [token, at]) => {
                (PhaseStep::Ask { token: *token, dst: self.result(op)? }, *at, &[][..])
            }
            (Opcode::NvgpuMbarrierTryWaitParity, [parity, _, at]) => {
                (PhaseStep::Wait { parity: *parity }, *at, &[][..])
            }
            _ => return Err(self.unknown(op)),
        };
        self.code.partial = true;
        self.code.atomic = true;
        self.where_true(predicate.first().copied(), |this| {
            this.emit(Inst::PhaseBarrier(Box::new(PhaseBarrier { view, at, step })))
        })
    }

    /// Emits for lanes where a bit is set; for all without one.
    fn where_true(
        &mut self,
        predicate: Option<Reg>,
        emit: impl FnOnce(&mut Self) -> Result<(), Diag>,
    ) -> Result<(), Diag> {
        let Some(predicate) = predicate else { return emit(self) };
        self.open_if(predicate)?;
        emit(self)?;
        self.middle_if()?;
        self.close_if()
    }

    /// An allocation in shared memory with an element for each barrier.
    fn phase_barriers(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let text = self.dialect_type(ir.type_of(result)).unwrap_or_default();
        let n = match text.split_once("num_barriers = ") {
            Some((_, number)) => number.trim_end_matches('>').trim().parse::<i64>().ok().filter(|&n| n > 0),
            None => Some(1),
        };
        let Some(n) = n.filter(|_| text.contains("workgroup") || text.contains("memorySpace = 3")) else {
            return Err(self.error("barriers that count in phases are in shared memory".into()));
        };
        self.counts_shared(&[Index::Known(n)], Scalar::Int(64));
        let site = self.code.shared.len() as u32;
        self.code.shared.push(Site { op, elem: Scalar::Int(64), bank: Bank::Int });
        let view = self.fresh(Bank::View, 1, self.block)?;
        self.roots[view.at as usize] = Root::Local;
        self.values.insert(result, view);
        self.emit(Inst::Alloc { dst: view, site, shape: [Index::Known(n)].into() })
    }

    fn dialect_type(&self, ty: TypeId) -> Option<&str> {
        if let Type::Dialect(name) = self.ir[ty] { Some(&self.ir[name]) } else { None }
    }

    /// `nvgpu.tma.create.descriptor`: its memref, seen from then on through boxes.
    pub(super) fn descriptor(&mut self, op: OpId) -> Result<(), Diag> {
        let view = self.operand(op, 0)?;
        self.values.insert(self.ir.result(op, 0), view);
        Ok(())
    }

    /// The memref with its extents that a descriptor was made of.
    fn described(&self, descriptor: ValueId) -> Option<ValueId> {
        let ir = self.ir;
        let made = ir.def_op(descriptor).filter(|&op| ir.opcode(op) == Opcode::NvgpuTmaCreateDescriptor)?;
        let mut memref = ir.operand(made, 0);
        while !matches!(ir.ty(memref), Type::MemRef { .. }) {
            let cast = ir.def_op(memref).filter(|&op| ir.opcode(op) == Opcode::MemrefCast)?;
            memref = ir.operand(cast, 0);
        }
        Some(memref)
    }

    /// `nvgpu.tma.async.load`
    pub(super) fn box_load(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let [to, barriers, descriptor, coordinates, at, mask, predicate] = &parts[..] else {
            return Err(self.unknown(op));
        };
        let ([to], [barriers], [descriptor], [at]) = (&to[..], &barriers[..], &descriptor[..], &at[..]) else {
            return Err(self.unknown(op));
        };
        if !mask.is_empty() {
            return Err(
                self.error("a copy to several workgroups is not supported: they are not emulated together".into())
            );
        }
        let text = self.dialect_type(ir.type_of(*descriptor)).unwrap_or_default();
        if ["swizzle = none", "interleave = none", "oob = zero"].iter().any(|word| !text.contains(word)) {
            return Err(self
                .error(
                    "only boxes without swizzle and interleaving, with zeros outside of the tensor, are supported"
                        .into(),
                )
                .help("the descriptor's type says `swizzle = none`, `oob = zero`, `interleave = none`"));
        }
        let Some(from) = self.described(*descriptor) else {
            return Err(self
                .error(
                    "the descriptor is not made in this function, of a memref that is cast to one without extents"
                        .into(),
                )
                .help("make it with `nvgpu.tma.create.descriptor` of a `memref.cast`"));
        };
        let shape = ir.shape_of(*to).to_vec();
        let elem = self.elem(from)?;
        let row = shape.last().and_then(|&extent| usize::try_from(extent).ok()).map(|n| n.saturating_mul(elem.bytes()));
        let good = ir.elem_of(from) == ir.elem_of(*to)
            && shape.len() == ir.shape_of(from).len()
            && coordinates.len() == shape.len()
            && shape.iter().all(|extent| (1..=BOX_MAX).contains(extent))
            && row.is_some_and(|row| row.is_multiple_of(ROW));
        if !good {
            return Err(self.error(format!(
                "a box is of the tensor's rank and elements, at most {BOX_MAX} long in each dimension, with rows of a multiple of {ROW} bytes"
            )));
        }
        let zero = self.int(0)?;
        // Coordinates begin with the innermost dimension.
        let first = coordinates.iter().rev().map(|&value| self.reg(value)).collect::<Result<Vec<_>, _>>()?;
        let from = self.box_at(op, from, &shape, first, false)?;
        let to = self.box_at(op, *to, &shape, vec![zero; shape.len()], true)?;
        self.writes(to.base);
        let bank = self.bank(elem)?;
        let (view, at) = (self.reg(*barriers)?, self.reg(*at)?);
        let predicate = predicate.first().map(|&value| self.reg(value)).transpose()?;
        let n = to.n as u64;
        let copy = AsyncCopy { from, to, bank, side_by_side: false, at_once: false, barrier: Some((view, at)) };
        self.code.partial = true;
        self.code.atomic = true;
        self.where_true(predicate, |this| this.emit_cost(Inst::AsyncCopy(Box::new(copy)), n))
    }
}
