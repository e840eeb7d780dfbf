//! Registers that products of a group of warps use until they are waited for: an instruction that touches them is told.
//!
//! PTX ISA, "wgmma.mma_async": the sums may be neither read nor written before `wgmma.wait_group`, but by products that
//! add to the same registers, and factors in registers may not be written. Addresses and numbers of copies and barriers
//! are not looked at.
//!
//! Triton 3.9 takes sums of f16 apart in front of the wait, which ptxas takes for other names of the registers. Without
//! the checks, and with products that are made at once, such kernels run.

use raddle_ir::{Code, Diag};

use super::group::Factor;
use super::inst::{Op, PhaseKind};
use super::machine::Machine;
use super::warp::Warp;
use crate::AsyncMode;

/// What an instruction does to a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Reads,
    Writes,
}

impl Machine<'_> {
    /// Whether it matters who touches sums before the wait: those that are there at once may be read on demand.
    pub(super) fn checks_sums(&self) -> bool {
        self.options.sanitize || self.options.copies == AsyncMode::Lazy
    }

    /// An instruction of a warp touches nothing that products on their way use.
    #[cold]
    pub(super) fn check_products(&self, warp: &Warp, pc: u32, on: u32) -> Result<(), Box<Diag>> {
        let op = &self.program.insts[pc as usize].op;
        // A loop may issue one product many times.
        let mut seen = Vec::new();
        for product in &warp.products {
            if seen.contains(&product.pc) {
                continue;
            }
            seen.push(product.pc);
            let inst = &self.program.insts[product.pc as usize];
            let Op::GroupMma(mma) = &inst.op else { unreachable!("products come from products") };
            let factors: &[u32] = if let Factor::Registers(regs) = &mma.a { regs } else { &[] };
            let mut found = None;
            each_use(op, |row, what| {
                if mma.d.contains(&row) {
                    found = Some((what, "writes"));
                } else if what == Use::Writes && factors.contains(&row) {
                    found = Some((what, "reads"));
                }
            });
            if let Op::GroupMma(other) = op
                && other.d != mma.d
                && other.d.iter().any(|row| mma.d.contains(row) || factors.contains(row))
            {
                found = Some((Use::Writes, "uses"));
            }
            if let Some((what, does)) = found {
                let verb = if what == Use::Reads { "reads" } else { "writes" };
                let message =
                    format!("{verb} a register that a product of a group of warps {does} until it is waited for");
                let lane = on.trailing_zeros() as usize;
                let diag = self.tell(warp, pc, lane, Code::Async, "async", &message).related(inst.span, "the product");
                return Err(Box::new(diag.help("put `wgmma.wait_group` in front of it")));
            }
        }
        Ok(())
    }
}

