//! Which thread holds what: coordinates as functions of the thread's number, and the one replica that writes.
//!
//! The tiles of a layout are digits of the thread's number: `affine.delinearize_index` takes it apart, and
//! `affine.linearize_index` puts subgroup, batch, outer, lane and element together. Digits between and above those of
//! the tiles tell replicas apart.

use raddle_ir::affine::BinOp;
use raddle_ir::{BlockId, Builder, Expr, Map, Opcode, Point, ValueId};
use raddle_layout::Nested;

use super::Cx;
use crate::code;

/// Extents of the digits of a number, the most significant first, and the place among them of each tile that was asked
/// for; `None` for a tile that is alone.
pub struct Basis {
    pub extents: Vec<i64>,
    pub places: Vec<Option<usize>>,
}

impl Basis {
    /// The digits for tiles of these extents and strides, with digits between them where strides leave room.
    pub fn of(tiles: &[[i64; 2]]) -> Result<Basis, String> {
        let mut order: Vec<usize> = (0..tiles.len()).filter(|&i| tiles[i][0] > 1 && tiles[i][1] > 0).collect();
        order.sort_by_cached_key(|&i| tiles[i][1]);
        let (mut below, mut extents, mut places) = (1, Vec::new(), vec![None; tiles.len()]);
        for i in order {
            let [extent, stride] = tiles[i];
            if stride % below != 0 {
                return Err(
                    "the threads of its layout overlap: two dimensions share a part of the thread's number".to_owned()
                );
            }
            if stride > below {
                extents.push(stride / below);
            }
            places[i] = Some(extents.len());
            extents.push(extent);
            below = stride * extent;
        }
        extents.reverse();
        for place in places.iter_mut().flatten() {
            *place = extents.len() - 1 - *place;
        }
        Ok(Basis { extents, places })
    }

    /// How many numbers the digits tell apart.
    fn span(&self) -> i64 {
        self.extents.iter().product()
    }
}

/// Tiles and strides of a layout over lanes, and over subgroups.
fn tiles(layout: &Nested) -> [Vec<[i64; 2]>; 2] {
    let pairs = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(&t, &s)| [t, s]).collect();
    [pairs(&layout.thread_tile, &layout.thread_strides), pairs(&layout.subgroup_tile, &layout.subgroup_strides)]
}

/// Whether lanes are numbered through the whole workgroup: a layout without subgroups whose lanes reach beyond one.
fn runs_through(cx: &Cx<'_>, lanes: &[[i64; 2]]) -> bool {
    lanes.iter().any(|[extent, stride]| extent * stride > cx.launch.subgroup_size)
}

/// Takes a number apart: what lies above the digits, then the digits. With `bounded`, nothing lies above, and the first
/// digit is not reduced.
fn split(builder: &mut Builder<'_>, cx: &Cx<'_>, number: ValueId, extents: &[i64], bounded: bool) -> Vec<ValueId> {
    if extents.len() <= usize::from(bounded) {
        return vec![number];
    }
    let here = block_of(builder);
    let known = cx.splits.borrow().iter().find_map(|split| {
        let same = split.number == number && split.extents == extents && split.bounded == bounded;
        (same && is_around(builder, split.block, here)).then(|| split.digits.clone())
    });
    if let Some(digits) = known {
        return digits;
    }
    let index = builder.ir.index_type();
    let types = vec![index; extents.len() + usize::from(!bounded)];
    let basis = builder.ir.dense_i64(extents);
    let op = builder.op(Opcode::AffineDelinearizeIndex, &[number], &types, &[("static_basis", basis)]);
    let digits: Vec<ValueId> = builder.ir.results(op).collect();
    if let Some(block) = here {
        let split = Split { number, extents: extents.to_vec(), bounded, block, digits: digits.clone() };
        cx.splits.borrow_mut().push(split);
    }
    digits
}

