//! Cache blocks: let a workgroup of a CPU compute a block of tiles of a product, from factors that it packs on the way.
//!
//! Before, for the tile of C that a workgroup computes:
//!
//! ```mlir
//! %c = scf.for %k iter_args(%acc) { %a = read A[y, k] ; %b = read B[k, x] ; contract %a, %b, %acc }
//! write %c, C[y, x]
//! ```
//!
//! After, for a block of such tiles:
//!
//! ```mlir
//! for parts of k {
//!   for x, for %k { %b = read B[k, x] ; write %b, panel[x, k] }
//!   for y {
//!     for %k { %a = read A[y, k] ; write %a, strip[k] }
//!     for x {
//!       %c = for %k iter_args(%acc = 0) { contract (read strip[k]), (read panel[x, k]), %acc }
//!       %sum = the first part ? %c : %c + read sums[y, x]
//!       the last part ? write %sum, C[y, x] : write %sum, sums[y, x]
//!     }
//!   }
//! }
//! ```
//!
//! The panel stays in the second cache while the rows of the block go by, the strip in the first one. A packed tile has
//! its elements in the order in which the contraction takes them, without gaps; beyond an edge it has the zeros of the
//! read, so that the inner loop has no masks. Narrow floats are packed as what they are summed in. Rows of A that lie
//! along k are read where they lie, the last step under a mask if they end within it. The sums of a part lie in the
//! result if they have its type, and in memory of the workgroup otherwise.
//!
//! Signed integers and bf16 are packed as words of four or two along k where the machine sums as many products at once
//! (`words.rs`), in vectors or in tile registers (`tiles.rs`); rows of bytes are always packed for the former.
//!
//! Kernels of any other form stay as they are: several loops or contractions, factors that are more than reads and
//! elementwise operations, too few tiles to share what is packed.

mod forms;
mod lines;
mod product;
pub(super) mod tiles;
pub(super) mod words;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Mixed, Transfer, unmixed};
use raddle_ir::{Attr, Builder, Class, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};
use raddle_target::{Dot, NativeVectors};
use rustc_hash::FxHashSet;

use self::lines::Lines;
use self::product::{Coord, Product, direct};
use crate::clean;
use crate::code::edges::choose;
use crate::code::{EQUAL, compare, is_zeros};
use crate::configure::native::ROWS_OF_WORDS;
use crate::overlap::ahead::prefetch;
use crate::overlap::without_layout;
use crate::structured::sizes::mixed_extent;

/// Rows of tiles that a panel must serve.
const ROWS_MIN: i64 = 4;
/// Rows of tiles that are few: packing a panel of plain columns for them costs more than it saves.
const ROWS_FEW: i64 = 12;
/// Rows of memory that columns are read from at once, for few rows of the other factor: a core knows where the pages of so
/// many lie without asking for it again, and what is read ahead of them stays in a cache also if they lie a power of two
/// apart. Fewer do where sums are few, since sums are read and written once for all of them.
const ROWS_AT_ONCE: [i64; 2] = [16, 64];
/// Rows of C in a block, at most: packing a panel costs little beside the products of so many.
const BLOCK_ROWS: i64 = 2304;
/// `sle` as `arith.cmpi` numbers it.
const NOT_MORE: i64 = 3;

/// Blocks the product of a kernel, if it has one.
pub fn cache_blocks(ir: &mut Ir, func: OpId, vectors: NativeVectors) {
    let word = ir.int_type(32);
    let Some(entry) = ir.body(func, 0) else { return };
    forms::one_step(ir, entry, vectors);
    forms::count_rows(ir, func, entry);
    if let Some(product) = Product::of(ir, func, vectors, word)
        && let Some(plan) = Plan::of(ir, &product, vectors)
    {
        rewrite(ir, func, &product, &plan);
        clean::clean(ir, func);
    }
}

/// How a product is blocked.
struct Plan {
    /// Steps of the loop in a part.
    steps: i64,
    /// Whether there may be several parts.
    parts: bool,
    /// Tiles of a block along rows and columns.
    tiles: [i64; 2],
    /// How columns are packed by lines, if they are.
    lines: Option<Lines>,
    /// Whether lines of the next panel are brought from memory while the tiles of one are computed.
    brings: bool,
    /// Whether they are read where they lie: as they would be packed, or for few rows.
    are_read: bool,
    /// The last tiles along rows and columns, where these are fewer.
    short: [Option<Short>; 2],
}

impl Plan {
    fn of(ir: &Ir, product: &Product, vectors: NativeVectors) -> Option<Plan> {
        let [l1, l2] = vectors.cache_bytes;
        let size = |list: &[i64]| list.iter().product::<i64>();
        let bytes = |ty: TypeId| Scalar::of(&ir[ty]).map(|elem| elem.bytes() as i64);
        let (row, column) = (&product.rows.0, &product.columns.0);
        let acc = ir[product.acc].shape()?.to_vec();
        let acc_bytes = size(&acc) * bytes(ir[product.acc].elem()?)?;
        let count = |coord: usize| match product.coords[coord].count {
            Mixed::Static(count) => count,
            Mixed::Value(_) => i64::MAX / 4,
        };
        let rows = product.rows.1.iter().map(|&coord| count(coord)).fold(1, i64::saturating_mul);
        let counts = [rows, product.columns.1.map_or(1, count)];
        let rows_of_tile = size(&acc) / acc.last()?;
        // Columns that lie along the loop are not vectors in memory: they are worth packing for any rows. So are words.
        let is_worth = match product.words {
            Some(_) => counts[0].saturating_mul(rows_of_tile) >= ROWS_OF_WORDS,
            None => counts[0] >= ROWS_MIN,
        };
        let is_plain = !column.is_turned && !column.is_packed;
        let step_bytes = [size(&row.shape) * bytes(row.elem)?, size(&column.shape) * bytes(column.elem)?];
        if is_plain && counts[0] < ROWS_FEW {
            let plan = Plan::of_few_rows(ir, product, vectors, counts, [rows_of_tile, step_bytes[1]]);
            if plan.is_some() || !is_worth {
                return plan;
            }
        }
        // One tile of rows has no use for a panel.
        if product.rows.1.is_empty() && product.words.is_none() {
            return None;
        }
        // Several loops cost numbers in each step: vectors that end inside of their memory are read where they lie, unless
        // words are made of them.
        if product.words.is_none() && product.nest.len() > 1 && !column.is_turned && column.is_inside && row.is_inside {
            return None;
        }
        // The strip has three eighths of its cache, and the panel half. Tile registers are read as fast from the second one.
        let strip = if product.are_in_tiles() { 2 * l1 } else { 3 * l1 / 8 };
        let steps_max = (strip / step_bytes[0]).min(l2 / 2 / step_bytes[1]).max(1);
        let lines = Lines::of(ir, product, vectors.lanes).filter(|_| !product.are_in_tiles());
        let (steps, parts) = match product.upper {
            Mixed::Static(upper) => {
                // No part ends inside of a line.
                let each = lines.as_ref().map_or(1, |lines| lines.steps);
                let all = ceil((upper - product.lower).max(1), product.step * each);
                let parts = ceil(all, (steps_max / each).max(1));
                (ceil(all, parts) * each, parts > 1)
            }
            Mixed::Value(_) => (steps_max, true),
        };
        let brings = lines.is_some() && product.column_bytes(counts[1], step_bytes[1]) > l2;
        // What is brought of the next panel has a place beside this one.
        let panel = if brings { l2 / 4 } else { l2 / 2 };
        let are_read = column.is_packed && product.words.is_none() && product.nest.len() == 1;
        let columns = even(counts[1], panel / (steps * step_bytes[1]));
        let mut rows_max = BLOCK_ROWS / rows_of_tile;
        if parts && (product.in_place.is_none() || product.are_in_tiles()) {
            rows_max = rows_max.min(l2 / 2 / (columns * acc_bytes));
        }
        let short = Short::of(ir, product, counts[1], vectors.lanes);
        Some(Plan { steps, parts, tiles: [even(counts[0], rows_max), columns], lines, brings, are_read, short })
    }

