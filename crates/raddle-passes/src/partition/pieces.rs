//! Pieces: tensors that are put together become selections between padded ones, which are elementwise.
//!
//! Before: `%c = tensor.concat dim(1) %a, %b : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>`
//! After:
//!
//! ```mlir
//! %x = tensor.pad %a low[0, 0] high[0, 3] …  // read through a mask by whoever uses it
//! %y = tensor.pad %b low[0, 5] high[0, 0] …
//! %c = linalg.generic ins(%x, %y) …          // linalg.index 1 < 5 ? %x : %y
//! ```
//!
//! A piece of one element, as `torch.stack` makes them, is read without padding. So are pieces of the same extent whose
//! number is a dimension for who uses them, or that are read by index, as the values of both halves of bytes are: they get
//! a loop of their number, and another one inside. An insertion of a slice at a known place
//! is the same with a condition for each dimension. So what stands in front of and behind the pieces can share a kernel with
//! them, as the rotary embedding of a transformer: a half of each row, negated, beside the other one, times a table.
//! Elementwise operations in front are computed on padded operands, unless one of these is a product, or read by index, for
//! them alone: they share its kernel. Slices go through copies to what is copied.
//!
//! Pieces of open extent along the dimension in which they stand side by side, and more of them than a kernel had better
//! look at for each element, stay as they are.

use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, BlockId, Builder, Class, DYNAMIC, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::by_reads;
use super::flatten::{is_elementwise, is_reshape, only_user, split_known_loop, without};
use super::reshape::{Names, collapse, extents, groups, has_encoding};
use super::{carried, slices};
use crate::code::{BELOW, compare, select};
use crate::structured::body;
use crate::structured::generalize::{body_of, copy_along, elementwise, generic, loop_index, make_generic};
use crate::structured::moves::{self, numbers, pad_with_zeros};
use crate::structured::sizes::mixed_extent;
use crate::structured::windows;

/// Pieces of a concatenation.
const PIECES_MAX: usize = 8;

/// Rewrites what puts tensors together in some blocks.
pub(super) fn choose(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        match ir.opcode(op) {
            _ if carried::is_insertion(ir, op) => None,
            Opcode::TensorConcat => concat(ir, op),
            Opcode::TensorInsertSlice => insertion(ir, op),
            Opcode::TensorExtractSlice => slice_of_copy(ir, op),
            _ => None,
        };
    }
}

/// What is moved and nothing else is moved by a kernel with vectors, as if something were computed of it: slices and padded
/// tensors that are not only read in place, and what is put together of pieces in other ways.
pub(super) fn copy_moved(ir: &mut Ir, blocks: &[BlockId]) {
    // What is behind may need what is in front of it in memory.
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).rev().collect::<Vec<_>>() {
        match ir.opcode(op) {
            _ if carried::is_insertion(ir, op) => {}
            Opcode::TensorConcat if concat(ir, op).is_some() => {}
            Opcode::TensorPad | Opcode::TensorExtractSlice => copy(ir, op),
            Opcode::TensorConcat | Opcode::TensorInsertSlice | Opcode::TensorGenerate => {
                let result = ir.result(op, 0);
                if is_plain(ir, result)
                    && let Some(new) = by_reads::read(&mut Builder::before(ir, op), op)
                {
                    ir.replace_uses(result, new);
                    ir.erase(op);
                }
            }
            _ => {}
        }
    }
}

/// Whether a kernel has the elements of a tensor as numbers.
fn is_plain(ir: &Ir, value: ValueId) -> bool {
    Scalar::of(&ir[ir.elem_of(value)]).is_some() && !has_encoding(ir, value)
}

