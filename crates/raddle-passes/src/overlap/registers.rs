//! Prefetch: on chips without asynchronous copies, let the reads of a product's tiles run an iteration ahead in registers.
//!
//! Before: `for k { %a = read A[k] ; %fa = to_layout %a ; … ; %c = contract %fa, %fb, %acc }`
//! After:
//!
//! ```mlir
//! %a0 = read A[0] ; %b0 = read B[0]
//! scf.for %k iter_args(%acc, %a = %a0, %b = %b0) {
//!   %fa = to_layout %a ; %fb = to_layout %b
//!   %a1 = read A[k + 1] ; %b1 = read B[k + 1]
//!   %p = contract %fa, %fb, %acc
//!   scf.yield %p, %a1, %b1
//! }
//! the last iteration, written out
//! ```
//!
//! A tile waits in registers while the one before is multiplied, and goes through shared memory as conversions of layouts
//! do. Neither rings nor the layouts of fragments change, so that operands may lie in any order.

use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_layout::Nested;

use super::{Candidate, NO_END, chain, factor, is_quiet, run_ahead};
use crate::configure::limits::prefetch_registers;
use crate::facts::Facts;
use crate::lay_out::layout_of;
use crate::overlap::software_pipeline::Bounds;

/// A loop around one contraction, whose factors are read in it.
pub(super) struct Prefetch {
    loop_op: OpId,
    bounds: Bounds,
    contract: OpId,
    reads: Vec<OpId>,
}

impl Prefetch {
    /// The loop's parts, or why reads cannot run ahead.
    pub fn of(ir: &Ir, loop_op: OpId, candidate: &Candidate, facts: &Facts) -> Result<Prefetch, String> {
        let bounds = Bounds::begun(ir, loop_op).ok_or("it begins or steps by a number that only the run knows")?;
        if bounds.trips < 2 {
            return Err("it has one iteration".to_owned());
        }
        if bounds.is_open {
            return Err(NO_END.to_owned());
        }
        let body = ir.entry(loop_op);
        let acc = Contract::of(ir, candidate.op).acc;
        let (mut reads, mut conversions, mut registers) = (Vec::new(), Vec::new(), slots(ir, acc));
        for i in 0..2 {
            let (value, k) = candidate.factor(ir, i);
            registers += words(ir, value) / layout_of(ir, value).expect("candidates have layouts").batch_tile[k];
            let Some((read, ops)) = factor::source(ir, value) else { continue };
            if ir.opcode(read) != Opcode::VectorTransferRead || ir.parent_block(read) != Some(body) {
                continue;
            }
            let view = Transfer::of(ir, read);
            let is_global = match ir.ty(view.base) {
                Type::MemRef { space, .. } => space.is_none_or(|space| ir.keyword(space) != Some("workgroup")),
                _ => false,
            };
            if !is_global || view.mask.is_some() {
                return Err(format!("operand {i} is masked, or is not read from global memory"));
            }
            if !reads.contains(&read) {
                let vector = ir.result(read, 0);
                // Elements that are loaded one by one have registers of their own.
                let along = view.map.as_dims().and_then(|dims| dims.iter().position(|&d| d + 1 == view.indices.len()));
                let run = along.zip(layout_of(ir, vector)).map_or(1, |(d, layout)| layout.element_tile[d]);
                let whole = run > 1 && view.in_bounds.iter().all(|&inside| inside);
                registers += if whole { words(ir, vector) } else { slots(ir, vector) };
                reads.push(read);
            }
            conversions.extend(ops);
        }
        if reads.is_empty() {
            return Err("no factor is read in it".to_owned());
        }
        let limit = prefetch_registers(facts);
        if registers > limit {
            return Err(format!("sums, fragments and tiles take {registers} registers of a thread, more than {limit}"));
        }
        let ours = |op: OpId| reads.contains(&op) || conversions.contains(&op) || op == candidate.op;
        let ops = ir.ops_of(body);
        let (_, rest) = ops.split_last().expect("a loop's block ends");
        match rest.iter().find(|&&op| !ours(op) && !is_quiet(ir, op)) {
            Some(&other) => Err(format!("`{}` is in it, too", ir.name(other))),
            None => Ok(Prefetch { loop_op, bounds, contract: candidate.op, reads }),
        }
    }

    /// Lets the reads run one iteration ahead.
    pub fn rewrite(self, ir: &mut Ir) {
        let body = ir.entry(self.loop_op);
        // The reads, and what says where they read.
        let mut early = Vec::new();
        for &read in &self.reads {
            chain::before_of(ir, body, read, &mut early);
            early.push(read);
        }
        let end = ir.terminator(body).expect("a loop's block ends");
        let mut schedule = Vec::new();
        for op in ir.ops_of(body).into_iter().filter(|&op| op != end && !early.contains(&op)) {
            // Registers of the next tile are free once this one is in shared memory.
            if op == self.contract {
                schedule.extend(early.iter().map(|&op| (op, 0)));
            }
            schedule.push((op, 1));
        }
        run_ahead(ir, self.loop_op, &schedule, self.bounds, 1);
    }
}

/// Registers for one thread's part of a value, an element or more in each.
fn words(ir: &Ir, value: ValueId) -> i64 {
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |elem| i64::from(elem.bits()));
    (layout_of(ir, value).map_or(1, Nested::n_slots) * bits + 31) / 32
}

/// The same with one element in each at most.
pub(super) fn slots(ir: &Ir, value: ValueId) -> i64 {
    words(ir, value).max(layout_of(ir, value).map_or(1, Nested::n_slots))
}
