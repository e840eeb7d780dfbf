//! Flatten: dimensions of extent 1 go, and loops that reshapes show to be one become one, so that what stands on both
//! sides of a reshape can be one kernel.
//!
//! Before: `%0 = linalg.matmul … -> tensor<888x128xf32>`,
//!         `%1 = tensor.expand_shape %0 [[0, 1], [2]] … into tensor<8x111x128xf32>`, an addition of `%1`, the sums of its
//!         rows as `tensor<8x111x1xf32>`, and a division of these along three loops
//! After:  the addition along two loops, the sums as `tensor<888xf32>`, and a division along one; what leaves the function
//!         is reshaped at its end
//!
//! This is how programs come from PyTorch: rows of a batch are flattened in front of each product, and what is summed
//! keeps a dimension. Reshapes go through elementwise operations and reductions up and down until they meet and cancel, or
//! stand where the host carries them out, which costs nothing. Results that nobody reads go as well, and so do copies, and
//! extents are those of arguments where they follow from these.
//!
//! Loops stay two where a neighbour of an elementwise operation needs them apart: they had better share a kernel than have
//! a reshape between them. So do those of a matrix that is multiplied by a vector, and is made along both.
//!
//! Does not change what is computed, nor in which order. Windows, and operations that the user has configured, stay as
//! they are.

use std::collections::BTreeMap;
use std::ops::Range;

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Type, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::reshape::{self, Names, collapse, expand, extents, groups};
use super::slices;
use crate::normalize::unused_results;
use crate::structured::generalize::{at_loops, generic, loop_index, make_generic};
use crate::structured::{body, moves, windows};

/// Flattens the operations of some blocks. Tensors with more elements than can be counted stay as they are.
pub(super) fn flatten(ir: &mut Ir, blocks: &[BlockId]) {
    let countable = |value: ValueId| {
        let extents = ir.ty(value).shape().unwrap_or_default().iter().filter(|&&extent| extent != DYNAMIC);
        extents.clone().try_fold(1i64, |n, &extent| n.checked_mul(extent)).is_some()
    };
    let made = blocks.iter().flat_map(|&block| ir.block_ops(block)).flat_map(|op| ir.results(op));
    if !made.chain(blocks.iter().flat_map(|&block| ir.args(block).to_vec())).all(countable) {
        return;
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        match ir.opcode(op) {
            Opcode::TensorReshape => reshape::plain(ir, op),
            Opcode::TensorInsertSlice => slices::put_back(ir, op),
            _ => false,
        };
    }
    let ops = blocks.iter().flat_map(|&block| ir.block_ops(block));
    let products = ops.filter(|&op| Linalg::try_of(ir, op).is_some() && body::is_contraction(ir, op));
    for op in products.collect::<Vec<_>>() {
        if split_batch(ir, op).is_none() {
            let op = split_in_front(ir, op);
            split_behind(ir, op);
        }
    }
    let mut apart = Apart::default();
    loop {
        let mut changed = false;
        // A reshape that is one with the next is none that loops could be joined for, and hides who needs them apart.
        for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
            if is_reshape(ir, op) {
                changed |= reshape::join(ir, op);
            }
        }
        leave_out_unused(ir, blocks);
        for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
            let changes = match ir.opcode(op) {
                Opcode::TensorExpandShape | Opcode::TensorCollapseShape => {
                    reshape::join(ir, op) || slices::reshaped(ir, op)
                }
                Opcode::TensorDim => reshape::state(ir, op),
                Opcode::TensorReshape => reshape::plain(ir, op),
                Opcode::TensorExtractSlice => slices::whole(ir, op) || slices::flat(ir, op),
                Opcode::TensorConcat => concat(ir, op),
                Opcode::TensorPad => padded(ir, op),
                _ => structured(ir, op, &mut apart),
            };
            if changes {
                apart.clear();
            }
            changed |= changes;
        }
        leave_out_unused(ir, blocks);
        if !changed {
            return;
        }
    }
}

pub(super) fn is_reshape(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape)
}

/// Takes away reshapes and tensors without elements of their own that nobody uses any more.
pub(super) fn leave_out_unused(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>().into_iter().rev() {
        let is_made = is_reshape(ir, op) || matches!(ir.opcode(op), Opcode::TensorEmpty | Opcode::LinalgFill);
        if is_made && ir.results(op).all(|value| ir.is_unused(value)) {
            ir.erase(op);
        }
    }
}

/// Of dimensions without those of extent 1, how many make up each that is left.
pub(super) fn without(is_one: &[bool]) -> Vec<usize> {
    let kept: Vec<usize> = (0..is_one.len()).filter(|&d| !is_one[d]).collect();
    let sizes = (0..kept.len()).map(|k| {
        let start = if k == 0 { 0 } else { kept[k] };
        kept.get(k + 1).copied().unwrap_or(is_one.len()) - start
    });
    sizes.collect()
}

/// Takes dimensions of extent 1 off a tensor that is padded along others; says whether it did.
fn padded(ir: &mut Ir, op: OpId) -> bool {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let [Some(low), Some(high)] = moves::padding(ir, op).map(|list| moves::numbers(&list)) else { return false };
    let shape = ir.shape_of(result).to_vec();
    let is_one: Vec<bool> = (0..shape.len()).map(|d| shape[d] == 1 && low[d] == 0 && high[d] == 0).collect();
    let is_open = shape.contains(&DYNAMIC) || ir.shape_of(source).contains(&DYNAMIC);
    let Some(constant) = moves::padding_constant(ir, op).filter(|_| !is_open && !reshape::has_encoding(ir, source))
    else {
        return false;
    };
    if !is_one.contains(&true) || !is_one.contains(&false) {
        return false;
    }
    let left = |list: &[i64]| -> Vec<i64> { (0..list.len()).filter(|&d| !is_one[d]).map(|d| list[d]).collect() };
    let builder = &mut Builder::before(ir, op);
    let base = collapse(builder, source, &without(&is_one));
    let elem = builder.ir.elem_of(result);
    let new =
        moves::pad(builder, base, &left(&low), &left(&high), |inner| inner.constant(inner.ir[constant].clone(), elem));
    let sizes: Vec<Mixed> = shape.into_iter().map(Mixed::Static).collect();
    let wide = expand(builder, new, &without(&is_one), &sizes);
    ir.replace_uses(result, wide);
    ir.erase(op);
    true
}