    /// A few tiles of rows, for which nothing is packed: the columns of a cache are read along a few steps of the loop before
    /// the next ones. Along the whole loop, a tile would be read from as many pages as the loop has steps.
    fn of_few_rows(
        ir: &Ir,
        product: &Product,
        vectors: NativeVectors,
        counts: [i64; 2],
        [rows, step_bytes]: [i64; 2],
    ) -> Option<Plan> {
        let ([_, cache], [least, most]) = (vectors.cache_bytes, ROWS_AT_ONCE);
        let Mixed::Static(upper) = product.upper else { return None };
        let all = ceil((upper - product.lower).max(1), product.step);
        let steps = ((8 * rows).clamp(least, most) / product.step).max(1);
        let in_memory = product.column_bytes(counts[1], step_bytes) > cache;
        let is_one = product.nest.len() == 1 && product.words.is_none() && product.columns.1.is_some();
        let columns = even(counts[1], cache / 8 / (steps * step_bytes));
        let tiles = [counts[0], columns];
        (is_one && in_memory && all > steps).then_some(Plan {
            steps,
            parts: true,
            tiles,
            lines: None,
            brings: false,
            are_read: true,
            short: Short::of(ir, product, counts[1], vectors.lanes),
        })
    }
}

/// The last tile along rows or columns, which has fewer of them than the others.
#[derive(Clone, Copy)]
struct Short {
    /// How many it has; of columns, in whole vectors.
    extent: i64,
    /// The number of this tile.
    number: i64,
    /// Their dimension in a tile of sums, and in a packed tile of the factor.
    in_sums: usize,
    in_factor: usize,
}

impl Short {
    /// Of rows and of columns, where an iteration is nothing but the product.
    fn of(ir: &Ir, product: &Product, count: i64, lanes: i64) -> [Option<Short>; 2] {
        let view = Contract::of(ir, product.contract);
        let is_product = without_layout(ir, product.yielded) == ir.result(product.contract, 0)
            && without_layout(ir, view.acc) == product.carried;
        if !is_product || product.words.is_some() {
            return [None; 2];
        }
        [Short::of_rows(ir, product, &view), Short::of_columns(ir, product, count, lanes)]
    }

    /// The last one of so many tiles of this dimension of sums, if less is written of it than of the others.
    fn new(ir: &Ir, product: &Product, count: i64, lanes: i64, [in_sums, in_factor]: [usize; 2]) -> Option<Short> {
        let tile = ir[product.acc].shape()?[in_sums];
        let written = |&op: &OpId| {
            let view = Transfer::of(ir, op);
            let is_sum = is_made_of(ir, view.vector?, ir.result(product.loop_op, 0));
            let dims = view.map.as_dims().filter(|_| is_sum && !view.in_bounds[in_sums])?;
            Some(ir.shape_of(view.base)[dims[in_sums]])
        };
        let extents: Vec<i64> = product.writes.iter().map(written).collect::<Option<_>>()?;
        let extent = extents.iter().copied().max().filter(|_| !extents.contains(&DYNAMIC))?;
        if ceil(extent, tile) != count {
            return None;
        }
        let left = ceil(extent - tile * (count - 1), lanes) * lanes;
        let is_last = 0 < left && left < tile;
        is_last.then_some(Short { extent: left, number: count - 1, in_sums, in_factor })
    }

    /// Rows that are read where they lie in every tile but the last one, along one dimension.
    fn of_rows(ir: &Ir, product: &Product, contract: &Contract) -> Option<Short> {
        let (row, [coord]) = (&product.rows.0, &product.rows.1[..]) else { return None };
        let Mixed::Static(count) = product.coords[*coord].count else { return None };
        let read = row.direct?;
        let view = Transfer::of(ir, read);
        let mut ends = (0..view.in_bounds.len() - 1).filter(|&d| !view.in_bounds[d]);
        let (d, None) = (ends.next()?, ends.next()) else { return None };
        let extent = ir.shape_of(view.base)[view.map.as_dims()?[d]];
        let which = usize::from(row.value != contract.lhs);
        let in_sums = contract.maps[2].results.iter().position(|place| *place == contract.maps[which].results[d])?;
        let is_last = ceil(extent, ir.shape_of(ir.result(read, 0))[d]) == count;
        if is_last { Short::new(ir, product, count, 1, [in_sums, d]) } else { None }
    }

    fn of_columns(ir: &Ir, product: &Product, count: i64, lanes: i64) -> Option<Short> {
        let last = ir[product.acc].shape()?.len() - 1;
        Short::new(ir, product, count, lanes, [last, product.columns.0.shape.len() - 1])
    }
}

/// Whether each element of a vector is computed of that of sums in the same place.
fn is_made_of(ir: &Ir, value: ValueId, sums: ValueId) -> bool {
    let (mut todo, mut seen) = (vec![value], FxHashSet::default());
    while let Some(value) = todo.pop() {
        let value = without_layout(ir, value);
        if value == sums {
            return true;
        }
        if seen.insert(value)
            && let Some(op) = ir.def_op(value).filter(|&op| ir.class(op) == Class::Elementwise)
        {
            todo.extend(ir.operands(op));
        }
    }
    false
}

