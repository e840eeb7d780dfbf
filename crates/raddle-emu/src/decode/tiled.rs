//! Decode `iree_codegen.inner_tiled` on whole tiles: the contraction that its instructions make up together.
//!
//! Each operand has the dimensions of the loops that it takes part in, and then a tile. Which element of a tile stands
//! where is [`raddle_target::tile`]'s to say: that of a matrix instruction is (m, k), (k, n) or (m, n), with its dimensions
//! in another order where `permutations` says so; a data-tiled kind cuts them into what subgroups, instructions, lanes and
//! slots have of them. Tiles that threads hold parts of are the same product, read from all of them (`in_step.rs`).
//!
//! Each element of the result takes its products in order of k, loops outside, and is rounded after each.

use raddle_ir::{Attr, Diag, Map, OpId, ValueId};
use raddle_target::catalogue::{self, Elem};
use raddle_target::tile::{Along, KindError, Tile};

use super::Decoder;
use super::intrinsic::Kind;
use super::tables::for_each;
use super::vector::Operands;
use crate::inst::{Contract, Held, Inst, Int2, Intrinsic, Scales, Source};
use crate::regs::{Reg, row_major};
use crate::round::Round;

/// One operand of the product: a register, and where the elements of its tiles are in that.
pub(super) struct Side {
    pub reg: Reg,
    /// The loops that come before the tile, and their extents.
    pub loops: Vec<(usize, i64)>,
    /// From one tile to the next.
    pub step: i64,
    /// The extents of a tile along blocks, m, n and k.
    pub extents: [i64; 4],
    /// For each element of a tile, counted along the dimensions that the operand has, the place of it in the first tile.
    pub places: Vec<i64>,
}

/// Which of blocks, m, n and k the elements of A, B, their scales and C are counted along.
const RUNS: [[usize; 3]; 5] = [[0, 1, 3], [0, 3, 2], [0, 1, 3], [0, 2, 3], [0, 1, 2]];

/// The runs of operand `at` of `n`.
pub(super) fn runs(at: usize, n: usize) -> [usize; 3] {
    RUNS[if at + 1 == n { 4 } else { at }]
}

/// The number of an element along the dimensions that an operand has.
pub(super) fn element(coord: [i64; 4], extents: [i64; 4], runs: [usize; 3]) -> usize {
    runs.into_iter().fold(0, |at, run| at * extents[run] + coord[run]) as usize
}