/// Takes dimensions of extent 1 off tensors that are put behind one another; says whether it did.
fn concat(ir: &mut Ir, op: OpId) -> bool {
    let (mut parts, result) = (ir.operands(op).to_vec(), ir.result(op, 0));
    // Extents that a cast has hidden.
    for part in &mut parts {
        let cast = ir.def_op(*part).filter(|&made| ir.opcode(made) == Opcode::TensorCast);
        if let Some(from) = cast.map(|cast| ir.operand(cast, 0))
            && ir.ty(from).shape().is_some_and(|shape| !shape.contains(&DYNAMIC))
        {
            *part = from;
        }
    }
    ir.set_operands(op, &parts);
    let Some(along) = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok()) else {
        return false;
    };
    let rank = ir.shape_of(result).len();
    let is_one = |d: usize| d != along && parts.iter().chain([&result]).all(|&part| ir.shape_of(part)[d] == 1);
    let is_one: Vec<bool> = (0..rank).map(is_one).collect();
    if !is_one.contains(&true) || parts.iter().chain([&result]).any(|&part| reshape::has_encoding(ir, part)) {
        return false;
    }
    let builder = &mut Builder::before(ir, op);
    let sizes = concatenated(builder, &parts, along, result);
    let groups = without(&is_one);
    let flat: Vec<ValueId> = parts.iter().map(|&part| collapse(builder, part, &groups)).collect();
    let shape = builder.ir.shape_of(result);
    let kept: Vec<i64> = (0..rank).filter(|&d| !is_one[d]).map(|d| shape[d]).collect();
    let elem = builder.ir.elem_of(result);
    let ty = builder.ir.tensor_type(&kept, elem);
    let along = is_one[..along].iter().filter(|one| !**one).count();
    let along = builder.ir.i64_attr(along as i64);
    let new = builder.value(Opcode::TensorConcat, &flat, ty, &[("dim", along)]);
    let wide = expand(builder, new, &groups, &sizes);
    ir.replace_uses(result, wide);
    ir.erase(op);
    true
}

/// The extents of tensors behind one another, of which `result` may say more than the parts do.
fn concatenated(builder: &mut Builder<'_>, parts: &[ValueId], along: usize, result: ValueId) -> Vec<Mixed> {
    let mut sizes = extents(builder, parts[0]);
    for &part in &parts[1..] {
        let more = extents(builder, part)[along];
        let [a, b] = [sizes[along], more].map(|size| match size {
            Mixed::Static(size) => builder.index(size),
            Mixed::Value(value) => value,
        });
        sizes[along] = Mixed::Value(builder.binary(Opcode::ArithAddi, a, b));
    }
    let known = |(&extent, size): (&i64, Mixed)| if extent == DYNAMIC { size } else { Mixed::Static(extent) };
    builder.ir.shape_of(result).iter().zip(sizes).map(known).collect()
}

/// Whether there is a product for whose matrix instructions flattening is worth a host: they go along the
/// last loop of rows, of columns and of sums, which has one iteration, or becomes one with the loop in front of it.
pub(super) fn joins_products(ir: &Ir, blocks: &[BlockId]) -> bool {
    let mut apart = Apart::default();
    blocks.iter().flat_map(|&block| ir.ops_of(block)).any(|op| {
        let is_product = is_plain(ir, op) && body::is_contraction_but_for_ones(ir, op);
        let Some(linalg) = Linalg::try_of(ir, op).filter(|_| is_product) else { return false };
        // Windows are views of what they are of as long as their loops are apart.
        let is_window = |&input: &ValueId| ir.def_op(input).is_some_and(|made| windows::is_window(ir, made));
        if linalg.inputs.iter().any(is_window) {
            return false;
        }
        let extents = linalg.extents(ir);
        let goes_along = |map: &Map, d: usize| map.results.contains(&Expr::Dim(d as u32));
        let along = |d: usize| [0, 1, 2].map(|i| goes_along(&linalg.maps[i], d));
        let mut sides = [[true, false, true], [false, true, true], [true, true, false]]
            .map(|side| (0..extents.len()).filter(|&d| along(d) == side).collect::<Vec<usize>>());
        let is_long = |side: &Vec<usize>| side.iter().any(|&d| extents[d] != 1);
        let of_one = (0..extents.len()).any(|d| extents[d] == 1 && along(d).iter().filter(|&&is| is).count() == 1);
        let ends_with_one = |side: &Vec<usize>| side.last().is_some_and(|&d| extents[d] == 1);
        let mut joins = |side: &mut Vec<usize>| {
            side.retain(|&d| extents[d] != 1);
            side.windows(2).any(|pair| may_join(ir, op, [pair[0], pair[1]], &mut apart))
        };
        sides.iter().all(is_long) && (of_one || sides.iter().any(ends_with_one) || sides.iter_mut().any(&mut joins))
    })
}

/// Rewrites an operation with loops; says whether it did.
fn structured(ir: &mut Ir, op: OpId, apart: &mut Apart) -> bool {
    let configured = |name: &str| ir.attr(op, name).is_some();
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let is_plain_tensor = |value: &ValueId| matches!(ir.ty(*value), Type::Tensor { encoding: None, .. });
    let is_number = |value: &ValueId| ir.ty(*value).shape().is_none();
    let on_tensors = linalg.outputs.iter().all(is_plain_tensor)
        && linalg.inputs.iter().all(|input| is_plain_tensor(input) || is_number(input));
    if !on_tensors || configured("lowering_config") || configured("compilation_info") {
        return false;
    }
    if ir.opcode(op) == Opcode::LinalgMatmul && is_of_row(ir, &linalg) {
        return Flat::without_ones(ir, op, &linalg).map(|flat| flat.write(ir, op, &linalg)).is_some();
    }
    if !is_plain(ir, op) {
        return false;
    }
    unused_results::leave_out(ir, op)
        || copied(ir, op, &linalg)
        || without_broadcasts(ir, op, &linalg)
        || Flat::without_ones(ir, op, &linalg).map(|flat| flat.write(ir, op, &linalg)).is_some()
        || Flat::joined(ir, op, &linalg, apart).map(|flat| flat.write(ir, op, &linalg)).is_some()
}

/// Whether an operation is nothing but its loops and its body.
fn is_plain(ir: &Ir, op: OpId) -> bool {
    let is_named_elementwise = || Linalg::try_of(ir, op).is_some_and(|linalg| !linalg.reduction.contains(&true));
    match ir.opcode(op) {
        Opcode::LinalgGeneric | Opcode::LinalgReduce | Opcode::LinalgBatchMatmul => true,
        Opcode::LinalgFill => false,
        _ => is_named_elementwise(),
    }
}

