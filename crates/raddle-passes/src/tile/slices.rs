//! Slices: a part of what was cut, reshaped or padded is taken from what was there before, so that what made that can be
//! computed tile by tile.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, Builder, Expr, Ir, OpId, Opcode, ValueId, ValueMap};

use super::part::{Tile, is_whole};
use crate::structured::sizes::{extreme, index, mixed_extent};
use crate::structured::space::{add, sub};

/// What may be done with slices.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Take slices of slices from their sources.
    pub merge: bool,
    /// Take slices of expanded tensors from their sources.
    pub expand: bool,
    /// Pad slices instead of slicing what is padded; a slice may then have no elements before it is padded.
    pub pads: bool,
}

/// Takes a slice from further back; says what is in its place and may go on: `None` where it stays.
pub(crate) fn step_back(ir: &mut Ir, slice: ValueId, rules: Rules) -> Option<ValueId> {
    let op = ir.def_op(slice).filter(|&op| ir.opcode(op) == Opcode::TensorExtractSlice)?;
    let view = SliceView::of(ir, op);
    let plain = view.strides.iter().all(|&stride| stride == Mixed::Static(1));
    if !plain || view.sizes.len() != ir.shape_of(slice).len() {
        return None;
    }
    let tile = Tile { offsets: view.offsets, sizes: view.sizes };
    let made = ir.def_op(view.base)?;
    let mut builder = Builder::before(ir, op);
    let (new, next) = match builder.ir.opcode(made) {
        Opcode::TensorExtractSlice if rules.merge => of_slice(&mut builder, made, &tile)?,
        Opcode::TensorExpandShape if rules.expand => of_expanded(&mut builder, made, &tile)?,
        Opcode::TensorPad if rules.pads => of_padded(&mut builder, made, &tile)?,
        Opcode::TensorEmpty => of_empty(&mut builder, slice, &tile),
        Opcode::IreeCodegenSwizzleHint => {
            let empty = builder.ir.operand(made, 0);
            builder.ir.def_op(empty).filter(|&def| builder.ir.opcode(def) == Opcode::TensorEmpty)?;
            let (empty, _) = of_empty(&mut builder, slice, &tile);
            let (ty, attrs) = (builder.ir.type_of(empty), builder.ir.attr_dict(made));
            let hint = builder.ir.create_with(Opcode::IreeCodegenSwizzleHint, &[empty], &[ty], attrs, builder.span);
            builder.place(hint);
            (builder.ir.result(hint, 0), None)
        }
        _ => return None,
    };
    ir.replace_uses(slice, new);
    ir.erase(op);
    Some(next.unwrap_or(new))
}

/// Takes slices of slices and of new tensors from further back, all over a function.
pub(crate) fn resolve(ir: &mut Ir, func: OpId) {
    let rules = Rules { merge: true, expand: false, pads: false };
    for op in ir.walk(func) {
        let mut slice = ir.results(op).next().filter(|_| ir.opcode(op) == Opcode::TensorExtractSlice);
        while let Some(at) = slice {
            slice = step_back(ir, at, rules);
        }
    }
}

/// What is there now, and the slice in it that may be taken from further back.
type Moved = (ValueId, Option<ValueId>);

fn of_slice(builder: &mut Builder<'_>, made: OpId, tile: &Tile) -> Option<Moved> {
    let outer = SliceView::of(builder.ir, made);
    let plain = outer.strides.iter().all(|&stride| stride == Mixed::Static(1));
    if !plain || outer.offsets.len() != tile.offsets.len() {
        return None;
    }
    let offsets: Vec<Mixed> = (outer.offsets.iter().zip(&tile.offsets))
        .map(|(&outer, &inner)| index(builder, &[outer, inner], &add(Expr::Dim(0), Expr::Dim(1))))
        .collect();
    Some((builder.extract_slice(outer.base, &offsets, &tile.sizes), None))
}

