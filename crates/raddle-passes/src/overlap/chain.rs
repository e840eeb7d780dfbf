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
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{BlockId, Builder, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::factor::{self, Factor};
use super::split::split;
use super::{Candidate, Left, NO_END, SHARED_SLOTS, ahead, bounded_slots, is_quiet, left_of_shared, run_ahead};
use crate::config::{Depth, Launch};
use crate::configure::attention::registers_of_fragments;
use crate::configure::cut::Cut;
use crate::facts::Facts;
use crate::lay_out::layout_of;
use crate::overlap::software_pipeline::Bounds;

/// Slots of the rings, where nothing else is asked for: copies run one iteration ahead, which is long.
const SLOTS: i64 = 2;

/// Registers of a thread that hold what is read in one round and used in the next, at most.
const EARLY_MAX: i64 = 16;

/// A loop with several products.
pub(super) struct Chain {
    loop_op: OpId,
    bounds: Bounds,
    /// What is copied, each with the product that it is a factor of.
    factors: Vec<(OpId, Factor)>,
    /// Whether instructions read the rings themselves.
    pub is_shared: bool,
    /// Products whose left factors are known in front of the loop and lie in shared memory.
    kept: Vec<(OpId, Kept)>,
}

/// A left factor that does not change from round to round.
enum Kept {
    /// It is computed, and written for instructions that read it themselves.
    Computed(Cut),
    /// It is copied to a ring of one slot. Instructions read it there, or fragments are read in each round, or once.
    Copied { factor: Box<Factor>, in_each_round: bool },
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
        let of_operand = |i: usize| move |why: String| format!("operand {i} {why}");
        for candidate in candidates {
            for i in 0..2 {
                if is_read(ir, body, candidate.factor(ir, i).0) {
                    let factor = Factor::of(ir, candidate, i, launch).map_err(of_operand(i))?;
                    if !factor.asynchronous {
                        return Err(format!("operand {i} has rows that do not begin at multiples of 4 bytes"));
                    }
                    factors.push((candidate.op, i, factor));
                }
            }
        }
        if factors.is_empty() {
            return Err("no factor is read in it".to_owned());
        }
        let ends = |factor: &Factor| factor.ends_itself(ir, loop_op) || factor.may_stay(ir, loop_op);
        if bounds.is_open && !factors.iter().all(|(_, _, factor)| ends(factor)) {
            return Err(NO_END.to_owned());
        }
        // All products do it, or none.
        let factor = |candidate: &Candidate, i: usize| {
            let read = factor::source(ir, candidate.factor(ir, i).0)?.0;
            factors.iter().map(|(_, _, factor)| factor).find(|factor| factor.read == read)
        };
        let left = |candidate: &Candidate| {
            let operands = [0, 1].map(|i| factor(candidate, i));
            let left = left_of_shared(ir, candidate.op, operands, launch, facts).filter(|_| candidate.matrix)?;
            Some((candidate.op, left))
        };
        let lefts: Option<Vec<(OpId, Left)>> = candidates.iter().map(left).collect();
        let is_shared = lefts.is_some();
        let told = |factor: Factor| factor.read_by(is_shared);
        let factors = factors.into_iter().map(|(op, i, factor)| Ok((op, told(factor).map_err(of_operand(i))?)));
        let factors: Vec<(OpId, Factor)> = factors.collect::<Result<_, String>>()?;
        let mut kept: Vec<(OpId, Kept)> = lefts
            .into_iter()
            .flatten()
            .filter_map(|(op, left)| match left {
                Left::Kept(cut) => Some((op, Kept::Computed(cut))),
                Left::Ring | Left::Registers => None,
            })
            .collect();
        for candidate in candidates {
            let at = kept.iter().position(|&(op, _)| op == candidate.op);
            let is_known = !is_made(ir, body, candidate.factor(ir, 0).0);
            let factor = Factor::of(ir, candidate, 0, launch).and_then(told).ok();
            let factor = factor.filter(|factor| candidate.matrix && factor.asynchronous && is_known);
            let fits = match is_shared {
                true => at.is_some(),
                false => factors.iter().any(|&(op, _)| op == candidate.op),
            };
            let Some(factor) = factor.filter(|_| fits) else { continue };
            let in_each_round = is_shared || registers(ir, candidates) > registers_of_fragments(facts);
            let copied = Kept::Copied { factor: Box::new(factor), in_each_round };
            match at {
                Some(at) => kept[at].1 = copied,
                None => kept.push((candidate.op, copied)),
            }
        }
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
        self.kept.iter().map(|&(op, _)| bytes(ir, ir.operand(op, 0))).sum()
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
        let (mut behind, mut once) = (None, Vec::new());
        for ((contract, factor), &ring) in self.factors.iter().zip(&rings) {
            let (slot, _) = slot_of(ir, *contract);
            let kept = self.kept.iter().find(|(op, _)| op == contract).map(|(_, kept)| kept);
            let read = match kept.filter(|_| !self.is_shared) {
                Some(Kept::Copied { factor: kept, in_each_round }) => {
                    let kept_ring = factor::copy_once(ir, [first, self.loop_op], kept, zero);
                    let at = [self.loop_op, if *in_each_round { *contract } else { self.loop_op }, *contract];
                    let reads = by_steps(ir, at, [kept, factor], [kept_ring, ring], [slot, zero]);
                    once.extend(reads.iter().filter(|_| !in_each_round).map(|read| read[0]));
                    reads[0][1]
                }
                Some(Kept::Computed(_)) | None => factor.read_again(ir, [self.loop_op, *contract], ring, [slot, zero]),
            };
            behind = behind.or(Some(read));
        }
        // Behind the first of them, whose barrier is for these, too.
        for (contract, kept) in self.kept.iter().filter(|_| self.is_shared) {
            let at = [self.loop_op, *contract];
            match kept {
                Kept::Computed(cut) => factor::keep_shared(ir, first, at, *cut),
                Kept::Copied { factor, .. } => {
                    let ring = factor::copy_once(ir, [first, self.loop_op], factor, zero);
                    factor.read_again(ir, at, ring, [zero; 2]);
                }
            }
        }
        let end = ir.terminator(body).expect("a loop's block ends");
        let is_left = |op: &OpId| *op != end && !copies.contains(op);
        let is_early = |ir: &Ir, op: OpId| !self.bounds.is_open && reads_little(ir, op, self.is_shared);
        // What little is read of memory is known a round ahead, too, where no round is behind the last one.
        let mut early = Vec::new();
        for op in ir.ops_of(body).into_iter().filter(|op| is_left(op) && is_early(ir, *op)) {
            before_of(ir, body, op, &mut early);
            early.push(op);
        }
        let mut schedule: Vec<(OpId, usize)> = early.iter().map(|&op| (op, last.saturating_sub(1))).collect();
        for op in ir.ops_of(body).into_iter().filter(|op| is_left(op) && !early.contains(op)) {
            schedule.push((op, last));
            if behind == Some(op) {
                schedule.extend(copies.iter().map(|&op| (op, 0)));
            }
        }
        let kernel = run_ahead(ir, self.loop_op, &schedule, self.bounds, last as i64);
        // Behind the first copies, which need not wait for them.
        for read in once {
            ir.detach(read);
            ir.insert_before(kernel, read);
        }
        split(ir, kernel, self.bounds, slots);
    }
}