/// A number that was taken apart in a block.
pub struct Split {
    number: ValueId,
    extents: Vec<i64>,
    bounded: bool,
    block: BlockId,
    digits: Vec<ValueId>,
}

/// The block in which operations are placed now.
pub fn block_of(builder: &Builder<'_>) -> Option<BlockId> {
    match builder.at {
        Point::End(block) => Some(block),
        Point::Before(op) => builder.ir.parent_block(op),
    }
}

/// Whether a block is another one, or one that is around it.
pub fn is_around(builder: &Builder<'_>, outer: BlockId, inner: Option<BlockId>) -> bool {
    let mut block = inner;
    while let Some(here) = block {
        if here == outer {
            return true;
        }
        block = builder.ir.parent_block(builder.ir.region_parent(builder.ir.block_region(here)));
    }
    false
}

/// The number that tiles over lanes are digits of.
fn lane_number(builder: &mut Builder<'_>, cx: &Cx<'_>, lanes: &[[i64; 2]], span: i64) -> ValueId {
    let (threads, width) = (cx.launch.workgroup_size, cx.launch.subgroup_size);
    // Where the digits start anew with each subgroup, the thread's number has them, too.
    if runs_through(cx, lanes) || width % span == 0 || threads == width {
        return cx.thread;
    }
    split(builder, cx, cx.thread, &[width], false)[1]
}

/// The tile of the thread along dimension `d`, over lanes and over subgroups; `None` where there is one only.
fn places(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, d: usize) -> [Option<ValueId>; 2] {
    let [lanes, subgroups] = tiles(layout);
    // Dimensions that overlap have no common digits, but each has its own.
    let of = |tiles: &[[i64; 2]]| {
        Basis::of(tiles).unwrap_or_else(|_| {
            let mut alone = vec![[1, 0]; tiles.len()];
            alone[d] = tiles[d];
            Basis::of(&alone).expect("one tile overlaps with nothing")
        })
    };
    let basis = of(&subgroups);
    let subgroup = basis.places[d].map(|place| {
        let extents = [&basis.extents[..], &[cx.launch.subgroup_size]].concat();
        split(builder, cx, cx.thread, &extents, false)[1 + place]
    });
    let basis = of(&lanes);
    let lane = basis.places[d].map(|place| {
        let number = lane_number(builder, cx, &lanes, basis.span());
        split(builder, cx, number, &basis.extents, false)[1 + place]
    });
    [lane, subgroup]
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
    let [lane, subgroup] = places(builder, cx, layout, d);
    let element = layout.element_tile[d];
    let known = builder.ir.const_int(base);
    let disjoint = known.is_some_and(|base| (0..element).contains(&base));
    // A digit is a value or a number.
    let digit = |value: Option<ValueId>, number: i64| value.ok_or(number);
    let mut digits = vec![
        (digit(subgroup, 0), layout.subgroup_tile[d]),
        (Err(b), layout.batch_tile[d]),
        (Err(o), layout.outer_tile[d]),
        (digit(lane, 0), layout.thread_tile[d]),
    ];
    digits.retain(|&(_, extent)| extent > 1);
    if element > 1 || known != Some(0) {
        digits.push((known.map_or(Ok(base), Err), element));
    }
    let leading = digits.iter().take_while(|&&(digit, _)| digit == Err(0)).count();
    digits.drain(..leading);
    let numbers: Result<Vec<i64>, ValueId> = digits.iter().map(|&(digit, _)| digit.map_or_else(Ok, Err)).collect();
    match (&digits[..], numbers) {
        ([], _) => builder.index(0),
        (&[(Ok(value), _)], _) => value,
        (_, Ok(numbers)) => {
            let sum = numbers.iter().zip(&digits).fold(0, |sum, (number, (_, extent))| sum * extent + number);
            builder.index(sum)
        }
        _ => {
            let extents: Vec<i64> = digits.iter().map(|&(_, extent)| extent).collect();
            let values: Vec<ValueId> =
                digits.iter().map(|&(digit, _)| digit.unwrap_or_else(|number| builder.index(number))).collect();
            code::linearize(builder, &values, &extents, disjoint)
        }
    }
}

