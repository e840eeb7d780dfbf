//! Reads and writes, one native vector at a time.
//!
//! A piece lies along one dimension of its vector, so that its accesses are those of a vector of rank 1 whose map is that
//! entry of the whole one's. Where the piece may begin outside of the memory in another dimension, a test
//! stands around the access; a piece of one element, or one that repeats one, is a scalar access. Rows that a vector of
//! indices chooses are read in the same pieces.

use raddle_ir::views::{Indexed, Transfer};
use raddle_ir::{Attr, Builder, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};

use super::Cx;
use super::grid::{Grid, Lane, element, piece, piece_type, row_dim, shuffled, starts, widths};
use super::lanes::as_index;
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
    let pieces = starts(&shape, &widths)
        .into_iter()
        .map(|(at, width)| {
            let access = access(builder, cx, &view, (&at, row_dim(&shape)), width);
            let ty = piece_type(builder, elem, width);
            guarded(builder, access.condition, ty, |builder, inside| match (inside, width) {
                (false, 1) => padding,
                (false, _) => builder.broadcast(padding, ty),
                (true, _) => fetch(builder, cx, &view, &access, padding, ty, width),
            })
        })
        .collect();
    Grid { shape, elem, widths, pieces }
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

/// A vector of indices that counts up or down one by one: numbers, of which some are taken away, and a number.
struct Counted {
    terms: Vec<(ValueId, bool)>,
    number: i64,
    /// 1 or -1.
    step: i64,
}

impl Counted {
    /// What a vector of one dimension counts; `None` if that is not known.
    fn of(ir: &Ir, value: ValueId) -> Option<Counted> {
        let mut counted = Counted { terms: Vec::new(), number: 0, step: 0 };
        counted.add(ir, value, 1)?;
        (ir.shape_of(value).len() == 1 && counted.step.abs() == 1).then_some(counted)
    }

    fn add(&mut self, ir: &Ir, value: ValueId, sign: i64) -> Option<()> {
        let op = ir.def_op(value)?;
        match ir.opcode(op) {
            Opcode::ArithAddi | Opcode::ArithSubi => {
                let second = if ir.opcode(op) == Opcode::ArithSubi { -sign } else { sign };
                self.add(ir, ir.operand(op, 0), sign)?;
                self.add(ir, ir.operand(op, 1), second)?;
            }
            Opcode::VectorStep => self.step += sign,
            Opcode::VectorBroadcast if !ir.ty(ir.operand(op, 0)).is_vector() => {
                self.terms.push((ir.operand(op, 0), sign < 0));
            }
            Opcode::ArithConstant => match ir.attr(op, "value")? {
                attr @ Attr::Dense { splat: true, .. } => {
                    let number = ir.dense_elems(attr).first()?.as_i64()?;
                    self.number = self.number.checked_add(sign.checked_mul(number)?)?;
                }
                _ => return None,
            },
            _ => return None,
        }
        // Of narrower integers, sums may wrap around.
        (Scalar::of(&ir[ir.elem_of(value)]) == Some(Scalar::Index)).then_some(())
    }

    /// The element at a place.
    fn at(&self, builder: &mut Builder<'_>, map: &ValueMap, place: i64) -> ValueId {
        let mut sum = builder.index(self.number + self.step * place);
        for &(term, is_taken) in &self.terms {
            let opcode = if is_taken { Opcode::ArithSubi } else { Opcode::ArithAddi };
            sum = builder.binary(opcode, sum, map.get(term));
        }
        sum
    }
}