/// Whether a product of matrices is one of a row, or by a column: what is computed of its result has no loop for that.
fn is_of_row(ir: &Ir, linalg: &Linalg) -> bool {
    let result = linalg.outputs.first().map(|&output| ir.shape_of(output));
    matches!(result, Some([.., rows, columns]) if *rows == 1 || *columns == 1)
}

/// An operation that gives a tensor as it takes it.
fn copied(ir: &mut Ir, op: OpId, linalg: &Linalg) -> bool {
    let ([input], [output]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return false };
    let is_copy = ir.type_of(*input) == ir.type_of(*output)
        && linalg.maps[0] == linalg.maps[1]
        && linalg.maps[0].as_dims().is_some_and(|dims| dims.len() == linalg.reduction.len())
        && body::copies_input(ir, op);
    if is_copy {
        let result = ir.result(op, 0);
        ir.replace_uses(result, *input);
        ir.erase(op);
    }
    is_copy
}

/// Reads the factors of a product from where they come, which is in front of copies along new dimensions: rows of several
/// matrices that are multiplied by the same one are rows of one matrix.
fn without_broadcasts(ir: &mut Ir, op: OpId, linalg: &Linalg) -> bool {
    if !body::is_contraction(ir, op) {
        return false;
    }
    let (mut inputs, mut maps) = (linalg.inputs.clone(), linalg.maps.clone());
    for (input, map) in inputs.iter_mut().zip(&mut maps) {
        let Some((source, kept)) = broadcast(ir, *input) else { continue };
        map.results = kept.into_iter().map(|d| map.results[d].clone()).collect();
        *input = source;
    }
    let is_stated = |d: usize| maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
    if inputs == linalg.inputs || !(0..linalg.reduction.len()).all(is_stated) {
        return false;
    }
    let new = Linalg { inputs, outputs: linalg.outputs.clone(), maps, reduction: linalg.reduction.clone() };
    let builder = &mut Builder::before(ir, op);
    let made = generic(builder, &new, &[]);
    builder.copy_regions(op, made, &mut ValueMap::default());
    let (old, made) = (ir.result(op, 0), ir.result(made, 0));
    ir.replace_uses(old, made);
    ir.erase(op);
    true
}

/// Gives a product of collapsed tensors whose result is expanded again the loops that the tensors have there: what stands
/// behind the product may need them apart, as a mask of each sequence in front of all its heads does.
fn split_batch(ir: &mut Ir, op: OpId) -> Option<()> {
    let linalg = Linalg::of(ir, op);
    let (&[lhs, rhs], [of_lhs, of_rhs, of_result]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
    let mut names = Names::around(ir, op)?;
    // The dimensions that a tensor has for a loop on the longer side of a reshape.
    let apart = |reshape: OpId, at: usize| -> Option<Range<usize>> {
        let groups = groups(ir, reshape)?;
        let start: usize = groups[..at].iter().sum();
        Some(start..start + groups[at])
    };
    let place = |map: &Map, d: usize| map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
    let of_factor = |factor: ValueId, at: usize| {
        let made = ir.def_op(factor).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape)?;
        apart(made, at).filter(|dims| dims.len() > 1).map(|dims| (ir.operand(made, 0), dims))
    };
    let (mut at, given) = (0..linalg.reduction.len()).find_map(|d| {
        let given = [of_factor(lhs, place(of_lhs, d)?)?, of_factor(rhs, place(of_rhs, d)?)?];
        Some((place(of_result, d)?, given))
    })?;
    // The product, and what is computed of each element of its result before that is expanded.
    let mut ops = vec![op];
    let mut result = ir.result(op, 0);
    let (wide, dims) = loop {
        let mut users = ir.uses(result).map(|(user, _)| user);
        let (Some(user), None) = (users.next(), users.next()) else { return None };
        if ir.opcode(user) == Opcode::TensorExpandShape {
            break (ir.result(user, 0), apart(user, at)?);
        }
        let next = Linalg::try_of(ir, user).filter(|next| next.inputs == [result] && next.outputs.len() == 1)?;
        let d = next.maps[0].as_dims()?[at];
        at = place(&next.maps[1], d)?;
        ops.push(user);
        result = ir.result(user, 0);
    };
    // Heads that share a key have it as one more dimension.
    let mut cuts = |tensor: ValueId, dims: Range<usize>| names.in_front_of_each(ir, tensor, dims);
    let wanted = cuts(wide, dims);
    let [of_lhs, of_rhs] = given.clone().map(|(tensor, dims)| cuts(tensor, dims));
    let places = wanted.iter().map(|cut| of_lhs.iter().position(|other| other == cut));
    let places = places.collect::<Option<Vec<usize>>>()?;
    if !wanted.iter().all(|cut| of_rhs.contains(cut)) || !places.is_sorted() {
        return None;
    }
    ops.iter().all(|&op| may_split(ir, op)).then_some(())?;
    let [(tensor, dims), _] = given;
    let builder = &mut Builder::before(ir, op);
    let own = extents(builder, tensor)[dims].to_vec();
    let ends = places[1..].iter().copied().chain([own.len()]);
    let extents: Vec<Mixed> =
        places.iter().zip(ends).map(|(&start, end)| reshape::product(builder, own[start..end].to_vec())).collect();
    for op in ops.into_iter().rev() {
        let linalg = Linalg::of(ir, op);
        let Expr::Dim(d) = linalg.maps[linalg.inputs.len()].results[at] else { return None };
        if let Some(place) = place(&linalg.maps[0], d as usize) {
            at = place;
        }
        split_loop(ir, op, d as usize, &extents);
    }
    Some(())
}

/// Gives a product with a vector the loops of its matrix that are joined in front of it and that are apart where the matrix
/// is made, which is in the same kernel then: of the matrices of several experts, each of which an index names, the rows
/// are one dimension. Says which operation the product is.
pub(super) fn split_in_front(ir: &mut Ir, mut product: OpId) -> OpId {
    for factor in [0, 1] {
        let linalg = Linalg::of(ir, product);
        let collapse = ir.def_op(linalg.inputs[factor]).filter(|&op| ir.opcode(op) == Opcode::TensorCollapseShape);
        let Some((wide, groups)) = collapse.and_then(|op| Some((ir.operand(op, 0), groups(ir, op)?))) else { continue };
        if !is_with_vector(ir, &linalg) || !may_split(ir, product) {
            continue;
        }
        let (shape, mut end) = (ir.shape_of(wide).to_vec(), ir.shape_of(wide).len());
        for (at, n) in groups.into_iter().enumerate().rev() {
            let own = end - n..end;
            end = own.start;
            // Loops behind this one are split already.
            let Expr::Dim(d) = Linalg::of(ir, product).maps[factor].results[at] else { continue };
            if own.len() > 1 && !shape[own.clone()].contains(&DYNAMIC) && is_made_apart(ir, wide, own.clone()) {
                product = split_known_loop(ir, product, d as usize, &shape[own]);
            }
        }
        // What made the matrix then stands in front of the product.
        while let Some(reshape) = ir.def_op(ir.operand(product, factor)).filter(|&op| is_reshape(ir, op))
            && reshape::join(ir, reshape)
        {}
    }
    product
}

