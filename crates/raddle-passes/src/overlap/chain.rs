//! Chains: loops with several products, of which one may multiply what another one gives, as attention does.
//!
//! Before: `for k { %s = contract %q, (read K[k]) ; … ; %o = contract %p, (read V[k]), … }`
//! After, for two slots:
//!
//! ```mlir
//! copy K[0] → slot 0 ; copy V[0] → slot 0
//! scf.for %k {
//!   %fk = read K slot k
//!   copy K[k + 1] → slot k + 1 ; copy V[k + 1] → slot k + 1
//!   %s = contract %q, %fk ; … ; %fv = read V slot k ; %o = contract %p, %fv, …
//! }
//! the last iteration, written out
//! ```
//!
//! Copies stand behind the first fragments: the barrier in front of these is also the one between the last reads of a slot
//! and the copies that come into it. Fragments are not read ahead: there is enough between two products to wait for.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{BlockId, Builder, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::factor::{self, Factor};
use super::{Candidate, Left, NO_END, SHARED_SLOTS, ahead, bounded_slots, is_quiet, left_of_shared, run_ahead};
use crate::config::{Depth, Launch};
use crate::facts::Facts;
use crate::overlap::Cut;
use crate::overlap::software_pipeline::Bounds;

/// Slots of the rings, where nothing else is asked for: copies run one iteration ahead, which is long.
const SLOTS: i64 = 2;

/// A loop with several products.
pub(super) struct Chain {
    loop_op: OpId,
    bounds: Bounds,
    /// What is copied, each with the product that it is a factor of.
    factors: Vec<(OpId, Factor)>,
    /// Whether instructions read the rings themselves.
    pub is_shared: bool,
    /// Products whose left factors are computed in front of the loop, and read from shared memory.
    kept: Vec<(OpId, Cut)>,
}

impl Chain {
    /// The loop's parts, or why its copies cannot run ahead.
    pub fn of(
        ir: &Ir,
        loop_op: OpId,
        candidates: &[Candidate],
        launch: Launch,
        facts: &Facts,
    ) -> Result<Chain, String> {
        let bounds = Bounds::begun(ir, loop_op).ok_or("it begins or steps by a number that only the run knows")?;
        if bounds.trips < 2 {
            return Err("it has one iteration".to_owned());
        }
        let body = ir.entry(loop_op);
        let mut factors = Vec::new();
        for candidate in candidates {
            for i in 0..2 {
                if is_read(ir, body, candidate.factor(ir, i).0) {
                    let factor = Factor::of(ir, candidate, i, launch).map_err(|why| format!("operand {i} {why}"))?;
                    if !factor.asynchronous {
                        return Err(format!("operand {i} has rows that do not begin at multiples of 4 bytes"));
                    }
                    factors.push((candidate.op, factor));
                }
            }
        }
        if factors.is_empty() {
            return Err("no factor is read in it".to_owned());
        }
        let ends = |factor: &Factor| factor.ends_itself(ir, loop_op) || factor.may_stay(ir, loop_op);
        if bounds.is_open && !factors.iter().all(|(_, factor)| ends(factor)) {
            return Err(NO_END.to_owned());
        }
        // All products do it, or none.
        let factor = |candidate: &Candidate, i: usize| {
            let read = factor::source(ir, candidate.factor(ir, i).0)?.0;
            factors.iter().map(|(_, factor)| factor).find(|factor| factor.read == read)
        };
        let left = |candidate: &Candidate| {
            let operands = [0, 1].map(|i| factor(candidate, i));
            let left = left_of_shared(ir, candidate.op, operands, launch, facts).filter(|_| candidate.matrix)?;
            Some((candidate.op, left))
        };
        let lefts: Option<Vec<(OpId, Left)>> = candidates.iter().map(left).collect();
        let is_shared = lefts.is_some();
        let kept = lefts.into_iter().flatten().filter_map(|(op, left)| match left {
            Left::Kept(cut) => Some((op, cut)),
            Left::Ring | Left::Registers => None,
        });
        let kept = kept.collect();
        factors.iter_mut().for_each(|(_, factor)| factor.is_shared = is_shared);
        let chain = Chain { loop_op, bounds, factors, is_shared, kept };
        let ours = |op: OpId| {
            candidates.iter().any(|candidate| candidate.op == op)
                || chain.factors.iter().any(|(_, factor)| factor.read == op || factor.conversions.contains(&op))
        };
        let ops = ir.ops_of(body);
        let (_, rest) = ops.split_last().expect("a loop's block ends");
        match rest.iter().find(|&&op| !ours(op) && !is_quiet(ir, op) && !is_masked(ir, op) && !reads_argument(ir, op)) {
            Some(&other) => Err(format!("`{}` is in it, too", ir.name(other))),
            None => Ok(chain),
        }
    }

    /// How many slots the rings have.
    pub fn slots(&self, ir: &Ir, func: OpId, depth: Option<Depth>, facts: &Facts) -> Result<i64, Diag> {
        // Instructions of the iteration before may be on their way.
        let worth = if self.is_shared { SHARED_SLOTS[0] } else { SLOTS };
        bounded_slots(
            ir,
            func,
            self.loop_op,
            [self.bounds.trips, self.bytes(), worth, self.kept_bytes(ir)],
            depth,
            facts,
        )
    }