fn of_empty(builder: &mut Builder<'_>, slice: ValueId, tile: &Tile) -> Moved {
    let (ty, sizes) = (builder.ir.type_of(slice), unmixed(&tile.sizes).1);
    (builder.value(Opcode::TensorEmpty, &sizes, ty, &[]), None)
}

/// The groups of dimensions that are one on the other side of a reshape.
fn groups(ir: &Ir, op: OpId) -> Option<Vec<Vec<usize>>> {
    let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
    let group = |&group: &_| ir.ints(group)?.into_iter().map(|d| usize::try_from(d).ok()).collect();
    groups.iter().map(group).collect()
}

/// A slice of an expanded tensor, where it is a run of elements in each group of dimensions: one of each outer dimension,
/// any number of one, and all of those behind it.
fn of_expanded(builder: &mut Builder<'_>, made: OpId, tile: &Tile) -> Option<Moved> {
    let (source, expanded) = (builder.ir.operand(made, 0), builder.ir.result(made, 0));
    let groups = groups(builder.ir, made)?;
    let shape = builder.ir.shape_of(expanded).to_vec();
    let all = |d: usize| tile.offsets[d] == Mixed::Static(0) && tile.sizes[d] == Mixed::Static(shape[d]);
    for group in &groups {
        let first = group.iter().position(|&d| tile.sizes[d] != Mixed::Static(1)).unwrap_or(group.len());
        if !group.iter().skip(first + 1).all(|&d| all(d)) {
            return None;
        }
        if group.len() > 1 && group.iter().any(|&d| shape[d] < 0) {
            return None;
        }
    }
    let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
    for group in &groups {
        if let [d] = group[..] {
            offsets.push(tile.offsets[d]);
            sizes.push(tile.sizes[d]);
            continue;
        }
        let digits: Vec<ValueId> = group.iter().map(|&d| tile.offsets[d].materialize(builder)).collect();
        let basis: Vec<i64> = group.iter().map(|&d| shape[d]).collect();
        let index_type = builder.ir.index_type();
        let attrs = [
            ("static_basis", builder.ir.dense_i64(&basis)),
            ("disjoint", builder.ir.intern(Attr::Unit)),
            ("operandSegmentSizes", builder.ir.segment_sizes(&[digits.len(), 0])),
        ];
        offsets.push(Mixed::Value(builder.value(Opcode::AffineLinearizeIndex, &digits, index_type, &attrs)));
        let product =
            group.iter().fold(Expr::Const(1), |product, &d| Expr::binary(BinOp::Mul, product, Expr::Dim(d as u32)));
        // Of a group, at most one size is a value: all others are 1 or all of a known extent.
        sizes.push(index(builder, &tile.sizes, &product));
    }
    let slice = builder.extract_slice(source, &offsets, &sizes);
    let (numbers, values) = unmixed(&tile.sizes);
    let reassociation = builder.ir.attr_id(made, "reassociation")?;
    let elem = builder.ir.elem_of(expanded);
    let ty = builder.ir.tensor_type(&numbers, elem);
    let attrs = [("reassociation", reassociation), ("static_output_shape", builder.ir.dense_i64(&numbers))];
    let new = builder.value(Opcode::TensorExpandShape, &[vec![slice], values].concat(), ty, &attrs);
    Some((new, Some(slice)))
}