/// Computes again what a value of the old program is, with what `map` says of the values that it is computed from.
fn again(builder: &mut Builder<'_>, map: &mut ValueMap, value: ValueId) -> ValueId {
    if let Some(new) = map.find(value) {
        return new;
    }
    let Some(op) = builder.ir.def_op(value) else { return value };
    let operands = builder.ir.operands(op).to_vec();
    all_again(builder, map, &operands);
    builder.copy(op, map);
    map.get(value)
}

fn all_again(builder: &mut Builder<'_>, map: &mut ValueMap, values: &[ValueId]) -> Vec<ValueId> {
    values.iter().map(|&value| again(builder, map, value)).collect()
}

fn ceil(count: i64, by: i64) -> i64 {
    count / by + i64::from(count % by != 0)
}

/// How many things a part has, of a number that is divided into parts of at most so many.
fn even(count: i64, most: i64) -> i64 {
    ceil(count, ceil(count, most.max(1)).max(1))
}

fn ceil_div(builder: &mut Builder<'_>, count: Mixed, by: i64) -> Mixed {
    match count {
        Mixed::Static(count) => Mixed::Static(ceil(count, by)),
        Mixed::Value(value) => {
            let expr = Expr::binary(BinOp::CeilDiv, Expr::Dim(0), Expr::Const(by));
            Mixed::Value(builder.apply(Map { dims: 1, syms: 0, results: vec![expr] }, &[value]))
        }
    }
}

/// The digits of a number, of which each but the first one counts so far.
fn digits(number: &Expr, counts: &[i64]) -> Vec<Expr> {
    let digit = |at: usize| {
        let behind: i64 = counts[at + 1..].iter().product();
        let digit = match behind {
            1 => number.clone(),
            _ => Expr::binary(BinOp::FloorDiv, number.clone(), Expr::Const(behind)),
        };
        if at == 0 { digit } else { Expr::binary(BinOp::Mod, digit, Expr::Const(counts[at])) }
    };
    (0..counts.len()).map(digit).collect()
}

/// The first of `each` things of a block, and how many of `count` things it has from there.
fn part(builder: &mut Builder<'_>, at: ValueId, count: Mixed, each: i64) -> [ValueId; 2] {
    let first = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(each));
    let first = builder.apply(Map { dims: 1, syms: 0, results: vec![first] }, &[at]);
    if let Mixed::Static(count) = count
        && count > 0
        && count % each == 0
    {
        return [first, builder.index(each)];
    }
    let count = count.materialize(builder);
    let left = Expr::binary(BinOp::Add, Expr::Dim(1), Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(-1)));
    let map = builder.ir.intern(Attr::Map(Map { dims: 2, syms: 0, results: vec![left, Expr::Const(each)] }));
    let ty = builder.ir.index_type();
    [first, builder.value(Opcode::AffineMin, &[first, count], ty, &[("map", map)])]
}

/// Moves a tile to or from a place in packed memory.
fn place(builder: &Builder<'_>, memory: ValueId, at: &[ValueId], zero: ValueId) -> (Vec<ValueId>, Map, Vec<bool>) {
    let (rank, lead) = (builder.ir.shape_of(memory).len(), at.len());
    let indices = at.iter().copied().chain(std::iter::repeat_n(zero, rank - lead)).collect();
    (indices, Map::of_dims(rank, &(lead..rank).collect::<Vec<_>>()), vec![true; rank - lead])
}

fn take(builder: &mut Builder<'_>, memory: ValueId, at: &[ValueId], zero: ValueId) -> ValueId {
    let (indices, map, in_bounds) = place(builder, memory, at, zero);
    let (shape, elem) = (builder.ir.shape_of(memory)[at.len()..].to_vec(), builder.ir.elem_of(memory));
    let padding = builder.splat(0.0, elem);
    let ty = builder.ir.vector_type(&shape, elem);
    builder.transfer_read(memory, &indices, padding, map, &in_bounds, ty)
}

fn put(builder: &mut Builder<'_>, value: ValueId, memory: ValueId, at: &[ValueId], zero: ValueId) {
    let (indices, map, in_bounds) = place(builder, memory, at, zero);
    builder.transfer_write(value, memory, &indices, map, &in_bounds);
}

/// What the loops around a tile share.
struct Block<'a> {
    product: &'a Product,
    zero: ValueId,
    one: ValueId,
    /// Where columns are packed, if they do not lie so.
    panel: Option<ValueId>,
    strip: ValueId,
    /// Sums between parts, where they do not lie in the result.
    sums: Option<ValueId>,
    /// What flipped bits of rows add to the sums of each column, for products of bytes.
    excess: Option<ValueId>,
    /// The first tile of columns, and how many there are.
    columns: [ValueId; 2],
    /// How the next panel is packed, if its lines are brought meanwhile.
    next: Option<&'a Lines>,
    /// The last tiles along rows and columns, where these are fewer.
    short: [Option<Short>; 2],
}

/// How a tile reads the factors.
#[derive(Clone, Copy)]
struct Reading {
    /// Whether rows are read where they lie.
    direct: bool,
    /// Whether columns that are read where they lie end inside of their memory.
    are_inside: bool,
    /// The directions in which it is short.
    short: [Option<Short>; 2],
}

/// A part of the loop.
#[derive(Clone, Copy)]
struct Part {
    /// The first step, and how many there are.
    range: [ValueId; 2],
    /// Its number, and how many there are, if there may be several.
    number: Option<[ValueId; 2]>,
}

