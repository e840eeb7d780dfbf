//! Reads and writes, one native vector at a time.
//!
//! A piece lies along one dimension of its vector, so that its accesses are those of a vector of rank 1 whose map is that
//! entry of the whole one's. Where the piece may begin outside of the memory in another dimension, a test
//! stands around the access; a piece of one element, or one that repeats one, is a scalar access.

use raddle_ir::views::Transfer;
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId};

use super::Cx;
use super::grid::{Grid, Lane, element, piece, piece_type, row_dim, starts};
use super::rows::repeated;
use crate::code::edges::choose;
use crate::code::extents::number;
use crate::code::{LESS, WHOLE_LINES, compare};
use crate::lay_out::mask_dims;

/// `sge` in MLIR's numbering of predicates.
const NOT_LESS: i64 = 5;

/// One piece's access.
struct Access {
    indices: Vec<ValueId>,
    /// All that must hold for any of it to be touched.
    condition: Option<ValueId>,
    /// The mask of its elements, where that is a vector.
    mask: Option<ValueId>,
    /// The memory dimension that the elements lie along, and whether all of them are in bounds; `None` for one element.
    along: Option<(u32, bool)>,
}

/// `vector.transfer_read`, under a mask of its own or of what is around it.
pub fn read(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, mask: Option<ValueId>) -> Grid {
    let mut view = Transfer::of(builder.ir, op);
    view.mask = view.mask.or(mask);
    let result = builder.ir.result(op, 0);
    let (shape, elem) = (builder.ir.shape_of(result).to_vec(), builder.ir.elem_of(result));
    let widths = cx.widths_of(result, &shape);
    let padding = cx.map.get(view.padding.expect("a read has a padding"));
    // Masked loads of nothing take long where memory is not there. Where something is computed of what is read, a branch
    // around it takes longer.
    let flag = view.mask.filter(|_| is_moved(builder.ir, result)).and_then(|mask| repeated(builder.ir, mask));
    if let Some(flag) = flag {
        view.mask = None;
        let condition = cx.grids.get(&flag).map(|grid| grid.lanes()[0]);
        let condition = condition.map_or_else(|| cx.map.get(flag), |lane| element(builder, lane));
        let types: Vec<TypeId> = starts(&shape, &widths).iter().map(|at| piece_type(builder, elem, at.1)).collect();
        let chosen = choose(builder, condition, &types, |builder, is_there| match is_there {
            true => pieces(builder, cx, &view, &shape, &widths, padding),
            false => types
                .iter()
                .map(|&ty| if builder.ir[ty].is_vector() { builder.broadcast(padding, ty) } else { padding })
                .collect(),
        });
        return Grid { shape, elem, widths, pieces: builder.ir.results(chosen).collect() };
    }
    let pieces = pieces(builder, cx, &view, &shape, &widths, padding);
    Grid { shape, elem, widths, pieces }
}

/// Whether a vector is only moved on, or chosen where it is there.
fn is_moved(ir: &Ir, value: ValueId) -> bool {
    ir.uses(value).all(|(user, operand)| match ir.opcode(user) {
        Opcode::VectorTransferWrite => operand == 0,
        Opcode::ArithSelect => operand > 0 && is_moved(ir, ir.result(user, 0)),
        Opcode::IreeVectorExtToLayout | Opcode::VectorTranspose | Opcode::VectorShapeCast | Opcode::VectorBroadcast => {
            is_moved(ir, ir.result(user, 0))
        }
        _ => false,
    })
}

/// The pieces of what is read.
fn pieces(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    view: &Transfer,
    shape: &[i64],
    widths: &[i64],
    padding: ValueId,
) -> Vec<ValueId> {
    let elem = builder.ir.elem_of(view.base);
    starts(shape, widths)
        .into_iter()
        .map(|(at, width)| {
            let access = access(builder, cx, view, (&at, row_dim(shape)), width);
            let ty = piece_type(builder, elem, width);
            guarded(builder, access.condition, ty, |builder, inside| match (inside, width) {
                (false, 1) => padding,
                (false, _) => builder.broadcast(padding, ty),
                (true, _) => fetch(builder, cx, view, &access, padding, ty, width),
            })
        })
        .collect()
}

fn fetch(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    view: &Transfer,
    access: &Access,
    padding: ValueId,
    ty: TypeId,
    width: i64,
) -> ValueId {
    let base = cx.map.get(view.base);
    let Some((along, in_bounds)) = access.along else {
        let elem = builder.ir.elem_of(base);
        let loaded = builder.value(Opcode::MemrefLoad, &[&[base], &access.indices[..]].concat(), elem, &[]);
        return if width == 1 { loaded } else { builder.broadcast(loaded, ty) };
    };
    let map = Map { dims: access.indices.len() as u32, syms: 0, results: vec![Expr::Dim(along)] };
    let read = builder.transfer_read(base, &access.indices, padding, map, &[in_bounds], ty);
    masked(builder, read, access.mask, [1, access.indices.len(), 1]);
    read
}

