//! Which thread holds what: coordinates as functions of the thread's number, and the one replica that writes.

use raddle_ir::affine::BinOp;
use raddle_ir::{Attr, Builder, Expr, Map, Opcode, ValueId};
use raddle_layout::Nested;

use super::Cx;

/// One level of the thread's number, with that number as dimension 0: lane or subgroup, or the whole of it.
struct Level {
    /// Threads of the workgroup for each unit of this level.
    unit: i64,
    /// How many units there are.
    count: i64,
    /// Tiles and strides of the layout on this level.
    tiles: Vec<[i64; 2]>,
    /// Whether units above `count` belong to another level.
    wraps: bool,
}

impl Level {
    /// `(unit / stride) mod size`
    fn digit(&self, stride: i64, size: i64) -> Expr {
        let of = |op, lhs: Expr, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
        // Where the digit's span divides the level, the level's own remainder changes nothing.
        let aligned = self.count % (stride * size) == 0;
        let number =
            if self.wraps && !aligned { of(BinOp::Mod, Expr::Dim(0), self.unit * self.count) } else { Expr::Dim(0) };
        let digit = of(BinOp::FloorDiv, number, self.unit * stride);
        let top = self.unit * stride * size;
        // Nothing lies above the last digit of the last level.
        if !self.wraps && top == self.unit * self.count { digit } else { of(BinOp::Mod, digit, size) }
    }

    /// The digits that no tile of the layout uses: where one of them is not 0, the thread is a replica.
    fn holes(&self) -> Result<Vec<Expr>, String> {
        let mut tiles: Vec<[i64; 2]> =
            self.tiles.iter().copied().filter(|&[size, stride]| size > 1 && stride > 0).collect();
        tiles.sort_unstable_by_key(|&[_, stride]| stride);
        let (mut below, mut holes) = (1, Vec::new());
        for [size, stride] in tiles {
            if stride % below != 0 {
                return Err(
                    "the threads of its layout overlap: two dimensions share a part of the thread's number".to_owned()
                );
            }
            if stride > below {
                holes.push(self.digit(below, stride / below));
            }
            below = stride * size;
        }
        if below < self.count {
            // All that is above: a digit as large as what is left, rounded up.
            holes.push(self.digit(below, (self.count + below - 1) / below));
        }
        Ok(holes)
    }
}

/// The levels that a layout is spread over. A layout without subgroups whose lanes reach beyond one numbers its threads
/// through the whole workgroup.
fn levels(cx: &Cx<'_>, layout: &Nested) -> [Level; 2] {
    let pairs = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(&t, &s)| [t, s]).collect::<Vec<_>>();
    let lanes = pairs(&layout.thread_tile, &layout.thread_strides);
    let subgroups = pairs(&layout.subgroup_tile, &layout.subgroup_strides);
    let reach = lanes.iter().map(|[size, stride]| size * stride).max().unwrap_or(1);
    let (threads, width) = (cx.launch.workgroup_size, cx.launch.subgroup_size);
    if reach > width {
        let none = Level { unit: threads, count: 1, tiles: subgroups, wraps: false };
        return [Level { unit: 1, count: threads, tiles: lanes, wraps: false }, none];
    }
    [
        Level { unit: 1, count: width, tiles: lanes, wraps: threads > width },
        Level { unit: width, count: threads / width, tiles: subgroups, wraps: false },
    ]
}

/// The coordinate along dimension `d` of the first element of the tile at batch `b`, outer `o`, plus `base`.
pub fn coordinate(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    layout: &Nested,
    d: usize,
    [b, o]: [i64; 2],
    base: ValueId,
) -> ValueId {
    let (outers, lanes, elements) = (layout.outer_tile[d], layout.thread_tile[d], layout.element_tile[d]);
    let weights = [elements, layout.batch_tile[d] * outers * lanes * elements];
    let mut sum = Expr::Const((b * outers + o) * lanes * elements);
    for (level, weight) in levels(cx, layout).iter().zip(weights) {
        let [size, stride] = level.tiles[d];
        if size > 1 && stride > 0 {
            let term = Expr::binary(BinOp::Mul, level.digit(stride, size), Expr::Const(weight));
            sum = Expr::binary(BinOp::Add, term, sum);
        }
    }
    let sum = Expr::binary(BinOp::Add, Expr::Dim(1), sum);
    builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[cx.thread, base])
}

