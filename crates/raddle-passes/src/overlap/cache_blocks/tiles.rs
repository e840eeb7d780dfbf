//! Products in tile registers: the sums of a tile are some of them, at most 16 x 16 words each.
//!
//! Before: `%sum = contract (read strip[k]), (read panel[x, k]), %sum : vector<32x32xf32>` for each step of k
//! After:  four registers of sums, carried by the loop over k, which reads two of rows and two of columns in each step
//!
//! The sums lie in memory of the workgroup behind the loop, and become vectors there: what the program does with them is
//! done once the last part of k is summed.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, TileRegister, Transfer};
use raddle_ir::{Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId, ValueMap};

use super::{Block, all_again, take};
use crate::code::edges::choose;
use crate::code::{EQUAL, compare, is_zeros};
use crate::overlap::without_layout;
use crate::structured::sizes::mixed_extent;

/// Rows that lie in a buffer at one distance.
struct Rows {
    /// The whole buffer, row-major.
    buffer: ValueId,
    offset: i64,
    /// How far neighbours along each dimension of what is accessed lie apart.
    strides: Vec<i64>,
    /// The same of the rows.
    stride: i64,
}

impl Rows {
    /// Of an access to a tile of this shape, whose last dimension lies along memory.
    fn of(ir: &Ir, view: &Transfer, tile: &[i64]) -> Option<Rows> {
        let (strides, dims) = (ir.strides(view.base)?, view.map.as_dims()?);
        let mut long = (0..tile.len() - 1).filter(|&d| tile[d] > 1);
        let stride = long.next().map_or(0, |d| strides[dims[d]]);
        let (buffer, offset) = match ir.def(view.base) {
            Def::Arg { .. } => (view.base, 0),
            Def::Result { op, .. } if ir.opcode(op) == Opcode::MemrefReinterpretCast => {
                let offset = ir.ints(ir.attr_id(op, "static_offsets")?)?;
                (ir.operand(op, 0), *offset.first()?)
            }
            Def::Result { .. } => return None,
        };
        let Type::MemRef { shape, layout: None, .. } = ir.ty(buffer) else { return None };
        let is_row = long.next().is_none() && strides[*dims.last()?] == 1 && view.mask.is_none();
        let is_known = offset != DYNAMIC && !strides.contains(&DYNAMIC);
        let is_open = shape.iter().filter(|&&extent| extent == DYNAMIC).count() > 1;
        (is_row && is_known && !is_open).then_some(Rows { buffer, offset, strides, stride })
    }

    fn of_read(ir: &Ir, read: OpId) -> Option<Rows> {
        Rows::of(ir, &Transfer::of(ir, read), ir.shape_of(ir.result(read, 0)))
    }

    /// The first element of an access at these indices.
    fn start(&self, builder: &mut Builder<'_>, indices: &[ValueId]) -> ValueId {
        linear(builder, indices, &self.strides, self.offset)
    }
}

/// Whether tile registers may read rows where a read finds them.
pub fn lie_in_rows(ir: &Ir, read: OpId) -> bool {
    Transfer::of(ir, read).in_bounds.last() == Some(&true) && Rows::of_read(ir, read).is_some()
}

/// A buffer as one row of its elements.
pub fn flat(builder: &mut Builder<'_>, buffer: ValueId) -> ValueId {
    let Type::MemRef { shape, elem, space, .. } = builder.ir.ty(buffer).clone() else {
        panic!("a product's operands lie in buffers")
    };
    let known = shape.iter().filter(|&&extent| extent != DYNAMIC).product();
    let size = match shape.iter().position(|&extent| extent == DYNAMIC) {
        None => Mixed::Static(known),
        Some(open) => {
            let extent = mixed_extent(builder, buffer, open).materialize(builder);
            let known = builder.index(known);
            Mixed::Value(builder.binary(Opcode::ArithMuli, extent, known))
        }
    };
    builder.reinterpret(buffer, Mixed::Static(0), &[size], &[Mixed::Static(1)], elem, space)
}

/// A sum of multiples of numbers, and a constant.
pub fn linear(builder: &mut Builder<'_>, numbers: &[ValueId], by: &[i64], constant: i64) -> ValueId {
    let term = |(at, &by): (usize, &i64)| Expr::binary(BinOp::Mul, Expr::Dim(at as u32), Expr::Const(by));
    let sum =
        by.iter().enumerate().map(term).fold(Expr::Const(constant), |sum, term| Expr::binary(BinOp::Add, sum, term));
    builder.apply(Map { dims: numbers.len() as u32, syms: 0, results: vec![sum] }, numbers)
}

/// Where the tile registers begin that an extent falls into, and how much of it each of them has.
pub fn pieces(extent: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..extent).step_by(TileRegister::MAX as usize).map(move |start| (start, TileRegister::MAX.min(extent - start)))
}

/// The type of a tile register.
pub fn register(builder: &mut Builder<'_>, shape: [i64; 2], elem: Scalar) -> TypeId {
    TileRegister { shape, elem }.ty(builder.ir)
}

