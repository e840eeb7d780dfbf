//! Decode `iree_codegen.inner_tiled` on whole tiles: the contraction that its instructions make up together.
//!
//! Each operand has the dimensions of the loops that it takes part in, and then a tile. That of a matrix instruction is
//! (m, k), (k, n) or (m, n), with its dimensions in another order where `permutations` says so. That of a data-tiled kind
//! is several instructions', cut into what subgroups, instructions, lanes and elements of a lane have of it, in the
//! order in which memory holds them.
//!
//! Each element of the result takes its products in order of k, loops outside, and is rounded after each.

use raddle_ir::{Attr, AttrId, Diag, Map, OpId, ValueId};
use raddle_target::catalogue::{self, Elem};
use raddle_target::{Fragment, Operand, mma};

use super::Decoder;
use super::intrinsic::Kind;
use super::tables::for_each;
use super::vector::Operands;
use crate::inst::{Contract, Inst, Int2};
use crate::regs::{Reg, coordinates, row_major};
use crate::round::Round;

/// How the elements of a tile lie in memory.
struct Tile {
    /// Blocks, rows, columns.
    extents: [i64; 3],
    /// The dimensions in memory.
    shape: Vec<i64>,
    /// For each block, row and column, row-major, the place in memory.
    places: Vec<i64>,
}