/// Gives those who need a slice or a padded tensor in memory a copy.
fn copy(ir: &mut Ir, op: OpId) {
    let result = ir.result(op, 0);
    if ir.opcode(op) == Opcode::TensorPad {
        extents_apart(ir, op);
    }
    let is_view = windows::is_view(ir, op);
    let reads = |&(user, operand): &(OpId, usize)| is_view && windows::reads(ir, user, operand);
    let uses: Vec<(OpId, usize)> = ir.uses(result).filter(|usage| !reads(usage)).collect();
    if ir.is_unused(result) {
        return ir.erase(op);
    }
    if uses.is_empty() || !is_plain(ir, result) {
        return;
    }
    let Some(next) = ir.next_op(op) else { return };
    let builder = &mut Builder::before(ir, next);
    let copy = if is_view && has_elements(builder.ir, result) {
        let shape = builder.ir.shape_of(result).to_vec();
        let known = extents(builder, result).into_iter().zip(shape);
        let sizes: Vec<Mixed> = known
            .map(|(size, extent)| match extent {
                DYNAMIC => Mixed::Value(size.materialize(builder)),
                extent => Mixed::Static(extent),
            })
            .collect();
        Some(copy_along(builder, result, Map::identity(sizes.len()), &sizes))
    } else {
        by_reads::read(builder, op)
    };
    let Some(copy) = copy else { return };
    for (user, operand) in uses {
        ir.set_operand(user, operand, copy);
    }
    if ir.is_unused(result) {
        ir.erase(op);
    }
}

/// Lets those who ask for an extent of a padded tensor compute it from that of its source, which takes no copy.
fn extents_apart(ir: &mut Ir, pad: OpId) {
    let padded = ir.result(pad, 0);
    for (user, _) in ir.uses(padded).collect::<Vec<_>>() {
        if ir.opcode(user) != Opcode::TensorDim {
            continue;
        }
        let dim = ir.const_int(ir.operand(user, 1)).and_then(|dim| usize::try_from(dim).ok());
        let Some(dim) = dim.filter(|&dim| dim < ir.shape_of(padded).len()) else { continue };
        // A number would say more than the types do.
        if let Mixed::Value(extent) = mixed_extent(&mut Builder::before(ir, user), padded, dim) {
            let old = ir.result(user, 0);
            ir.replace_uses(old, extent);
            ir.erase(user);
        }
    }
}

/// Whether a tensor may have elements, which a kernel has as numbers.
fn has_elements(ir: &Ir, value: ValueId) -> bool {
    is_plain(ir, value) && ir.ty(value).shape().is_some_and(|shape| !shape.contains(&0))
}

fn concat(ir: &mut Ir, op: OpId) -> Option<()> {
    let result = ir.result(op, 0);
    let dim = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok())?;
    has_elements(ir, result).then_some(())?;
    // Where each piece begins; those of no elements are not there.
    let (mut pieces, mut end) = (Vec::new(), 0);
    for &piece in ir.operands(op) {
        let extent = Some(*ir.ty(piece).shape()?.get(dim)?).filter(|&extent| extent != DYNAMIC)?;
        if extent != 0 {
            has_elements(ir, piece).then_some(())?;
            pieces.push((piece, end));
        }
        end += extent;
    }
    let shape = ir.shape_of(result).to_vec();
    if pieces.len() < 2 || pieces.len() > PIECES_MAX || shape[dim] != end {
        return None;
    }
    let long = shape[dim] / pieces.len() as i64;
    let are_alike = long > 1 && pieces.iter().all(|&(piece, _)| ir.shape_of(piece)[dim] == long);
    let parts: Vec<ValueId> = pieces.iter().map(|&(piece, _)| piece).collect();
    if are_alike && (is_expanded(ir, result, dim, long) || parts.iter().all(|&part| reads_by_index(ir, part))) {
        let new = stacked(&mut Builder::before(ir, op), &parts, dim, result);
        ir.replace_uses(result, new);
        ir.erase(op);
        return Some(());
    }
    let builder = &mut Builder::before(ir, op);
    let sizes = extents(builder, pieces[0].0);
    let rank = sizes.len();
    let (mut inputs, mut maps) = (Vec::new(), Vec::new());
    for &(piece, at) in &pieces {
        let extent = builder.ir.shape_of(piece)[dim];
        // One element is the same wherever it is read.
        if extent == 1 && rank > 1 {
            let others: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
            let is_piece: Vec<bool> = (0..rank).map(|d| d == dim).collect();
            inputs.push(collapse(builder, piece, &without(&is_piece)));
            maps.push(Map::of_dims(rank, &others));
            continue;
        }
        let (mut low, mut high) = (vec![0; rank], vec![0; rank]);
        low[dim] = at;
        high[dim] = end - at - extent;
        inputs.push(padded(builder, piece, &low, &high));
        maps.push(Map::identity(rank));
    }
    maps.push(Map::identity(rank));
    let elem = builder.ir.elem_of(result);
    let outputs = vec![empty(builder, result, &shape, &sizes)];
    let linalg = Linalg { inputs, outputs, maps, reduction: vec![false; rank] };
    let new = generic(builder, &linalg, &[]);
    body_of(builder, new, &vec![elem; pieces.len() + 1], |inner, args| {
        let at = loop_index(inner, dim);
        let mut pieces = pieces.iter().zip(args).rev();
        let (mut first, mut so_far) = pieces.next().map(|(piece, &arg)| (piece.1, arg)).expect("there are pieces");
        for (&(_, start), &arg) in pieces {
            let inside = below(inner, at, first);
            so_far = select(inner, inside, arg, so_far);
            first = start;
        }
        vec![so_far]
    });
    let new = ir.result(new, 0);
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}

