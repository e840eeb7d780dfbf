//! Reads, writes, and changes of layout.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Transfer, minor_identity};
use raddle_ir::{Attr, Builder, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use super::{Cx, buffers, layout, part_type, refuse, threads, transposed};
use crate::code;
use crate::lay_out::mask_dims;

/// Bytes that one access moves and that are worth a question.
const WORDS: [i64; 3] = [4, 8, 16];

/// Every batch and outer position of a layout, row-major.
pub fn tiles(layout: &Nested) -> Vec<Vec<i64>> {
    positions(&[&layout.batch_tile[..], &layout.outer_tile].concat())
}

/// Every position in an array of these extents, row-major.
pub fn positions(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        all = all.into_iter().flat_map(|at: Vec<i64>| (0..extent).map(move |i| [&at[..], &[i]].concat())).collect();
    }
    all
}

/// Where the element tile at `at` starts in the base.
pub fn indices(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, layout: &Nested, at: &[i64]) -> Vec<ValueId> {
    let rank = layout.rank();
    let mut indices = view.indices.clone();
    for (d, expr) in view.map.results.iter().enumerate() {
        // A broadcast dimension is the constant 0: every thread reads the same place.
        if let Expr::Dim(p) = expr {
            let p = *p as usize;
            indices[p] = threads::coordinate(builder, cx, layout, d, [at[d], at[rank + d]], view.indices[p]);
        }
    }
    indices
}

/// One thread's part of a transfer's mask.
pub struct Mask {
    /// The part.
    pub part: ValueId,
    /// For each of its dimensions the dimension of the vector that is moved.
    pub dims: Vec<usize>,
}

impl Mask {
    /// The mask of the element tile at `at`.
    pub fn tile(&self, builder: &mut Builder<'_>, rank: usize, at: &[i64]) -> ValueId {
        // A mask has the batches and outers of the dimensions it lies along, in its own order.
        let batches = self.dims.iter().map(|&d| at[d]);
        let outers = self.dims.iter().map(|&d| at[rank + d]);
        let mut position: Vec<i64> = batches.chain(outers).collect();
        // A mask along none of them has one element, as a vector of one dimension or of none.
        if self.dims.is_empty() && !builder.ir.shape_of(self.part).is_empty() {
            position = vec![0, 0];
        }
        if position.is_empty() { self.part } else { builder.extract(self.part, &position) }
    }
}

/// One thread's part of what is read, an element tile at a time.
pub fn read(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, mask: Option<&Mask>, layout: &Nested) -> ValueId {
    let elem = builder.ir.elem_of(view.base);
    let whole = part_type(builder.ir, elem, layout);
    let tile = builder.ir.vector_type(&layout.element_tile, elem);
    let padding = view.padding.expect("reads have padding");
    let all = tiles(layout);
    let mut part = None;
    // Along dimensions that repeat one place, all tiles are the first one.
    let (rank, moving) = (layout.rank(), mask_dims(view));
    let divides = row_of(builder.ir, view, layout).map(|row| code::rows_divide(builder, view.base, row));
    let mut known: FxHashMap<Vec<i64>, ValueId> = FxHashMap::default();
    for at in &all {
        let place = moving.iter().flat_map(|&d| [at[d], at[rank + d]]).collect();
        let value = *known.entry(place).or_insert_with(|| {
            let indices = indices(builder, cx, view, layout, at);
            let mask = mask.map(|mask| mask.tile(builder, rank, at));
            let read = |builder: &mut Builder<'_>, is_whole: bool| {
                let value =
                    builder.transfer_read(view.base, &indices, padding, view.map.clone(), &view.in_bounds, tile);
                let op = builder.ir.def_op(value).expect("it was just made");
                if let Some(mask) = mask {
                    builder.ir.set_transfer_mask(op, mask);
                }
                if is_whole {
                    state_whole(builder.ir, op);
                }
                value
            };
            match divides {
                None => read(builder, false),
                Some(divides) => {
                    either(builder, divides, tile, |builder| read(builder, true), |builder| read(builder, false))
                }
            }
        });
        if all.len() == 1 {
            return builder.shape_cast(value, &layout.distributed_shape());
        }
        part = Some(put(builder, part, whole, value, at));
    }
    part.expect("a layout has at least one tile")
}

/// Puts an element tile into a part that grows tile by tile.
pub fn put(builder: &mut Builder<'_>, part: Option<ValueId>, whole: TypeId, tile: ValueId, at: &[i64]) -> ValueId {
    let into = part.unwrap_or_else(|| builder.splat(0.0, whole));
    let rank = builder.ir.shape_of(tile).len();
    builder.insert_strided_slice(tile, into, &[at, &vec![0; rank]].concat())
}