impl Decoder<'_> {
    pub(super) fn whole_inner_tiled(
        &mut self,
        op: OpId,
        kind: &Kind,
        [lhs, rhs, acc]: [ValueId; 3],
        maps: &[Map],
    ) -> Result<(), Diag> {
        let ir = self.ir;
        let plain = kind.combine == catalogue::Combine::Multiply && !kind.sparse && kind.scales.is_none();
        if !plain {
            return Err(self
                .error(format!("whole tiles of `{}` are not supported", kind.name))
                .help("the emulator runs it on the parts that single lanes hold"));
        }
        let tiles = self.tiles(op, kind)?;
        let values = [lhs, rhs, acc];
        let mut extents: Vec<Option<i64>> = vec![None; maps[0].dims as usize];
        let mut dims = Vec::new();
        for ((&value, tile), map) in values.iter().zip(&tiles).zip(maps) {
            let named = map.as_dims().unwrap_or_default();
            let shape = ir.shape_of(value);
            let (outer, inner) = shape.split_at(named.len().min(shape.len()));
            // Dimensions of one element say nothing.
            let longer = |shape: &[i64]| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<_>>();
            let fits = named.iter().zip(outer).all(|(&d, &extent)| *extents[d].get_or_insert(extent) == extent);
            if !fits || outer.len() != named.len() || longer(inner) != longer(&tile.shape) {
                return Err(self.error(format!(
                    "an operand of `{}` is of shape {shape:?}, which is not the loops' with a tile of {:?} behind it",
                    self.name(),
                    tile.shape
                )));
            }
            dims.push(named);
        }
        let Some(extents) = extents.into_iter().collect::<Option<Vec<i64>>>() else {
            return Err(self.error(format!("a loop of `{}` is along no operand", self.name())));
        };
        // The loops of a batch, of rows, of columns, and those that are summed.
        let mut kinds: [Vec<usize>; 4] = Default::default();
        for d in 0..extents.len() {
            let [in_lhs, in_rhs, in_acc] = [0, 1, 2].map(|at: usize| dims[at].contains(&d));
            let kind = match (in_lhs, in_rhs, in_acc) {
                (true, true, true) => 0,
                (true, false, true) => 1,
                (false, true, true) => 2,
                (true, true, false) => 3,
                _ => return Err(self.error(format!("the loops of `{}` are not those of a product", self.name()))),
            };
            kinds[kind].push(d);
        }
        let [blocks, m, k] = tiles[0].extents;
        let inner = [blocks, m, tiles[1].extents[2], k];
        let sizes = [0, 1, 2, 3].map(|at: usize| {
            kinds[at].iter().fold(inner[at] as usize, |n, &d| n.saturating_mul(extents[d].max(0) as usize))
        });
        let [nb, nm, nn, nk] = sizes;
        let all = [[nb, nm, nk], [nb, nk, nn], [nb, nm, nn]];
        let bytes = all.iter().map(|list| list.iter().fold(12usize, |all, &n| all.saturating_mul(n)));
        self.reserve(bytes.fold(0, usize::saturating_add))?;
        // Which of the four each dimension of a table runs along.
        let runs = [[0, 1, 3], [0, 3, 2], [0, 1, 2]];
        let table = |at: usize| -> Box<[u32]> {
            let outer: Vec<i64> = dims[at].iter().map(|&d| extents[d]).collect();
            let strides = row_major(&outer);
            let tile = &tiles[at];
            let within = row_major(&tile.extents);
            // Each run is its loops and then its part of the tile.
            let shape: Vec<i64> = runs[at]
                .iter()
                .flat_map(|&run| kinds[run].iter().map(|&d| extents[d]).chain([inner[run]]).collect::<Vec<_>>())
                .collect();
            let mut table = Vec::with_capacity(all[at].iter().product());
            for_each(&shape, |coords| {
                let (mut point, mut part) = (vec![0; extents.len()], 0);
                let mut left = coords.iter();
                for (&run, stride) in runs[at].iter().zip(&within) {
                    for &d in &kinds[run] {
                        point[d] = *left.next().expect("the shape has every loop");
                    }
                    part += left.next().expect("the shape has every part of the tile") * stride;
                }
                let first: i64 = dims[at].iter().zip(&strides).map(|(&d, stride)| point[d] * stride).sum();
                table.push((first * tile.places.len() as i64 + tile.places[part as usize]) as u32);
            });
            table.into()
        };
        let (lhs_table, rhs_table, acc_table) = (table(0), table(1), table(2));
        let elem = self.elem(acc)?;
        let (multiply, combine) = Operands::sum(elem, self.precision);
        let mut factors = [self.reg(lhs)?, self.reg(rhs)?];
        for (factor, elem) in factors.iter_mut().zip(kind.types) {
            *factor = self.as_factor(*factor, elem)?;
        }
        let [lhs, rhs] = factors;
        let acc = self.reg(acc)?;
        let dst = self.define(ir.result(op, 0))?;
        let float = |reg: Reg| reg.bank.is_float();
        if (dst.bank, dst.n) != (acc.bank, acc.n) || [lhs, rhs].iter().any(|reg| float(*reg) != float(acc)) {
            return Err(self.error(format!("the types of `{}` are not those of `{}`", self.name(), kind.name)));
        }
        let contract =
            Contract { dst, lhs, rhs, acc, lhs_table, rhs_table, acc_table, extents: sizes, multiply, combine };
        let cost = sizes.iter().fold(1u64, |all, &n| all.saturating_mul(n as u64));
        self.emit_cost(Inst::Contract(Box::new(contract)), cost)
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

    /// The tiles of A, B and C.
    fn tiles(&self, op: OpId, kind: &Kind) -> Result<[Tile; 3], Diag> {
        let ir = self.ir;
        if let Some(attr) = ir.attr_id(op, "kind")
            && let Attr::Dialect { name, .. } = &ir[attr]
            && ir[*name] == *"iree_gpu.data_tiled_mma_layout"
        {
            let name = ir.field(attr, "intrinsic").and_then(|attr| ir.keyword(attr));
            let Some(row) = name.and_then(mma) else {
                return Err(self.error(format!("where data-tiled operands of `{}` lie is not known", kind.name)));
            };
            let tiles =
                Operand::ALL.map(|operand| swizzled(row.fragments[operand as usize], operand, &Unrolled::of(ir, attr)));
            return Ok(tiles);
        }
        let [blocks, m, n, k] = kind.extents.map(|extent| extent as i64);
        let orders = ir.attr(op, "permutations").map(|attr| match attr {
            Attr::Array(lists) => lists.iter().map(|&list| ir.ints(list).unwrap_or_default()).collect(),
            _ => Vec::new(),
        });
        let mut tiles = Vec::new();
        for (at, [rows, columns]) in [[m, k], [k, n], [m, n]].into_iter().enumerate() {
            let whole = if blocks == 1 { vec![rows, columns] } else { vec![blocks, rows, columns] };
            let order: Vec<usize> = match orders.as_ref().and_then(|orders: &Vec<Vec<i64>>| orders.get(at)) {
                Some(order) => order.iter().map(|&d| d as usize).collect(),
                None => (0..whole.len()).collect(),
            };
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if sorted != (0..whole.len()).collect::<Vec<_>>() {
                return Err(self.error("`permutations` has an order of the tile's dimensions for each operand".into()));
            }
            tiles.push(arranged([blocks, rows, columns], &whole, &order));
        }
        Ok(<[Tile; 3]>::try_from(tiles).unwrap_or_else(|_| unreachable!("there are three operands")))
    }
}

/// A tile whose dimensions, outermost first, are cut into `parts`, which lie in memory in an order.
fn arranged(extents: [i64; 3], parts: &[i64], order: &[usize]) -> Tile {
    let shape: Vec<i64> = order.iter().map(|&d| parts[d]).collect();
    let mut strides = vec![0; parts.len()];
    for (&d, stride) in order.iter().zip(row_major(&shape)) {
        strides[d] = stride;
    }
    let n = extents.iter().product::<i64>() as usize;
    let place = |at| coordinates(parts, at).iter().zip(&strides).map(|(at, stride)| at * stride).sum();
    Tile { extents, shape, places: (0..n).map(place).collect() }
}

