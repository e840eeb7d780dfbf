//! Parts: the operation that computes one tile of another one's loops, on slices of its operands.

use raddle_ir::views::{Mixed, mixed, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, OpId, Opcode, ValueId, ValueMap};

use crate::normalize::attention::Attention;
use crate::structured::sizes::{Extent, extent, extreme, index, mixed_extent};
use crate::structured::space::{Space, add, at, sub};
use crate::structured::windows;

/// The first index and the extent of each loop, or of each dimension of a tensor.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Tile {
    pub offsets: Vec<Mixed>,
    pub sizes: Vec<Mixed>,
}

/// An operation on slices.
pub(crate) struct Part {
    pub op: OpId,
    /// The slices that were made for its operands.
    pub slices: Vec<ValueId>,
    /// Where its results lie in those of the whole.
    pub places: Vec<Tile>,
}

/// The extents of an operation's loops. Of several dimensions along a loop, one that is known counts most, and one of a
/// view, which is not there to be asked, least.
pub(crate) fn extents(builder: &mut Builder<'_>, op: OpId, space: &Space) -> Vec<Mixed> {
    let along = |ir: &Ir, d: usize| {
        let here = |&(i, at): &(usize, usize)| {
            space.reaches[i][at] == Some(Expr::Dim(d as u32)) && ir.shape_of(ir.operand(op, i)).len() > at
        };
        let all = (0..space.reaches.len()).flat_map(|i| (0..space.reaches[i].len()).map(move |at| (i, at)));
        let all: Vec<(usize, usize)> = all.filter(here).collect();
        let is_known = |&&(i, at): &&(usize, usize)| ir.shape_of(ir.operand(op, i))[at] != DYNAMIC;
        let is_there = |&&(i, at): &&(usize, usize)| match extent(ir, ir.operand(op, i), at) {
            Extent::Known(_) | Extent::Value(_) => true,
            Extent::Of(value, _) => ir.def_op(value).is_none_or(|made| !windows::is_view(ir, made)),
        };
        *all.iter().find(is_known).or_else(|| all.iter().find(is_there)).unwrap_or(&space.extents[d])
    };
    (0..space.extents.len())
        .map(|d| {
            let (operand, dim) = along(builder.ir, d);
            let value = builder.ir.operand(op, operand);
            mixed_extent(builder, value, dim)
        })
        .collect()
}

/// The part of an operand that a tile reaches.
pub(crate) fn reached(builder: &mut Builder<'_>, space: &Space, operand: usize, value: ValueId, tile: &Tile) -> Tile {
    let n_loops = tile.offsets.len() as u32;
    let loops: Vec<Expr> = (0..n_loops).map(Expr::Dim).collect();
    let zeros = vec![Expr::Const(0); loops.len()];
    let last: Vec<Expr> = loops.iter().map(|size| sub(size.clone(), Expr::Const(1))).collect();
    let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
    for (d, expr) in space.reaches[operand].iter().enumerate() {
        match expr {
            Some(expr) => {
                // A sum that grows along each loop: it is least at the first point and greatest at the last one.
                let first = at(expr, &zeros);
                offsets.push(index(builder, &tile.offsets, &sub(expr.clone(), first.clone())));
                let size =
                    if matches!(expr, Expr::Dim(_)) { expr.clone() } else { add(at(expr, &last), Expr::Const(1)) };
                sizes.push(index(builder, &tile.sizes, &size));
            }
            None => {
                offsets.push(Mixed::Static(0));
                sizes.push(mixed_extent(builder, value, d));
            }
        }
    }
    Tile { offsets, sizes }
}

/// Whether a tile of a value of this type is all of it.
pub(crate) fn is_whole(ir: &Ir, value: ValueId, tile: &Tile) -> bool {
    tile.offsets.iter().all(|&offset| offset == Mixed::Static(0))
        && tile.sizes.iter().zip(ir.shape_of(value)).all(|(&size, &extent)| size == Mixed::Static(extent))
}

/// The operation that computes a tile. `operands` are what is sliced, in place of the operation's own; those in `given`
/// are slices already.
pub(crate) fn part(
    builder: &mut Builder<'_>,
    op: OpId,
    space: &Space,
    tile: &Tile,
    operands: &[ValueId],
    given: &[Option<ValueId>],
) -> Part {
    let (mut slices, mut places, mut parts) = (Vec::new(), Vec::new(), operands.to_vec());
    for i in 0..space.reaches.len() {
        let whole = builder.ir.operand(op, i);
        let cut = !space.reaches[i].is_empty() && builder.ir.ty(whole).is_tensor();
        let is_output = space.outputs.contains(&i);
        if !cut {
            if is_output {
                places.push(Tile { offsets: Vec::new(), sizes: Vec::new() });
            }
            continue;
        }
        let place = reached(builder, space, i, whole, tile);
        if let Some(&Some(slice)) = given.get(i) {
            parts[i] = slice;
        } else if space.reaches[i].iter().any(Option::is_some) && !is_whole(builder.ir, whole, &place) {
            parts[i] = builder.extract_slice(operands[i], &place.offsets, &place.sizes);
            slices.push(parts[i]);
        }
        if is_output {
            places.push(place);
        }
    }
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, &parts);
    for (i, result) in space.outputs.clone().zip(builder.ir.results(copy)) {
        let ty = builder.ir.type_of(parts[i]);
        builder.ir.set_type(result, ty);
    }
    count_on(builder, copy, tile);
    Part { op: copy, slices, places }
}