/// Whether who uses a tensor, which is one operation, has a dimension of it as several, of which the last ones make up parts
/// of so many elements.
fn is_expanded(ir: &Ir, value: ValueId, dim: usize, part: i64) -> bool {
    let Some(expand) = only_user(ir, value).filter(|&user| ir.opcode(user) == Opcode::TensorExpandShape) else {
        return false;
    };
    let Some(groups) = groups(ir, expand) else { return false };
    let end: usize = groups[..=dim].iter().sum();
    let own = &ir.shape_of(ir.result(expand, 0))[end - groups[dim]..end];
    !own.contains(&DYNAMIC) && (1..own.len()).any(|d| own[d..].iter().product::<i64>() == part)
}

/// Whether a tensor is computed element by element of what is read by index, and of nothing that is summed: it cannot be
/// computed of padded operands, nor is it a kernel that others had better not enter.
fn reads_by_index(ir: &Ir, value: ValueId) -> bool {
    let (mut seen, mut found) = (FxHashSet::default(), false);
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(made) = ir.def_op(value).filter(|&made| seen.insert(made)) else { continue };
        match Linalg::try_of(ir, made) {
            _ if is_reshape(ir, made) => waiting.push(ir.operand(made, 0)),
            Some(linalg) if linalg.reduction.contains(&true) => return false,
            Some(linalg) => {
                found |= ir.body(made, 0).is_some_and(|body| !is_total(ir, body));
                waiting.extend(linalg.inputs);
            }
            None => {}
        }
    }
    found
}

/// Pieces of the same extent behind one another: one of them, along a loop of their number, and what that gives with both
/// as one dimension. Nothing is padded.
fn stacked(builder: &mut Builder<'_>, parts: &[ValueId], dim: usize, result: ValueId) -> ValueId {
    let mut sizes = extents(builder, parts[0]);
    let mut shape = builder.ir.shape_of(result).to_vec();
    let rank = shape.len() + 1;
    let own: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
    shape[dim] /= parts.len() as i64;
    shape.insert(dim, parts.len() as i64);
    sizes.insert(dim, Mixed::Static(shape[dim]));
    let mut maps = vec![Map::of_dims(rank, &own); parts.len()];
    maps.push(Map::identity(rank));
    let outputs = vec![empty(builder, result, &shape, &sizes)];
    let linalg = Linalg { inputs: parts.to_vec(), outputs, maps, reduction: vec![false; rank] };
    let new = generic(builder, &linalg, &[]);
    let elem = builder.ir.elem_of(result);
    body_of(builder, new, &vec![elem; parts.len() + 1], |inner, args| {
        let at = loop_index(inner, dim);
        let first = args[..parts.len()].iter().enumerate().rev().map(|(number, &arg)| (number as i64 + 1, arg));
        let chosen = first.reduce(|(behind, so_far), (end, arg)| {
            let inside = below(inner, at, end);
            (behind, select(inner, inside, arg, so_far))
        });
        vec![chosen.expect("there are pieces").1]
    });
    let new = builder.ir.result(new, 0);
    collapse(builder, new, &(0..rank - 1).map(|d| if d == dim { 2 } else { 1 }).collect::<Vec<_>>())
}