/// Whether a product is one of a matrix with a vector.
fn is_with_vector(ir: &Ir, linalg: &Linalg) -> bool {
    let extents = linalg.extents(ir);
    let is_one = |loops: &[usize]| loops.iter().all(|&d| extents[d] == 1);
    body::contraction_loops(&linalg.maps).is_some_and(|of| is_one(&of.m) || is_one(&of.n))
}

/// Gives what is computed of each element of a product's result, in which loops are joined that the product needs apart,
/// these loops: groups of a convolution and the channels of each stand in one dimension in front of a normalization.
pub(super) fn split_behind(ir: &mut Ir, product: OpId) {
    let mut result = ir.result(product, 0);
    let linalg = Linalg::of(ir, product);
    while let Some(collapse) = only_user(ir, result).filter(|&user| ir.opcode(user) == Opcode::TensorCollapseShape)
        && let Some(mut user) = only_user(ir, ir.result(collapse, 0)).filter(|&user| is_elementwise(ir, user))
        && let Some(groups) = groups(ir, collapse)
    {
        let (flat, shape) = (ir.result(collapse, 0), ir.shape_of(result).to_vec());
        let starts: Vec<usize> = groups.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
        let is_apart = |&at: &usize| {
            let dims = &linalg.maps[2].results[starts[at]..starts[at] + groups[at]];
            let joins = |pair: &[Expr]| match *pair {
                [Expr::Dim(a), Expr::Dim(b)] => may_join(ir, product, [a as usize, b as usize], &mut Apart::default()),
                _ => true,
            };
            !dims.windows(2).all(joins) && !shape[starts[at]..starts[at] + groups[at]].contains(&DYNAMIC)
        };
        let apart: Vec<usize> = (0..groups.len()).filter(is_apart).collect();
        let input = ir.operands(user).iter().position(|&operand| operand == flat);
        let Some(input) = input.filter(|_| !apart.is_empty()) else { return };
        for at in apart.into_iter().rev() {
            // Loops behind this one are split already.
            let Expr::Dim(d) = Linalg::of(ir, user).maps[input].results[at] else { return };
            user = split_known_loop(ir, user, d as usize, &shape[starts[at]..starts[at] + groups[at]]);
        }
        result = ir.result(user, 0);
        if ir.shape_of(result) != shape {
            return;
        }
    }
}

/// Who uses a value, if nobody else does.
pub(super) fn only_user(ir: &Ir, value: ValueId) -> Option<OpId> {
    let mut users = ir.uses(value).map(|(user, _)| user);
    users.next().filter(|_| users.next().is_none())
}

/// Whether an operation that nobody configures goes along single loops, which it does not count.
pub(super) fn may_split(ir: &Ir, op: OpId) -> bool {
    may_split_known(ir, op) && !ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::LinalgIndex)
}

/// The same for loops of known extents, which it may count.
pub(super) fn may_split_known(ir: &Ir, op: OpId) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|_| is_plain(ir, op)) else { return false };
    let configured = ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
    let mut values = linalg.inputs.iter().chain(&linalg.outputs);
    let on_tensors = values.all(|value| matches!(ir.ty(*value), Type::Tensor { encoding: None, .. }));
    !configured && on_tensors && linalg.maps.iter().all(|map| map.as_dims().is_some())
}

/// Whether it computes each element of one tensor from elements of others besides.
pub(super) fn is_elementwise(ir: &Ir, op: OpId) -> bool {
    let is_single = |linalg: &Linalg| linalg.outputs.len() == 1 && !linalg.reduction.contains(&true);
    may_split(ir, op) && is_single(&Linalg::of(ir, op))
}

/// Gives an operation several loops of known extents in the place of one, and says which it is.
pub(super) fn split_known_loop(ir: &mut Ir, op: OpId, split: usize, extents: &[i64]) -> OpId {
    split_loop(ir, op, split, &extents.iter().map(|&extent| Mixed::Static(extent)).collect::<Vec<_>>())
}

/// Gives an operation several loops in the place of one, and says which it is.
fn split_loop(ir: &mut Ir, op: OpId, split: usize, extents: &[Mixed]) -> OpId {
    let op = make_generic(ir, op).unwrap_or(op);
    let linalg = Linalg::of(ir, op);
    let more = extents.len() - 1;
    let loops = |d: usize| {
        let first = d + if d > split { more } else { 0 };
        first..=first + if d == split { more } else { 0 }
    };
    let dims: Vec<Vec<usize>> =
        linalg.maps.iter().map(|map| map.as_dims().expect("operands run along loops")).collect();
    let groups = |dims: &[usize]| dims.iter().map(|&d| loops(d).count()).collect::<Vec<_>>();
    let builder = &mut Builder::before(ir, op);
    let operands = linalg.inputs.iter().chain(&linalg.outputs).zip(&dims);
    let wide: Vec<ValueId> = operands
        .map(|(&value, dims)| {
            let sizes =
                reshape::extents(builder, value).into_iter().zip(dims).flat_map(|(size, &d)| match d == split {
                    true => extents.to_vec(),
                    false => vec![size],
                });
            let sizes: Vec<Mixed> = sizes.collect();
            expand(builder, value, &groups(dims), &sizes)
        })
        .collect();
    let n = linalg.reduction.len() + more;
    let maps = dims.iter().map(|dims| Map::of_dims(n, &dims.iter().flat_map(|&d| loops(d)).collect::<Vec<_>>()));
    let mut reduction = linalg.reduction.clone();
    reduction.splice(split..split, vec![linalg.reduction[split]; more]);
    let (inputs, outputs) = wide.split_at(linalg.inputs.len());
    let new = Linalg { inputs: inputs.to_vec(), outputs: outputs.to_vec(), maps: maps.collect(), reduction };
    let new = generic(builder, &new, &[]);
    builder.copy_regions(op, new, &mut ValueMap::default());
    count(builder.ir, new, split, extents);
    let (old, made) = (builder.ir.result(op, 0), builder.ir.result(new, 0));
    let flat = collapse(builder, made, &groups(&dims[linalg.inputs.len()]));
    ir.replace_uses(old, flat);
    ir.erase(op);
    new
}