impl Decoder<'_> {
    pub(super) fn whole_inner_tiled(
        &mut self,
        op: OpId,
        kind: &Kind,
        values: &[ValueId],
        maps: &[Map],
    ) -> Result<(), Diag> {
        let mut sides = Vec::new();
        for (at, (&value, tile)) in values.iter().zip(self.tiles_of(op, kind)?).enumerate() {
            let (tile, loops) = self.arranged(op, at, &tile, value, &maps[at], Tile::shape)?;
            let (extents, runs) = (tile.extents(), runs(at, values.len()));
            let n = extents.iter().product::<i64>();
            self.reserve((n as usize).saturating_mul(8))?;
            let mut places = vec![0; n as usize];
            (0..n).for_each(|place| places[element(tile.coord(place), extents, runs)] = place);
            sides.push(Side { reg: self.reg(value)?, loops, step: n, extents, places });
        }
        let dst = self.define(self.ir.result(op, 0))?;
        self.tiled_product(op, kind, maps[0].dims as usize, &mut sides, dst)
    }

    /// The tile of each operand. Kinds whose lanes nobody knows have the dimensions of their product.
    pub(super) fn tiles_of(&self, op: OpId, kind: &Kind) -> Result<Vec<Tile>, Diag> {
        match self.tile_kind(op)?.tiles() {
            Ok(tiles) => Ok(tiles),
            Err(KindError::Places(_)) => {
                let [blocks, m, n, k] = kind.extents.map(|extent| extent as i64);
                let plain = |dims: [(Along, i64); 2]| match blocks {
                    1 => Tile::plain(&dims),
                    _ => Tile::plain(&[(Along::Block, blocks), dims[0], dims[1]]),
                };
                let (m, n, k) = ((Along::M, m), (Along::N, n), (Along::K, k));
                Ok(vec![plain([m, k]), plain([k, n]), plain([m, n])])
            }
            Err(error) => Err(self.error(error.to_string())),
        }
    }

    /// The tile of an operand as its value has it behind the loops' dimensions, and those. What is there of a tile is of
    /// shape `wanted`, or the same in the order that `permutations` says, with or without what lanes repeat apart.
    pub(super) fn arranged(
        &self,
        op: OpId,
        at: usize,
        tile: &Tile,
        value: ValueId,
        map: &Map,
        held: impl Fn(&Tile) -> Vec<i64>,
    ) -> Result<(Tile, Vec<(usize, i64)>), Diag> {
        let ir = self.ir;
        let named = map.as_dims().unwrap_or_default();
        let shape = ir.shape_of(value);
        let (outer, inner) = shape.split_at(named.len().min(shape.len()));
        let order: Option<Vec<usize>> = match ir.attr(op, "permutations") {
            Some(Attr::Array(lists)) => {
                let order = lists.get(at).and_then(|&list| ir.ints(list)).unwrap_or_default();
                Some(order.into_iter().map(|d| d as usize).collect())
            }
            _ => None,
        };
        let permuted = |tile: &Tile| match &order {
            Some(order) => {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                (sorted == (0..tile.memory.len()).collect::<Vec<_>>()).then(|| tile.permuted(order))
            }
            None => Some(tile.clone()),
        };
        // Dimensions of one element say nothing.
        let longer = |shape: &[i64]| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<_>>();
        let fits = |tile: &Tile| longer(inner) == longer(&held(tile));
        let found = [tile.clone(), tile.expanded()].iter().filter_map(permuted).find(|tile| fits(tile));
        match found {
            Some(found) if outer.len() == named.len() => {
                Ok((found, named.into_iter().zip(outer.iter().copied()).collect()))
            }
            _ => Err(self.error(format!(
                "an operand of `{}` is of shape {shape:?}, which is not the loops' with a tile of {:?} behind it",
                self.name(),
                held(tile)
            ))),
        }
    }

    /// `dst = C + A * B` over all loops.
    pub(super) fn tiled_product(
        &mut self,
        op: OpId,
        kind: &Kind,
        n_loops: usize,
        sides: &mut [Side],
        dst: Reg,
    ) -> Result<(), Diag> {
        let n = sides.len();
        if kind.combine != catalogue::Combine::Multiply || kind.sparse || n != 3 && n != 5 {
            return Err(self
                .error(format!("whole tiles of `{}` are not supported", kind.name))
                .help("the emulator runs it on the parts that single lanes hold"));
        }
        let mut extents: Vec<Option<i64>> = vec![None; n_loops];
        for &(d, extent) in sides.iter().flat_map(|side| &side.loops) {
            if *extents[d].get_or_insert(extent) != extent {
                return Err(self.error(format!("the operands of `{}` have loops of different extents", self.name())));
            }
        }
        let Some(extents) = extents.into_iter().collect::<Option<Vec<i64>>>() else {
            return Err(self.error(format!("a loop of `{}` is along no operand", self.name())));
        };
        // The loops of a batch, of rows, of columns, and those that are summed.
        let mut kinds: [Vec<usize>; 4] = Default::default();
        for d in 0..n_loops {
            let runs_along = |side: &Side| side.loops.iter().any(|&(at, _)| at == d);
            let kind = match (runs_along(&sides[0]), runs_along(&sides[1]), runs_along(&sides[n - 1])) {
                (true, true, true) => 0,
                (true, false, true) => 1,
                (false, true, true) => 2,
                (true, true, false) => 3,
                _ => return Err(self.error(format!("the loops of `{}` are not those of a product", self.name()))),
            };
            kinds[kind].push(d);
        }
        let inner = [0, 1, 2, 3].map(|run| if run == 2 { sides[1].extents[run] } else { sides[0].extents[run] });
        let count = |run: usize, inner: i64| {
            kinds[run].iter().fold(inner as usize, |n, &d| n.saturating_mul(extents[d].max(0) as usize))
        };
        let sizes = [0, 1, 2, 3].map(|run| count(run, inner[run]));
        let mut tables = Vec::new();
        for (at, side) in sides.iter().enumerate() {
            let runs = runs(at, n);
            let total = runs.iter().fold(12usize, |all, &run| all.saturating_mul(count(run, side.extents[run])));
            self.reserve(total)?;
            // Each run is its loops and then its part of the tile.
            let shape: Vec<i64> = runs
                .iter()
                .flat_map(|&run| kinds[run].iter().map(|&d| extents[d]).chain([side.extents[run]]).collect::<Vec<_>>())
                .collect();
            let strides = row_major(&side.loops.iter().map(|&(_, extent)| extent).collect::<Vec<_>>());
            let mut table = Vec::with_capacity(total / 12);
            for_each(&shape, |coords| {
                let (mut point, mut part) = (vec![0; n_loops], [0; 4]);
                let mut left = coords.iter();
                for &run in &runs {
                    for &d in &kinds[run] {
                        point[d] = *left.next().expect("the shape has every loop");
                    }
                    part[run] = *left.next().expect("the shape has every part of the tile");
                }
                let tile: i64 = side.loops.iter().zip(&strides).map(|(&(d, _), stride)| point[d] * stride).sum();
                table.push((tile * side.step + side.places[element(part, side.extents, runs)]) as u32);
            });
            tables.push(table.into_boxed_slice());
        }
        let acc = sides[n - 1].reg;
        let elem = self.elem(self.ir.operand(op, n - 1))?;
        for (side, elem) in sides.iter_mut().zip(kind.types).take(2) {
            side.reg = self.as_factor(side.reg, elem)?;
        }
        let [lhs, rhs] = [sides[0].reg, sides[1].reg];
        let float = |reg: Reg| reg.bank.is_float();
        let fits = (dst.bank, dst.n) == (acc.bank, acc.n);
        if !fits || sides[..n - 1].iter().any(|side| float(side.reg) != float(acc)) {
            return Err(self.error(format!("the types of `{}` are not those of `{}`", self.name(), kind.name)));
        }
        let cost = sizes.iter().fold(1u64, |all, &n| all.saturating_mul(n as u64));
        if n == 3 {
            let [lhs_table, rhs_table, acc_table] = <[_; 3]>::try_from(tables).expect("there are three operands");
            let (multiply, combine) = Operands::sum(elem, self.precision);
            let contract =
                Contract { dst, lhs, rhs, acc, lhs_table, rhs_table, acc_table, extents: sizes, multiply, combine };
            return self.emit_cost(Inst::Contract(Box::new(contract)), cost);
        }
        let Some((block, _)) = kind.scales.as_ref().filter(|_| sizes[0] == 1) else {
            return Err(self.error(format!("`{}` takes no scales, or has batches of them", kind.name)));
        };
        let held = |table| Held { table, duplicates: Box::default() };
        let [a, b, of_a, of_b, c] = <[_; 5]>::try_from(tables).expect("there are five operands").map(held);
        let product = Intrinsic {
            dst,
            acc,
            factors: [Source::Register(lhs), Source::Register(rhs)],
            extents: sizes,
            held: vec![[a, b, c]],
            places: None,
            scales: Some(Scales {
                block: *block as usize,
                regs: [sides[2].reg, sides[3].reg],
                held: vec![[of_a, of_b]],
            }),
            product: crate::inst::Product::Multiply,
            masks: [-1; 2],
            tf32: [false; 2],
            round: Round::of(elem, self.precision),
        };
        self.emit_cost(Inst::Intrinsic(Box::new(product)), cost)
    }

    /// A factor as the instruction reads it: without a sign, or to 19 bits only.
    fn as_factor(&mut self, factor: Reg, elem: Elem) -> Result<Reg, Diag> {
        let dst = self.fresh(factor.bank, factor.n, self.block)?;
        let inst = match elem {
            Elem::U8 | Elem::U4 => {
                let mask = self.fresh(factor.bank, factor.n, self.block)?;
                let ones = self.int(if elem == Elem::U8 { 0xff } else { 0xf })?;
                self.gather(mask, ones, vec![0; factor.len()].into())?;
                Inst::Int2 { op: Int2::And, dst, a: factor, b: mask, width: 64 }
            }
            Elem::TF32 | Elem::XF32 => Inst::FloatCast { dst, a: factor, round: Round::TF32 },
            _ => return Ok(factor),
        };
        self.check_banks(&inst)?;
        self.emit_cost(inst, u64::from(factor.n))?;
        Ok(dst)
    }
}
