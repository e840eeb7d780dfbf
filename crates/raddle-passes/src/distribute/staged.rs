//! Rows that begin anywhere: writes of rows whose length no wide access divides, through shared memory.
//!
//! Before: `vector.transfer_write %converted, %C[%m, %n]`, where each thread would write one element at a time.
//! After: the threads put what they have into shared memory, as far behind a multiple of the widest access as each row
//! begins in memory; then they take whole accesses from there, and store them:
//!
//! ```text
//! memory    ···|··abcdef|ghijklmn|opq·····|···      | stands at multiples of 16 bytes
//! shared       |··abcdef|ghijklmn|opq     |
//! ```
//!
//! What lies in front of the first whole access of a row and behind its last one goes one element at a time, by other
//! threads. Neighbours that a thread has share a word of shared memory, also where they would not in memory: then rows lie
//! one element further behind, and whole accesses are put together from two.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, Transfer};
use raddle_ir::{Builder, Code, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use super::convert::{elements, select, vector};
use super::ring::Ring;
use super::{Cx, buffers, hazard, layout, memory, threads};
use crate::code;
use crate::code::extents::{gcd, number, row_major};
use crate::config::Launch;
use crate::facts::Facts;
use crate::lay_out::{is_conversion, layout_of, mask_of};
use crate::overlap::shared_bytes;
use crate::structured::alignment::{Unaligned, WIDEST};
use crate::structured::sizes::extreme;

/// Bytes of a word of shared memory.
const WORD: i64 = 4;

/// Bytes of a row that the lanes of a subgroup had better store together: two sectors.
const RUN: i64 = 64;

/// Whole accesses of a row of the tile, at least: of fewer, those at the ends, which are none, are too large a part.
const ACCESSES_MIN: i64 = 8;

/// Elements of a row that share a word, at most: whole accesses are then put together from two, by one choice.
const STEP_MAX: i64 = 2;

/// How a write goes through shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Staged {
    /// The ring whose memory it takes, if it takes one.
    ring: Option<ValueId>,
    /// In how many parts.
    rounds: i64,
}

/// The writes of a function that go through shared memory: those of rows whose length only words divide, for which values
/// change threads anyway, or whose neighbours are few. They take values as these are in front of the change.
pub fn find(ir: &mut Ir, func: OpId, launch: Launch, facts: &Facts) -> Result<FxHashMap<OpId, Staged>, Diag> {
    let mut found = FxHashMap::default();
    let unaligned = Unaligned::of(ir, func)?;
    for op in ir.walk(func) {
        let is_write = ir.opcode(op) == Opcode::VectorTransferWrite && ir.parent_op(op) == Some(func);
        if !is_write || unaligned.begins_at(ir, Transfer::of(ir, op).base) < WIDEST {
            continue;
        }
        if let Some((value, staged)) = staged(ir, func, op, launch, facts) {
            ir.set_operand(op, 0, value);
            found.insert(op, staged);
        }
    }
    Ok(found)
}

/// The value in front of the conversion for a write, and how it goes through shared memory, if it does.
fn staged(ir: &Ir, func: OpId, op: OpId, launch: Launch, facts: &Facts) -> Option<(ValueId, Staged)> {
    let view = Transfer::of(ir, op);
    let written = view.vector?;
    let conversion = ir.def_op(written).filter(|&op| is_conversion(ir, op) && ir.uses(written).count() == 1);
    let value = conversion.map_or(written, |conversion| ir.operand(conversion, 0));
    let layout = layout_of(ir, value)?;
    let Type::MemRef { shape, elem, layout: None, space: None } = ir.ty(view.base) else { return None };
    let bytes = Scalar::of(&ir[*elem]).filter(|scalar| matches!(scalar.bits(), 8 | 16 | 32))?.bytes() as i64;
    let (extents, wide) = (layout.undistributed_shape(), WIDEST / bytes);
    let (&columns, leading) = extents.split_last()?;
    let dims = view.map.as_dims()?;
    let in_rows = dims.last().is_some_and(|&dim| dim + 1 == shape.len()) && !shape[1..].contains(&DYNAMIC);
    let narrow = gcd(*shape.last()?, wide) * bytes <= WORD;
    let fits = columns % wide == 0 && columns >= ACCESSES_MIN * wide && !leading.is_empty();
    let whole = view.mask.is_none() && mask_of(ir, op).is_none();
    let last = layout.rank() - 1;
    let neighbours = if layout.thread_strides[last] == 1 { layout.thread_tile[last] } else { 1 };
    let scattered = conversion.is_some() || neighbours * layout.element_tile[last] * bytes < RUN;
    let each_once = layout.n_slots() * launch.workgroup_size == extents.iter().product::<i64>();
    if !(in_rows && narrow && scattered && fits && whole && each_once) {
        return None;
    }
    let cells = leading.iter().product::<i64>() * (columns + wide);
    let left = (i64::from(facts.chip.shared_bytes_planned) - shared_bytes(ir, func)) / bytes;
    let ring = unused_ring(ir, func, op, *elem);
    let free = |ring: Option<ValueId>| ring.map_or(left, |ring| ir.shape_of(ring).iter().product());
    let digit = layout.distributed_shape()[digit(layout)];
    let rounds = (0..=digit.trailing_zeros()).map(|bit| 1 << bit);
    let staged = rounds.flat_map(|rounds| [ring, None].map(|ring| Staged { ring, rounds }));
    staged.into_iter().find(|staged| cells / staged.rounds <= free(staged.ring)).map(|staged| (value, staged))
}