/// Lets the body of an operation count the loops that it has now, in which several have taken the place of one. What it
/// asked of that is made of these, whose extents are then known.
fn count(ir: &mut Ir, op: OpId, split: usize, extents: &[Mixed]) {
    for inner in ir.walk(op) {
        let d = ir.attr(inner, "dim").and_then(Attr::as_i64).filter(|_| ir.opcode(inner) == Opcode::LinalgIndex);
        let Some(d) = d.filter(|&d| d as usize >= split) else { continue };
        if d as usize > split {
            let d = ir.i64_attr(d + extents.len() as i64 - 1);
            ir.set_attr(inner, "dim", d);
            continue;
        }
        let builder = &mut Builder::before(ir, inner);
        let loops: Vec<ValueId> = (0..extents.len()).map(|k| loop_index(builder, split + k)).collect();
        let place = (1..extents.len()).fold(Expr::Dim(0), |outer, k| {
            let Mixed::Static(extent) = extents[k] else { unreachable!("loops of open extent are not counted") };
            let place = Expr::Mul(Box::new(outer), Box::new(Expr::Const(extent)));
            Expr::Add(Box::new(place), Box::new(Expr::Dim(k as u32)))
        });
        let (old, new) = (ir.result(inner, 0), at_loops(&mut Builder::before(ir, inner), &place, &loops));
        ir.replace_uses(old, new);
        ir.erase(inner);
    }
}

/// What a tensor is a copy of along more dimensions, and the dimensions that it shares with that, in order.
fn broadcast(ir: &Ir, value: ValueId) -> Option<(ValueId, Vec<usize>)> {
    let made = ir.def_op(value).filter(|&made| is_plain(ir, made) && body::copies_input(ir, made))?;
    let linalg = Linalg::try_of(ir, made)?;
    let ([source], [_]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
    let kept = linalg.maps[0].as_dims()?;
    let is_broadcast = kept.is_sorted_by(|a, b| a < b) && kept.len() < linalg.reduction.len();
    (is_broadcast && linalg.maps[1] == Map::identity(linalg.reduction.len())).then_some((*source, kept))
}

/// Whether each operand runs along two loops one behind the other, or along neither, and the body does not count them.
pub(super) fn run_as_one(ir: &Ir, op: OpId, linalg: &Linalg, a: usize, b: usize) -> bool {
    let counts = |d: usize| {
        let is_index = |&inner: &OpId| ir.opcode(inner) == Opcode::LinalgIndex;
        let mut indices = ir.walk(op).into_iter().filter(is_index);
        indices.any(|inner| ir.attr(inner, "dim").and_then(Attr::as_i64) == Some(d as i64))
    };
    let follow = |map: &Map| {
        let times = |d: usize| map.results.iter().filter(|expr| expr.names(&|e| e == d)).count();
        match map.results.iter().position(|expr| *expr == Expr::Dim(a as u32)) {
            None => times(a) == 0 && times(b) == 0,
            Some(at) => map.results.get(at + 1) == Some(&Expr::Dim(b as u32)) && times(a) == 1 && times(b) == 1,
        }
    };
    linalg.reduction[a] == linalg.reduction[b] && linalg.maps.iter().all(follow) && !counts(a) && !counts(b)
}

/// Whether an operation needs some of its loops apart, or what computes the elements that it reads does.
pub(super) fn needs_apart(ir: &Ir, op: OpId, loops: &[usize]) -> bool {
    let linalg = Linalg::of(ir, op);
    loops.windows(2).any(|pair| {
        let [a, b] = [pair[0], pair[1]];
        !run_as_one(ir, op, &linalg, a, b) || reads_apart(ir, op, [a, b], &mut FxHashSet::default())
    })
}

/// Whether the elementwise operation that makes a tensor needs its loops along some dimensions apart, or one in front does.
pub(super) fn is_made_apart(ir: &Ir, tensor: ValueId, dims: Range<usize>) -> bool {
    let made = ir.def_op(tensor).and_then(|op| Some((op, Linalg::try_of(ir, op)?)));
    made.is_some_and(|(op, linalg)| {
        let is_elementwise = ir.results(op).len() == 1 && !linalg.reduction.contains(&true);
        let written = linalg.maps.last().and_then(Map::as_dims).filter(|_| is_elementwise);
        written.is_some_and(|written| needs_apart(ir, op, &written[dims]))
    })
}

/// Pairs of loops that do not become one, as long as the program is what it is.
type Apart = FxHashSet<(OpId, [usize; 2])>;

/// Whether two loops of an operation may become one, and those of all operations that follow, wherever these are. Each of
/// these asks the same of all, so that what keeps one apart does so with the others.
fn may_join(ir: &Ir, op: OpId, pair: [usize; 2], apart: &mut Apart) -> bool {
    if apart.contains(&(op, pair)) {
        return false;
    }
    let mut pairs = Pairs { within: None, of: BTreeMap::new() };
    let may_join = pairs.may_join(ir, op, pair);
    if !may_join {
        apart.extend(pairs.of);
    }
    may_join
}

/// Two loops that become one, in the operations that would have to follow.
struct Pairs<'a> {
    /// Operations beyond these have reshapes in between; without a list, all follow.
    within: Option<&'a [OpId]>,
    of: BTreeMap<OpId, [usize; 2]>,
}