fn insertion(ir: &mut Ir, op: OpId) -> Option<()> {
    let (view, result, piece) = (SliceView::of(ir, op), ir.result(op, 0), ir.operand(op, 0));
    let (offsets, sizes, strides) = (numbers(&view.offsets)?, numbers(&view.sizes)?, numbers(&view.strides)?);
    let (shape, part) = (ir.shape_of(result).to_vec(), ir.shape_of(piece));
    let is_known = has_elements(ir, result) && has_elements(ir, piece) && !shape.contains(&DYNAMIC);
    if !is_known || part != sizes || strides.iter().any(|&stride| stride != 1) || shape.is_empty() {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let high: Vec<i64> = (0..shape.len()).map(|d| shape[d] - offsets[d] - sizes[d]).collect();
    let piece = padded(builder, piece, &offsets, &high);
    // What lies around it need not be in memory if it is one number.
    let number = number_of(builder, view.base);
    let operands = [&[piece][..], number.map_or(&[view.base][..], |_| &[])].concat();
    let new = elementwise(builder, &operands, result, &[], |inner, args| {
        let mut inside = None;
        for d in (0..shape.len()).filter(|&d| sizes[d] != shape[d]) {
            let (at, first) = (loop_index(inner, d), inner.index(offsets[d]));
            let at = inner.binary(Opcode::ArithSubi, at, first);
            let here = below(inner, at, sizes[d]);
            inside = Some(inside.map_or(here, |inside| inner.binary(Opcode::ArithAndi, inside, here)));
        }
        inside.map_or(args[0], |inside| select(inner, inside, args[0], number.unwrap_or_else(|| args[1])))
    });
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}

/// The number of which all elements of a tensor are.
fn number_of(builder: &mut Builder<'_>, value: ValueId) -> Option<ValueId> {
    let made = builder.ir.def_op(value)?;
    match builder.ir.opcode(made) {
        Opcode::LinalgFill => Some(builder.ir.operand(made, 0)),
        Opcode::ArithConstant => {
            let Some(dense @ Attr::Dense { splat: true, .. }) = builder.ir.attr(made, "value") else { return None };
            let number = builder.ir.dense_elems(dense).into_iter().next()?;
            let elem = builder.ir.elem_of(value);
            Some(builder.constant(number, elem))
        }
        _ => None,
    }
}

/// A slice of a tensor whose dimensions were put in another order, or repeated, is a slice of that tensor, of which the
/// same is done. Some of the dimensions may be one behind that, if the slice takes all of these.
fn slice_of_copy(ir: &mut Ir, op: OpId) -> Option<()> {
    let (view, result) = (SliceView::of(ir, op), ir.result(op, 0));
    if view.strides.iter().any(|&stride| stride != Mixed::Static(1)) {
        return None;
    }
    let kept = moves::kept(&view.sizes, ir.shape_of(result));
    let joins = ir.def_op(view.base).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape);
    let joined = match joins {
        Some(joins) => groups(ir, joins)?,
        None => vec![1; view.sizes.len()],
    };
    let copy = joins.map_or(view.base, |joins| ir.operand(joins, 0));
    let (input, places) = copied(ir, ir.def_op(copy)?)?;
    let mut names = Names::around(ir, op)?;
    // The slice in the dimensions of the copy.
    let (mut offsets, mut sizes, mut kept_apart) = (Vec::new(), Vec::new(), Vec::new());
    for (d, &n) in joined.iter().enumerate() {
        let own = sizes.len()..sizes.len() + n;
        kept_apart.extend(own.clone().filter(|_| kept.contains(&d)));
        if n == 1 {
            offsets.push(view.offsets[d]);
            sizes.push(view.sizes[d]);
            continue;
        }
        if !slices::is_whole(ir, &mut names, &view, d) || !kept.contains(&d) {
            return None;
        }
        offsets.resize(offsets.len() + n, Mixed::Static(0));
        sizes.extend(extents(&mut Builder::before(ir, op), copy)[own].to_vec());
    }
    if has_encoding(ir, input) {
        return None;
    }
    // Dimensions of one element that the slice leaves out are left out of the part, too.
    let of = |list: &[Mixed]| -> Vec<Mixed> { places.iter().map(|&d| list[d]).collect() };
    let dims: Vec<usize> = places.iter().filter_map(|d| kept_apart.iter().position(|kept| kept == d)).collect();
    let extent = |d: usize| if let Mixed::Static(n) = sizes[d] { n } else { DYNAMIC };
    let shape: Vec<i64> = dims.iter().map(|&d| extent(kept_apart[d])).collect();
    let of_copy: Vec<Mixed> = kept_apart.iter().map(|&d| sizes[d]).collect();
    let part = SliceView {
        base: input,
        value: None,
        offsets: of(&offsets),
        sizes: of(&sizes),
        strides: vec![Mixed::Static(1); places.len()],
    };
    let builder = &mut Builder::before(ir, op);
    let elem = builder.ir.elem_of(result);
    let ty = builder.ir.tensor_type(&shape, elem);
    let part = builder.extract_part(input, &part, ty);
    let is_in_order = dims.len() == of_copy.len() && dims.is_sorted();
    let new = match is_in_order {
        true => part,
        false => copy_along(builder, part, Map::of_dims(of_copy.len(), &dims), &of_copy),
    };
    let new = collapse(builder, new, &kept.iter().map(|&d| joined[d]).collect::<Vec<_>>());
    if builder.ir.type_of(new) != builder.ir.type_of(result) {
        return None;
    }
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}