/// A slice of a padded tensor is a slice of the tensor, padded with what is left of the padding there.
fn of_padded(builder: &mut Builder<'_>, made: OpId, tile: &Tile) -> Option<Moved> {
    let source = builder.ir.operand(made, 0);
    let parts: Vec<Vec<ValueId>> = builder.ir.segments(made).into_iter().map(<[ValueId]>::to_vec).collect();
    let list = |ir: &Ir, name: &str, values: &[ValueId]| {
        ir.attr_id(made, name).and_then(|attr| ir.ints(attr)).map(|numbers| mixed(&numbers, values))
    };
    let low = list(builder.ir, "static_low", parts.get(1)?)?;
    let high = list(builder.ir, "static_high", parts.get(2)?)?;
    // What is padded with must be the same everywhere.
    let block = builder.ir.entry(made);
    if builder.ir.args(block).iter().any(|&arg| !builder.ir.is_unused(arg)) {
        return None;
    }
    let (mut offsets, mut sizes, mut new_low, mut new_high) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let zero = Expr::Const(0);
    for d in 0..tile.offsets.len() {
        let (offset, size) = (tile.offsets[d], tile.sizes[d]);
        if low[d] == Mixed::Static(0) && high[d] == Mixed::Static(0) {
            offsets.push(offset);
            sizes.push(size);
            new_low.push(Mixed::Static(0));
            new_high.push(Mixed::Static(0));
            continue;
        }
        let length = mixed_extent(builder, source, d);
        // The first element of the slice and the one behind its last, in the source and no further.
        let inside = |builder: &mut Builder<'_>, place: Mixed| {
            let from =
                extreme(builder, Opcode::AffineMax, &[place, low[d]], &[sub(Expr::Dim(0), Expr::Dim(1)), zero.clone()]);
            extreme(builder, Opcode::AffineMin, &[from, length], &[Expr::Dim(0), Expr::Dim(1)])
        };
        let end = index(builder, &[offset, size], &add(Expr::Dim(0), Expr::Dim(1)));
        let (from, to) = (inside(builder, offset), inside(builder, end));
        let inner = index(builder, &[to, from], &sub(Expr::Dim(0), Expr::Dim(1)));
        // The slice may lie in the padding altogether: then all of it is on one side.
        let before =
            extreme(builder, Opcode::AffineMax, &[low[d], offset], &[sub(Expr::Dim(0), Expr::Dim(1)), zero.clone()]);
        let before = extreme(builder, Opcode::AffineMin, &[before, size], &[Expr::Dim(0), Expr::Dim(1)]);
        let rest = sub(sub(Expr::Dim(0), Expr::Dim(1)), Expr::Dim(2));
        new_high.push(index(builder, &[size, inner, before], &rest));
        new_low.push(before);
        offsets.push(from);
        sizes.push(inner);
    }
    let whole = Tile { offsets, sizes };
    let slice =
        (!is_whole(builder.ir, source, &whole)).then(|| builder.extract_slice(source, &whole.offsets, &whole.sizes));
    let elem = builder.ir.elem_of(source);
    let ty = builder.ir.tensor_type(&unmixed(&tile.sizes).0, elem);
    let ((low, low_values), (high, high_values)) = (unmixed(&new_low), unmixed(&new_high));
    let attrs = [
        ("static_low", builder.ir.dense_i64(&low)),
        ("static_high", builder.ir.dense_i64(&high)),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[1, low_values.len(), high_values.len()])),
    ];
    let operands = [vec![slice.unwrap_or(source)], low_values, high_values].concat();
    let new = builder.op(Opcode::TensorPad, &operands, &[ty], &attrs);
    builder.copy_regions(made, new, &mut ValueMap::default());
    Some((builder.ir.result(new, 0), slice))
}

/// Takes slices of collapsed tensors inside loops from their sources, where they lie in one run of the last dimension.
pub(crate) fn through_collapses(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::TensorExtractSlice {
            of_collapsed(ir, op);
        }
    }
}