impl Pairs<'_> {
    /// Whether two loops of an operation may become one, and those of all operations that follow.
    fn may_join(&mut self, ir: &Ir, op: OpId, [a, b]: [usize; 2]) -> bool {
        if self.within.is_some_and(|ops| !ops.contains(&op)) {
            return true;
        }
        if let Some(pair) = self.of.insert(op, [a, b]) {
            return pair == [a, b];
        }
        let Some(linalg) = Linalg::try_of(ir, op).filter(|_| is_plain(ir, op)) else { return false };
        if !run_as_one(ir, op, &linalg, a, b) {
            return false;
        }
        let place = |map: &Map| map.results.iter().position(|expr| *expr == Expr::Dim(a as u32));
        let operands = linalg.inputs.iter().chain(&linalg.outputs).copied().zip(&linalg.maps);
        let results = ir.results(op).zip(&linalg.maps[linalg.inputs.len()..]);
        operands.chain(results).all(|(value, map)| place(map).is_none_or(|d| self.may_join_dims(ir, value, d)))
    }

    /// The same for a tensor: its dimension `d` and the one behind that.
    fn may_join_dims(&mut self, ir: &Ir, value: ValueId, d: usize) -> bool {
        let made = ir.def_op(value).into_iter();
        let mut users = made.chain(ir.uses(value).map(|(user, _)| user));
        users.all(|user| match ir.opcode(user) {
            _ if self.within.is_some_and(|ops| !ops.contains(&user)) => true,
            Opcode::TensorExpandShape | Opcode::TensorCollapseShape => {
                let long =
                    [ir.operand(user, 0), ir.result(user, 0)].into_iter().max_by_key(|&side| ir.shape_of(side).len());
                let Some(groups) = groups(ir, user).filter(|_| long == Some(value)) else { return false };
                // In front of each group stand so many dimensions.
                let starts = groups.iter().scan(0, |at, size| Some(std::mem::replace(at, *at + size)));
                starts.zip(&groups).any(|(start, size)| start <= d && d + 1 < start + size)
            }
            Opcode::TensorPad => false,
            _ => match Linalg::try_of(ir, user).filter(|_| is_plain(ir, user)) {
                None => true,
                Some(linalg) => {
                    let operands = linalg.inputs.iter().chain(&linalg.outputs).copied();
                    let results = ir.results(user).zip(&linalg.maps[linalg.inputs.len()..]);
                    let mut all = operands.zip(&linalg.maps).chain(results).filter(|(other, _)| *other == value);
                    all.all(|(_, map)| match map.results[d..] {
                        [Expr::Dim(a), Expr::Dim(b), ..] => self.may_join(ir, user, [a as usize, b as usize]),
                        _ => false,
                    })
                }
            },
        })
    }
}

/// Loops of a product that become one in all operations of its kernel.
pub(super) struct JoinedLoops {
    product: OpId,
    flats: BTreeMap<OpId, Flat>,
}

impl JoinedLoops {
    /// The loops of a product that all operations of its kernel have one behind the other, if there are any.
    ///
    /// Rows of several matrices that are multiplied by the same one are rows of one matrix, of which tiles leave less
    /// empty. So are sums by groups, where nothing in the kernel needs the groups, one loop.
    pub(super) fn of(ir: &Ir, ops: &[OpId]) -> Option<JoinedLoops> {
        let product = ops
            .iter()
            .copied()
            .find(|&op| Linalg::try_of(ir, op).is_some() && is_plain(ir, op) && body::is_contraction(ir, op))?;
        let linalg = Linalg::of(ir, product);
        // The loop that each loop of an operation is joined to, in front of it.
        let mut fronts: BTreeMap<OpId, Vec<Option<usize>>> = BTreeMap::new();
        for pair in linalg.maps.iter().rev().flat_map(|map| map.results.windows(2)) {
            let &[Expr::Dim(a), Expr::Dim(b)] = pair else { continue };
            if fronts.get(&product).is_some_and(|front| front[b as usize] == Some(a as usize)) {
                continue;
            }
            let mut pairs = Pairs { within: Some(ops), of: BTreeMap::new() };
            if pairs.may_join(ir, product, [a as usize, b as usize]) {
                for (op, [a, b]) in pairs.of {
                    let none = || vec![None; Linalg::of(ir, op).reduction.len()];
                    fronts.entry(op).or_insert_with(none)[b] = Some(a);
                }
            }
        }
        let flat =
            |(&op, front): (&OpId, &Vec<Option<usize>>)| Some((op, Flat::with_fronts(&Linalg::of(ir, op), front)?));
        let flats: BTreeMap<OpId, Flat> = fronts.iter().map(flat).collect::<Option<_>>()?;
        // Windows are not tensors, nor is what they are reshaped to: only kernels read them.
        let is_window = |&value: &ValueId| {
            let mut made = ir.def_op(value);
            while let Some(reshape) = made.filter(|&made| is_reshape(ir, made)) {
                made = ir.def_op(ir.operand(reshape, 0));
            }
            made.is_some_and(|made| !ops.contains(&made) && windows::is_window(ir, made))
        };
        let reads_window = flats.keys().any(|&op| ir.operands(op).iter().any(is_window));
        (!flats.is_empty() && !reads_window).then_some(JoinedLoops { product, flats })
    }

    /// Joins them; what others make and read is reshaped, which costs nothing. Says which operations the kernel then has.
    pub(super) fn write(&self, ir: &mut Ir, ops: &[OpId]) -> Vec<OpId> {
        let block = ir.parent_block(self.product).expect("a kernel is part of a function");
        let mut left = Vec::new();
        for &op in ops {
            left.push(match self.flats.get(&op) {
                Some(flat) => flat.write(ir, op, &Linalg::of(ir, op)),
                None => op,
            });
        }
        // Between operations of the kernel, reshapes meet and cancel, and they are one with those around it.
        for op in ir.ops_of(block) {
            if is_reshape(ir, op) {
                reshape::join(ir, op);
            }
        }
        leave_out_unused(ir, &[block]);
        left
    }
}

/// Whether an elementwise operation reads what others compute along two of its loops, and need these apart: as a product
/// does that has one from each factor, or a transposition. With the loops as one it could not be in a kernel with them.
fn reads_apart(ir: &Ir, op: OpId, [a, b]: [usize; 2], seen: &mut FxHashSet<OpId>) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true)) else { return false };
    if !seen.insert(op) {
        return false;
    }
    linalg.inputs.iter().zip(&linalg.maps).any(|(&input, map)| {
        let along = map.results.windows(2).position(|pair| *pair == [a, b].map(|d| Expr::Dim(d as u32)));
        let Some((at, input)) = along.and_then(|at| in_front(ir, input, at)) else { return false };
        let Def::Result { op: made, index } = ir.def(input) else { return false };
        let Some(maker) = Linalg::try_of(ir, made) else { return ir.opcode(made) == Opcode::TensorConcat };
        let written = &maker.maps[maker.inputs.len() + index as usize].results;
        match written.get(at..at + 2) {
            Some(&[Expr::Dim(a), Expr::Dim(b)]) => {
                let [a, b] = [a as usize, b as usize];
                !run_as_one(ir, made, &maker, a, b) || reads_apart(ir, made, [a, b], seen)
            }
            _ => false,
        }
    })
}

