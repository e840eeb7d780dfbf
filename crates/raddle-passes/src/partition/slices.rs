//! Slices without what hides that they are rectangles of memory: dimensions of extent 1, and reshapes behind them.
//!
//! Before: `%1 = tensor.extract_slice %0[1, 0, 0, 0] [1, 16, 3, 12] … : tensor<3x16x3x12xf32> to tensor<16x3x12xf32>`,
//!         `%2 = tensor.collapse_shape %1 [[0, 1], [2]] …`
//! After:  `%1 = tensor.collapse_shape %0 [[0], [1, 2], [3]] …`, which costs nothing,
//!         `%2 = tensor.extract_slice %1[1, 0, 0] [1, 48, 12] …`, which whoever reads it reads in place
//!
//! This is how queries, keys and values are parts of one product. What is put into a slice that then goes back to where it
//! is from is put there at once.

use raddle_ir::views::{Mixed, SliceView, unmixed};
use raddle_ir::{Builder, DYNAMIC, Ir, OpId, Opcode, ValueId};

use super::flatten::{is_reshape, without};
use super::reshape::{Names, collapse, expand, extents, groups, has_encoding, product};
use crate::structured::moves::{kept, numbers};

/// Takes away a slice that is all of what it is a slice of; says whether it was.
pub(super) fn whole(ir: &mut Ir, op: OpId) -> bool {
    let (view, result) = (SliceView::of(ir, op), ir.result(op, 0));
    let is_alike = ir.type_of(view.base) == ir.type_of(result);
    let Some(mut names) = Names::around(ir, op).filter(|_| is_alike) else { return false };
    if !(0..view.sizes.len()).all(|d| is_whole(ir, &mut names, &view, d)) {
        return false;
    }
    ir.replace_uses(result, view.base);
    ir.erase(op);
    true
}

/// Whether a slice takes all of a dimension.
pub(super) fn is_whole(ir: &Ir, names: &mut Names, view: &SliceView, d: usize) -> bool {
    view.offsets[d] == Mixed::Static(0)
        && view.strides[d] == Mixed::Static(1)
        && names.number(ir, view.sizes[d]) == names.extent(ir, view.base, d)
}

/// Takes dimensions of extent 1 off a slice and what it is a part of; says whether it did.
pub(super) fn flat(ir: &mut Ir, op: OpId) -> bool {
    let view = SliceView::of(ir, op);
    let result = ir.result(op, 0);
    let is_one: Vec<bool> = view.sizes.iter().map(|&size| size == Mixed::Static(1)).collect();
    // One that has fewer dimensions than its source is flat already.
    if has_encoding(ir, view.base) || ir.shape_of(result).len() != is_one.len() {
        return false;
    }
    let extents = ir.shape_of(view.base).iter().zip(&is_one);
    let source: Vec<bool> = extents.map(|(&extent, &one)| extent == 1 && one).collect();
    if !is_one.contains(&true) || !source.contains(&false) {
        return false;
    }
    let builder = &mut Builder::before(ir, op);
    let base = collapse(builder, view.base, &without(&source));
    let left = |list: &[Mixed]| -> Vec<Mixed> {
        list.iter().zip(&source).filter(|(_, one)| !**one).map(|(number, _)| *number).collect()
    };
    let (elem, sizes) = (builder.ir.elem_of(result), builder.ir.shape_of(result).to_vec());
    let left =
        SliceView { offsets: left(&view.offsets), sizes: left(&view.sizes), strides: left(&view.strides), ..view };
    let shape: Vec<i64> = sizes.iter().zip(&is_one).filter(|(_, one)| !**one).map(|(&size, _)| size).collect();
    let ty = builder.ir.tensor_type(&shape, elem);
    let new = builder.extract_part(base, &left, ty);
    let wide = expand(builder, new, &without(&is_one), &view.sizes);
    ir.replace_uses(result, wide);
    ir.erase(op);
    true
}

/// A slice under other extents is a slice of its source under other extents; says whether a reshape was one of a slice.
pub(super) fn reshaped(ir: &mut Ir, op: OpId) -> bool {
    let old = ir.result(op, 0);
    let Some(new) = collapsed(ir, op) else { return false };
    ir.replace_uses(old, new);
    ir.erase(op);
    true
}