/// How many instructions and subgroups a data-tiled kind has along m, n and k.
struct Unrolled {
    intrinsics: [i64; 3],
    subgroups: [i64; 3],
    /// For each of m, n and k, the operands whose instructions lie inside of the innermost dimension of lanes.
    interleaved: [Vec<i64>; 3],
}

impl Unrolled {
    fn of(ir: &raddle_ir::Ir, attr: AttrId) -> Unrolled {
        let field = |name: &str, d: &str| ir.field(attr, &format!("{name}_{d}"));
        let number = |name: &str, d: &str| field(name, d).and_then(|attr| ir[attr].as_i64()).unwrap_or(1).max(1);
        const DIMS: [&str; 3] = ["m", "n", "k"];
        Unrolled {
            intrinsics: DIMS.map(|d| number("intrinsics", d)),
            subgroups: DIMS.map(|d| number("subgroups", d)),
            interleaved: DIMS.map(|d| {
                field("operands_interleaving_intrinsics", d).and_then(|attr| ir.ints(attr)).unwrap_or_default()
            }),
        }
    }
}

/// The parts that a tile's dimensions are cut into, while they become more.
struct Parts {
    /// For each dimension, outermost part first: extent, and whether it is spread over lanes or subgroups.
    dims: [Vec<(i64, bool)>; 2],
    /// The parts of the first dimension and then of the second, in the order of memory.
    order: Vec<usize>,
}

impl Parts {
    /// A new outermost part of a dimension, which is outermost in memory too.
    fn add(&mut self, dim: usize, extent: i64, spread: bool) {
        if extent == 1 {
            return;
        }
        let at = if dim == 0 { 0 } else { self.dims[0].len() };
        self.dims[dim].insert(0, (extent, spread));
        self.order.iter_mut().filter(|part| **part >= at).for_each(|part| *part += 1);
        self.order.insert(0, at);
    }

    /// The same, but inside of the innermost part that is spread.
    fn add_inside(&mut self, dim: usize, extent: i64) {
        if extent == 1 {
            return;
        }
        self.add(dim, extent, false);
        let all: Vec<(i64, bool)> = self.dims.concat();
        let innermost = self.order.iter().rposition(|&part| all[part].1).unwrap_or(0);
        let new = self.order.remove(0);
        self.order.insert(innermost, new);
    }
}

/// A data-tiled operand. B has its columns as rows in memory.
fn swizzled(fragment: Fragment, operand: Operand, unrolled: &Unrolled) -> Tile {
    let turned = |pair: [i64; 2]| if operand == Operand::B { [pair[1], pair[0]] } else { pair };
    let [outer, thread, strides, element] =
        [fragment.outer, fragment.thread, fragment.strides, fragment.element].map(turned);
    let mut parts = Parts { dims: Default::default(), order: Vec::new() };
    for d in [1, 0] {
        parts.add(d, element[d], false);
    }
    for d in [0, 1] {
        parts.add(d, thread[d], true);
    }
    if thread[0] != 1 && thread[1] != 1 && strides[0] > strides[1] {
        parts.order.swap(0, 1);
    }
    for d in [0, 1] {
        parts.add(d, outer[d], false);
    }
    // What the two dimensions are: m, n or k. The second one's instructions are inside of the first one's.
    let along = match operand {
        Operand::A => [0, 2],
        Operand::B => [1, 2],
        Operand::C => [0, 1],
    };
    for d in [1, 0] {
        let n = unrolled.intrinsics[along[d]];
        if unrolled.interleaved[along[d]].contains(&(operand as i64)) {
            parts.add_inside(d, n);
        } else {
            parts.add(d, n, false);
        }
    }
    for d in [1, 0] {
        parts.add(d, unrolled.subgroups[along[d]], true);
    }
    let extent = |d: usize| parts.dims[d].iter().map(|part| part.0).product::<i64>();
    let all: Vec<i64> = parts.dims.concat().iter().map(|part| part.0).collect();
    let tile = arranged([1, extent(0), extent(1)], &all, &parts.order);
    if operand != Operand::B {
        return tile;
    }
    let [_, columns, rows] = tile.extents;
    let places = (0..rows * columns).map(|at| tile.places[(at % columns * rows + at / columns) as usize]).collect();
    Tile { extents: [1, rows, columns], places, ..tile }
}