impl<'a> Block<'a> {
    /// A block of this product, with its memory.
    fn of(builder: &mut Builder<'_>, product: &'a Product, plan: &'a Plan) -> Block<'a> {
        let (zero, one) = (builder.index(0), builder.index(1));
        let [rows, columns] = plan.tiles;
        let (row, column) = (&product.rows.0, &product.columns.0);
        let strip = builder.alloc_shared(&[&[plan.steps], &row.shape[..]].concat(), row.elem);
        let panel = (!plan.are_read)
            .then(|| builder.alloc_shared(&[&[columns, plan.steps], &column.shape[..]].concat(), column.elem));
        let in_tiles = product.are_in_tiles();
        let sums = (in_tiles || plan.parts && product.in_place.is_none()).then(|| {
            let tiles = if plan.parts { [rows, columns] } else { [1; 2] };
            let acc = builder.ir[product.acc].shape().unwrap_or_default();
            let shape = [&tiles, acc].concat();
            let elem = builder.ir[product.acc].elem().expect("an accumulator is a vector");
            builder.alloc_shared(&shape, elem)
        });
        let is_flipped = product.words.as_ref().is_some_and(|words| words.dot == Dot::Bytes && !words.in_tiles);
        let excess = is_flipped.then(|| {
            let of_columns = [&[columns], &column.shape[1..]].concat();
            builder.alloc_shared(&of_columns, column.elem)
        });
        let next = plan.lines.as_ref().filter(|_| plan.brings);
        // Columns that are not packed are read as they are.
        let short = [plan.short[0], plan.short[1].filter(|_| panel.is_some())];
        Block { product, zero, one, panel, strip, sums, excess, columns: [zero, one], next, short }
    }
}

fn rewrite(ir: &mut Ir, func: OpId, product: &Product, plan: &Plan) {
    let old = ir.ops_of(product.entry);
    let (&end, old) = old.split_last().expect("a block has a terminator");
    let span = ir.span(product.loop_op);
    let mut builder = Builder::before(ir, end);
    builder.span = span;
    let builder = &mut builder;
    let mut block = Block::of(builder, product, plan);
    let Block { zero, one, .. } = block;
    let [rows, columns] = plan.tiles;

    let mut map = ValueMap::default();
    let (blocks, exprs) = block_ids(builder, product, plan, &mut map);
    write_grid(builder.ir, func, product, exprs);
    let counted = &product.rows.1;
    let row_count = match counted[..] {
        [coord] => count_again(builder, &mut map, product.coords[coord].count),
        _ => Mixed::Static(product.row_counts().iter().product()),
    };
    let [first_row, n_rows] = match counted.last() {
        None => [zero, one],
        Some(&coord) => part(builder, blocks[coord], row_count, rows),
    };
    let [first_column, n_columns] = match product.columns.1 {
        None => [zero, one],
        Some(coord) => {
            let count = count_again(builder, &mut map, product.coords[coord].count);
            part(builder, blocks[coord], count, columns)
        }
    };
    block.columns = [first_column, n_columns];
    let steps = match count_again(builder, &mut map, product.upper) {
        Mixed::Static(upper) => Mixed::Static(ceil((upper - product.lower).max(0), product.step)),
        Mixed::Value(upper) => {
            let length = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(-product.lower));
            let steps = Expr::binary(BinOp::CeilDiv, length, Expr::Const(product.step));
            Mixed::Value(builder.apply(Map { dims: 1, syms: 0, results: vec![steps] }, &[upper]))
        }
    };
    let n_parts = match ceil_div(builder, steps, plan.steps) {
        // Where there is nothing to sum, the result is still written.
        Mixed::Static(parts) => builder.index(parts.max(1)),
        Mixed::Value(parts) => builder.binary(Opcode::ArithMaxsi, parts, one),
    };
    builder.for_loop(zero, n_parts, one, &[], |builder, at, _| {
        let [first, n_steps] = part(builder, at, steps, plan.steps);
        let range = [first, n_steps];
        let column = product.columns.1.as_slice();
        if let Some(panel) = block.panel {
            builder.for_loop(zero, n_columns, one, &[], |builder, x, _| {
                let map = at_tile(builder, product, &map, column, [first_column, x]);
                match &plan.lines {
                    Some(lines) => block.pack_lines(builder, &map, lines, range, [panel, x]),
                    None => block.pack(builder, &map, 1, range, panel, &[x]),
                }
                Vec::new()
            });
        }
        builder.for_loop(zero, n_rows, one, &[], |builder, y, _| {
            let map = at_tile(builder, product, &map, counted, [first_row, y]);
            let along = |builder: &mut Builder<'_>, direct: bool| {
                if !direct {
                    block.pack(builder, &map, 0, range, block.strip, &[]);
                }
                builder.for_loop(zero, n_columns, one, &[], |builder, x, _| {
                    let map = at_tile(builder, product, &map, column, [first_column, x]);
                    let parts = plan.parts.then_some([at, n_parts]);
                    if product.are_in_tiles() {
                        let tile = tiles::Tile { map: &map, at: [y, x], parts, range, direct };
                        block.tile_in_registers(builder, tile);
                    } else {
                        let tile = |builder: &mut Builder<'_>, whole: bool| {
                            block.tile(builder, &map, [y, x], Part { range, number: parts }, [direct, whole]);
                            Vec::new()
                        };
                        match block.columns_inside(builder, &map) {
                            Some(inside) => drop(choose(builder, inside, &[], tile)),
                            None => drop(tile(builder, false)),
                        }
                    }
                    Vec::new()
                });
                Vec::new()
            };
            match product.rows.0.direct.map(|read| block.is_inside(builder, &map, read, 1)) {
                None => along(builder, false),
                Some(None) => along(builder, true),
                Some(Some(inside)) => {
                    choose(builder, inside, &[], along);
                    Vec::new()
                }
            }
        });
        Vec::new()
    });
    for &op in old.iter().rev() {
        ir.erase(op);
    }
}

/// A number of the old program.
fn count_again(builder: &mut Builder<'_>, map: &mut ValueMap, count: Mixed) -> Mixed {
    match count {
        Mixed::Static(count) => Mixed::Static(count),
        Mixed::Value(value) => Mixed::Value(again(builder, map, value)),
    }
}

/// What the old program is computed from in the tile that is so many behind the first one along these coordinates.
fn at_tile(
    builder: &mut Builder<'_>,
    product: &Product,
    map: &ValueMap,
    coords: &[usize],
    [first, by]: [ValueId; 2],
) -> ValueMap {
    let mut map = map.clone();
    let at = builder.binary(Opcode::ArithAddi, first, by);
    let counts = if coords.len() > 1 { product.row_counts() } else { vec![1; coords.len()] };
    for (&coord, digit) in coords.iter().zip(digits(&Expr::Dim(0), &counts)) {
        let at = match digit {
            Expr::Dim(_) => at,
            digit => builder.apply(Map { dims: 1, syms: 0, results: vec![digit] }, &[at]),
        };
        product.coords[coord].values.iter().for_each(|&value| map.set(value, at));
    }
    map
}