    fn bytes(&self) -> i64 {
        self.factors.iter().map(|(_, factor)| factor.bytes()).sum()
    }

    fn kept_bytes(&self, ir: &Ir) -> i64 {
        let bytes = |&(op, _): &(OpId, Cut)| {
            let value = ir.operand(op, 0);
            let elem = Scalar::of(&ir[ir.elem_of(value)]).map_or(1, |elem| elem.bytes() as i64);
            ir.shape_of(value).iter().product::<i64>() * elem
        };
        self.kept.iter().map(bytes).sum()
    }

    pub fn rewrite(self, ir: &mut Ir, func: OpId, slots: i64) {
        let last = ahead(self.is_shared, slots) as usize;
        let body = ir.entry(self.loop_op);
        let first = ir.block_ops(ir.entry(func)).next().expect("a function with a loop is not empty");
        let rings: Vec<ValueId> = self.factors.iter().map(|(_, factor)| factor.alloc(ir, first, slots)).collect();
        let zero = Builder::before(ir, self.loop_op).index(0);
        let iv = ir.args(body)[0];
        let slot_of = |ir: &mut Ir, before: OpId| {
            let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
            let from = of(BinOp::Add, Expr::Dim(0), -self.bounds.lower);
            let count = of(BinOp::FloorDiv, from, self.bounds.step);
            let map = Map { dims: 1, syms: 0, results: vec![of(BinOp::Mod, count, slots)] };
            let slot = Builder::before(ir, before).apply(map, &[iv]);
            (slot, ir.def_op(slot).expect("it was just made"))
        };
        // Copies: what was read goes to the ring. What says where it is read is known as early.
        let start = ir.first_op(body).expect("a loop's block ends");
        let (slot, op) = slot_of(ir, start);
        let mut copies = vec![op];
        for ((_, factor), &ring) in self.factors.iter().zip(&rings) {
            if self.bounds.is_open && !factor.ends_itself(ir, self.loop_op) {
                factor.stay(ir, self.loop_op);
            }
            before_of(ir, body, factor.read, &mut copies);
            let end = ir.terminator(body).expect("a loop's block ends");
            let write = factor.write(&mut Builder::before(ir, end), ring, [slot, zero]);
            copies.extend([factor.read, write]);
        }
        // Fragments, in front of their products.
        let mut behind = None;
        for ((contract, factor), &ring) in self.factors.iter().zip(&rings) {
            let (slot, _) = slot_of(ir, *contract);
            let whole = [0, 1];
            let read = factor.read_step(ir, [self.loop_op, *contract], ring, [slot, zero], whole);
            let old = ir.result(*factor.conversions.last().expect("a factor is converted"), 0);
            ir.replace_uses(old, read);
            factor.conversions.iter().rev().for_each(|&op| ir.erase(op));
            behind = behind.or(ir.def_op(read));
        }
        // Behind the first of them, whose barrier is for these, too.
        for &(contract, cut) in &self.kept {
            factor::keep_shared(ir, first, [self.loop_op, contract], cut);
        }
        let end = ir.terminator(body).expect("a loop's block ends");
        let mut schedule = Vec::new();
        for op in ir.ops_of(body).into_iter().filter(|&op| op != end && !copies.contains(&op)) {
            schedule.push((op, last));
            if behind == Some(op) {
                schedule.extend(copies.iter().map(|&op| (op, 0)));
            }
        }
        run_ahead(ir, self.loop_op, &schedule, self.bounds, last as i64);
    }
}

/// Whether a value is what a loop reads, in another layout.
fn is_read(ir: &Ir, body: BlockId, value: ValueId) -> bool {
    let mut at = value;
    loop {
        match ir.def(at) {
            Def::Result { op, .. } if ir.parent_block(op) == Some(body) => match ir.opcode(op) {
                Opcode::IreeVectorExtToLayout => at = ir.operand(op, 0),
                opcode => return opcode == Opcode::VectorTransferRead,
            },
            Def::Result { .. } | Def::Arg { .. } => return false,
        }
    }
}

/// Whether an operation does under a mask, or a condition, what does nothing in memory.
fn is_masked(ir: &Ir, op: OpId) -> bool {
    let ends = |inner: OpId| matches!(ir.opcode(inner), Opcode::VectorYield | Opcode::ScfYield);
    matches!(ir.opcode(op), Opcode::VectorMask | Opcode::ScfIf)
        && ir.walk(op).into_iter().all(|inner| ends(inner) || is_quiet(ir, inner))
}

/// Whether an operation reads what no kernel writes while it reads it: an argument. A mask on scores is one.
fn reads_argument(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::VectorTransferRead
        && match ir.ty(Transfer::of(ir, op).base) {
            Type::MemRef { space, .. } => space.is_none_or(|space| ir.keyword(space) != Some("workgroup")),
            _ => false,
        }
}

/// What a loop's body computes for an operation, in order, behind what is there already.
pub(super) fn before_of(ir: &Ir, body: BlockId, op: OpId, found: &mut Vec<OpId>) {
    for &value in ir.operands(op) {
        if let Some(maker) = ir.def_op(value).filter(|&maker| ir.parent_block(maker) == Some(body))
            && !found.contains(&maker)
        {
            before_of(ir, body, maker, found);
            found.push(maker);
        }
    }
}