/// Where a dimension of a tensor and the one behind it are one behind the other in what that is a reshape of.
fn in_front(ir: &Ir, tensor: ValueId, at: usize) -> Option<(usize, ValueId)> {
    let Some(made) = ir.def_op(tensor).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape) else {
        return Some((at, tensor));
    };
    let groups = groups(ir, made)?;
    let before = (0..groups.len()).find(|&i| groups[..i].iter().sum::<usize>() == at)?;
    let stay = groups.get(before..before + 2) == Some(&[1, 1]);
    if stay { in_front(ir, ir.operand(made, 0), before) } else { None }
}

/// Whether a reduction sums along one of two loops of an elementwise operation and not along the other, of what that gives
/// or of what is computed of it. So does an elementwise operation for which they are two, as a scale of groups makes them,
/// where nothing that is computed stands in front: it and this one had better share a kernel.
fn is_used_apart(ir: &Ir, op: OpId, [a, b]: [usize; 2], reads_given: bool, seen: &mut FxHashSet<OpId>) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true)) else { return false };
    if !seen.insert(op) {
        return false;
    }
    let pair = [a, b].map(|d| Expr::Dim(d as u32));
    ir.results(op).zip(&linalg.maps[linalg.inputs.len()..]).any(|(result, map)| {
        let Some(at) = map.results.windows(2).position(|dims| *dims == pair) else { return false };
        ir.uses(result).any(|(user, operand)| {
            let Some(reader) = Linalg::try_of(ir, user).filter(|_| is_plain(ir, user)) else { return false };
            match reader.maps.get(operand).and_then(|map| map.results.get(at..at + 2)) {
                Some(&[Expr::Dim(a), Expr::Dim(b)]) => {
                    let [a, b] = [a as usize, b as usize];
                    let is_elementwise = !reader.reduction.contains(&true);
                    reader.reduction[a] != reader.reduction[b] && !body::is_contraction(ir, user)
                        || reads_given && is_elementwise && !run_as_one(ir, user, &reader, a, b)
                        || is_used_apart(ir, user, [a, b], reads_given, seen)
                }
                _ => false,
            }
        })
    })
}

/// Whether a tensor, or what it is reshaped from, is made by no operation that computes.
fn is_given(ir: &Ir, value: ValueId) -> bool {
    let mut value = value;
    while let Some(reshape) = ir.def_op(value).filter(|&made| is_reshape(ir, made)) {
        value = ir.operand(reshape, 0);
    }
    ir.def_op(value).is_none_or(|made| Linalg::try_of(ir, made).is_none())
}

/// An operation with fewer loops, or on tensors with fewer dimensions.
struct Flat {
    /// What each loop becomes.
    loops: Vec<Expr>,
    /// Which are reduced.
    reduction: Vec<bool>,
    /// Of each operand, how many dimensions of it make up one that is left, and the map of those.
    operands: Vec<(Vec<usize>, Map)>,
}

impl Flat {
    /// Without loops and dimensions of extent 1.
    fn without_ones(ir: &Ir, op: OpId, linalg: &Linalg) -> Option<Flat> {
        let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let n = linalg.reduction.len();
        let mut is_one = vec![false; n];
        for (&operand, map) in operands.iter().zip(&linalg.maps) {
            for (&extent, expr) in Linalg::shape(ir, operand).iter().zip(&map.results) {
                if let (1, Expr::Dim(d)) = (extent, expr) {
                    is_one[*d as usize] = true;
                }
            }
        }
        // A place in a window is not an extent of the tensor, unless the windows are all of it, or other operands say
        // how long the loops are that are left.
        let extents = linalg.extents(ir);
        let is_stated = |d: u32| linalg.maps.iter().any(|map| map.results.contains(&Expr::Dim(d)));
        for (&operand, map) in operands.iter().zip(&linalg.maps) {
            for (&extent, expr) in Linalg::shape(ir, operand).iter().zip(&map.results) {
                let without = |d: u32| if is_one[d as usize] { Expr::Const(0) } else { Expr::Dim(d) };
                let dims: Vec<Expr> = (0..n as u32).map(without).collect();
                let is_whole = match (expr, expr.replaced(&dims, &[]).simplified()) {
                    (Expr::Dim(_), _) => true,
                    (_, Expr::Dim(d)) => extent != DYNAMIC && extents[d as usize] == extent,
                    (_, left) => {
                        !left.has_dim()
                            || left == *expr
                            || (0..n as u32).all(|d| is_stated(d) || !left.names(&|named| named == d as usize))
                    }
                };
                for d in (0..n).filter(|&d| !is_whole && expr.names(&|e| e == d)) {
                    is_one[d] = false;
                }
            }
        }
        if ir.opcode(op) == Opcode::LinalgBatchMatmul && !is_of_row(ir, linalg) {
            // A product of matrices keeps its name but for the batch.
            is_one[1..].fill(false);
        }
        let mut next = 0;
        let loops: Vec<Expr> = is_one
            .iter()
            .map(|&one| {
                next += u32::from(!one);
                if one { Expr::Const(0) } else { Expr::Dim(next - 1) }
            })
            .collect();
        let mut is_less = is_one.contains(&true);
        let flat: Vec<(Vec<usize>, Map)> = operands
            .iter()
            .zip(&linalg.maps)
            .map(|(&operand, map)| {
                let results: Vec<Expr> =
                    map.results.iter().map(|expr| expr.replaced(&loops, &[]).simplified()).collect();
                let shape = Linalg::shape(ir, operand);
                let goes = |i: usize| shape.get(i) == Some(&1) && results[i] == Expr::Const(0);
                let kept: Vec<usize> = (0..results.len()).filter(|&i| !goes(i)).collect();
                is_less |= kept.len() < results.len();
                let sizes = without(&(0..results.len()).map(goes).collect::<Vec<bool>>());
                let left = kept.iter().map(|&i| results[i].clone()).collect();
                (sizes, Map { dims: next, syms: 0, results: left })
            })
            .collect();
        let reduction = (0..n).filter(|&d| !is_one[d]).map(|d| linalg.reduction[d]).collect();
        is_less.then_some(Flat { loops, reduction, operands: flat })
    }