/// The largest ring of a type all of whose users stand in front of an operation of the function's block.
fn unused_ring(ir: &Ir, func: OpId, op: OpId, elem: TypeId) -> Option<ValueId> {
    let block = ir.parent_block(op)?;
    let place: FxHashMap<OpId, usize> = ir.block_ops(block).zip(0..).collect();
    let in_block = |user: OpId| std::iter::successors(Some(user), |&op| ir.parent_op(op)).find_map(|op| place.get(&op));
    let is_over = |ring: ValueId| ir.uses(ring).all(|(user, _)| in_block(user).is_some_and(|&at| at < place[&op]));
    let allocs = ir.walk(func).into_iter().filter(|&alloc| ir.opcode(alloc) == Opcode::MemrefAlloc);
    let rings = allocs.map(|alloc| ir.result(alloc, 0)).filter(|&ring| Ring::of(ir, ring).is_some());
    let rings = rings.filter(|&ring| ir.elem_of(ring) == elem && is_over(ring));
    rings.max_by_key(|&ring| ir.shape_of(ring).iter().product::<i64>())
}

/// The dimension of a thread's part along which rounds divide it: batches of rows, or what these have.
fn digit(layout: &Nested) -> usize {
    let (rank, rows) = (layout.rank(), layout.rank() - 2);
    if layout.batch_tile[rows] > 1 { rows } else { rank + rows }
}

/// Writes a vector through shared memory.
pub fn write(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, view: &Transfer) -> Result<(), Diag> {
    let value = view.vector.expect("a write has a vector");
    let (layout, part, Staged { ring, rounds }) = (layout(builder.ir, op, value)?, cx.part(value), cx.staged[&op]);
    let elem = builder.ir.elem_of(value);
    let bytes = Scalar::of(&builder.ir[elem]).map_or(1, |scalar| scalar.bytes() as i64);
    let wide = WIDEST / bytes;
    let shape = builder.ir.shape_of(value).to_vec();
    let pitch = shape[shape.len() - 1] + wide;
    let buffer = match ring {
        None => {
            let cells = shape[..shape.len() - 1].iter().product::<i64>() * pitch / rounds;
            buffers::take(builder, cx, op, &[cells], elem)?
        }
        Some(ring) => {
            let access = hazard::anywhere(builder.ir, cx.workgroup, ring, true);
            if let Some(wait) = hazard::meet(builder.ir, &mut cx.pending, access) {
                cx.wait_for(builder, &wait);
            }
            cx.part(ring)
        }
    };
    let step = STEP_MAX.min(WORD / bytes);
    let step = if layout.element_tile.last().is_some_and(|n| n % step == 0) { step } else { 1 };
    let message = format!("this goes through shared memory, in rows that begin as in memory, in {rounds} rounds");
    cx.facts.remark(Diag::error(Code::LayoutChoice, builder.span, message));
    let slots = elements(builder, part);
    for round in 0..rounds {
        if round > 0 {
            cx.barrier(builder);
        }
        let rows = Rows::of(builder, view, &layout, Cells { buffer, wide, step, pitch }, [round, rounds]);
        rows.put(builder, cx, &slots);
        cx.barrier(builder);
        rows.move_whole(builder, cx);
        rows.move_ends(builder, cx);
    }
    // Who wrote what is not what the layout says, and others may still read the ring.
    let touched = [Some(Transfer::of(builder.ir, op).base), ring];
    let touched = touched.into_iter().flatten();
    cx.pending.extend(touched.map(|base| hazard::anywhere(builder.ir, cx.workgroup, base, true)));
    Ok(())
}