fn of_collapsed(ir: &mut Ir, op: OpId) -> Option<()> {
    let view = SliceView::of(ir, op);
    let made = ir.def_op(view.base).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape)?;
    let result = ir.result(op, 0);
    let plain = view.strides.iter().all(|&stride| stride == Mixed::Static(1));
    // In the same block the slice is not part of a loop's tile.
    if !plain || view.sizes.len() != ir.shape_of(result).len() || ir.parent_block(op) == ir.parent_block(made) {
        return None;
    }
    let (source, groups) = (ir.operand(made, 0), groups(ir, made)?);
    let shape = ir.shape_of(source).to_vec();
    let tile = Tile { offsets: view.offsets, sizes: view.sizes };
    for (i, group) in groups.iter().enumerate() {
        // Whoever pads a slice later wants to see where it ends.
        if matches!((tile.offsets[i], tile.sizes[i]), (Mixed::Value(_), Mixed::Value(_))) {
            return None;
        }
        if group.len() > 1 && !is_run(ir, &shape, group, tile.offsets[i], tile.sizes[i]) {
            return None;
        }
    }
    let mut builder = Builder::before(ir, op);
    let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
    for (i, group) in groups.iter().enumerate() {
        let basis: Vec<i64> = group.iter().map(|&d| shape[d]).collect();
        let lead = group.len() - 1;
        match tile.offsets[i] {
            Mixed::Static(offset) => {
                let mut left = offset;
                let mut digits: Vec<Mixed> = Vec::new();
                for &extent in basis[1..].iter().rev() {
                    digits.push(Mixed::Static(left % extent));
                    left /= extent;
                }
                digits.push(Mixed::Static(left));
                offsets.extend(digits.into_iter().rev());
            }
            Mixed::Value(offset) => {
                // Dimensions of one element have no digit.
                let long: Vec<usize> = (0..basis.len()).filter(|&d| basis[d] != 1).collect();
                let mut digits = vec![Mixed::Static(0); basis.len()];
                if basis.len() == 1 {
                    digits[0] = Mixed::Value(offset);
                } else if let [d] = long[..] {
                    digits[d] = Mixed::Value(offset);
                } else if !long.is_empty() {
                    let lengths: Vec<i64> = long.iter().map(|&d| basis[d]).collect();
                    let types = vec![builder.ir.index_type(); long.len()];
                    let attrs = [("static_basis", builder.ir.dense_i64(&lengths))];
                    let split = builder.op(Opcode::AffineDelinearizeIndex, &[offset], &types, &attrs);
                    for (&d, digit) in long.iter().zip(builder.ir.results(split)) {
                        digits[d] = Mixed::Value(digit);
                    }
                }
                offsets.extend(digits);
            }
        }
        // All of the group is all of each dimension.
        let whole = basis.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent));
        if group.len() > 1 && whole.is_some_and(|whole| tile.sizes[i] == Mixed::Static(whole)) {
            sizes.extend(basis.into_iter().map(Mixed::Static));
        } else {
            sizes.extend(vec![Mixed::Static(1); lead]);
            sizes.push(tile.sizes[i]);
        }
    }
    let slice = builder.extract_slice(source, &offsets, &sizes);
    let reassociation = builder.ir.attr_id(made, "reassociation")?;
    let ty = builder.ir.type_of(result);
    let new = builder.value(Opcode::TensorCollapseShape, &[slice], ty, &[("reassociation", reassociation)]);
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}

/// Whether a run of elements of a group of dimensions lies in one row of the last one, or is all of the group.
fn is_run(ir: &Ir, shape: &[i64], group: &[usize], offset: Mixed, size: Mixed) -> bool {
    let extents: Vec<i64> = group.iter().map(|&d| shape[d]).collect();
    let (Mixed::Static(size), Some(&last)) = (size, extents.last()) else { return false };
    if size < 1 || extents.iter().any(|&extent| extent < 1) {
        return false;
    }
    match offset {
        Mixed::Static(0) if extents.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent)) == Some(size) => true,
        Mixed::Static(offset) => offset >= 0 && offset % last <= last - size,
        Mixed::Value(value) => size == 1 || last % size == 0 && is_multiple(ir, value, size),
    }
}

/// Whether a value is seen to be a multiple of a number.
fn is_multiple(ir: &Ir, value: ValueId, of: i64) -> bool {
    let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::AffineApply) else { return false };
    let Some(map) = ir.map(op, "map") else { return false };
    matches!(&map.results[..], [expr] if expr.is_multiple(of))
}
