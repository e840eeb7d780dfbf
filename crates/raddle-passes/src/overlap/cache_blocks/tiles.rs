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
fn flat(builder: &mut Builder<'_>, buffer: ValueId) -> ValueId {
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

/// What a value is, whatever its layout.
pub fn without_layout(ir: &Ir, mut value: ValueId) -> ValueId {
    while let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::IreeVectorExtToLayout) {
        value = ir.operand(op, 0);
    }
    value
}

/// A sum of multiples of numbers, and a constant.
fn linear(builder: &mut Builder<'_>, numbers: &[ValueId], by: &[i64], constant: i64) -> ValueId {
    let term = |(at, &by): (usize, &i64)| Expr::binary(BinOp::Mul, Expr::Dim(at as u32), Expr::Const(by));
    let sum =
        by.iter().enumerate().map(term).fold(Expr::Const(constant), |sum, term| Expr::binary(BinOp::Add, sum, term));
    builder.apply(Map { dims: numbers.len() as u32, syms: 0, results: vec![sum] }, numbers)
}

/// Where the tile registers begin that an extent falls into, and how much of it each of them has.
fn pieces(extent: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..extent).step_by(TileRegister::MAX as usize).map(move |start| (start, TileRegister::MAX.min(extent - start)))
}

/// The type of a tile register.
fn register(builder: &mut Builder<'_>, shape: [i64; 2], elem: Scalar) -> TypeId {
    TileRegister { shape, elem }.ty(builder.ir)
}

/// The sums of a tile in memory: one place for each register, row by row.
struct Sums {
    memory: ValueId,
    places: Vec<(ValueId, TypeId)>,
    /// How far rows lie apart.
    apart: ValueId,
}