fn collapsed(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let slice = ir.def_op(ir.operand(op, 0)).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice)?;
    if ir.opcode(op) != Opcode::TensorCollapseShape {
        return None;
    }
    let view = SliceView::of(ir, slice);
    let shape = ir.shape_of(view.base).to_vec();
    if shape.contains(&0) || has_encoding(ir, view.base) {
        return None;
    }
    let mut names = Names::around(ir, op)?;
    let kept = kept(&view.sizes, ir.shape_of(ir.operand(op, 0)));
    let mut part =
        SliceView { offsets: Vec::new(), sizes: Vec::new(), strides: Vec::new(), value: None, base: view.base };
    let (mut joined, mut at, mut first) = (Vec::new(), 0, 0);
    let alone = |part: &mut SliceView, joined: &mut Vec<usize>, d: usize| {
        part.offsets.push(view.offsets[d]);
        part.sizes.push(view.sizes[d]);
        part.strides.push(view.strides[d]);
        joined.push(1);
    };
    for group in groups(ir, op)? {
        let (from, to) = (kept[first], kept[first + group - 1] + 1);
        first += group;
        (at..from).for_each(|d| alone(&mut part, &mut joined, d));
        at = to;
        if to - from == 1 {
            alone(&mut part, &mut joined, from);
            continue;
        }
        let (offset, size) = match Row::of(&view, &shape, from, to) {
            Some(row) => (row.offset, Mixed::Static(row.size)),
            None if (from..to).all(|d| is_whole(ir, &mut names, &view, d)) => {
                (0, product(&mut Builder::before(ir, op), view.sizes[from..to].to_vec()))
            }
            None => return None,
        };
        part.offsets.push(Mixed::Static(offset));
        part.sizes.push(size);
        part.strides.push(Mixed::Static(1));
        joined.push(to - from);
    }
    (at..shape.len()).for_each(|d| alone(&mut part, &mut joined, d));
    let ty = ir.type_of(ir.result(op, 0));
    let base = match collapsed_already(ir, view.base, &joined, op) {
        Some(base) => base,
        None => collapse(&mut Builder::before(ir, op), view.base, &joined),
    };
    Some(Builder::before(ir, op).extract_part(base, &part, ty))
}

/// An expanded slice as a slice of its expanded source, if what is taken of each dimension begins where one of the new
/// ones does.
pub(super) fn expanded(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    if ir.opcode(op) != Opcode::TensorExpandShape {
        return None;
    }
    let slice = ir.def_op(ir.operand(op, 0)).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice)?;
    let view = SliceView::of(ir, slice);
    let shape = ir.shape_of(view.base).to_vec();
    let (offsets, strides) = (numbers(&view.offsets)?, numbers(&view.strides)?);
    let result = ir.shape_of(ir.result(op, 0)).to_vec();
    if has_encoding(ir, view.base) || shape.iter().chain(&result).any(|&extent| extent == 0) {
        return None;
    }
    let own = extents(&mut Builder::before(ir, op), view.base);
    let kept = kept(&view.sizes, ir.shape_of(ir.operand(op, 0)));
    let mut part =
        SliceView { offsets: Vec::new(), sizes: Vec::new(), strides: Vec::new(), value: None, base: view.base };
    let (mut split, mut sizes) = (vec![1; shape.len()], Vec::new());
    let (groups, mut at) = (groups(ir, op)?, 0);
    for d in 0..shape.len() {
        let group = kept.iter().position(|&other| other == d).map(|i| groups[i]).filter(|&group| group > 1);
        let Some(group) = group else {
            at += usize::from(kept.contains(&d));
            sizes.push(own[d]);
            part.offsets.push(view.offsets[d]);
            part.sizes.push(view.sizes[d]);
            part.strides.push(view.strides[d]);
            continue;
        };
        let taken = &result[at..at + group];
        if shape[d] == DYNAMIC || taken.contains(&DYNAMIC) {
            return None;
        }
        let inner: i64 = taken[1..].iter().product();
        if strides[d] != 1 || shape[d] % inner != 0 || offsets[d] % inner != 0 {
            return None;
        }
        let starts = std::iter::once(offsets[d] / inner).chain(std::iter::repeat(0));
        sizes.extend(std::iter::once(shape[d] / inner).chain(taken[1..].iter().copied()).map(Mixed::Static));
        part.offsets.extend(starts.take(group).map(Mixed::Static));
        part.sizes.extend(taken.iter().map(|&size| Mixed::Static(size)));
        part.strides.extend(vec![Mixed::Static(1); group]);
        (split[d], at) = (group, at + group);
    }
    let ty = ir.type_of(ir.result(op, 0));
    let builder = &mut Builder::before(ir, op);
    let base = expand(builder, view.base, &split, &sizes);
    Some(builder.extract_part(base, &part, ty))
}

