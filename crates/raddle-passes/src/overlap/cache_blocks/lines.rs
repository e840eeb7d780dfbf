//! Columns that lie along k: packed by whole lines of the cache, of as many columns as a vector has elements.
//!
//! A step of the loop takes a few elements of each column, and the columns may lie a power of two apart, where a cache
//! has room for few of them: by steps, a line would be fetched for each step that it has elements of, and all columns of
//! a tile would be read at once, each from another page.
//!
//! While the tiles of a panel are computed, memory would wait: each of their steps brings some lines of the panel behind it,
//! in the same part of the loop or, behind the last part, of the next columns.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, Transfer};
use raddle_ir::{Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};

use super::{Block, Part, Product, again, all_again, at_tile, direct};
use crate::code::edges::choose;
use crate::code::{EQUAL, LESS, compare, select};
use crate::overlap::ahead::{LINE, prefetch};

/// Lines that a step of a tile brings of the next panel.
const BROUGHT: i64 = 2;

/// How the columns of a product are packed by lines.
pub struct Lines {
    /// The read of a tile.
    read: OpId,
    /// The dimension of the tile that columns are counted along; k is the last one.
    column: usize,
    /// The order of the dimensions of a packed tile.
    order: Vec<usize>,
    /// Columns that are packed at once.
    lanes: i64,
    /// Elements along k that are packed at once: a line of what is packed, which is f32 for halves, or words.
    length: i64,
    /// Elements of a word, or one.
    each: i64,
    /// Steps of the loop that these are.
    pub steps: i64,
    /// The first step from which on a line may end beyond memory, if there is one.
    end: Option<i64>,
}

impl Lines {
    /// Whether a product has such columns; `lanes` are those of a vector.
    pub fn of(ir: &Ir, product: &Product, lanes: i64) -> Option<Lines> {
        let factor = &product.columns.0;
        let [level] = &product.nest[..] else { return None };
        let read = direct(ir, factor.value, level.index)?;
        let view = Transfer::of(ir, read);
        let tile = ir.shape_of(factor.value);
        let k = tile.len().checked_sub(1)?;
        let (order, each) = match (&product.words, &factor.turn) {
            // Sums of columns go by steps, and so does what is widened.
            (Some(words), _) if !words.are_plain(ir, factor.value) => return None,
            (Some(words), _) => ([k].into_iter().chain(0..k).collect(), words.dot.parts()),
            (None, Some(order)) => (order.clone(), 1),
            (None, None) => return None,
        };
        let column = *order.last()?;
        let others = (0..k).filter(|&d| d != column).all(|d| tile[d] == 1);
        let length = each * LINE / Scalar::of(&ir[factor.elem])?.bytes() as i64;
        let steps = length / product.step;
        let Mixed::Static(upper) = product.upper else { return None };
        let in_memory = ir.shape_of(view.base)[view.map.as_dims()?[k]];
        let all = upper - product.lower;
        let end = match all % length {
            0 if view.in_bounds[k] => None,
            _ if in_memory == DYNAMIC || all < length => return None,
            _ => Some((in_memory - product.lower - length).div_euclid(product.step) + 1),
        };
        let whole = tile[k] == product.step && length % product.step == 0;
        let fits = column != k && others && tile[column] % lanes == 0;
        (whole && fits && steps > 1).then_some(Lines { read, column, order, lanes, length, each, steps, end })
    }
}

/// Where a tile of the next panel lies, of which another tile brings lines.
pub struct Next<'a> {
    lines: &'a Lines,
    /// What its coordinates are.
    map: ValueMap,
    /// The first step of its part.
    first: ValueId,
    /// The first of the columns that are brought.
    column: ValueId,
}