/// `vector.transfer_write`, the same way.
pub fn write(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, mask: Option<ValueId>) {
    let mut view = Transfer::of(builder.ir, op);
    view.mask = view.mask.or(mask);
    let grid = cx.grid(view.vector.expect("a write has a vector")).clone();
    let base = cx.map.get(view.base);
    let lines = builder.ir.attr_id(op, WHOLE_LINES);
    for ((at, width), piece) in starts(&grid.shape, &grid.widths).into_iter().zip(grid.pieces) {
        let access = access(builder, cx, &view, (&at, row_dim(&grid.shape)), width);
        when(builder, access.condition, |builder| match access.along {
            None => {
                builder.op(Opcode::MemrefStore, &[&[piece, base], &access.indices[..]].concat(), &[], &[]);
            }
            Some((along, in_bounds)) => {
                let map = Map { dims: access.indices.len() as u32, syms: 0, results: vec![Expr::Dim(along)] };
                let write = builder.transfer_write(piece, base, &access.indices, map, &[in_bounds]);
                if let Some(lines) = lines {
                    builder.ir.set_attr(write, WHOLE_LINES, lines);
                }
                if let Some(mask) = access.mask {
                    let operands = [builder.ir.operands(write), &[mask]].concat();
                    builder.ir.set_operands(write, &operands);
                    let sizes = builder.ir.segment_sizes(&[1, 1, access.indices.len(), 1]);
                    builder.ir.set_attr(write, "operandSegmentSizes", sizes);
                }
            }
        });
    }
}

pub fn masked(builder: &mut Builder<'_>, read: ValueId, mask: Option<ValueId>, parts: [usize; 3]) {
    let (Some(mask), Some(op)) = (mask, builder.ir.def_op(read)) else { return };
    let operands = [builder.ir.operands(op), &[mask]].concat();
    builder.ir.set_operands(op, &operands);
    let sizes = builder.ir.segment_sizes(&[parts[0], parts[1], parts[2], 1]);
    builder.ir.set_attr(op, "operandSegmentSizes", sizes);
}

/// Where the piece at a position of the vector lies, along rows in the dimension `row`, and what must hold for it.
fn access(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    view: &Transfer,
    (at, row): (&[i64], Option<usize>),
    width: i64,
) -> Access {
    let mut indices: Vec<ValueId> = view.indices.iter().map(|&index| cx.map.get(index)).collect();
    let mut conditions = Vec::new();
    let mut along = None;
    for (d, (expr, &i)) in view.map.results.iter().zip(at).enumerate() {
        let Expr::Dim(p) = expr else { continue };
        if i > 0 {
            let step = builder.index(i);
            indices[*p as usize] = builder.binary(Opcode::ArithAddi, indices[*p as usize], step);
        }
        if Some(d) == row && width > 1 {
            along = Some((*p, view.in_bounds[d]));
        } else if !view.in_bounds[d] {
            let index = indices[*p as usize];
            conditions.extend(inside(builder, cx.map.get(view.base), *p as usize, index));
        }
    }
    let mut mask = None;
    if let Some(value) = view.mask {
        let grid = cx.grid(value).clone();
        let (dims, lanes) = (mask_dims(view), grid.lanes());
        // A mask over nothing that the map names is one flag.
        let lane = |j: i64| -> Lane {
            let of = |&d: &usize| at[d] + if Some(d) == row { j } else { 0 };
            let place: Vec<i64> = dims.iter().map(of).collect();
            if dims.is_empty() { lanes[0] } else { lanes[number(&grid.shape, &place)] }
        };
        let flags: Vec<Lane> = (0..width).map(lane).collect();
        if along.is_some() {
            mask = Some(piece(builder, grid.elem, &flags));
        } else {
            conditions.push(element(builder, flags[0]));
        }
    }
    let condition = conditions.into_iter().reduce(|all, one| builder.binary(Opcode::ArithAndi, all, one));
    Access { indices, condition, mask, along }
}

/// Whether an index is inside of a memory's dimension.
fn inside(builder: &mut Builder<'_>, base: ValueId, dim: usize, index: ValueId) -> [ValueId; 2] {
    let extent = builder.ir.shape_of(base)[dim];
    let extent = if extent >= 0 {
        builder.index(extent)
    } else {
        let (dim, ty) = (builder.index(dim as i64), builder.ir.index_type());
        builder.value(Opcode::MemrefDim, &[base, dim], ty, &[])
    };
    let zero = builder.index(0);
    [compare(builder, NOT_LESS, index, zero), compare(builder, LESS, index, extent)]
}

/// A value that depends on a condition, if there is one.
pub fn guarded(
    builder: &mut Builder<'_>,
    condition: Option<ValueId>,
    ty: TypeId,
    mut value: impl FnMut(&mut Builder<'_>, bool) -> ValueId,
) -> ValueId {
    let Some(condition) = condition else { return value(builder, true) };
    let op = choose(builder, condition, &[ty], |builder, side| vec![value(builder, side)]);
    builder.ir.result(op, 0)
}

/// Something that is done only under a condition, if there is one.
pub fn when(builder: &mut Builder<'_>, condition: Option<ValueId>, body: impl FnOnce(&mut Builder<'_>)) {
    match condition {
        None => body(builder),
        Some(condition) => crate::code::when(builder, condition, body),
    }
}