/// What an operation counts by itself begins at the first index of the tile.
pub(crate) fn count_on(builder: &mut Builder<'_>, op: OpId, tile: &Tile) {
    match builder.ir.opcode(op) {
        Opcode::IreeLinalgExtIm2col => im2col(builder, op, tile),
        Opcode::IreeLinalgExtMapStore | Opcode::IreeLinalgExtMapLoad => {
            let block = builder.ir.entry(op);
            for (arg, &offset) in builder.ir.args(block).to_vec().into_iter().zip(&tile.offsets) {
                let first = builder.ir.first_op(block);
                shift(builder.ir, arg, first, offset);
            }
        }
        _ => {
            // The region of an attention counts the dimensions of the scores.
            let scores = Attention::of(builder.ir, op).map(|attention| attention.scores());
            for inner in builder.ir.walk(op) {
                let counts = matches!(builder.ir.opcode(inner), Opcode::LinalgIndex | Opcode::IreeLinalgExtIndex);
                let dim =
                    builder.ir.attr(inner, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
                let dim = dim.and_then(|dim| scores.as_ref().map_or(Some(dim), |scores| scores.get(dim).copied()));
                if let Some(&offset) = dim.and_then(|dim| tile.offsets.get(dim)).filter(|_| counts) {
                    let (value, next) = (builder.ir.result(inner, 0), builder.ir.next_op(inner));
                    shift(builder.ir, value, next, offset);
                }
            }
        }
    }
}

/// Adds an offset to an index for all who use it, in front of an operation.
fn shift(ir: &mut Ir, value: ValueId, before: Option<OpId>, offset: Mixed) {
    let Some(before) = before.filter(|_| offset != Mixed::Static(0)) else { return };
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    let mut builder = Builder::before(ir, before);
    let sum = index(&mut builder, &[Mixed::Value(value), offset], &add(Expr::Dim(0), Expr::Dim(1)));
    let Mixed::Value(sum) = sum else { return };
    for (user, operand) in users {
        ir.set_operand(user, operand, sum);
    }
}

/// The groups of operands of `iree_linalg_ext.im2col` that are lists of numbers: offsets, and the padding of the output.
const OFFSETS: (usize, &str) = (3, "static_offsets");
const PAD_LOW: (usize, &str) = (7, "static_output_pad_low");
const PAD_HIGH: (usize, &str) = (8, "static_output_pad_high");

/// The tile of an unfolded image begins somewhere in it, and has what lies in it of the padding.
fn im2col(builder: &mut Builder<'_>, op: OpId, tile: &Tile) {
    let list = |ir: &Ir, (group, name): (usize, &str)| {
        let numbers = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        ir.segments(op).get(group).map_or_else(Vec::new, |values| mixed(&numbers, values))
    };
    let perm = builder.ir.attr_id(op, "output_perm").and_then(|attr| builder.ir.ints(attr)).unwrap_or_default();
    let mut offsets = list(builder.ir, OFFSETS);
    for (&at, &offset) in perm.iter().zip(&tile.offsets) {
        if let Some(own) = usize::try_from(at).ok().and_then(|at| offsets.get_mut(at)) {
            *own = index(builder, &[*own, offset], &add(Expr::Dim(0), Expr::Dim(1)));
        }
    }
    set_list(builder.ir, op, OFFSETS, &offsets);
    let (low, high) = (list(builder.ir, PAD_LOW), list(builder.ir, PAD_HIGH));
    if low.is_empty() || high.is_empty() {
        return;
    }
    // The copy has its slice for an output; the whole one is behind it.
    let output = builder.ir.operand(op, 1);
    let origin = builder.ir.def_op(output).filter(|&def| builder.ir.opcode(def) == Opcode::TensorExtractSlice);
    let output = origin.map_or(output, |def| builder.ir.operand(def, 0));
    let zero = Mixed::Static(0);
    let (mut new_low, mut new_high) = (Vec::new(), Vec::new());
    for d in 0..tile.offsets.len().min(low.len()).min(high.len()) {
        let left = sub(Expr::Dim(0), Expr::Dim(1));
        new_low.push(match low[d] {
            Mixed::Static(0) => zero,
            pad => extreme(builder, Opcode::AffineMax, &[pad, tile.offsets[d]], &[left, Expr::Const(0)]),
        });
        new_high.push(match high[d] {
            Mixed::Static(0) => zero,
            pad => {
                let whole = mixed_extent(builder, output, d);
                let end = add(Expr::Dim(1), Expr::Dim(2));
                let beyond = sub(end, sub(Expr::Dim(3), Expr::Dim(0)));
                let operands = [pad, tile.offsets[d], tile.sizes[d], whole];
                extreme(builder, Opcode::AffineMax, &operands, &[beyond, Expr::Const(0)])
            }
        });
    }
    set_list(builder.ir, op, PAD_LOW, &new_low);
    set_list(builder.ir, op, PAD_HIGH, &new_high);
}

/// Gives an operation another list of numbers and values.
fn set_list(ir: &mut Ir, op: OpId, (group, name): (usize, &str), list: &[Mixed]) {
    let (numbers, values) = unmixed(list);
    let mut parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    parts[group] = values;
    let segments = ir.segment_sizes(&parts.iter().map(Vec::len).collect::<Vec<_>>());
    let numbers = ir.dense_i64(&numbers);
    ir.set_operands(op, &parts.concat());
    ir.set_attr(op, "operandSegmentSizes", segments);
    ir.set_attr(op, name, numbers);
}