/// What an operation copies, and the dimension of the copy that each of its dimensions is.
fn copied(ir: &Ir, op: OpId) -> Option<(ValueId, Vec<usize>)> {
    let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
    let (&[input], [from, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
    let places = from.as_dims()?;
    let is_list = (0..places.len()).all(|i| !places[..i].contains(&places[i]));
    let is_copy = body::copies_input(ir, op) && to.is_identity() && is_list && ir.ty(input).is_tensor();
    is_copy.then_some((input, places))
}

/// A tensor with elements in front and behind that nobody looks at. One that is computed element by element is computed
/// of operands that are padded.
fn padded(builder: &mut Builder<'_>, value: ValueId, low: &[i64], high: &[i64]) -> ValueId {
    if ends_a_kernel(builder.ir, value) {
        return pad_with_zeros(builder, value, low, high);
    }
    let value = with_ones(builder.ir, value).unwrap_or(value);
    let ir = &*builder.ir;
    let is_only = ir.uses(value).count() == 1;
    let made = ir.def_op(value).filter(|&made| is_only && ir.results(made).len() == 1);
    // A named operation gets a body.
    let made = made.map(|made| make_generic(builder.ir, made).unwrap_or(made));
    let value = made.map_or(value, |made| builder.ir.result(made, 0));
    let new = made.and_then(|made| padded_operands(builder, made, low, high));
    new.unwrap_or_else(|| pad_with_zeros(builder, value, low, high))
}

/// What a tensor is that an elementwise operation makes but for dimensions of extent 1, as in `x[:, 3] = 2 * y`: the result
/// of that operation with loops for these. All that is computed for it is computed for it alone: what others need as well
/// is a kernel of theirs, and had better be in it with what else is computed there.
fn with_ones(ir: &mut Ir, value: ValueId) -> Option<ValueId> {
    let expand = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape)?;
    let source = ir.operand(expand, 0);
    let [short, shape] = [source, value].map(|value| ir.shape_of(value).to_vec());
    let (is_open, is_long) = (shape.contains(&DYNAMIC), |extent: &&i64| **extent != 1);
    let is_same = !short.is_empty() && short.iter().filter(is_long).eq(shape.iter().filter(is_long));
    let made = ir.def_op(source).filter(|_| is_same && !is_open && is_computed_alone(ir, value))?;
    let linalg = Linalg::try_of(ir, made)?;
    if linalg.reduction.contains(&true) || !linalg.maps.last()?.is_identity() {
        return None;
    }
    let made = make_generic(ir, made).unwrap_or(made);
    let mut made = is_elementwise(ir, made).then_some(made)?;
    let mut end = shape.len();
    for (d, &group) in groups(ir, expand)?.iter().enumerate().rev() {
        if group > 1 {
            made = split_known_loop(ir, made, d, &shape[end - group..end]);
        }
        end -= group;
    }
    Some(ir.result(made, 0))
}

/// Whether nothing else uses a tensor, nor what is computed on the way to it.
fn is_computed_alone(ir: &Ir, value: ValueId) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(made) = ir.def_op(value) else { continue };
        match Linalg::try_of(ir, made) {
            _ if is_reshape(ir, made) => waiting.push(ir.operand(made, 0)),
            Some(linalg) => waiting.extend(linalg.inputs),
            None => continue,
        }
        if ir.uses(value).count() != 1 {
            return false;
        }
    }
    true
}