/// What is put into a slice that then goes back to where it is from is put there at once; says whether it was.
///
/// This is how PyTorch assigns to a part of a row, `x[i, :j] = y`: the row is taken out, written and put back.
pub(super) fn put_back(ir: &mut Ir, op: OpId) -> bool {
    let outer = SliceView::of(ir, op);
    let Some(written) = outer.value.map(|value| before_ones(ir, value)) else { return false };
    let is_made_by = |value: ValueId, opcode: Opcode| ir.def_op(value).filter(|&made| ir.opcode(made) == opcode);
    let Some(insert) = is_made_by(written, Opcode::TensorInsertSlice) else { return false };
    let inner = SliceView::of(ir, insert);
    let Some(slice) = is_made_by(before_ones(ir, inner.base), Opcode::TensorExtractSlice) else { return false };
    let taken = SliceView::of(ir, slice);
    let is_there = taken.base == outer.base
        && (&taken.offsets, &taken.sizes, &taken.strides) == (&outer.offsets, &outer.sizes, &outer.strides);
    let is_dense = outer.strides.iter().chain(&inner.strides).all(|&stride| stride == Mixed::Static(1));
    let Some(value) = inner.value.filter(|_| is_there && is_dense && !has_encoding(ir, outer.base)) else {
        return false;
    };
    // Dimensions of one element are at the place of the slice; the others are in order.
    let is_one = |&size: &Mixed| size == Mixed::Static(1);
    let shape = ir.shape_of(written).to_vec();
    let (mut offsets, mut sizes) = (outer.offsets.clone(), outer.sizes.clone());
    let places = (0..sizes.len()).filter(|&d| !is_one(&outer.sizes[d]));
    let parts = (0..shape.len()).filter(|&d| shape[d] != 1);
    for (d, part) in places.zip(parts) {
        offsets[d] = match (outer.offsets[d], inner.offsets[part]) {
            (Mixed::Static(first), Mixed::Static(second)) => Mixed::Static(first.saturating_add(second)),
            (first, Mixed::Static(0)) => first,
            (Mixed::Static(0), second) => second,
            (Mixed::Value(_), _) | (_, Mixed::Value(_)) => return false,
        };
        sizes[d] = inner.sizes[part];
    }
    // Nothing may be written of one element, and reshapes may have left more dimensions than there are.
    let (parts, mut extents) = (ir.shape_of(value).to_vec(), unmixed(&sizes).0.into_iter());
    if !(0..shape.len()).all(|d| shape[d] != 1 || is_one(&inner.sizes[d]))
        || !parts.iter().all(|&part| extents.any(|extent| extent == part))
    {
        return false;
    }
    let kept = kept(&sizes, &parts);
    let dropped: Vec<bool> = (0..sizes.len()).map(|d| !kept.contains(&d)).collect();
    let builder = &mut Builder::before(ir, op);
    let value = match dropped.contains(&true) && dropped.contains(&false) {
        true => expand(builder, value, &without(&dropped), &sizes),
        false => value,
    };
    let new = builder.insert_slice(value, outer.base, &offsets, &sizes);
    ir.replace_uses(ir.result(op, 0), new);
    // The slice as it was written goes, too, unless something else reads it.
    let mut unused = Some(op);
    while let Some(made) = unused.filter(|&made| ir.is_unused(ir.result(made, 0))) {
        unused = ir.def_op(ir.operand(made, 0)).filter(|_| made != insert);
        ir.erase(made);
    }
    true
}

/// The value in front of reshapes that add or drop dimensions of extent 1.
fn before_ones(ir: &Ir, mut value: ValueId) -> ValueId {
    let long = |value: ValueId| ir.shape_of(value).iter().filter(|&&extent| extent != 1);
    while let Some(made) = ir.def_op(value)
        && is_reshape(ir, made)
        && long(value).eq(long(ir.operand(made, 0)))
    {
        value = ir.operand(made, 0);
    }
    value
}

/// The same reshape in front of an operation: several slices are of one.
fn collapsed_already(ir: &Ir, value: ValueId, joined: &[usize], op: OpId) -> Option<ValueId> {
    let block = ir.parent_block(op)?;
    let mut found = ir.uses(value).map(|(user, _)| user).filter(|&user| {
        ir.opcode(user) == Opcode::TensorCollapseShape && groups(ir, user).is_some_and(|groups| groups == joined)
    });
    let is_before = |made: &OpId| ir.block_ops(block).take_while(|&other| other != op).any(|other| other == *made);
    found.find(is_before).map(|made| ir.result(made, 0))
}

/// What a slice takes of several dimensions as if they were one.
struct Row {
    offset: i64,
    size: i64,
}

impl Row {
    /// Of neighbouring dimensions, if what is taken of them lies in one piece: of one of them some neighbours, of those in
    /// front of it one, and all of those behind it.
    fn of(view: &SliceView, shape: &[i64], from: usize, to: usize) -> Option<Row> {
        let [offsets, sizes, strides] =
            [&view.offsets, &view.sizes, &view.strides].map(|list| numbers(&list[from..to]));
        let (offsets, sizes, strides) = (offsets?, sizes?, strides?);
        let extents = &shape[from..to];
        let run = sizes.iter().position(|&size| size != 1).unwrap_or(sizes.len() - 1);
        let is_whole = |d: usize| offsets[d] == 0 && sizes[d] == extents[d] && strides[d] == 1;
        if extents[1..].contains(&DYNAMIC)
            || strides[run] != 1 && sizes[run] != 1
            || !(run + 1..sizes.len()).all(is_whole)
        {
            return None;
        }
        let (mut offset, mut size) = (0i64, 1i64);
        for (d, &extent) in extents.iter().enumerate() {
            offset = if d == 0 { offsets[0] } else { offset.checked_mul(extent)?.checked_add(offsets[d])? };
            size = size.checked_mul(sizes[d])?;
        }
        Some(Row { offset, size })
    }
}