/// The numbers of the block along each coordinate, and how many there are.
fn block_ids(
    builder: &mut Builder<'_>,
    product: &Product,
    plan: &Plan,
    map: &mut ValueMap,
) -> (Vec<ValueId>, Vec<Expr>) {
    let tiles = |coord: usize| match coord {
        _ if Some(&coord) == product.rows.1.last() => plan.tiles[0],
        _ if Some(coord) == product.columns.1 => plan.tiles[1],
        _ => 1,
    };
    // Rows that are counted together are counted by the last of their coordinates.
    let together = (product.rows.1.len() > 1).then(|| product.row_counts().iter().product::<i64>());
    let is_last = |d: usize| Some(&d) == product.rows.1.last();
    let known = |d: usize| together.filter(|_| product.rows.1.contains(&d)).map(|all| if is_last(d) { all } else { 1 });
    let expr = |(d, coord): (usize, &Coord)| {
        let count = known(d).map_or_else(|| coord.expr.clone(), Expr::Const);
        Expr::binary(BinOp::CeilDiv, count, Expr::Const(tiles(d)))
    };
    let exprs = product.coords.iter().enumerate().map(expr).collect();
    let n = product.coords.len();
    let ids: Vec<ValueId> = if product.linear {
        let mut counts = Vec::new();
        for (d, coord) in product.coords.iter().enumerate() {
            let count = match (known(d), coord.count) {
                (Some(count), _) => Mixed::Static(count),
                (None, Mixed::Value(value)) => Mixed::Value(again(builder, map, value)),
                (None, count) => count,
            };
            counts.push(ceil_div(builder, count, tiles(d)));
        }
        let (basis, values) = unmixed(&counts);
        let types = vec![builder.ir.index_type(); n];
        let attrs = [("static_basis", builder.ir.dense_i64(&basis))];
        let linear = builder.gpu_id(Opcode::GpuBlockId, 0);
        let split = builder.op(Opcode::AffineDelinearizeIndex, &[vec![linear], values].concat(), &types, &attrs);
        builder.ir.results(split).collect()
    } else {
        (0..n).map(|d| builder.gpu_id(Opcode::GpuBlockId, n - 1 - d)).collect()
    };
    for (coord, &id) in product.coords.iter().zip(&ids) {
        coord.values.iter().for_each(|&value| map.set(value, id));
    }
    (ids, exprs)
}

fn write_grid(ir: &mut Ir, func: OpId, product: &Product, exprs: Vec<Expr>) {
    let counts: Vec<Expr> = if product.linear {
        let all = exprs.into_iter().fold(Expr::Const(1), |all, expr| Expr::binary(BinOp::Mul, all, expr));
        vec![all, Expr::Const(1), Expr::Const(1)]
    } else {
        exprs.into_iter().rev().collect()
    };
    product.arguments.clone().write_grid(ir, func, &counts);
}