/// True in one of the threads that hold the same elements; `None` where each element has one holder only.
///
/// The tiles that a layout spreads over lanes and subgroups are digits of the thread's number. Whatever lies between
/// and above them tells replicas apart, and must be 0.
pub fn is_writer(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested) -> Result<Option<ValueId>, String> {
    let mut condition = None;
    for level in levels(cx, layout) {
        for hole in level.holes()? {
            let value = of_thread(builder, cx, hole);
            let zero = builder.index(0);
            let is_zero = compare(builder, EQUAL, value, zero);
            condition = Some(both(builder, condition, is_zero));
        }
    }
    Ok(condition)
}

/// `eq`, `slt` and `ult` in MLIR's numbering of predicates.
pub const EQUAL: i64 = 0;
pub const LESS: i64 = 2;
pub const BELOW: i64 = 6;

/// `arith.cmpi`
pub fn compare(builder: &mut Builder<'_>, predicate: i64, lhs: ValueId, rhs: ValueId) -> ValueId {
    let (bit, i64) = (builder.ir.int_type(1), builder.ir.int_type(64));
    let predicate = builder.ir.intern(Attr::Int { value: predicate.into(), ty: i64 });
    builder.value(Opcode::CmpI, &[lhs, rhs], bit, &[("predicate", predicate)])
}

/// A condition, and another one if there is one.
pub fn both(builder: &mut Builder<'_>, other: Option<ValueId>, condition: ValueId) -> ValueId {
    match other {
        None => condition,
        Some(other) => builder.binary(Opcode::AndI, other, condition),
    }
}

fn of_thread(builder: &mut Builder<'_>, cx: &Cx<'_>, expr: Expr) -> ValueId {
    builder.apply(Map { dims: 1, syms: 0, results: vec![expr] }, &[cx.thread])
}

/// A part of the thread's number that tells tiles of one dimension apart.
pub struct Digit {
    /// The dimension of the layout.
    pub dim: usize,
    /// How many tiles there are.
    pub size: i64,
    /// How far neighbouring tiles' elements lie apart along the dimension.
    pub weight: i64,
    /// The thread's tile.
    pub value: ValueId,
}

/// The digits by which threads hold different elements.
pub fn digits(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested) -> Vec<Digit> {
    let mut digits = Vec::new();
    for (i, level) in levels(cx, layout).iter().enumerate() {
        for (dim, &[size, stride]) in level.tiles.iter().enumerate() {
            if size > 1 && stride > 0 {
                let per_thread = layout.batch_tile[dim] * layout.outer_tile[dim] * layout.thread_tile[dim];
                let weight = layout.element_tile[dim] * if i == 0 { 1 } else { per_thread };
                let value = of_thread(builder, cx, level.digit(stride, size));
                digits.push(Digit { dim, size, weight, value });
            }
        }
    }
    digits
}

/// True in the threads that hold the elements at position `at[d]` along each leading dimension `d`; `None` where all do.
pub fn holds(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, at: &[i64]) -> Option<ValueId> {
    let mut condition = None;
    for digit in digits(builder, cx, layout) {
        let Some(&position) = at.get(digit.dim) else { continue };
        let wanted = builder.index(position / digit.weight % digit.size);
        let is_wanted = compare(builder, EQUAL, digit.value, wanted);
        condition = Some(both(builder, condition, is_wanted));
    }
    condition
}

/// The first lane of the thread's cluster: lanes of this number and stride that share a dimension.
pub fn first_lane(builder: &mut Builder<'_>, cx: &Cx<'_>, [size, stride]: [i64; 2]) -> ValueId {
    let of = |op, lhs: Expr, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
    let lane = of(BinOp::Mod, Expr::Dim(0), cx.launch.subgroup_size);
    // The lane without its own digit.
    let digit = of(BinOp::Mod, of(BinOp::FloorDiv, Expr::Dim(0), stride), size);
    let results = vec![Expr::binary(BinOp::Add, lane, of(BinOp::Mul, digit, -stride))];
    builder.apply(Map { dims: 1, syms: 0, results }, &[cx.thread])
}