/// The sums of a tile in memory: one place for each register, row by row.
pub struct Sums {
    memory: ValueId,
    places: Vec<(ValueId, TypeId)>,
    /// How far rows lie apart.
    apart: ValueId,
}

/// Words of a factor in a step: of rows, one row of the tile in each row of a buffer; of columns, one word of each there.
#[derive(Clone, Copy)]
pub struct Words {
    /// The buffer as one row of its elements, and the first of them.
    pub buffer: ValueId,
    pub start: ValueId,
    /// How far the buffer's rows lie apart.
    pub stride: i64,
    /// Rows or columns of the tile.
    pub extent: i64,
}

/// Adds the products of one step, of `k` words of rows and of columns, to sums.
pub fn add_products(builder: &mut Builder<'_>, k: i64, [rows, columns]: [Words; 2], sums: &[ValueId]) -> Vec<ValueId> {
    let load = |builder: &mut Builder<'_>, from: Words, by: i64, shape: [i64; 2]| {
        let ty = register(builder, shape, Scalar::Int(TileRegister::WORD));
        let (place, apart) = (linear(builder, &[from.start], &[1], by), builder.index(from.stride));
        builder.value(Opcode::RaddleTileLoad, &[from.buffer, place, apart], ty, &[])
    };
    let rows_of_tile = pieces(rows.extent).map(|(row, n)| load(builder, rows, row * rows.stride, [n, k]));
    let left: Vec<ValueId> = rows_of_tile.collect();
    let mut sums = sums.to_vec();
    let in_row = sums.len() / left.len();
    for (at, (column, n)) in pieces(columns.extent).enumerate() {
        let right = load(builder, columns, column, [k, n]);
        for (&left, sums) in left.iter().zip(sums.chunks_mut(in_row)) {
            let ty = builder.ir.type_of(sums[at]);
            sums[at] = builder.value(Opcode::RaddleTileDot, &[left, right, sums[at]], ty, &[]);
        }
    }
    sums
}

/// A tile of a block, in a part of the loop.
#[derive(Clone, Copy)]
pub struct Tile<'a> {
    /// What its coordinates are.
    pub map: &'a ValueMap,
    /// Its place in the block.
    pub at: [ValueId; 2],
    /// The part and how many there are, if there may be several.
    pub parts: Option<[ValueId; 2]>,
    /// The first step of the part, and how many it has.
    pub range: [ValueId; 2],
    /// Whether rows are read where they lie.
    pub direct: bool,
}