impl Block<'_> {
    /// The tile of the next panel that stands where column tile `x` does in this one. Tiles of rows bring columns of it in
    /// their order.
    pub fn next_panel<'a>(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        lines: &'a Lines,
        [y, x]: [ValueId; 2],
        part: Part,
    ) -> Next<'a> {
        let [column, n_columns] = self.columns;
        let [mut first, mut column] = [self.zero, builder.binary(Opcode::ArithAddi, column, n_columns)];
        if let Some([number, n_parts]) = part.number {
            let next = builder.binary(Opcode::ArithAddi, number, self.one);
            let last = compare(builder, EQUAL, next, n_parts);
            let behind = builder.binary(Opcode::ArithAddi, part.range[0], part.range[1]);
            first = select(builder, last, first, behind);
            column = select(builder, last, column, self.columns[0]);
        }
        let map = at_tile(builder, self.product, map, self.product.columns.1.as_slice(), [column, x]);
        let each = BROUGHT * lines.steps;
        let width = builder.ir.shape_of(self.product.columns.0.value)[lines.column];
        let turn = Expr::binary(BinOp::Mod, Expr::Dim(0), Expr::Const((width / each).max(1)));
        let expr = Expr::binary(BinOp::Mul, turn, Expr::Const(each));
        let column = builder.apply(Map { dims: 1, syms: 0, results: vec![expr] }, &[y]);
        Next { lines, map, first, column }
    }

    /// Brings the lines of a step: those of other columns in each of the steps that have elements of a line.
    pub fn bring_lines(&self, builder: &mut Builder<'_>, next: &Next<'_>, step: ValueId) {
        let (lines, mut map) = (next.lines, next.map.clone());
        self.set_index(builder, &mut map, next.first, step);
        let view = Transfer::of(builder.ir, lines.read);
        let along = view.map.as_dims().expect("it lies along dimensions");
        let mut indices = all_again(builder, &mut map, &view.indices);
        let base = again(builder, &mut map, view.base);
        let of_line = Expr::binary(BinOp::Mod, Expr::Dim(0), Expr::Const(lines.steps));
        let expr = Expr::binary(BinOp::Mul, of_line, Expr::Const(BROUGHT));
        let expr = Expr::binary(BinOp::Add, expr, Expr::Dim(1));
        let column = builder.apply(Map { dims: 2, syms: 0, results: vec![expr] }, &[step, next.column]);
        let place = &mut indices[along[lines.column]];
        *place = builder.binary(Opcode::ArithAddi, *place, column);
        let mut tile = vec![1; along.len()];
        tile[lines.column] = BROUGHT;
        prefetch(builder, &view, base, &indices, &tile, false, 2);
    }

    /// Copies a tile of columns for a range of steps, which is whole lines.
    pub fn pack_lines(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        lines: &Lines,
        range: [ValueId; 2],
        to: [ValueId; 2],
    ) {
        let pack = |builder: &mut Builder<'_>, inside: bool| {
            self.groups_of_columns(builder, map, lines, range, to, inside);
            Vec::new()
        };
        // k is asked for line by line.
        match self.is_inside(builder, map, lines.read, 1) {
            None => drop(pack(builder, true)),
            Some(inside) => drop(choose(builder, inside, &[], pack)),
        }
    }

    fn groups_of_columns(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        lines: &Lines,
        [first, n_steps]: [ValueId; 2],
        [panel, lead]: [ValueId; 2],
        inside: bool,
    ) {
        let factor = &self.product.columns.0;
        let tile = builder.ir.shape_of(factor.value).to_vec();
        let (rank, own) = (tile.len(), builder.ir.elem_of(factor.value));
        let [n, lanes, steps] = [tile[lines.column], lines.lanes, lines.steps].map(|number| builder.index(number));
        let mut shape = tile;
        (shape[lines.column], shape[rank - 1]) = (lines.lanes, lines.length);
        let ty = builder.ir.vector_type(&shape, own);
        shape[rank - 1] /= lines.each;
        let packed = builder.ir.vector_type(&shape, factor.elem);
        let view = Transfer::of(builder.ir, lines.read);
        let along = view.map.as_dims().expect("it lies along dimensions");
        let mut in_bounds: Vec<bool> = view.in_bounds.iter().map(|&ends| ends || inside).collect();
        // Where k lies in a packed tile.
        let k = lines.order.iter().position(|&d| d + 1 == rank).expect("k is a dimension");
        builder.for_loop(self.zero, n, lanes, &[], |builder, column, _| {
            builder.for_loop(self.zero, n_steps, steps, &[], |builder, at, _| {
                let mut pack = |builder: &mut Builder<'_>, ends_inside: bool| {
                    in_bounds[rank - 1] = ends_inside;
                    let mut map = map.clone();
                    self.set_index(builder, &mut map, first, at);
                    let mut indices = all_again(builder, &mut map, &view.indices);
                    let place = &mut indices[along[lines.column]];
                    *place = builder.binary(Opcode::ArithAddi, *place, column);
                    let (base, padding) = (again(builder, &mut map, view.base), builder.splat(0.0, own));
                    let mut part = builder.transfer_read(base, &indices, padding, view.map.clone(), &in_bounds, ty);
                    if own != factor.elem {
                        let opcode = if lines.each > 1 { Opcode::VectorBitcast } else { Opcode::ArithExtf };
                        part = builder.value(opcode, &[part], packed, &[]);
                    }
                    let part = builder.transpose(part, &lines.order);
                    let of_step = self.product.step / lines.each;
                    for element in 0..lines.length / lines.each {
                        let mut of_part = vec![0; rank - 1];
                        of_part[k] = element;
                        let row = builder.extract(part, &of_part);
                        let step = builder.index(element / of_step);
                        let step = builder.binary(Opcode::ArithAddi, at, step);
                        let mut to = [&[lead, step][..], &vec![self.zero; rank]].concat();
                        to[2 + k] = builder.index(element % of_step);
                        to[1 + rank] = column;
                        let map = Map::of_dims(rank + 2, &[rank + 1]);
                        builder.transfer_write(row, panel, &to, map, &[true]);
                    }
                    Vec::new()
                };
                let Some(end) = lines.end else { return pack(builder, true) };
                let (step, end) = (builder.binary(Opcode::ArithAddi, first, at), builder.index(end));
                let ends_inside = compare(builder, LESS, step, end);
                choose(builder, ends_inside, &[], pack);
                Vec::new()
            });
            Vec::new()
        });
    }
}