/// What threads write: their parts of a vector.
pub struct Piece<'a> {
    /// One thread's part.
    pub part: ValueId,
    /// Its layout.
    pub layout: &'a Nested,
    /// Which elements are written.
    pub mask: Option<&'a Mask>,
    /// The layout that tells which threads hold the part: its own, or that of the vector it is a part of.
    pub holders: &'a Nested,
    /// Where that does not tell, in which threads it is there.
    pub condition: Option<ValueId>,
}

impl<'a> Piece<'a> {
    /// All of a vector.
    pub fn all(part: ValueId, layout: &'a Nested) -> Piece<'a> {
        Piece { part, layout, mask: None, holders: layout, condition: None }
    }
}

/// Writes each thread's part, an element tile at a time, from one of the threads that hold it.
pub fn write(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, piece: &Piece<'_>) -> Result<(), String> {
    let is_writer = threads::is_writer(builder, cx, piece.holders)?;
    let condition = match piece.condition {
        None => is_writer,
        Some(condition) => Some(threads::both(builder, is_writer, condition)),
    };
    match condition {
        None => write_tiles(builder, cx, view, piece),
        Some(condition) => code::when(builder, condition, |inner| write_tiles(inner, cx, view, piece)),
    }
    Ok(())
}

/// What one arm of a branch computes where a condition holds, and the other one elsewhere.
pub fn either(
    builder: &mut Builder<'_>,
    condition: ValueId,
    ty: TypeId,
    yes: impl FnOnce(&mut Builder<'_>) -> ValueId,
    no: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    let op = builder.op(Opcode::ScfIf, &[condition], &[ty], &[]);
    let blocks = [(); 2].map(|()| {
        let region = builder.ir.add_region(op);
        builder.ir.add_block(region, &[])
    });
    let mut inner = Builder::at_end(builder.ir, blocks[0], builder.span);
    let value = yes(&mut inner);
    inner.op(Opcode::ScfYield, &[value], &[], &[]);
    let mut inner = Builder::at_end(builder.ir, blocks[1], builder.span);
    let value = no(&mut inner);
    inner.op(Opcode::ScfYield, &[value], &[], &[]);
    builder.ir.result(op, 0)
}

fn write_tiles(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, piece: &Piece<'_>) {
    let divides = row_of(builder.ir, view, piece.layout).map(|row| code::rows_divide(builder, view.base, row));
    for at in tiles(piece.layout) {
        let indices = indices(builder, cx, view, piece.layout, &at);
        let mask = piece.mask.map(|mask| mask.tile(builder, piece.layout.rank(), &at));
        let tile = if at.is_empty() { piece.part } else { builder.extract(piece.part, &at) };
        let write = |builder: &mut Builder<'_>| {
            let op = builder.transfer_write(tile, view.base, &indices, view.map.clone(), &view.in_bounds);
            if let Some(mask) = mask {
                builder.ir.set_transfer_mask(op, mask);
            }
            op
        };
        let write_whole = |builder: &mut Builder<'_>| {
            let op = write(builder);
            state_whole(builder.ir, op);
        };
        let write_any = |builder: &mut Builder<'_>| {
            write(builder);
        };
        match divides {
            None => write_any(builder),
            // Each tile for itself, so that it is not held while others are computed.
            Some(divides) => code::branch(builder, divides, write_whole, write_any),
        }
    }
}

/// The neighbours of an element tile, if one access moves them where only the run knows whether rows of memory begin at
/// multiples of so many.
fn row_of(ir: &Ir, view: &Transfer, layout: &Nested) -> Option<i64> {
    let last = ir.shape_of(view.base).len().checked_sub(1)?;
    let (&row, others) = layout.element_tile.split_last()?;
    let bytes = Scalar::of(&ir[ir.elem_of(view.base)])?.bytes() as i64;
    let fits = row > 1 && WORDS.contains(&(row * bytes)) && others.iter().all(|&n| n == 1);
    let along = matches!(view.map.results.last(), Some(Expr::Dim(dim)) if *dim as usize == last);
    let begins = code::is_multiple(ir, view.indices[last], row);
    (fits && along && begins && code::has_open_rows(ir, view.base)).then_some(row)
}

/// Says of an access that all rows of its memory begin, and end, at multiples of what it moves.
fn state_whole(ir: &mut Ir, access: OpId) {
    let unit = ir.intern(Attr::Unit);
    ir.set_attr(access, code::WHOLE_ROWS, unit);
}

/// One thread's part with one dimension for each of the vector's: its elements along it, in order.
pub fn unpacked(builder: &mut Builder<'_>, part: ValueId, layout: &Nested) -> ValueId {
    let part = regrouped(builder, part, &super::by_dimension(layout.rank()));
    builder.shape_cast(part, &layout.distributed_unpacked_shape())
}