/// Shared memory in which rows stand so that whole accesses to memory are whole there.
#[derive(Clone, Copy)]
struct Cells {
    buffer: ValueId,
    /// Elements of the widest access.
    wide: i64,
    /// Elements that go there together.
    step: i64,
    /// From row to row.
    pitch: i64,
}

/// Rows of a tile, in memory and in shared memory.
struct Rows<'a> {
    view: &'a Transfer,
    cells: Cells,
    /// The layout of the tile, and of what one round moves.
    whole: &'a Nested,
    layout: Nested,
    round: i64,
    rounds: i64,
    /// All of the memory as one row.
    flat: ValueId,
    /// The distance of neighbours along each of its dimensions.
    strides: Vec<i64>,
    /// Where the rows end, if that is not where the tile does.
    end: Option<ValueId>,
}

/// One row of a tile.
#[derive(Clone, Copy)]
struct Row {
    /// The place in memory of its first element.
    start: ValueId,
    /// How far this is behind a multiple of the widest access.
    behind: ValueId,
    /// The cell of its first element, if that began at such a multiple.
    cell: ValueId,
    /// Whether it is inside of the memory, if it may not be.
    inside: Option<ValueId>,
}

impl Rows<'_> {
    fn of<'a>(
        builder: &mut Builder<'_>,
        view: &'a Transfer,
        whole: &'a Nested,
        cells: Cells,
        [round, rounds]: [i64; 2],
    ) -> Rows<'a> {
        let columns = *whole.undistributed_shape().last().expect("there are columns");
        let (mut layout, digit, rank) = (whole.clone(), digit(whole), whole.rank());
        if digit < rank {
            layout.batch_tile[digit] /= rounds;
        } else {
            layout.outer_tile[digit - rank] /= rounds;
        }
        let base = builder.ir.shape_of(view.base).to_vec();
        let elem = builder.ir.elem_of(view.base);
        let strides = row_major(&base);
        let size = match base[0] {
            DYNAMIC => {
                let zero = builder.index(0);
                let index = builder.ir.index_type();
                let length = builder.value(Opcode::MemrefDim, &[view.base, zero], index, &[]);
                Mixed::Value(builder.apply(linear(&[strides[0]], 0), &[length]))
            }
            length => Mixed::Static(length * strides[0]),
        };
        let flat = builder.reinterpret(view.base, Mixed::Static(0), &[size], &[Mixed::Static(1)], elem, None);
        let last = base.len() - 1;
        let end = (view.in_bounds.last() != Some(&true)).then(|| {
            let [left] = &linear(&[-1], base[last]).results[..] else { unreachable!("it is one sum") };
            let (at, ends) = ([Mixed::Value(view.indices[last])], [left.clone(), Expr::Const(columns)]);
            extreme(builder, Opcode::AffineMin, &at, &ends).materialize(builder)
        });
        Rows { view, cells, whole, layout, round, rounds, flat, strides, end }
    }

    /// The row at these places along all dimensions of the tile but the last.
    fn row(&self, builder: &mut Builder<'_>, at: &[ValueId]) -> Row {
        let mut indices = self.view.indices.clone();
        let mut inside = None;
        for (d, &along) in at.iter().enumerate() {
            let along = if d + 1 == at.len() { self.in_tile(builder, along) } else { along };
            let Expr::Dim(dim) = self.view.map.results[d] else { unreachable!("a write goes along dimensions") };
            let dim = dim as usize;
            indices[dim] = builder.apply(linear(&[1, 1], 0), &[indices[dim], along]);
            if !self.view.in_bounds[d] {
                let index = builder.ir.index_type();
                let number = builder.index(dim as i64);
                let extent = builder.value(Opcode::MemrefDim, &[self.view.base, number], index, &[]);
                let below = code::compare(builder, code::LESS, indices[dim], extent);
                inside = Some(threads::both(builder, inside, below));
            }
        }
        let start = builder.apply(linear(&self.strides, 0), &indices);
        let behind = rest(builder, start, self.cells.wide);
        let extents = self.layout.undistributed_shape();
        let steps: Vec<i64> =
            row_major(&extents[..at.len()]).into_iter().map(|stride| stride * self.cells.pitch).collect();
        let cell = builder.apply(linear(&steps, 0), at);
        Row { start, behind, cell, inside }
    }

    /// The row of the tile that is a row of this round.
    fn in_tile(&self, builder: &mut Builder<'_>, row: ValueId) -> ValueId {
        let Rows { layout, round, rounds, .. } = self;
        if *rounds == 1 {
            return row;
        }
        let rows = layout.rank() - 2;
        let run = layout.undistributed_shape()[rows] / layout.subgroup_tile[rows];
        let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
        let run_before = of(BinOp::Mul, of(BinOp::FloorDiv, Expr::Dim(0), run), run * (rounds - 1));
        let sum = Expr::binary(BinOp::Add, Expr::Dim(0), run_before);
        let results = vec![of(BinOp::Add, sum, run * round)];
        builder.apply(Map { dims: 1, syms: 0, results }, &[row])
    }

    /// The cell of a row's first element: as far behind a multiple as in memory, or where neighbours begin to share a word.
    fn first_cell(&self, builder: &mut Builder<'_>, row: &Row) -> ValueId {
        let step = self.cells.step;
        let behind = Expr::binary(BinOp::CeilDiv, Expr::Dim(1), Expr::Const(step));
        let behind = Expr::binary(BinOp::Mul, behind, Expr::Const(step));
        let results = vec![Expr::binary(BinOp::Add, Expr::Dim(0), behind)];
        builder.apply(Map { dims: 2, syms: 0, results }, &[row.cell, row.behind])
    }

    /// What the threads have goes to shared memory; `all` are the slots of one of them.
    fn put(&self, builder: &mut Builder<'_>, cx: &Cx<'_>, all: &[ValueId]) {
        let Cells { buffer, step, .. } = self.cells;
        let layout = &self.layout;
        let (rank, last) = (layout.rank(), layout.rank() - 1);
        let (digit, part, whole) = (digit(self.whole), layout.distributed_shape(), self.whole.distributed_shape());
        let mut known: FxHashMap<Vec<i64>, ValueId> = FxHashMap::default();
        for slot in memory::positions(&part) {
            let (tile, element) = slot.split_at(2 * rank);
            if element[last] % step != 0 {
                continue;
            }
            let place = |builder: &mut Builder<'_>, d: usize| {
                let element = builder.index(element[d]);
                threads::coordinate(builder, cx, layout, d, [tile[d], tile[rank + d]], element)
            };
            let key = (0..last).flat_map(|d| [tile[d], tile[rank + d], element[d]]).collect();
            let first = *known.entry(key).or_insert_with(|| {
                let places: Vec<ValueId> = (0..last).map(|d| place(builder, d)).collect();
                let row = self.row(builder, &places);
                self.first_cell(builder, &row)
            });
            let column = place(builder, last);
            let cell = builder.apply(linear(&[1, 1], 0), &[first, column]);
            let mut at = slot.clone();
            at[digit] += self.round * part[digit];
            let at = number(&whole, &at);
            match &all[at..at + step as usize] {
                &[one] => builder.op(Opcode::MemrefStore, &[one, buffer, cell], &[], &[]),
                several => {
                    let word = vector(builder, several);
                    builder.op(Opcode::VectorStore, &[word, buffer, cell], &[], &[])
                }
            };
        }
    }

    /// Whole accesses go from shared memory to memory, by neighbours.
    fn move_whole(&self, builder: &mut Builder<'_>, cx: &Cx<'_>) {
        let wide = self.cells.wide;
        let layout = dealt(cx.launch.workgroup_size, &self.layout.undistributed_shape(), wide);
        each(builder, cx, &layout, |builder, at| {
            let (&column, at) = at.split_last().expect("there are columns");
            let row = self.row(builder, at);
            // In front of the first access that is whole, and behind the last one, others have elements.
            let first = self.first_whole(builder, &row);
            let next = builder.apply(linear(&[1], 1), &[column]);
            let begins = code::compare(builder, code::LESS, first, next);
            let mut condition = threads::both(builder, row.inside, begins);
            if let Some(end) = self.end {
                let limit = builder.apply(linear(&[1, 1], 1 - wide), &[end, row.behind]);
                let ends = code::compare(builder, code::LESS, column, limit);
                condition = threads::both(builder, Some(condition), ends);
            }
            let values = self.access(builder, &row, column);
            code::when(builder, condition, |builder| {
                let at = whole(builder, wide, [row.start, column]);
                builder.op(Opcode::VectorStore, &[values, self.flat, at], &[], &[]);
            });
        });
    }

    /// The elements of the whole access at a column: as far in front of it as the row begins behind a multiple.
    fn access(&self, builder: &mut Builder<'_>, row: &Row, column: ValueId) -> ValueId {
        let Cells { buffer, wide, step, .. } = self.cells;
        // Nothing has come to the first cells of rows that begin between multiples, and nobody stores what is there.
        let first = self.first_whole(builder, row);
        let places = [column, first].map(Mixed::Value);
        let column = extreme(builder, Opcode::AffineMax, &places, &[Expr::Dim(0), Expr::Dim(1)]).materialize(builder);
        let cell = builder.apply(linear(&[1, 1], 0), &[row.cell, column]);
        let elem = builder.ir.elem_of(buffer);
        let ty = builder.ir.vector_type(&[wide], elem);
        let values = builder.value(Opcode::VectorLoad, &[buffer, cell], ty, &[]);
        if step == 1 {
            return values;
        }
        let (rest, zero) = (rest(builder, row.behind, step), builder.index(0));
        let is_even = code::compare(builder, code::EQUAL, rest, zero);
        let mut slots = elements(builder, values);
        let next = memory::either(
            builder,
            is_even,
            elem,
            |_| slots[0],
            |builder| {
                let next = builder.apply(linear(&[1], wide), &[cell]);
                builder.value(Opcode::MemrefLoad, &[buffer, next], elem, &[])
            },
        );
        slots.push(next);
        let words: Vec<ValueId> = (0..wide as usize)
            .step_by(step as usize)
            .flat_map(|first| {
                let [even, odd] = [first, first + 1].map(|first| &slots[first..first + step as usize]);
                select(builder, is_even, even, odd)
            })
            .collect();
        vector(builder, &words)
    }

    /// What lies in front of the first whole access of a row, and behind its last one, goes one element at a time.
    fn move_ends(&self, builder: &mut Builder<'_>, cx: &Cx<'_>) {
        let mut extents = self.layout.undistributed_shape();
        *extents.last_mut().expect("there are columns") = self.cells.wide;
        let (threads, half) = (cx.launch.workgroup_size, cx.launch.workgroup_size / 2);
        let halves = (half > 0).then(|| dealt(half, &extents, 1)).filter(|layout| layout.n_lanes() * 2 == threads);
        let Some(layout) = halves else {
            let layout = dealt(threads, &extents, 1);
            each(builder, cx, &layout, |builder, at| self.move_element(builder, at, false));
            each(builder, cx, &layout, |builder, at| self.move_element(builder, at, true));
            return;
        };
        // One half of the threads has what is in front, the other one what is behind.
        let half = builder.index(half);
        let is_first = code::compare(builder, code::LESS, cx.thread, half);
        let part = |builder: &mut Builder<'_>, is_last: bool| {
            each_of(builder, cx, &layout, |builder, at| self.move_element(builder, at, is_last));
        };
        code::branch(builder, is_first, |builder| part(builder, false), |builder| part(builder, true));
    }

    /// One of the first or the last elements of a row, if no whole access has it.
    fn move_element(&self, builder: &mut Builder<'_>, at: &[ValueId], is_last: bool) {
        let Cells { buffer, wide, .. } = self.cells;
        let (&place, at) = at.split_last().expect("there are columns");
        let row = self.row(builder, at);
        let end = self.end(builder);
        // What lies in front of the first multiple.
        let negative = builder.apply(linear(&[-1], 0), &[row.behind]);
        let in_front = rest(builder, negative, wide);
        let (column, conditions) = if is_last {
            let column = builder.apply(linear(&[1, 1], -wide), &[end, place]);
            let next = builder.apply(linear(&[1], 1), &[column]);
            // What lies behind the last multiple.
            let sum = builder.apply(linear(&[1, 1], 0), &[end, row.behind]);
            let behind = rest(builder, sum, wide);
            let last = builder.apply(linear(&[1, 1], 1 - wide), &[place, behind]);
            let zero = builder.index(0);
            (column, [[in_front, next], [zero, last]])
        } else {
            (place, [[place, in_front], [place, end]])
        };
        let condition = conditions.into_iter().fold(row.inside, |condition, [lhs, rhs]| {
            let below = code::compare(builder, code::LESS, lhs, rhs);
            Some(threads::both(builder, condition, below))
        });
        code::when(builder, condition.expect("there are conditions"), |builder| {
            let first = self.first_cell(builder, &row);
            let cell = builder.apply(linear(&[1, 1], 0), &[first, column]);
            let elem = builder.ir.elem_of(buffer);
            let value = builder.value(Opcode::MemrefLoad, &[buffer, cell], elem, &[]);
            let at = builder.apply(linear(&[1, 1], 0), &[row.start, column]);
            builder.op(Opcode::MemrefStore, &[value, self.flat, at], &[], &[]);
        });
    }

    /// The column of the first access that lies in the row as a whole: the accesses count from where the row would begin.
    fn first_whole(&self, builder: &mut Builder<'_>, row: &Row) -> ValueId {
        let wide = self.cells.wide;
        let first = Expr::binary(BinOp::CeilDiv, Expr::Dim(0), Expr::Const(wide));
        let results = vec![Expr::binary(BinOp::Mul, first, Expr::Const(wide))];
        builder.apply(Map { dims: 1, syms: 0, results }, &[row.behind])
    }

    /// Behind the last column that is in memory.
    fn end(&self, builder: &mut Builder<'_>) -> ValueId {
        let columns = self.layout.undistributed_shape().pop().expect("there are columns");
        self.end.unwrap_or_else(|| builder.index(columns))
    }
}