impl Block<'_> {
    /// One tile: the products of a part of the loop in tile registers. Their sums lie in the result if they are its elements
    /// and end inside; others do in memory of their own, and become of them what the program says behind the last part.
    pub fn tile_in_registers(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        at: [ValueId; 2],
        parts: Option<[ValueId; 2]>,
        range: [ValueId; 2],
        direct: bool,
    ) {
        let own = |builder: &mut Builder<'_>| self.tile_in_own_memory(builder, map, at, parts, range, direct);
        let Some((write, rows)) = self.result_rows(builder.ir) else { return own(builder) };
        let in_result = |builder: &mut Builder<'_>| {
            self.prefetch(builder, map);
            let view = Transfer::of(builder.ir, write);
            let indices = all_again(builder, &mut map.clone(), &view.indices);
            let start = rows.start(builder, &indices);
            let [height, width] = self.height_and_width(builder.ir);
            let memory = flat(builder, rows.buffer);
            let sums = Sums::at(builder, memory, start, [height, width], rows.stride);
            self.add_part(builder, map, &sums, at[1], parts, range, direct);
        };
        let view = Transfer::of(builder.ir, write);
        let tile = builder.ir[self.product.acc].shape().unwrap_or_default().to_vec();
        let in_bounds = self.in_bounds(builder.ir, &view, direct);
        match self.ends_inside(builder, map, &view, &tile, &in_bounds) {
            None => in_result(builder),
            Some(inside) => {
                choose(builder, inside, &[], |builder, inside| {
                    if inside {
                        in_result(builder)
                    } else {
                        own(builder)
                    }
                    Vec::new()
                });
            }
        }
    }

    /// The write of the result, if it writes nothing but the sums, to rows.
    fn result_rows(&self, ir: &Ir) -> Option<(OpId, Rows)> {
        let write = self.product.in_place.filter(|_| self.product.writes.len() == 1)?;
        let view = Transfer::of(ir, write);
        let sums = without_layout(ir, view.vector?);
        let is_sum = sums == ir.result(self.product.loop_op, 0) && is_zeros(ir, ir.operand(self.product.loop_op, 3));
        is_sum.then_some((write, Rows::of(ir, &view, ir[self.product.acc].shape()?)?))
    }

    fn tile_in_own_memory(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        [y, x]: [ValueId; 2],
        parts: Option<[ValueId; 2]>,
        range: [ValueId; 2],
        direct: bool,
    ) {
        let at = if parts.is_some() { [y, x] } else { [self.zero; 2] };
        let memory = self.sums.expect("sums of tile registers have memory of their own");
        let [height, width] = self.height_and_width(builder.ir);
        let size = height * width;
        let by = [builder.ir.shape_of(memory)[1] * size, size];
        let (row, start) = (flat(builder, memory), linear(builder, &at, &by, 0));
        let sums = Sums::at(builder, row, start, [height, width], width);
        self.add_part(builder, map, &sums, x, parts, range, direct);
        let end = |builder: &mut Builder<'_>| {
            let mut map = map.clone();
            let sum = take(builder, memory, &at, self.zero);
            let sum = self.with_init(builder, &mut map, sum);
            self.finish(builder, &map, sum, direct);
        };
        let Some([part, n_parts]) = parts else { return end(builder) };
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
    fn add_part(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        sums: &Sums,
        x: ValueId,
        parts: Option<[ValueId; 2]>,
        range: [ValueId; 2],
        direct: bool,
    ) {
        let is_first = parts.map(|[part, _]| compare(builder, EQUAL, part, self.zero));
        let inits = sums.begin(builder, is_first);
        let totals = self.add_dots(builder, map, x, range, direct, &inits);
        for (&(place, _), total) in sums.places.iter().zip(totals) {
            builder.op(Opcode::RaddleTileStore, &[total, sums.memory, place, sums.apart], &[], &[]);
        }
    }

    /// Rows and columns of a tile.
    fn height_and_width(&self, ir: &Ir) -> [i64; 2] {
        let shape = ir[self.product.acc].shape().unwrap_or_default();
        let width = *shape.last().expect("sums are vectors");
        [shape.iter().product::<i64>() / width, width]
    }

    /// Adds the products of a range of steps to sums.
    fn add_dots(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        x: ValueId,
        [first, n_steps]: [ValueId; 2],
        direct: bool,
        inits: &[ValueId],
    ) -> Vec<ValueId> {
        let [height, width] = self.height_and_width(builder.ir);
        let k = *self.product.rows.0.shape.last().expect("rows of words lie along k");
        let word = Scalar::Int(TileRegister::WORD);
        let right = register(builder, [k, TileRegister::MAX], word);
        let by = [builder.ir.shape_of(self.panel)[1] * k * width, k * width];
        let (panel, between_columns) = (flat(builder, self.panel), builder.index(width));
        let op = builder.for_loop(self.zero, n_steps, self.one, inits, |builder, step, carried| {
            let (buffer, start, stride) = self.rows_at(builder, map, direct, first, step);
            let between_rows = builder.index(stride);
            let load = |builder: &mut Builder<'_>, (row, n): (i64, i64)| {
                let (place, left) = (linear(builder, &[start], &[1], row * stride), register(builder, [n, k], word));
                builder.value(Opcode::RaddleTileLoad, &[buffer, place, between_rows], left, &[])
            };
            let rows: Vec<ValueId> = pieces(height).map(|piece| load(builder, piece)).collect();
            let mut sums = carried.to_vec();
            let in_row = sums.len() / rows.len();
            for (at, (column, _)) in pieces(width).enumerate() {
                let place = linear(builder, &[x, step], &by, column);
                let column = builder.value(Opcode::RaddleTileLoad, &[panel, place, between_columns], right, &[]);
                for (&row, sums) in rows.iter().zip(sums.chunks_mut(in_row)) {
                    let ty = builder.ir.type_of(sums[at]);
                    sums[at] = builder.value(Opcode::RaddleTileDot, &[row, column, sums[at]], ty, &[]);
                }
            }
            sums
        });
        builder.ir.results(op).collect()
    }

    /// Where the rows of a step lie, in place or in the strip: the buffer, the first element, and the distance of rows.
    fn rows_at(
        &self,
        builder: &mut Builder<'_>,
        map: &ValueMap,
        direct: bool,
        first: ValueId,
        step: ValueId,
    ) -> (ValueId, ValueId, i64) {
        let rows = &self.product.rows.0;
        let Some(read) = rows.direct.filter(|_| direct) else {
            let start = linear(builder, &[step], &[rows.shape.iter().product()], 0);
            return (flat(builder, self.strip), start, *rows.shape.last().expect("rows of words lie along k"));
        };
        let mut map = map.clone();
        self.set_index(builder, &mut map, first, step);
        let found = Rows::of_read(builder.ir, read).expect("the rows are read where they lie");
        let view = Transfer::of(builder.ir, read);
        let indices = all_again(builder, &mut map, &view.indices);
        let start = found.start(builder, &indices);
        (flat(builder, found.buffer), start, found.stride)
    }
}

impl Sums {
    /// From an element of a row of elements on, so many rows and columns, the rows so far apart.
    fn at(builder: &mut Builder<'_>, memory: ValueId, start: ValueId, [height, width]: [i64; 2], apart: i64) -> Sums {
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

    /// Zeros, or from the second part on what the one before has left.
    fn begin(&self, builder: &mut Builder<'_>, is_first: Option<ValueId>) -> Vec<ValueId> {
        let begin = |builder: &mut Builder<'_>, is_first: bool| {
            let begin = |&(place, ty): &(ValueId, TypeId)| match is_first {
                true => builder.value(Opcode::RaddleTileZero, &[], ty, &[]),
                false => builder.value(Opcode::RaddleTileLoad, &[self.memory, place, self.apart], ty, &[]),
            };
            self.places.iter().map(begin).collect::<Vec<_>>()
        };
        let Some(is_first) = is_first else { return begin(builder, true) };
        let types: Vec<TypeId> = self.places.iter().map(|&(_, ty)| ty).collect();
        let op = choose(builder, is_first, &types, begin);
        builder.ir.results(op).collect()
    }
}