/// `transfer_gather` of rows that lie along a dimension of the memory, where no vector of indices lies along them: each
/// piece of a row is read at once. `None` for any other.
pub fn gather_rows(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, around: Option<ValueId>) -> Option<Grid> {
    if builder.ir.opcode(op) != Opcode::IreeVectorExtTransferGather {
        return None;
    }
    let view = Indexed::of(builder.ir, op);
    let result = builder.ir.result(op, 0);
    let (shape, elem) = (builder.ir.shape_of(result).to_vec(), builder.ir.elem_of(result));
    let row = row_dim(&shape)?;
    let n_vectors = view.index_vecs.len();
    // Rows lie along a dimension of the memory, or along the elements that a vector of indices counts one by one.
    let lies = |expr: &Expr| match *expr {
        Expr::Dim(d) => d as usize == row,
        Expr::Sym(k) => view.dims(k as usize).contains(&row),
        _ => false,
    };
    let mut along = (0..).zip(&view.maps[0].results).filter(|at| lies(at.1));
    let (Some((along, expr)), None) = (along.next(), along.next()) else { return None };
    let counted = match *expr {
        Expr::Sym(k) => {
            Some(Counted::of(builder.ir, view.index_vecs[k as usize]).filter(|_| view.dims(k as usize) == [row])?)
        }
        _ => None,
    };
    let is_last = along as usize + 1 == view.offsets.len() && builder.ir.strides(view.base)?.last() == Some(&1);
    if shape[row] < 2 || counted.is_some() && !is_last {
        return None;
    }
    let (base, padding) = (cx.map.get(view.base), cx.map.get(view.padding?));
    let widths = widths(cx.machine, &shape);
    let pieces = starts(&shape, &widths)
        .into_iter()
        .map(|(at, width)| {
            // The elements of a vector that lies along some dimensions of the whole, for those of the piece.
            let lanes = |value: ValueId, dims: &[usize]| -> Vec<Lane> {
                let grid = cx.grid(value);
                let lanes = grid.lanes();
                let place = |j: i64| dims.iter().map(|&d| at[d] + if d == row { j } else { 0 }).collect::<Vec<_>>();
                (0..width).map(|j| lanes[number(&grid.shape, &place(j))]).collect()
            };
            let mut indices = Vec::new();
            for (&offset, expr) in view.offsets.iter().zip(&view.maps[0].results) {
                let step = match expr {
                    Expr::Dim(d) => builder.index(at[*d as usize]),
                    Expr::Sym(_) if counted.is_some() && indices.len() == along as usize => {
                        let counted = counted.as_ref().expect("it is there");
                        let first = if counted.step < 0 { at[row] + width - 1 } else { at[row] };
                        counted.at(builder, &cx.map, first)
                    }
                    Expr::Sym(k) => {
                        let (value, dims) = (view.index_vecs[*k as usize], view.dims(*k as usize));
                        let is_vector = cx.grids.contains_key(&value);
                        let step = if is_vector { element(builder, lanes(value, &dims)[0]) } else { cx.map.get(value) };
                        as_index(builder, step)
                    }
                    _ => builder.index(0),
                };
                indices.push(builder.binary(Opcode::ArithAddi, cx.map.get(offset), step));
            }
            let all: Vec<usize> = (0..shape.len()).collect();
            let own = view.mask.map(|mask| (mask, view.dims(n_vectors)));
            let (mut condition, mut mask): (Option<ValueId>, Option<ValueId>) = (None, None);
            for (value, dims) in own.into_iter().chain(around.map(|mask| (mask, all))) {
                let mut flags = lanes(value, &dims);
                if counted.as_ref().is_some_and(|counted| counted.step < 0) {
                    flags.reverse();
                }
                let (slot, flag) = match width > 1 && dims.contains(&row) {
                    true => (&mut mask, piece(builder, cx.grid(value).elem, &flags)),
                    false => (&mut condition, element(builder, flags[0])),
                };
                *slot = Some(slot.map_or(flag, |other| builder.binary(Opcode::ArithAndi, other, flag)));
            }
            let ty = piece_type(builder, elem, width);
            guarded(builder, condition, ty, |builder, inside| match (inside, width) {
                (false, 1) => padding,
                (false, _) => builder.broadcast(padding, ty),
                (true, 1) => builder.value(Opcode::MemrefLoad, &[&[base], &indices[..]].concat(), elem, &[]),
                (true, _) => {
                    let map = Map { dims: indices.len() as u32, syms: 0, results: vec![Expr::Dim(along)] };
                    let read = builder.transfer_read(base, &indices, padding, map, &[true], ty);
                    masked(builder, read, mask, [1, indices.len(), 1]);
                    if counted.as_ref().is_none_or(|counted| counted.step > 0) {
                        return read;
                    }
                    let lanes = (0..width).rev().map(|lane| Lane { piece: read, width, lane }).collect::<Vec<_>>();
                    shuffled(builder, &lanes).unwrap_or_else(|| piece(builder, elem, &lanes))
                }
            })
        })
        .collect();
    Some(Grid { shape, elem, widths, pieces })
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

fn masked(builder: &mut Builder<'_>, read: ValueId, mask: Option<ValueId>, parts: [usize; 3]) {
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