/// The inverse of [`unpacked`].
pub fn packed(builder: &mut Builder<'_>, part: ValueId, layout: &Nested) -> ValueId {
    let rank = layout.rank();
    let tiles: Vec<i64> =
        (0..rank).flat_map(|d| [layout.batch_tile[d], layout.outer_tile[d], layout.element_tile[d]]).collect();
    let part = builder.shape_cast(part, &tiles);
    regrouped(builder, part, &super::inverse(&super::by_dimension(rank)))
}

/// `vector.transpose`; where only unit dimensions change places, the elements stay in order, and a new shape is enough.
fn regrouped(builder: &mut Builder<'_>, part: ValueId, perm: &[usize]) -> ValueId {
    let shape = builder.ir.shape_of(part);
    let moving: Vec<usize> = perm.iter().copied().filter(|&d| shape[d] != 1).collect();
    if moving.is_sorted() {
        let shape: Vec<i64> = perm.iter().map(|&d| shape[d]).collect();
        return builder.shape_cast(part, &shape);
    }
    transposed(builder, part, perm)
}

/// All of a buffer as a transfer would see it.
pub fn whole(builder: &mut Builder<'_>, base: ValueId) -> Transfer {
    let rank = builder.ir.shape_of(base).len();
    let zero = builder.index(0);
    let elem = builder.ir.elem_of(base);
    let padding = builder.splat(0.0, elem);
    Transfer {
        base,
        indices: vec![zero; rank],
        vector: None,
        padding: Some(padding),
        mask: None,
        map: minor_identity(rank, rank),
        in_bounds: vec![true; rank],
    }
}

/// In a loop, the last round's reads must be done before the buffers are written again.
pub fn start(builder: &mut Builder<'_>, cx: &mut Cx<'_>) {
    if cx.depth > 0 {
        cx.barrier(builder);
    }
}

/// A shared buffer of this shape for elements like those of `part`. Elements narrower than a byte take one.
pub fn staged(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    shape: &[i64],
    part: ValueId,
) -> Result<ValueId, Diag> {
    let elem = builder.ir.elem_of(part);
    let elem = carrier(builder.ir, elem)
        .ok_or_else(|| refuse(builder.ir, op, "its elements are of a type that cannot change threads"))?;
    buffers::take(builder, cx, op, shape, elem)
}

/// The type in which elements go from thread to thread: integers fill 1, 2, 4 or 8 bytes, and floats of less than a
/// byte are such integers.
pub fn carrier(ir: &mut Ir, elem: TypeId) -> Option<TypeId> {
    let bits = match Scalar::of(&ir[elem])? {
        Scalar::Int(bits) => bits.next_power_of_two().max(8),
        Scalar::Float(float) if float.bits() < 8 => 8,
        Scalar::Float(_) | Scalar::Index => return Some(elem),
    };
    (bits <= 64).then(|| ir.int_type(bits))
}

/// A part with its elements in a type that holds their bits, as [`carrier`] says.
pub fn carried(builder: &mut Builder<'_>, part: ValueId, elem: TypeId) -> ValueId {
    let own = builder.ir.elem_of(part);
    let part = match Scalar::of(&builder.ir[own]) {
        Some(Scalar::Float(float)) if own != elem => {
            let bits = builder.ir.int_type(float.bits());
            cast(builder, part, bits, Opcode::ArithBitcast)
        }
        _ => part,
    };
    cast(builder, part, elem, Opcode::ArithExtui)
}

/// The inverse of [`carried`].
pub fn uncarried(builder: &mut Builder<'_>, part: ValueId, elem: TypeId) -> ValueId {
    match Scalar::of(&builder.ir[elem]) {
        Some(Scalar::Float(float)) if builder.ir.elem_of(part) != elem => {
            let bits = builder.ir.int_type(float.bits());
            let part = cast(builder, part, bits, Opcode::ArithTrunci);
            cast(builder, part, elem, Opcode::ArithBitcast)
        }
        _ => cast(builder, part, elem, Opcode::ArithTrunci),
    }
}

/// Writes all of a vector into a buffer of [`staged`], and returns how to read it.
pub fn stage(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    op: OpId,
    buffer: ValueId,
    part: ValueId,
    layout: &Nested,
) -> Result<Transfer, Diag> {
    let view = whole(builder, buffer);
    stage_piece(builder, cx, op, &view, Piece::all(part, layout))?;
    Ok(view)
}

/// Writes a piece into a buffer of [`staged`].
pub fn stage_piece(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    op: OpId,
    view: &Transfer,
    mut piece: Piece<'_>,
) -> Result<(), Diag> {
    let elem = builder.ir.elem_of(view.base);
    piece.part = carried(builder, piece.part, elem);
    write(builder, cx, view, &piece).map_err(|why| refuse(builder.ir, op, why))
}