/// Whether elementwise operations that lead to a tensor are the only ones that use what is computed in another way: with
/// padded operands they would leave its kernel, and all that it gives them would go through memory.
fn ends_a_kernel(ir: &Ir, value: ValueId) -> bool {
    let (mut chain, mut others) = (FxHashSet::default(), Vec::new());
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let Some(made) = ir.def_op(value).filter(|made| !chain.contains(made)) else { continue };
        match Linalg::try_of(ir, made) {
            _ if matches!(ir.opcode(made), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) => {
                waiting.push(ir.operand(made, 0));
            }
            Some(linalg)
                if !linalg.reduction.contains(&true) && ir.body(made, 0).is_none_or(|body| is_total(ir, body)) =>
            {
                waiting.extend(linalg.inputs);
            }
            Some(_) => {
                others.push(made);
                continue;
            }
            None => continue,
        }
        chain.insert(made);
    }
    let is_own = |op: &OpId| ir.results(*op).all(|value| ir.uses(value).all(|(user, _)| chain.contains(&user)));
    !chain.is_empty() && others.iter().any(is_own)
}

/// Whether what a body makes of padding is nothing, and no error.
fn is_total(ir: &Ir, body: BlockId) -> bool {
    ir.block_ops(body).all(|op| {
        ir.class(op) == Class::Yield || ir.class(op) == Class::Elementwise && ir.opcode(op).info().may_be_speculated()
    })
}

fn padded_operands(builder: &mut Builder<'_>, made: OpId, low: &[i64], high: &[i64]) -> Option<ValueId> {
    let ir = &*builder.ir;
    let mut linalg = Linalg::try_of(ir, made)?;
    let value = ir.result(made, 0);
    let is_elementwise = !linalg.reduction.contains(&true) && linalg.maps.last()?.is_identity();
    let body = ir.body(made, 0)?;
    let reads_output = ir.args(body).last().is_some_and(|&arg| !ir.is_unused(arg));
    if linalg.outputs.len() != 1 || !is_elementwise || reads_output || !is_total(ir, body) {
        return None;
    }
    let moved = |d: usize| low[d] != 0 || high[d] != 0;
    let mut pads = Vec::new();
    for (&input, map) in linalg.inputs.iter().zip(&linalg.maps) {
        let dims = map.as_dims()?;
        let rank = ir.ty(input).shape()?.len();
        let is_list = (0..dims.len()).all(|i| !dims[..i].contains(&dims[i])) && dims.len() == rank;
        let place = |list: &[i64]| -> Vec<i64> { dims.iter().map(|&d| list[d]).collect() };
        if !is_list {
            return None;
        }
        pads.push(dims.iter().any(|&d| moved(d)).then(|| (place(low), place(high))));
    }
    for (input, pad) in linalg.inputs.iter_mut().zip(pads) {
        if let Some((low, high)) = pad {
            *input = padded(builder, *input, &low, &high);
        }
    }
    let sizes = extents(builder, value);
    let shape = moves::padded_shape(builder.ir.shape_of(value), low, high);
    linalg.outputs = vec![empty(builder, value, &shape, &sizes)];
    let new = generic(builder, &linalg, &[]);
    builder.copy_regions(made, new, &mut ValueMap::default());
    Some(builder.ir.result(new, 0))
}

/// A tensor of a shape with the elements of `like`, without contents; `sizes` are its extents where the shape is open.
fn empty(builder: &mut Builder<'_>, like: ValueId, shape: &[i64], sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(like);
    let open = shape.iter().zip(sizes).filter(|(extent, _)| **extent == DYNAMIC);
    let open: Vec<ValueId> = open.map(|(_, size)| size.materialize(builder)).collect();
    let ty = builder.ir.tensor_type(shape, elem);
    builder.value(Opcode::TensorEmpty, &open, ty, &[])
}

/// Whether an index is at least 0 and less than a number: without a sign, what is negative is large.
fn below(builder: &mut Builder<'_>, at: ValueId, end: i64) -> ValueId {
    let end = builder.index(end);
    compare(builder, BELOW, at, end)
}