    /// With loops as one that an operand or a result has as one dimension on the other side of a reshape.
    fn joined(ir: &Ir, op: OpId, linalg: &Linalg, apart: &mut Apart) -> Option<Flat> {
        let n_inputs = linalg.inputs.len();
        let of_input = linalg.inputs.iter().enumerate().filter_map(|(i, &input)| {
            let made = ir.def_op(input).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape)?;
            Some((i, groups(ir, made)?))
        });
        let of_result = ir.results(op).enumerate().filter_map(|(i, result)| {
            let mut users = ir.uses(result).map(|(user, _)| user);
            let first = users.next().filter(|&user| ir.opcode(user) == Opcode::TensorCollapseShape)?;
            let is_same =
                |user| ir.opcode(user) == Opcode::TensorCollapseShape && groups(ir, user) == groups(ir, first);
            users.all(is_same).then_some((n_inputs + i, groups(ir, first)?))
        });
        let n = linalg.reduction.len();
        let reads_given = linalg.inputs.iter().all(|&input| is_given(ir, input));
        let is_with_vector = body::is_contraction(ir, op) && is_with_vector(ir, linalg);
        let has_factor_apart = |[a, b]: [usize; 2]| {
            let along =
                |map: &Map| map.results.windows(2).position(|pair| *pair == [a, b].map(|d| Expr::Dim(d as u32)));
            let mut factors = linalg.inputs.iter().zip(&linalg.maps);
            is_with_vector
                && factors.any(|(&input, map)| along(map).is_some_and(|at| is_made_apart(ir, input, at..at + 2)))
        };
        // The loop that each loop is joined to, in front of it.
        let mut front: Vec<Option<usize>> = vec![None; n];
        for (i, sizes) in of_input.chain(of_result) {
            let mut at = 0;
            for size in sizes {
                let dims: Option<Vec<usize>> = linalg.maps[i].results[at..at + size]
                    .iter()
                    .map(|expr| if let Expr::Dim(d) = expr { Some(*d as usize) } else { None })
                    .collect();
                at += size;
                let Some(dims) = dims else { continue };
                let is_one = |pair: &[usize]| {
                    let [a, b] = [pair[0], pair[1]];
                    run_as_one(ir, op, linalg, a, b)
                        && !has_factor_apart([a, b])
                        && !reads_apart(ir, op, [a, b], &mut FxHashSet::default())
                        && !is_used_apart(ir, op, [a, b], reads_given, &mut FxHashSet::default())
                };
                if dims.windows(2).all(is_one) {
                    dims.windows(2).for_each(|pair| front[pair[1]] = Some(pair[0]));
                }
            }
        }
        // Rows of several matrices.
        if body::is_contraction(ir, op) {
            for pair in linalg.maps[n_inputs].results.windows(2) {
                if let &[Expr::Dim(a), Expr::Dim(b)] = pair
                    && may_join(ir, op, [a as usize, b as usize], apart)
                {
                    front[b as usize] = Some(a as usize);
                }
            }
        }
        Flat::with_fronts(linalg, &front)
    }

    /// With loops as one with those in front of them.
    fn with_fronts(linalg: &Linalg, front: &[Option<usize>]) -> Option<Flat> {
        let n = front.len();
        if front.iter().all(Option::is_none) {
            return None;
        }
        // Two reshapes may have joined more than each of them.
        let first = |mut d: usize| {
            while let Some(before) = front[d] {
                d = before;
            }
            d
        };
        let firsts: Vec<usize> = (0..n).filter(|&d| front[d].is_none()).collect();
        let number = |d: usize| firsts.iter().position(|&other| other == first(d)).unwrap_or(0) as u32;
        let loops: Vec<Expr> = (0..n).map(|d| Expr::Dim(number(d))).collect();
        let operands = linalg.maps.iter().map(|map| {
            let (mut sizes, mut results): (Vec<usize>, Vec<Expr>) = Default::default();
            for expr in &map.results {
                match (expr, sizes.last_mut()) {
                    (Expr::Dim(d), Some(size)) if front[*d as usize].is_some() => *size += 1,
                    _ => {
                        sizes.push(1);
                        results.push(expr.replaced(&loops, &[]));
                    }
                }
            }
            (sizes, Map { dims: firsts.len() as u32, syms: 0, results })
        });
        let operands = operands.collect();
        let reduction = firsts.iter().map(|&d| linalg.reduction[d]).collect();
        Some(Flat { loops, reduction, operands })
    }

    /// Puts the operation in the place of the old one, and says which it is.
    fn write(&self, ir: &mut Ir, op: OpId, linalg: &Linalg) -> OpId {
        let op = make_generic(ir, op).unwrap_or(op);
        let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let attrs: Vec<(String, _)> = ir.attrs(op).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect();
        let own = ["indexing_maps", "iterator_types", "operandSegmentSizes"];
        let others: Vec<(&str, _)> = attrs
            .iter()
            .filter(|(name, _)| !own.contains(&name.as_str()))
            .map(|(name, attr)| (name.as_str(), *attr))
            .collect();
        let builder = &mut Builder::before(ir, op);
        let mut flat: Vec<ValueId> = Vec::new();
        for (&value, (sizes, _)) in values.iter().zip(&self.operands) {
            let is_tensor = builder.ir.ty(value).is_tensor();
            flat.push(if is_tensor { collapse(builder, value, sizes) } else { value });
        }
        let (inputs, outputs) = flat.split_at(linalg.inputs.len());
        let maps = self.operands.iter().map(|(_, map)| map.clone()).collect();
        let new =
            Linalg { inputs: inputs.to_vec(), outputs: outputs.to_vec(), maps, reduction: self.reduction.clone() };
        let new = generic(builder, &new, &others);
        builder.copy_regions(op, new, &mut ValueMap::default());
        for (i, old) in builder.ir.results(op).collect::<Vec<_>>().into_iter().enumerate() {
            let output = linalg.inputs.len() + i;
            let sizes: Vec<Mixed> = extents(builder, values[output]);
            let made = builder.ir.result(new, i);
            let wide = expand(builder, made, &self.operands[output].0, &sizes);
            builder.ir.replace_uses(old, wide);
        }
        for inner in ir.walk(new) {
            if ir.opcode(inner) != Opcode::LinalgIndex {
                continue;
            }
            let d = ir.attr(inner, "dim").and_then(Attr::as_i64).unwrap_or(0) as usize;
            match self.loops[d] {
                Expr::Dim(d) => {
                    let d = ir.i64_attr(i64::from(d));
                    ir.set_attr(inner, "dim", d);
                }
                _ => {
                    let zero = Builder::before(ir, inner).index(0);
                    let index = ir.result(inner, 0);
                    ir.replace_uses(index, zero);
                    ir.erase(inner);
                }
            }
        }
        ir.erase(op);
        new
    }
}