/// A layout in which each of so many threads has, of rows that follow one another, runs of neighbours at one place.
fn dealt(threads: i64, extents: &[i64], run: i64) -> Nested {
    let (rows, last) = (extents.len() - 2, extents.len() - 1);
    let mut tile = vec![1; extents.len()];
    tile[last] = run;
    let each = extents.iter().product::<i64>() / run / threads;
    while 2 * tile[rows] <= each && extents[rows] % (2 * tile[rows]) == 0 {
        tile[rows] *= 2;
    }
    Nested::dealt(threads, extents, &tile).expect("tiles divide the extents")
}

/// Does `f` at the places of all that a thread has by a layout, neighbours in a row together, if no other thread has it.
fn each(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, f: impl FnMut(&mut Builder<'_>, &[ValueId])) {
    let is_writer = threads::is_writer(builder, cx, layout).expect("threads are dealt in order");
    match is_writer {
        None => each_of(builder, cx, layout, f),
        Some(is_writer) => code::when(builder, is_writer, |builder| each_of(builder, cx, layout, f)),
    }
}

fn each_of(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, mut f: impl FnMut(&mut Builder<'_>, &[ValueId])) {
    let (rank, rows) = (layout.rank(), layout.rank() - 2);
    for at in memory::tiles(layout) {
        for row in 0..layout.element_tile[rows] {
            let places: Vec<ValueId> = (0..rank)
                .map(|d| {
                    let element = builder.index(if d == rows { row } else { 0 });
                    threads::coordinate(builder, cx, layout, d, [at[d], at[rank + d]], element)
                })
                .collect();
            f(builder, &places);
        }
    }
}

/// A sum of so many dimensions with factors, and a number.
fn linear(factors: &[i64], number: i64) -> Map {
    let term = |(d, &factor): (usize, &i64)| Expr::binary(BinOp::Mul, Expr::Dim(d as u32), Expr::Const(factor));
    let sum =
        factors.iter().enumerate().map(term).fold(Expr::Const(number), |sum, term| Expr::binary(BinOp::Add, sum, term));
    Map { dims: factors.len() as u32, syms: 0, results: vec![sum] }
}

/// The last multiple of a number up to a sum of two.
fn whole(builder: &mut Builder<'_>, of: i64, terms: [ValueId; 2]) -> ValueId {
    let sum = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Dim(1));
    let whole = Expr::binary(BinOp::FloorDiv, sum, Expr::Const(of));
    let results = vec![Expr::binary(BinOp::Mul, whole, Expr::Const(of))];
    builder.apply(Map { dims: 2, syms: 0, results }, &terms)
}

/// The remainder of a number.
fn rest(builder: &mut Builder<'_>, value: ValueId, of: i64) -> ValueId {
    let results = vec![Expr::binary(BinOp::Mod, Expr::Dim(0), Expr::Const(of))];
    builder.apply(Map { dims: 1, syms: 0, results }, &[value])
}