/// The registers that an instruction reads and writes; of a product of a group of warps, all but the sums.
pub(super) fn each_use(op: &Op, mut on: impl FnMut(u32, Use)) {
    let mut some = |reads: &[u32], writes: &[Option<u32>]| {
        reads.iter().for_each(|&row| on(row, Use::Reads));
        writes.iter().flatten().for_each(|&row| on(row, Use::Writes));
    };
    match op {
        Op::Lanes { dst, srcs, more, .. } => {
            some(srcs, &[Some(*dst)]);
            if let Some(more) = more {
                some(&[], &[more.second.as_ref().map(|second| second.1), more.carry.as_ref().map(|carry| carry.1)]);
            }
        }
        Op::Pack { srcs, dst, .. } => some(srcs, &[Some(*dst)]),
        Op::Unpack { src, dsts, .. } => some(&[*src], dsts),
        Op::BranchTable { index, .. } => some(&[*index], &[]),
        Op::Load(load) => some(&[load.address.row], &load.dsts),
        Op::Store(store) => {
            some(&store.srcs, &[]);
            some(&[store.address.row], &[]);
        }
        Op::Atomic(atomic) => {
            some(&[atomic.address.row], &[]);
            for &(first, second, dst) in &atomic.parts {
                some(&[first, second], &[dst]);
            }
        }
        Op::Clock { dst, .. } | Op::ActiveMask { dst } => some(&[], &[Some(*dst)]),
        Op::Shuffle(shuffle) => {
            some(&[shuffle.src, shuffle.by, shuffle.clamp, shuffle.members], &[shuffle.dst, shuffle.pred]);
        }
        Op::Vote { dst, src, members, .. } => some(&[*src, *members], &[Some(*dst)]),
        Op::Match { dst, pred, src, members, .. } => some(&[*src, *members], &[*dst, *pred]),
        Op::Reduce { dst, src, members, .. } => some(&[*src, *members], &[Some(*dst)]),
        Op::Elect { dst, pred, members } => some(&[*members], &[*dst, Some(*pred)]),
        Op::LoadMatrix(matrix) => {
            some(&[matrix.address.row], &[]);
            matrix.regs.iter().for_each(|&row| some(&[], &[Some(row)]));
        }
        Op::StoreMatrix(matrix) => {
            some(&matrix.regs, &[]);
            some(&[matrix.address.row], &[]);
        }
        Op::MoveMatrix { dst, src } => some(&[*src], &[Some(*dst)]),
        Op::Mma(mma) => {
            [&mma.a, &mma.b, &mma.c].into_iter().for_each(|regs| some(regs, &[]));
            some(&mma.beside(), &[]);
            mma.d.iter().for_each(|&row| some(&[], &[Some(row)]));
        }
        Op::FragmentMma(mma) => {
            mma.regs[..3].iter().for_each(|regs| some(regs, &[]));
            mma.regs[3].iter().for_each(|&row| some(&[], &[Some(row)]));
        }
        Op::GroupMma(mma) => {
            some(&[mma.b, mma.keeps], &[]);
            match &mma.a {
                Factor::Shared(row) => some(&[*row], &[]),
                Factor::Registers(regs) => some(regs, &[]),
            }
        }
        Op::Barrier(barrier) => {
            some(&[barrier.id], &[]);
            if let Some((dst, pred, _)) = barrier.reduce {
                some(&[pred], &[Some(dst)]);
            }
        }
        Op::Phase(phase) => {
            some(&[phase.address.row], &[phase.dst]);
            if let PhaseKind::Expect { bytes } | PhaseKind::Complete { bytes } = phase.kind {
                some(&[bytes], &[]);
            }
        }
        Op::StoreAsync(store) => {
            some(&store.srcs, &[]);
            some(&[store.to.row, store.barrier.row], &[]);
        }
        Op::TryCancel(cancel) => some(&[cancel.to.row, cancel.barrier.row], &[]),
        Op::Clear(clear) => some(&[clear.address.row, clear.size], &[]),
        Op::PhaseWait(wait) => some(&[wait.address.row, wait.phase], &[Some(wait.dst)]),
        Op::CopyAsync(copy) => some(&[copy.to.row, copy.from.row], &[]),
        Op::Call(call) => {
            call.rows.iter().for_each(|&(row, _)| some(&[row], &[]));
            call.rows_back.iter().for_each(|&(_, row)| some(&[], &[Some(row)]));
        }
        Op::Take { dst, size, .. } => some(&[*size], &[Some(*dst)]),
        Op::Allocate { dst, size } => some(&[*size], &[Some(*dst)]),
        Op::Free { src } | Op::GiveBack { src } => some(&[*src], &[]),
        Op::Print { format, args } => some(&[*format, *args], &[]),
        Op::Branch { .. }
        | Op::Return
        | Op::Exit
        | Op::Trap(..)
        | Op::WarpSync { .. }
        | Op::Fence
        | Op::ProxyFence
        | Op::ShowPhases
        | Op::ClusterArrive { .. }
        | Op::ClusterWait
        | Op::Bulk(_)
        | Op::CommitStores
        | Op::WaitStores { .. }
        | Op::CopyArrive { .. }
        | Op::CommitGroup
        | Op::WaitGroup { .. }
        | Op::CommitProducts
        | Op::WaitProducts { .. }
        | Op::Nothing => {}
    }
}