impl Block<'_> {
    /// One tile: the products of a part of the loop in tile registers. Their sums lie in the result if they are its elements
    /// and end inside; others do in memory of their own, and become of them what the program says behind the last part.
    pub fn tile_in_registers(&self, builder: &mut Builder<'_>, tile: Tile<'_>) {
        let Some((write, rows)) = self.result_rows(builder.ir) else { return self.tile_in_own_memory(builder, tile) };
        let view = Transfer::of(builder.ir, write);
        let in_result = |builder: &mut Builder<'_>| {
            self.prefetch(builder, tile.map);
            let indices = all_again(builder, &mut tile.map.clone(), &view.indices);
            let start = rows.start(builder, &indices);
            let shape = self.height_and_width(builder.ir);
            let memory = flat(builder, rows.buffer);
            let sums = Sums::at(builder, memory, start, shape, rows.stride);
            self.add_part(builder, tile, &sums);
        };
        let shape = builder.ir[self.product.acc].shape().unwrap_or_default().to_vec();
        let in_bounds = self.in_bounds(builder.ir, &view, tile.direct);
        let Some(inside) = self.ends_inside(builder, tile.map, &view, &shape, &in_bounds) else {
            return in_result(builder);
        };
        choose(builder, inside, &[], |builder, inside| {
            if inside {
                in_result(builder);
            } else {
                self.tile_in_own_memory(builder, tile);
            }
            Vec::new()
        });
    }

    /// The write of the result, if it writes nothing but the sums, to rows.
    fn result_rows(&self, ir: &Ir) -> Option<(OpId, Rows)> {
        let write = self.product.in_place.filter(|_| self.product.writes.len() == 1)?;
        let view = Transfer::of(ir, write);
        let sums = without_layout(ir, view.vector?);
        let is_sum = sums == ir.result(self.product.loop_op, 0) && is_zeros(ir, ir.operand(self.product.loop_op, 3));
        is_sum.then_some((write, Rows::of(ir, &view, ir[self.product.acc].shape()?)?))
    }

    fn tile_in_own_memory(&self, builder: &mut Builder<'_>, tile: Tile<'_>) {
        let at = if tile.parts.is_some() { tile.at } else { [self.zero; 2] };
        let memory = self.sums.expect("sums of tile registers have memory of their own");
        let [height, width] = self.height_and_width(builder.ir);
        let size = height * width;
        let by = [builder.ir.shape_of(memory)[1] * size, size];
        let (row, start) = (flat(builder, memory), linear(builder, &at, &by, 0));
        let sums = Sums::at(builder, row, start, [height, width], width);
        self.add_part(builder, tile, &sums);
        let end = |builder: &mut Builder<'_>| {
            let mut map = tile.map.clone();
            let sum = take(builder, memory, &at, self.zero);
            let sum = self.with_init(builder, &mut map, sum);
            self.finish(builder, &map, sum, tile.direct);
        };
        let Some([part, n_parts]) = tile.parts else { return end(builder) };
        let next = builder.binary(Opcode::ArithAddi, part, self.one);
        let last = compare(builder, EQUAL, next, n_parts);
        choose(builder, last, &[], |builder, is_last| {
            if is_last {
                end(builder);
            }
            Vec::new()
        });
    }

    /// Adds the products of a part to what the parts before have left.
    fn add_part(&self, builder: &mut Builder<'_>, tile: Tile<'_>, sums: &Sums) {
        let is_first = tile.parts.map(|[part, _]| compare(builder, EQUAL, part, self.zero));
        let inits = sums.begin_part(builder, is_first);
        let [height, width] = self.height_and_width(builder.ir);
        let k = *self.product.rows.0.shape.last().expect("rows of words lie along k");
        let panel = self.panel.expect("words are packed");
        let by = [builder.ir.shape_of(panel)[1] * k * width, k * width];
        let panel = flat(builder, panel);
        let op = builder.for_loop(self.zero, tile.range[1], self.one, &inits, |builder, step, carried| {
            let rows = self.rows_at(builder, tile, step, height);
            let start = linear(builder, &[tile.at[1], step], &by, 0);
            let columns = Words { buffer: panel, start, stride: width, extent: width };
            add_products(builder, k, [rows, columns], carried)
        });
        let totals: Vec<ValueId> = builder.ir.results(op).collect();
        sums.end(builder, &totals);
    }

    /// Rows and columns of a tile.
    fn height_and_width(&self, ir: &Ir) -> [i64; 2] {
        let shape = ir[self.product.acc].shape().unwrap_or_default();
        let width = *shape.last().expect("sums are vectors");
        [shape.iter().product::<i64>() / width, width]
    }

    /// The rows of a step, in place or in the strip.
    fn rows_at(&self, builder: &mut Builder<'_>, tile: Tile<'_>, step: ValueId, extent: i64) -> Words {
        let rows = &self.product.rows.0;
        let Some(read) = rows.direct.filter(|_| tile.direct) else {
            let start = linear(builder, &[step], &[rows.shape.iter().product()], 0);
            let stride = *rows.shape.last().expect("rows of words lie along k");
            return Words { buffer: flat(builder, self.strip), start, stride, extent };
        };
        let mut map = tile.map.clone();
        self.set_index(builder, &mut map, tile.range[0], step);
        let found = Rows::of_read(builder.ir, read).expect("the rows are read where they lie");
        let view = Transfer::of(builder.ir, read);
        let indices = all_again(builder, &mut map, &view.indices);
        let start = found.start(builder, &indices);
        Words { buffer: flat(builder, found.buffer), start, stride: found.stride, extent }
    }
}

impl Sums {
    /// From an element of a row of elements on, so many rows and columns, the rows so far apart.
    pub fn at(
        builder: &mut Builder<'_>,
        memory: ValueId,
        start: ValueId,
        [height, width]: [i64; 2],
        apart: i64,
    ) -> Sums {
        let elem = builder.ir.elem_of(memory);
        let elem = Scalar::of(&builder.ir[elem]).expect("sums are numbers");
        let mut places = Vec::new();
        for (row, n_rows) in pieces(height) {
            for (column, n_columns) in pieces(width) {
                let place = linear(builder, &[start], &[1], row * apart + column);
                places.push((place, register(builder, [n_rows, n_columns], elem)));
            }
        }
        Sums { memory, places, apart: builder.index(apart) }
    }

    /// Leaves sums in memory.
    pub fn end(&self, builder: &mut Builder<'_>, totals: &[ValueId]) {
        for (&(place, _), &total) in self.places.iter().zip(totals) {
            builder.op(Opcode::RaddleTileStore, &[total, self.memory, place, self.apart], &[], &[]);
        }
    }

    /// Zeros, or what is there.
    pub fn begin(&self, builder: &mut Builder<'_>, are_zeros: bool) -> Vec<ValueId> {
        let begin = |&(place, ty): &(ValueId, TypeId)| match are_zeros {
            true => builder.value(Opcode::RaddleTileZero, &[], ty, &[]),
            false => builder.value(Opcode::RaddleTileLoad, &[self.memory, place, self.apart], ty, &[]),
        };
        self.places.iter().map(begin).collect()
    }

    /// Zeros, or from the second part on what the one before has left.
    fn begin_part(&self, builder: &mut Builder<'_>, is_first: Option<ValueId>) -> Vec<ValueId> {
        let Some(is_first) = is_first else { return self.begin(builder, true) };
        let types: Vec<TypeId> = self.places.iter().map(|&(_, ty)| ty).collect();
        let op = choose(builder, is_first, &types, |builder, is_first| self.begin(builder, is_first));
        builder.ir.results(op).collect()
    }
}