/// True in one of the threads that hold the same elements; `None` where each element has one holder only.
///
/// The tiles that a layout spreads over lanes and subgroups are digits of the thread's number. Whatever lies between
/// and above them tells replicas apart, and must be 0.
pub fn is_writer(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested) -> Result<Option<ValueId>, String> {
    let [lanes, subgroups] = tiles(layout);
    let width = cx.launch.subgroup_size;
    let span = Basis::of(&lanes)?.span();
    if runs_through(cx, &lanes) || width % span == 0 {
        let far = subgroups.iter().map(|&[extent, stride]| [extent, stride * width]);
        let all: Vec<[i64; 2]> = lanes.into_iter().chain(far).collect();
        return is_first(builder, cx, None, cx.thread, &Basis::of(&all)?, cx.launch.threads());
    }
    // Lanes that are not as many as digits can tell apart: subgroup and lane are numbers of their own.
    let numbers = split(builder, cx, cx.thread, &[width], false);
    let outer = is_first(builder, cx, None, numbers[0], &Basis::of(&subgroups)?, cx.launch.subgroups())?;
    is_first(builder, cx, outer, numbers[1], &Basis::of(&lanes)?, Some(width))
}

/// True where all digits of a number that no tile uses are 0, and `other` is true; `count` is how many numbers there
/// are, if that is known.
fn is_first(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    other: Option<ValueId>,
    number: ValueId,
    basis: &Basis,
    count: Option<i64>,
) -> Result<Option<ValueId>, String> {
    let above = count.map(|count| (count + basis.span() - 1) / basis.span());
    let is_hole = |place: &usize| !basis.places.contains(&Some(*place));
    let mut holes: Vec<ValueId> = Vec::new();
    let own = (0..basis.extents.len()).filter(is_hole);
    match above {
        Some(1) => {
            let own: Vec<usize> = own.collect();
            if !own.is_empty() {
                let digits = split(builder, cx, number, &basis.extents, true);
                holes.extend(own.into_iter().map(|place| digits[place]));
            }
        }
        _ => {
            let extents = [above.as_slice(), &basis.extents].concat();
            let digits = split(builder, cx, number, &extents, above.is_some());
            holes.push(digits[0]);
            holes.extend(own.map(|place| digits[1 + place]));
        }
    }
    let mut condition = other;
    for hole in holes {
        let zero = builder.index(0);
        let is_zero = code::compare(builder, code::EQUAL, hole, zero);
        condition = Some(both(builder, condition, is_zero));
    }
    Ok(condition)
}

/// A condition, and another one if there is one.
pub fn both(builder: &mut Builder<'_>, other: Option<ValueId>, condition: ValueId) -> ValueId {
    match other {
        None => condition,
        Some(other) => builder.binary(Opcode::ArithAndi, other, condition),
    }
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
    for dim in 0..layout.rank() {
        let [lane, subgroup] = places(builder, cx, layout, dim);
        let (size, near) = (layout.thread_tile[dim], layout.element_tile[dim]);
        let far = near * layout.batch_tile[dim] * layout.outer_tile[dim] * size;
        digits.extend(subgroup.map(|value| Digit { dim, size: layout.subgroup_tile[dim], weight: far, value }));
        digits.extend(lane.map(|value| Digit { dim, size, weight: near, value }));
    }
    digits
}

/// True in the threads that hold the elements at position `at[d]` along each leading dimension `d`; `None` where all do.
pub fn holds(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, at: &[i64]) -> Option<ValueId> {
    let mut condition = None;
    for digit in digits(builder, cx, layout) {
        let Some(&position) = at.get(digit.dim) else { continue };
        let wanted = builder.index(position / digit.weight % digit.size);
        let is_wanted = code::compare(builder, code::EQUAL, digit.value, wanted);
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
