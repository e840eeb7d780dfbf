//! Decode `scf.forall` over threads that meet in matrix instructions: all iterations run in lockstep.
//!
//! ```text
//! scf.forall (%lane) in (64) shared_outs(%c = %init) -> (tensor<16x16xf32>) {
//!   %x = tensor.extract_slice %c[…]                                   64 times
//!   %y = iree_codegen.inner_tiled ins(%a, %b) outs(%x) {…}            once, on what all lanes hold
//!   scf.forall.in_parallel { … }                                      64 times
//! } {mapping = [#iree_gpu.lane_id<0>]}
//! ```
//!
//! Each operation is decoded for one thread after the other before the next one is, each with values of its own. A matrix
//! instruction is the product of the tiles that the threads hold together, whichever subgroup they belong to.

use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{Diag, Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashMap;

use super::Decoder;
use super::intrinsic::has_whole_tiles;
use super::tiled::{Side, element, runs};
use crate::inst::Inst;
use crate::regs::Reg;

/// Threads that one loop may have.
const THREADS_MAX: i64 = 1 << 10;

/// What a thread has of values.
type Own = FxHashMap<ValueId, Reg>;

/// Whether an operation is a matrix instruction on what one thread holds.
fn is_meeting(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::IreeCodegenInnerTiled && !has_whole_tiles(ir, op)
}

/// Whether the iterations of a `scf.forall` meet.
pub(crate) fn meet(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::ScfForall
        && ir.body(op, 0).is_some_and(|body| ir.block_ops(body).any(|op| is_meeting(ir, op)))
}

impl Decoder<'_> {
    /// `scf.forall` whose iterations [`meet`].
    pub(super) fn forall_in_step(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Forall { lower, upper, step, outputs } = Forall::of(ir, op);
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let (&[Mixed::Static(0)], &[Mixed::Static(threads)], &[Mixed::Static(1)]) = (&lower[..], &upper[..], &step[..])
        else {
            return Err(self.error("threads that meet in matrix instructions are counted from 0 by one loop".into()));
        };
        let args = ir.args(body);
        if args.len() != 1 + outputs.len() || !(1..=THREADS_MAX).contains(&threads) {
            return Err(
                self.error(format!("the loop has from 1 to {THREADS_MAX} threads, and an argument for each output"))
            );
        }
        self.outputs(op, &args[1..], &outputs)?;
        let mut own: Vec<Own> = Vec::new();
        for thread in 0..threads {
            own.push(FxHashMap::from_iter([(args[0], self.int(thread)?)]));
        }
        for inner in ir.block_ops(body) {
            self.op = inner;
            if is_meeting(ir, inner) {
                self.meeting(inner, &mut own)?;
                continue;
            }
            for own in &mut own {
                self.values.extend(own.iter());
                self.operation(inner)?;
                for result in ir.results(inner) {
                    own.insert(result, self.reg(result)?);
                }
            }
        }
        self.op = op;
        Ok(())
    }

    /// A matrix instruction on what each thread holds.
    fn meeting(&mut self, op: OpId, own: &mut [Own]) -> Result<(), Diag> {
        let ir = self.ir;
        let kind = self.kind_of(op)?;
        let tiles = self.tiles_of(op, &kind)?;
        let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
        let values = ir.operands(op);
        let together = usize::try_from(self.tile_kind(op)?.threads()).unwrap_or(0).max(1);
        if maps.len() != values.len() || tiles.len() != values.len() || !own.len().is_multiple_of(together) {
            return Err(self.error(format!(
                "`{}` takes {} operands of {together} threads each, and the loop has {} threads",
                self.name(),
                tiles.len(),
                own.len()
            )));
        }
        for group in own.chunks_mut(together) {
            let mut sides = Vec::new();
            for (at, (&value, tile)) in values.iter().zip(&tiles).enumerate() {
                let parts: Vec<Reg> = group
                    .iter()
                    .map(|own| own.get(&value).copied().map_or_else(|| self.reg(value), Ok))
                    .collect::<Result<_, _>>()?;
                let (held, loops) = self.arranged(op, at, tile, value, &maps[at], |tile| tile.held_shape())?;
                let (extents, runs) = (held.extents(), runs(at, values.len()));
                let slots: i64 = held.held_shape().iter().product();
                let all = parts.iter().try_fold(0u32, |n, part| n.checked_add(part.n));
                let Some(all) = all else { return Err(self.error("the threads hold too much together".into())) };
                let reg = self.fresh(parts[0].bank, all, self.block)?;
                self.reserve(extents.iter().product::<i64>() as usize * 8)?;
                let mut places = vec![0; runs.iter().map(|&run| extents[run] as usize).product()];
                // Of those that hold an element, the first one gives it.
                for thread in (0..together as i64).rev() {
                    for slot in 0..slots {
                        let at = element(held.coord_of(thread, slot), extents, runs);
                        places[at] = thread * i64::from(parts[0].n) + slot;
                    }
                }
                self.emit_cost(Inst::Collect { dst: reg, parts: parts.into() }, u64::from(all))?;
                sides.push((Side { reg, loops, step: slots, extents, places }, held));
            }
            let (mut sides, held): (Vec<Side>, Vec<_>) = sides.into_iter().unzip();
            let (c, held) = (sides.len() - 1, &held[held.len() - 1]);
            let acc = sides[c].reg;
            let dst = self.fresh(acc.bank, acc.n, self.block)?;
            self.tiled_product(op, &kind, maps[0].dims as usize, &mut sides, dst)?;
            let Side { loops, step, extents, places, .. } = &sides[c];
            let n_tiles: i64 = loops.iter().map(|&(_, extent)| extent).product();
            let result = ir.result(op, 0);
            for (thread, own) in group.iter_mut().enumerate() {
                let mut table = Vec::new();
                for tile in 0..n_tiles {
                    for slot in 0..*step {
                        let at = element(held.coord_of(thread as i64, slot), *extents, runs(c, c + 1));
                        table.push((tile * step + places[at]) as u32);
                    }
                }
                let part = self.define(result)?;
                self.gather(part, dst, table.into())?;
                own.insert(result, part);
            }
        }
        Ok(())
    }
}