impl Block<'_> {
    /// Copies the tiles of a factor, of rows or of columns, for a range of steps.
    fn pack(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        which: usize,
        [first, n_steps]: [ValueId; 2],
        to: ValueId,
        lead: &[ValueId],
    ) {
        let factor = [&self.product.rows.0, &self.product.columns.0][which];
        let words = self.product.words.as_ref();
        let excess = self.excess.filter(|_| which == 1);
        let inits = excess.map(|excess| {
            let (shape, elem) = (builder.ir.shape_of(excess)[1..].to_vec(), builder.ir.elem_of(excess));
            let ty = builder.ir.vector_type(&shape, elem);
            builder.splat(0.0, ty)
        });
        let op = builder.for_loop(self.zero, n_steps, self.one, inits.as_slice(), |builder, at, carried| {
            let mut map = map.clone();
            self.set_index(builder, &mut map, first, at);
            let tile = match factor.masked.map(|read| (read, self.is_inside(builder, &map, read, 0))) {
                Some((read, Some(inside))) => {
                    let ty = builder.ir.vector_type(&factor.shape, factor.elem);
                    let op = choose(builder, inside, &[ty], |builder, is_inside| {
                        let mut map = map.clone();
                        if is_inside {
                            let whole = self.whole(builder, &mut map, read);
                            map.set(builder.ir.result(read, 0), whole);
                        }
                        vec![self.packed(builder, &mut map, which)]
                    });
                    builder.ir.result(op, 0)
                }
                _ => self.packed(builder, &mut map, which),
            };
            put(builder, tile, to, &[lead, &[at]].concat(), self.zero);
            carried.iter().zip(words).map(|(&sums, words)| words.excess(builder, tile, sums)).collect()
        });
        if let (Some(excess), Some(init)) = (excess, inits) {
            let less = builder.binary(Opcode::ArithSubi, init, builder.ir.result(op, 0));
            put(builder, less, excess, lead, self.zero);
        }
    }

    /// A tile of a factor, as it is packed.
    fn packed(&self, builder: &mut Builder<'_>, map: &mut ValueMap, which: usize) -> ValueId {
        let factor = [&self.product.rows.0, &self.product.columns.0][which];
        let mut tile = again(builder, map, factor.value);
        if let Some(words) = &self.product.words {
            tile = words.words(builder, tile, which);
        }
        if let Some(order) = &factor.turn {
            tile = builder.transpose(tile, order);
        }
        if builder.ir.elem_of(tile) != factor.elem {
            let ty = builder.ir.vector_type(&factor.shape, factor.elem);
            tile = builder.value(Opcode::ArithExtf, &[tile], ty, &[]);
        }
        tile
    }

    /// A tile of columns that is not packed: of a step that ends inside of their memory, if it `is_whole`, and of columns
    /// that do, if they `are_inside`.
    fn columns_where_they_lie(
        &self,
        builder: &mut Builder<'_>,
        map: &mut ValueMap,
        [is_whole, are_inside]: [bool; 2],
    ) -> ValueId {
        let columns = &self.product.columns.0;
        if let Some(read) = columns.read.filter(|_| !columns.is_packed) {
            self.prefetch_columns(builder, map, read);
        }
        if let Some(read) = columns.masked {
            let mut in_bounds = Transfer::of(builder.ir, read).in_bounds;
            if let Some(d) = self.along_steps(builder.ir, read).filter(|_| is_whole) {
                in_bounds[d] = true;
            }
            if let Some(last) = in_bounds.last_mut() {
                *last |= are_inside;
            }
            let tile = self.read_again(builder, map, read, &in_bounds);
            map.set(builder.ir.result(read, 0), tile);
        }
        self.packed(builder, map, 1)
    }

    /// Sets the index of the old loop to that of a step of a part.
    fn set_index(&self, builder: &mut Builder<'_>, map: &mut ValueMap, first: ValueId, at: ValueId) {
        let nest = &self.product.nest;
        let counts: Vec<i64> = nest.iter().map(|level| level.count.unwrap_or(1)).collect();
        let number = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Dim(1));
        for (level, digit) in nest.iter().zip(digits(&number, &counts)) {
            let k = Expr::binary(BinOp::Mul, digit, Expr::Const(level.step));
            let k = Expr::binary(BinOp::Add, k, Expr::Const(level.lower));
            let k = builder.apply(Map { dims: 2, syms: 0, results: vec![k] }, &[first, at]);
            map.set(level.index, k);
        }
    }

    /// Whether a read ends inside of its memory in every dimension but some last ones; `None` if it always does.
    fn is_inside(&self, builder: &mut Builder<'_>, map: &ValueMap, read: OpId, but: usize) -> Option<ValueId> {
        let view = Transfer::of(builder.ir, read);
        let shape = builder.ir.shape_of(builder.ir.result(read, 0)).to_vec();
        let n = shape.len() - but;
        let in_bounds = (0..shape.len()).map(|d| d >= n || view.in_bounds[d]).collect::<Vec<_>>();
        self.ends_inside(builder, map, &view, &shape, &in_bounds)
    }

    /// Whether an access to a tile of this shape ends inside of its memory where that is not known; `None` if it always is.
    fn ends_inside(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        view: &Transfer,
        tile: &[i64],
        in_bounds: &[bool],
    ) -> Option<ValueId> {
        let dims = view.map.as_dims().expect("it lies along dimensions");
        let mut map = map.clone();
        let base = again(builder, &mut map, view.base);
        let mut all = None;
        for d in (0..dims.len()).filter(|&d| !in_bounds[d]) {
            let begin = again(builder, &mut map, view.indices[dims[d]]);
            let length = builder.index(tile[d]);
            let end = builder.binary(Opcode::ArithAddi, begin, length);
            let extent = mixed_extent(builder, base, dims[d]).materialize(builder);
            let inside = compare(builder, NOT_MORE, end, extent);
            all = Some(all.map_or(inside, |all| builder.binary(Opcode::ArithAndi, all, inside)));
        }
        all
    }

    /// Whether columns that are read where they lie end inside of their memory, if that is not known.
    fn columns_inside(&self, builder: &mut Builder<'_>, map: &ValueMap) -> Option<ValueId> {
        let read = self.product.columns.0.masked.filter(|_| self.panel.is_none())?;
        let view = Transfer::of(builder.ir, read);
        let shape = builder.ir.shape_of(builder.ir.result(read, 0)).to_vec();
        // What is asked for beside columns is asked for in each step.
        let last = shape.len().checked_sub(1)?;
        let in_bounds: Vec<bool> = (0..=last).map(|d| d < last || view.in_bounds[d]).collect();
        self.ends_inside(builder, map, &view, &shape, &in_bounds)
    }

    /// One tile: the products of a part of the loop, its sums with them, and what becomes of these. Rows are read where
    /// they lie if that is `direct`, and columns that are read end inside if they are `whole`.
    fn tile(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        at: [ValueId; 2],
        part: Part,
        [direct, whole]: [bool; 2],
    ) {
        let Product { loop_op, acc: ty, .. } = *self.product;
        let init = builder.ir.operand(loop_op, 3);
        let mut map = map.clone();
        let is_first = part.number.map(|[part, _]| compare(builder, EQUAL, part, self.zero));
        let init = match is_first {
            Some(is_first) if !is_zeros(builder.ir, init) => {
                let op = choose(builder, is_first, &[ty], |builder, is_first| {
                    vec![if is_first { again(builder, &mut map.clone(), init) } else { builder.splat(0.0, ty) }]
                });
                builder.ir.result(op, 0)
            }
            _ => again(builder, &mut map, init),
        };
        if direct {
            self.prefetch(builder, &map);
        }
        let mut sum = self.products(builder, &map, at, init, part, [direct, whole]);
        if let Some(is_first) = is_first {
            let op = choose(builder, is_first, &[ty], |builder, is_first| {
                if is_first {
                    return vec![sum];
                }
                let before = self.partial(builder, &map, at, direct);
                vec![builder.binary(self.product.add, before, sum)]
            });
            sum = builder.ir.result(op, 0);
        }
        let Some([part, n_parts]) = part.number else { return self.finish(builder, &map, sum, direct) };
        let next = builder.binary(Opcode::ArithAddi, part, self.one);
        let last = compare(builder, EQUAL, next, n_parts);
        choose(builder, last, &[], |builder, is_last| {
            if is_last {
                self.finish(builder, &map, sum, direct);
            } else {
                self.keep(builder, &map, sum, at, direct);
            }
            Vec::new()
        });
    }

    /// Sums with what the program begins them with.
    fn with_init(&self, builder: &mut Builder<'_>, map: &mut ValueMap, sum: ValueId) -> ValueId {
        let init = builder.ir.operand(self.product.loop_op, 3);
        if is_zeros(builder.ir, init) {
            return sum;
        }
        let init = again(builder, map, init);
        builder.binary(self.product.add, init, sum)
    }

    /// The products of a part of the loop, summed; those of the last tiles in fewer vectors, if these have fewer rows or
    /// columns.
    fn products(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        at: [ValueId; 2],
        init: ValueId,
        part: Part,
        are: [bool; 2],
    ) -> ValueId {
        // Rows that do not lie inside are those of the last tile.
        let [rows, columns] = [self.short[0].filter(|_| !are[0]), self.short[1]];
        let read = |columns: Option<Short>| Reading { direct: are[0], are_inside: are[1], short: [rows, columns] };
        let Some(last) = columns else { return self.products_of(builder, map, at, init, part, read(None)) };
        let tile = builder.binary(Opcode::ArithAddi, self.columns[0], at[1]);
        let number = builder.index(last.number);
        let is_last = compare(builder, EQUAL, tile, number);
        let op = choose(builder, is_last, &[self.product.acc], |builder, is_last| {
            vec![self.products_of(builder, map, at, init, part, read(columns.filter(|_| is_last)))]
        });
        builder.ir.result(op, 0)
    }

    /// The same of a tile that is short in some directions.
    fn products_of(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        at: [ValueId; 2],
        init: ValueId,
        part: Part,
        read: Reading,
    ) -> ValueId {
        let ty = self.product.acc;
        let mut shape = builder.ir[ty].shape().unwrap_or_default().to_vec();
        read.short.iter().flatten().for_each(|short| shape[short.in_sums] = short.extent);
        let elem = builder.ir[ty].elem().expect("an accumulator is a vector");
        let small = builder.ir.vector_type(&shape, elem);
        if small == ty {
            return self.sum_products(builder, map, at, init, part, read);
        }
        let zeros = builder.splat(0.0, small);
        let sums = self.sum_products(builder, map, at, zeros, part, read);
        let whole = builder.splat(0.0, ty);
        let sums = builder.insert_strided_slice(sums, whole, &vec![0; shape.len()]);
        if is_zeros(builder.ir, init) { sums } else { builder.binary(self.product.add, init, sums) }
    }

    /// Adds the products of a part of the loop to sums, which may be those of a short tile.
    fn sum_products(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        [y, x]: [ValueId; 2],
        init: ValueId,
        part: Part,
        Reading { direct, are_inside, short }: Reading,
    ) -> ValueId {
        let [first, n_steps] = part.range;
        let next = self.next.map(|lines| self.next_panel(builder, map, lines, [y, x], part));
        let (rows, columns) = (&self.product.rows.0, &self.product.columns.0);
        let acc = self.product.carried;
        let init = match (&self.product.words, self.excess) {
            (Some(words), Some(excess)) => {
                let excess = take(builder, excess, &[x], self.zero);
                let excess = words.spread(builder, excess, 1, init);
                builder.binary(Opcode::ArithAddi, init, excess)
            }
            _ => init,
        };
        // What is read where it lies may end within the last step.
        let read = rows.direct.filter(|_| direct);
        let mut whole = read.and_then(|read| {
            let along = builder.ir.shape_of(builder.ir.result(read, 0)).len() - 1;
            self.whole_steps(builder, read, along, map, part.range)
        });
        if let Some(read) = columns.masked.filter(|_| self.panel.is_none())
            && let Some(along) = self.along_steps(builder.ir, read)
        {
            let steps = self.whole_steps(builder, read, along, map, part.range);
            whole = match (whole, steps) {
                (Some(whole), Some(steps)) => Some(builder.binary(Opcode::ArithMinsi, whole, steps)),
                (whole, steps) => whole.or(steps),
            };
        }
        let mut sums = init;
        let mut sum = |builder: &mut Builder<'_>, from: ValueId, to: ValueId, lies: bool| {
            let op = builder.for_loop(from, to, self.one, &[sums], |builder, step, carried| {
                if let Some(next) = &next {
                    self.bring_lines(builder, next, step);
                }
                let mut map = map.clone();
                self.set_index(builder, &mut map, first, step);
                let strip = match read {
                    None => self.packed_part(builder, self.strip, &[step], short[0]),
                    Some(read) => {
                        let tile = if lies {
                            self.whole(builder, &mut map, read)
                        } else {
                            again(builder, &mut map, rows.value)
                        };
                        self.product.words.as_ref().map_or(tile, |words| words.words(builder, tile, 0))
                    }
                };
                let panel = match self.panel {
                    Some(panel) => self.packed_part(builder, panel, &[x, step], short[1]),
                    None => self.columns_where_they_lie(builder, &mut map, [lies, are_inside]),
                };
                if let Some(words) = &self.product.words {
                    let sums = words.dots(builder, [strip, panel], carried[0]);
                    map.set(builder.ir.result(words.contract, 0), sums);
                }
                map.set(rows.value, strip);
                map.set(columns.value, panel);
                map.set(acc, carried[0]);
                if short.iter().any(Option::is_some) {
                    return vec![self.contract(builder, [strip, panel], carried[0])];
                }
                if columns.turn.is_some() {
                    let acc = Contract::of(builder.ir, self.product.contract).acc;
                    let acc = again(builder, &mut map, acc);
                    let sums = self.contract(builder, [strip, panel], acc);
                    map.set(builder.ir.result(self.product.contract, 0), sums);
                }
                vec![again(builder, &mut map, self.product.yielded)]
            });
            sums = builder.ir.result(op, 0);
        };
        sum(builder, self.zero, whole.unwrap_or(n_steps), true);
        if let Some(whole) = whole {
            sum(builder, whole, n_steps, false);
        }
        sums
    }

    /// The dimension of a read of columns that the loop counts, of one loop.
    fn along_steps(&self, ir: &Ir, read: OpId) -> Option<usize> {
        let view = Transfer::of(ir, read);
        let [level] = &self.product.nest[..] else { return None };
        let dims = view.map.as_dims()?;
        (0..dims.len().saturating_sub(1)).find(|&d| view.indices[dims[d]] == level.index)
    }

    /// How many steps of a part end inside of memory along a dimension of a read that the loop counts, if not all do.
    fn whole_steps(
        &self,
        builder: &mut Builder<'_>,
        read: OpId,
        d: usize,
        map: &ValueMap,
        [first, n_steps]: [ValueId; 2],
    ) -> Option<ValueId> {
        let view = Transfer::of(builder.ir, read);
        if view.in_bounds[d] {
            return None;
        }
        let Product { lower, step, .. } = *self.product;
        let length = builder.ir.shape_of(builder.ir.result(read, 0))[d];
        let base = again(builder, &mut map.clone(), view.base);
        let along = view.map.as_dims().expect("it lies along dimensions")[d];
        let all = match mixed_extent(builder, base, along) {
            Mixed::Static(extent) => builder.index((extent - length - lower + step).max(0) / step),
            Mixed::Value(extent) => {
                let left = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(step - length - lower));
                let whole = Expr::binary(BinOp::FloorDiv, left, Expr::Const(step));
                builder.apply(Map { dims: 1, syms: 0, results: vec![whole] }, &[extent])
            }
        };
        let left = builder.binary(Opcode::ArithSubi, all, first);
        let left = builder.binary(Opcode::ArithMaxsi, left, self.zero);
        Some(builder.binary(Opcode::ArithMinsi, left, n_steps))
    }

    /// What is read where a read ends inside of its memory.
    fn whole(&self, builder: &mut Builder<'_>, map: &mut ValueMap, read: OpId) -> ValueId {
        let in_bounds = vec![true; Transfer::of(builder.ir, read).in_bounds.len()];
        self.read_again(builder, map, read, &in_bounds)
    }

    /// What is read where the dimensions are known along which it ends inside of its memory.
    fn read_again(&self, builder: &mut Builder<'_>, map: &mut ValueMap, read: OpId, in_bounds: &[bool]) -> ValueId {
        let (view, ty) = (Transfer::of(builder.ir, read), builder.ir.type_of(builder.ir.result(read, 0)));
        let indices = all_again(builder, map, &view.indices);
        let elem = builder.ir.elem_of(view.base);
        let (base, padding) = (again(builder, map, view.base), builder.splat(0.0, elem));
        builder.transfer_read(base, &indices, padding, view.map, in_bounds, ty)
    }

    /// A packed tile of a factor, or as much of it as a short one has.
    fn packed_part(&self, builder: &mut Builder<'_>, memory: ValueId, at: &[ValueId], short: Option<Short>) -> ValueId {
        let (indices, map, in_bounds) = place(builder, memory, at, self.zero);
        let (mut shape, elem) = (builder.ir.shape_of(memory)[at.len()..].to_vec(), builder.ir.elem_of(memory));
        if let Some(short) = short {
            shape[short.in_factor] = short.extent;
        }
        let padding = builder.splat(0.0, elem);
        let ty = builder.ir.vector_type(&shape, elem);
        builder.transfer_read(memory, &indices, padding, map, &in_bounds, ty)
    }

    /// The contraction of packed tiles, of which that of columns may have its dimensions in another order, with sums of
    /// any shape.
    fn contract(&self, builder: &mut Builder<'_>, [rows, columns]: [ValueId; 2], acc: ValueId) -> ValueId {
        let contract = self.product.contract;
        let view = Contract::of(builder.ir, contract);
        let which = usize::from(self.product.columns.0.value != view.lhs);
        let mut maps = view.maps;
        if let Some(order) = &self.product.columns.0.turn {
            maps[which].results = order.iter().map(|&d| maps[which].results[d].clone()).collect();
        }
        let factors = if which == 0 { [columns, rows] } else { [rows, columns] };
        let (attrs, ty) = (builder.ir.attr_dict(contract), builder.ir.type_of(acc));
        let op =
            builder.ir.create_with(Opcode::VectorContract, &[factors[0], factors[1], acc], &[ty], attrs, builder.span);
        builder.place(op);
        let maps = maps.into_iter().map(|map| builder.ir.intern(Attr::Map(map))).collect();
        let maps = builder.ir.intern(Attr::Array(maps));
        builder.ir.set_attr(op, "indexing_maps", maps);
        builder.ir.result(op, 0)
    }

    /// What the program does with the sums of a tile.
    fn finish(&self, builder: &mut Builder<'_>, map: &ValueMap, sum: ValueId, direct: bool) {
        let mut map = map.clone();
        map.set(builder.ir.result(self.product.loop_op, 0), sum);
        for &op in &self.product.writes {
            let operands = builder.ir.operands(op).to_vec();
            all_again(builder, &mut map, &operands);
            let copy = builder.copy(op, &mut map);
            let in_bounds = self.in_bounds(builder.ir, &Transfer::of(builder.ir, op), direct);
            let in_bounds = in_bounds.into_iter().map(|flag| builder.ir.intern(Attr::Bool(flag))).collect();
            let in_bounds = builder.ir.intern(Attr::Array(in_bounds));
            builder.ir.set_attr(copy, "in_bounds", in_bounds);
        }
    }

    /// The sums that the part before has left.
    fn partial(&self, builder: &mut Builder<'_>, map: &ValueMap, at: [ValueId; 2], direct: bool) -> ValueId {
        if let Some(sums) = self.sums {
            return take(builder, sums, &at, self.zero);
        }
        let (view, ty) = (self.result(builder.ir), self.product.acc);
        let indices = all_again(builder, &mut map.clone(), &view.indices);
        let elem = builder.ir.elem_of(view.base);
        let padding = builder.splat(0.0, elem);
        let in_bounds = self.in_bounds(builder.ir, &view, direct);
        builder.transfer_read(view.base, &indices, padding, view.map, &in_bounds, ty)
    }

    /// Leaves sums for the next part.
    fn keep(&self, builder: &mut Builder<'_>, map: &ValueMap, sum: ValueId, at: [ValueId; 2], direct: bool) {
        if let Some(sums) = self.sums {
            return put(builder, sum, sums, &at, self.zero);
        }
        let view = self.result(builder.ir);
        let indices = all_again(builder, &mut map.clone(), &view.indices);
        let in_bounds = self.in_bounds(builder.ir, &view, direct);
        builder.transfer_write(sum, view.base, &indices, view.map, &in_bounds);
    }

    /// Which dimensions of a tile of the result are inside: those, too, along which rows are that are read where they lie.
    fn in_bounds(&self, ir: &Ir, view: &Transfer, direct: bool) -> Vec<bool> {
        let read = self.product.rows.0.direct.filter(|_| direct);
        let (Some(read), Some(dims)) = (read, view.map.as_dims()) else { return view.in_bounds.clone() };
        let Some(vector) = view.vector else { return view.in_bounds.clone() };
        let rows = Transfer::of(ir, read);
        let tile = ir.shape_of(ir.result(read, 0));
        let along = rows.map.as_dims().expect("it lies along dimensions");
        let same = |d: usize, e: usize| {
            let extents = [ir.shape_of(view.base)[dims[d]], ir.shape_of(rows.base)[along[e]]];
            view.indices[dims[d]] == rows.indices[along[e]]
                && ir.shape_of(vector)[d] == tile[e]
                && extents[0] == extents[1]
                && extents[0] != DYNAMIC
        };
        (0..dims.len()).map(|d| view.in_bounds[d] || (0..along.len()).any(|e| same(d, e))).collect()
    }

    /// Brings the tile of the result into a cache while its products are summed.
    fn prefetch(&self, builder: &mut Builder<'_>, map: &ValueMap) {
        let Some(write) = self.product.in_place else { return };
        let view = Transfer::of(builder.ir, write);
        let indices = all_again(builder, &mut map.clone(), &view.indices);
        let tile = builder.ir[self.product.acc].shape().unwrap_or_default().to_vec();
        prefetch(builder, &view, view.base, &indices, &tile, true, 3);
    }

    /// Brings what the tile of columns behind this one reads in the same step into a cache.
    fn prefetch_columns(&self, builder: &mut Builder<'_>, map: &mut ValueMap, read: OpId) {
        let view = Transfer::of(builder.ir, read);
        let Some(last) = view.map.as_dims().and_then(|dims| dims.last().copied()) else { return };
        let tile = builder.ir.shape_of(builder.ir.result(read, 0)).to_vec();
        let mut indices = all_again(builder, map, &view.indices);
        let base = again(builder, map, view.base);
        let width = builder.index(tile[tile.len() - 1]);
        indices[last] = builder.binary(Opcode::ArithAddi, indices[last], width);
        prefetch(builder, &view, base, &indices, &tile, false, 3);
    }

    /// Where sums lie that have no memory of their own.
    fn result(&self, ir: &Ir) -> Transfer {
        Transfer::of(ir, self.product.in_place.expect("sums have memory of their own, or lie in the result"))
    }
}