/// Multiplies a factor that is kept by one that is read in each round, one step of k after the other, so that no more
/// fragments are read ahead than those of a step; the reads of both for each step. Those of the kept one stand where they
/// are wanted.
fn by_steps(
    ir: &mut Ir,
    [loop_op, before, contract]: [OpId; 3],
    [kept, factor]: [&Factor; 2],
    [kept_ring, ring]: [ValueId; 2],
    [slot, zero]: [ValueId; 2],
) -> Vec<[OpId; 2]> {
    let n_steps = factor.layout.batch_tile[factor.k];
    let (mut acc, span) = (Contract::of(ir, contract).acc, ir.span(contract));
    let (types, attrs) = ([ir.type_of(acc)], ir.attr_dict(contract));
    let mut reads = Vec::new();
    for step in 0..n_steps {
        let right = factor.read_step(ir, [loop_op, contract], ring, [slot, zero], [step, n_steps]);
        let left = kept.read_step(ir, [loop_op, before], kept_ring, [zero; 2], [step, n_steps]);
        let product = ir.create_with(Opcode::VectorContract, &[left, right, acc], &types, attrs, span);
        Builder::before(ir, contract).place(product);
        acc = ir.result(product, 0);
        reads.push([left, right].map(|read| ir.def_op(read).expect("it was just made")));
    }
    let result = ir.result(contract, 0);
    ir.replace_uses(result, acc);
    ir.erase(contract);
    for conversions in [&kept.conversions, &factor.conversions] {
        conversions.iter().rev().for_each(|&op| ir.erase(op));
    }
    reads
}

/// Bytes of a vector.
fn bytes(ir: &Ir, value: ValueId) -> i64 {
    let elem = Scalar::of(&ir[ir.elem_of(value)]).map_or(1, |elem| elem.bytes() as i64);
    ir.shape_of(value).iter().product::<i64>() * elem
}

/// Whether a value is made in a block, or given to it.
fn is_made(ir: &Ir, block: BlockId, value: ValueId) -> bool {
    match ir.def(value) {
        Def::Arg { block: of, .. } => of == block,
        Def::Result { op, .. } => ir.parent_block(op) == Some(block),
    }
}

/// Registers of a thread that hold the sums and the left factors of products.
fn registers(ir: &Ir, candidates: &[Candidate]) -> i64 {
    let words = |value: ValueId| {
        let layout = layout_of(ir, value).expect("candidates have layouts");
        let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |elem| i64::from(elem.bits()));
        (layout.n_slots() * bits + 31) / 32
    };
    let of = |candidate: &Candidate| {
        let view = Contract::of(ir, candidate.op);
        words(view.lhs) + words(view.acc)
    };
    candidates.iter().map(of).sum()
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

/// Whether an operation reads so little of an argument that registers may have it from one round to the next. Truth values
/// take more of them there than is left beside fragments.
fn reads_little(ir: &Ir, op: OpId, is_shared: bool) -> bool {
    let registers = |value: ValueId| {
        let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |elem| i64::from(elem.bits()));
        let layout = layout_of(ir, value).filter(|_| is_shared || bits > 1)?;
        Some((layout.n_slots() * bits.max(16) + 31) / 32)
    };
    reads_argument(ir, op) && registers(ir.result(op, 0)).is_some_and(|n| n <= EARLY_MAX)
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