/// Reads a part of a buffer of [`staged`] as elements of type `elem`.
pub fn unstage(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, layout: &Nested, elem: TypeId) -> ValueId {
    let part = read(builder, cx, view, None, layout);
    uncarried(builder, part, elem)
}

/// One thread's part of a vector under another shape, through a buffer that is one row.
pub fn reshape(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    part: ValueId,
    [from, to]: [&Nested; 2],
) -> Result<ValueId, Diag> {
    if cx.depth > 0 {
        cx.barrier(builder);
    }
    let elem = builder.ir.elem_of(part);
    let buffer = staged(builder, cx, op, &[from.undistributed_shape().iter().product()], part)?;
    let view = whole(builder, buffer);
    let stored = builder.ir.elem_of(buffer);
    let out = carried(builder, part, stored);
    let is_writer = threads::is_writer(builder, cx, from).map_err(|why| refuse(builder.ir, op, why))?;
    let write_rows = |builder: &mut Builder<'_>| {
        for slot in rows(from) {
            let place = row(builder, cx, from, &slot);
            let values = builder.extract(out, &slot);
            let values = flat(builder, values);
            builder.transfer_write(values, buffer, &[place], view.map.clone(), &view.in_bounds);
        }
    };
    match is_writer {
        None => write_rows(builder),
        Some(condition) => code::when(builder, condition, write_rows),
    }
    cx.barrier(builder);
    let ty = part_type(builder.ir, stored, to);
    let (shape, padding) = (to.distributed_shape(), view.padding.expect("reads have padding"));
    let mut new = builder.splat(0.0, ty);
    for slot in rows(to) {
        let place = row(builder, cx, to, &slot);
        let n = shape.last().copied().unwrap_or(1);
        let row = builder.ir.vector_type(&[n], stored);
        let values = builder.transfer_read(buffer, &[place], padding, view.map.clone(), &view.in_bounds, row);
        let values = builder.shape_cast(values, &shape[slot.len()..]);
        new = if slot.is_empty() { values } else { builder.insert(values, new, &slot) };
    }
    Ok(uncarried(builder, new, elem))
}

/// Every position of one thread's part but for the elements of the last dimension, which lie in a row.
fn rows(layout: &Nested) -> Vec<Vec<i64>> {
    let mut shape = layout.distributed_shape();
    shape.pop();
    positions(&shape)
}

/// A vector as one dimension.
fn flat(builder: &mut Builder<'_>, values: ValueId) -> ValueId {
    let n = builder.ir.shape_of(values).iter().product();
    builder.shape_cast(values, &[n])
}

/// Where a row starts when the vector's elements are numbered row-major.
fn row(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested, slot: &[i64]) -> ValueId {
    let rank = layout.rank();
    let strides = code::extents::row_major(&layout.undistributed_shape());
    let mut place = builder.index(0);
    for d in 0..rank {
        let element = builder.index(slot.get(2 * rank + d).copied().unwrap_or(0));
        let at = threads::coordinate(builder, cx, layout, d, [slot[d], slot[rank + d]], element);
        let term = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(strides[d]));
        let results = vec![Expr::binary(BinOp::Add, term, Expr::Dim(1))];
        place = builder.apply(Map { dims: 2, syms: 0, results }, &[at, place]);
    }
    place
}

/// One element of a buffer of [`staged`], for everyone.
pub fn load(builder: &mut Builder<'_>, base: ValueId, indices: &[ValueId], elem: TypeId) -> ValueId {
    let stored = builder.ir.elem_of(base);
    let value = builder.value(Opcode::MemrefLoad, &[&[base], indices].concat(), stored, &[]);
    uncarried(builder, value, elem)
}

/// A value with elements of another type; itself if it has that type.
pub fn cast(builder: &mut Builder<'_>, part: ValueId, elem: TypeId, opcode: Opcode) -> ValueId {
    if builder.ir.elem_of(part) == elem {
        return part;
    }
    // A scalar becomes the type itself.
    let ty = builder.ir.type_of(part);
    let ty = builder.ir.with_elem(ty, elem);
    builder.value(opcode, &[part], ty, &[])
}

/// A change of layout inside each thread, or none at all.
pub fn to_layout(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, result)?);
    let part = cx.part(source);
    let part = relaid(builder, part, &from, &to);
    cx.map.set(result, part);
    Ok(())
}

/// A part in another order of its slots; see [`crate::lay_out::in_registers`].
pub fn relaid(builder: &mut Builder<'_>, part: ValueId, from: &Nested, to: &Nested) -> ValueId {
    if from == to {
        return part;
    }
    let part = unpacked(builder, part, from);
    packed(builder, part, to)
}
