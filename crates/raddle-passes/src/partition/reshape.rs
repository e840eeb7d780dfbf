//! Reshapes: the same elements under other extents. Two in a row become one where one can say it, and tensors that are
//! made of nothing but their extents are made with others.
//!
//! Before: `%1 = tensor.expand_shape %0 [[0], [1, 2]] … into tensor<8x?x1xf32>`,
//!         `%2 = tensor.collapse_shape %1 [[0, 1, 2]] …`
//! After:  `%2 = tensor.collapse_shape %0 [[0, 1]] …`
//!
//! Extents that nobody knows are never multiplied here; a pair that would need it stays.

use raddle_ir::views::{Linalg, Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

use crate::structured::moves;

/// A place between two dimensions of a tensor in row-major order: what is in front of it and what is behind it are the
/// same under every shape that has it.
type Cut = (usize, bool, i64);

/// The sizes of the groups of a reshape, in the order of the dimensions of its short side.
pub(super) fn groups(ir: &Ir, op: OpId) -> Option<Vec<usize>> {
    let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
    groups.iter().map(|&group| Some(ir.ints(group)?.len())).collect()
}

/// The extents of a tensor, as whoever made it says them.
pub(super) fn extents(builder: &mut Builder<'_>, value: ValueId) -> Vec<Mixed> {
    (0..builder.ir.shape_of(value).len())
        .map(|d| match stated(builder.ir, value, d) {
            Stated::As(size) => size,
            Stated::Of(value, d) => {
                let d = builder.index(d as i64);
                let index = builder.ir.index_type();
                Mixed::Value(builder.value(Opcode::TensorDim, &[value, d], index, &[]))
            }
        })
        .collect()
}

/// What an extent is known as.
enum Stated {
    As(Mixed),
    /// The extent of another tensor.
    Of(ValueId, usize),
}

/// Where an extent comes from.
fn stated(ir: &Ir, value: ValueId, d: usize) -> Stated {
    let shape = ir.shape_of(value);
    if shape[d] != DYNAMIC {
        return Stated::As(Mixed::Static(shape[d]));
    }
    let further = || -> Option<Stated> {
        let op = ir.def_op(value)?;
        let ints = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
        match ir.opcode(op) {
            Opcode::TensorEmpty => Some(Stated::As(mixed(shape, ir.operands(op))[d])),
            Opcode::TensorExpandShape => {
                let sizes = mixed(&ints("static_output_shape")?, &ir.operands(op)[1..]);
                Some(Stated::As(*sizes.get(d)?))
            }
            Opcode::TensorCollapseShape => {
                let source = ir.shape_of(ir.operand(op, 0));
                let groups = groups(ir, op)?;
                let start: usize = groups[..d].iter().sum();
                let mut long = (start..start + groups[d]).filter(|&d| source[d] != 1);
                let (Some(one), None) = (long.next(), long.next()) else { return None };
                Some(stated(ir, ir.operand(op, 0), one))
            }
            Opcode::TensorExtractSlice => {
                let view = SliceView::of(ir, op);
                // Without dropped dimensions, each extent is a size.
                (view.sizes.len() == shape.len()).then(|| Stated::As(view.sizes[d]))
            }
            _ => {
                let at = ir.results(op).position(|result| result == value)?;
                let output = match Linalg::try_of(ir, op) {
                    Some(linalg) => *linalg.outputs.get(at)?,
                    None if ir.name(op).starts_with("iree_linalg_ext.") => *moves::outputs(ir, op)?.get(at)?,
                    None => return None,
                };
                Some(stated(ir, output, d))
            }
        }
    };
    further().unwrap_or(Stated::Of(value, d))
}

/// Replaces `tensor.dim` by the number that it is known as; says whether it did.
pub(super) fn state(ir: &mut Ir, op: OpId) -> bool {
    let source = ir.operand(op, 0);
    let Some(d) = ir.const_int(ir.operand(op, 1)).and_then(|d| usize::try_from(d).ok()) else { return false };
    if ir.shape_of(source).len() <= d {
        return false;
    }
    let builder = &mut Builder::before(ir, op);
    let new = match stated(builder.ir, source, d) {
        Stated::As(Mixed::Value(value)) => value,
        Stated::As(Mixed::Static(size)) => builder.index(size),
        Stated::Of(value, _) if value == source => return false,
        Stated::Of(value, d) => {
            let d = builder.index(d as i64);
            let index = builder.ir.index_type();
            builder.value(Opcode::TensorDim, &[value, d], index, &[])
        }
    };
    let old = ir.result(op, 0);
    ir.replace_uses(old, new);
    ir.erase(op);
    true
}

/// `value` with these groups of dimensions as one each.
pub(super) fn collapse(builder: &mut Builder<'_>, value: ValueId, groups: &[usize]) -> ValueId {
    let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
    if groups.len() == shape.len() {
        return value;
    }
    let ty = builder.ir.tensor_type(&collapsed(&shape, groups), elem);
    if let Some(made) = again(builder, value, ty, |builder| sizes_of(builder, value, groups)) {
        return made;
    }
    let reassociation = reassociation(builder.ir, groups);
    builder.value(Opcode::TensorCollapseShape, &[value], ty, &[("reassociation", reassociation)])
}

/// `value` with these groups of dimensions, of these extents, where it has one each.
pub(super) fn expand(builder: &mut Builder<'_>, value: ValueId, groups: &[usize], sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    if groups.len() == sizes.len() {
        return value;
    }
    let (numbers, values) = unmixed(sizes);
    let ty = builder.ir.tensor_type(&numbers, elem);
    let attrs =
        [("reassociation", reassociation(builder.ir, groups)), ("static_output_shape", builder.ir.dense_i64(&numbers))];
    builder.value(Opcode::TensorExpandShape, &[&[value], &values[..]].concat(), ty, &attrs)
}

fn reassociation(ir: &mut Ir, groups: &[usize]) -> AttrId {
    ir.reassociation(&groups.iter().map(|&n| n as i64).collect::<Vec<_>>())
}

fn collapsed(shape: &[i64], groups: &[usize]) -> Vec<i64> {
    let mut shape = shape.iter();
    let joined = |n: usize| {
        let part: Vec<i64> = shape.by_ref().take(n).copied().collect();
        if part.contains(&DYNAMIC) { DYNAMIC } else { part.iter().product() }
    };
    groups.iter().copied().map(joined).collect()
}

/// The extents of a tensor with these groups of dimensions as one each.
fn sizes_of(builder: &mut Builder<'_>, value: ValueId, groups: &[usize]) -> Vec<Mixed> {
    let mut sizes = extents(builder, value).into_iter();
    groups.iter().map(|&n| product(builder, sizes.by_ref().take(n).collect())).collect()
}

/// The product of extents.
fn product(builder: &mut Builder<'_>, sizes: Vec<Mixed>) -> Mixed {
    let known: i64 =
        sizes.iter().filter_map(|size| if let Mixed::Static(n) = size { Some(*n) } else { None }).product();
    let values = sizes.into_iter().filter_map(|size| if let Mixed::Value(value) = size { Some(value) } else { None });
    let Some(value) = values.reduce(|a, b| builder.binary(Opcode::ArithMuli, a, b)) else {
        return Mixed::Static(known);
    };
    if known == 1 {
        return Mixed::Value(value);
    }
    let known = builder.index(known);
    Mixed::Value(builder.binary(Opcode::ArithMuli, value, known))
}

/// A tensor without contents, one that is filled, or a constant, made with other extents.
fn again(
    builder: &mut Builder<'_>,
    value: ValueId,
    ty: TypeId,
    sizes: impl FnOnce(&mut Builder<'_>) -> Vec<Mixed>,
) -> Option<ValueId> {
    let op = builder.ir.def_op(value)?;
    match builder.ir.opcode(op) {
        Opcode::ArithConstant => {
            let Some(Attr::Dense { splat, bytes, .. }) = builder.ir.attr(op, "value") else { return None };
            let data = Attr::Dense { ty, splat: *splat, bytes: bytes.clone() };
            Some(builder.constant(data, ty))
        }
        Opcode::TensorEmpty => {
            let (_, values) = unmixed(&sizes(builder));
            Some(builder.value(Opcode::TensorEmpty, &values, ty, &[]))
        }
        Opcode::LinalgFill if builder.ir.results(op).count() == 1 => {
            let (_, values) = unmixed(&sizes(builder));
            let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
            let number = builder.ir.operand(op, 0);
            let attrs = builder.ir.attrs(op).to_vec();
            let attrs: Vec<(String, _)> =
                attrs.into_iter().map(|(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
            let attrs: Vec<(&str, _)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
            let fill = builder.op(Opcode::LinalgFill, &[number, empty], &[ty], &attrs);
            builder.copy_regions(op, fill, &mut ValueMap::default());
            Some(builder.ir.result(fill, 0))
        }
        _ => None,
    }
}

/// Writes `tensor.reshape`, whose shape is a tensor, as what says which dimensions become which; says whether it did. Of
/// two shapes with one open extent each, the other extents say it.
pub(super) fn plain(ir: &mut Ir, op: OpId) -> bool {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let shapes = [source, result].map(|value| ir.shape_of(value).to_vec());
    let cuts = || Some((inside(&shapes[0], &[shapes[0].len()])?, inside(&shapes[1], &[shapes[1].len()])?));
    let is_known = !shapes.concat().contains(&0) && !has_encoding(ir, source) && !has_encoding(ir, result);
    let Some((from, to)) = cuts().filter(|_| is_known) else { return false };
    let has_open = shapes.iter().filter(|shape| shape.contains(&DYNAMIC)).count();
    if has_open == 1 {
        return false;
    }
    let builder = &mut Builder::before(ir, op);
    let new = if let Some(groups) = assign(&to, &from).filter(|groups| collapsed(&shapes[0], groups) == shapes[1]) {
        collapse(builder, source, &groups)
    } else if let Some(groups) = assign(&from, &to) {
        let starts = ends(&groups);
        let sizes = extents(builder, source);
        // An open extent that becomes several would have to be divided.
        let is_kept = |(i, &n): (usize, &usize)| {
            let part = &shapes[1][starts[i]..starts[i] + n];
            shapes[0][i] != DYNAMIC || part.iter().all(|&extent| extent == 1 || extent == DYNAMIC)
        };
        if !groups.iter().enumerate().all(is_kept) {
            return false;
        }
        let open = sizes.iter().find(|size| matches!(size, Mixed::Value(_))).copied();
        let size = |&extent: &i64| open.filter(|_| extent == DYNAMIC).unwrap_or(Mixed::Static(extent));
        let sizes: Vec<Mixed> = shapes[1].iter().map(size).collect();
        expand(builder, source, &groups, &sizes)
    } else if has_open == 0 {
        let flat = collapse(builder, source, &[shapes[0].len()]);
        let sizes: Vec<Mixed> = shapes[1].iter().map(|&extent| Mixed::Static(extent)).collect();
        expand(builder, flat, &[shapes[1].len()], &sizes)
    } else {
        return false;
    };
    ir.replace_uses(result, new);
    ir.erase(op);
    true
}

/// Joins a reshape with what it is of; says whether it did.
pub(super) fn join(ir: &mut Ir, op: OpId) -> bool {
    let old = ir.result(op, 0);
    if ir.type_of(ir.operand(op, 0)) == ir.type_of(old) {
        let source = ir.operand(op, 0);
        ir.replace_uses(old, source);
        ir.erase(op);
        return true;
    }
    let Some(new) = joined(ir, op).or_else(|| remade(ir, op)) else { return false };
    ir.replace_uses(old, new);
    ir.erase(op);
    true
}

/// A reshape of what is made anew with other extents.
fn remade(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let (source, ty) = (ir.operand(op, 0), ir.type_of(ir.result(op, 0)));
    let (expands, groups, result) = (expands(ir, op), groups(ir, op)?, ir.result(op, 0));
    let builder = &mut Builder::before(ir, op);
    again(builder, source, ty, |builder| match expands {
        true => extents(builder, result),
        false => sizes_of(builder, source, &groups),
    })
}

/// The operand of the operand, under the shape of the result.
pub(super) fn joined(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let inner = ir.def_op(ir.operand(op, 0))?;
    let is_reshape = |op| matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape);
    if !is_reshape(inner) {
        return None;
    }
    let (origin, result) = (ir.operand(inner, 0), ir.result(op, 0));
    let shapes = [origin, ir.operand(op, 0), result].map(|value| ir.shape_of(value).to_vec());
    if shapes.iter().any(|shape| shape.contains(&0)) || [origin, result].iter().any(|&value| has_encoding(ir, value)) {
        return None;
    }
    let (inner_groups, outer_groups) = (groups(ir, inner)?, groups(ir, op)?);
    let (inner_ends, outer_ends) = (ends(&inner_groups), ends(&outer_groups));
    let (from, to): (Vec<Cut>, Vec<Cut>) = match (expands(ir, inner), expands(ir, op)) {
        // The finer shape is between: places are counted in its dimensions.
        (true, false) => {
            let place = |&end: &usize| (shapes[1][..end].iter().filter(|&&n| n != 1).count(), false, 1);
            (inner_ends.iter().map(place).collect(), outer_ends.iter().map(place).collect())
        }
        // The coarser one is between: places are counted in elements inside of its dimensions.
        (false, true) => (inside(&shapes[0], &inner_groups)?, inside(&shapes[2], &outer_groups)?),
        (true, true) => {
            let fine = inside(&shapes[2], &outer_groups)?;
            (inner_ends.iter().map(|&end| fine[outer_ends[end]]).collect(), fine)
        }
        (false, false) => {
            let fine = inside(&shapes[0], &inner_groups)?;
            let to = outer_ends.iter().map(|&end| fine[inner_ends[end]]).collect();
            (fine, to)
        }
    };
    if from.len() == to.len() && shapes[0] == shapes[2] && from == to {
        return Some(origin);
    }
    let ty = ir.type_of(result);
    if from.len() > to.len() {
        let groups = assign(&to, &from)?;
        if collapsed(&shapes[0], &groups) != shapes[2] {
            return None;
        }
        return Some(collapse(&mut Builder::before(ir, op), origin, &groups));
    }
    if from.len() == to.len() {
        return None;
    }
    let groups = assign(&from, &to)?;
    let builder = &mut Builder::before(ir, op);
    let sizes = if expands(builder.ir, op) { extents(builder, result) } else { sizes_between(builder, inner, op)? };
    let new = expand(builder, origin, &groups, &sizes);
    assert_eq!(builder.ir.type_of(new), ty, "a reshape of a reshape has the type of the second one");
    Some(new)
}

fn expands(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::TensorExpandShape
}

/// Where each of consecutive groups begins, and where the last one ends.
fn ends(groups: &[usize]) -> Vec<usize> {
    let ends = groups.iter().scan(0, |at, n| {
        *at += n;
        Some(*at)
    });
    [0].into_iter().chain(ends).collect()
}

pub(super) fn has_encoding(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Tensor { encoding: Some(_), .. })
}

/// The extents of what a collapse makes of an expansion, where none of them is a product of numbers that nobody knows.
fn sizes_between(builder: &mut Builder<'_>, expansion: OpId, collapse: OpId) -> Option<Vec<Mixed>> {
    let middle = builder.ir.result(expansion, 0);
    let mut sizes = extents(builder, middle).into_iter();
    groups(builder.ir, collapse)?
        .into_iter()
        .map(|n| {
            let part: Vec<Mixed> = sizes.by_ref().take(n).filter(|size| *size != Mixed::Static(1)).collect();
            match part[..] {
                [] => Some(Mixed::Static(1)),
                [one] => Some(one),
                _ => {
                    let known = |size: &Mixed| if let Mixed::Static(n) = size { Some(*n) } else { None };
                    part.iter().map(known).product::<Option<i64>>().map(Mixed::Static)
                }
            }
        })
        .collect()
}

/// The cuts of a shape, whose groups are the dimensions of a coarser one; `None` where a group has two open extents.
fn inside(shape: &[i64], groups: &[usize]) -> Option<Vec<Cut>> {
    let mut cuts = vec![(0, false, 1)];
    // Groups of more than one element so far, and dimensions.
    let (mut g, mut start) = (0, 0);
    for &n in groups {
        let part = &shape[start..start + n];
        start += n;
        let open = part.iter().position(|&extent| extent == DYNAMIC);
        if part.iter().filter(|&&extent| extent == DYNAMIC).count() > 1 {
            return None;
        }
        let known = |part: &[i64]| part.iter().filter(|&&extent| extent != DYNAMIC).product::<i64>();
        let is_one = part.iter().all(|&extent| extent == 1);
        for end in 1..=n {
            // Behind an open extent, places are counted from the end.
            cuts.push(match open {
                _ if is_one => (g, false, 1),
                _ if part[end..].iter().all(|&extent| extent == 1) => (g + 1, false, 1),
                Some(open) if end > open => (g, true, -known(&part[end..])),
                _ => (g, false, known(&part[..end])),
            });
        }
        g += usize::from(!is_one);
    }
    Some(cuts)
}

/// Which dimensions of a shape with more cuts make up each of one with fewer. Dimensions of extent 1 belong to any.
fn assign(short: &[Cut], long: &[Cut]) -> Option<Vec<usize>> {
    let spans = |cuts: &[Cut]| cuts.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<(Cut, Cut)>>();
    let (short, long) = (spans(short), spans(long));
    let is_one = |span: &&(Cut, Cut)| span.0 == span.1;
    let mut groups = Vec::new();
    let mut at = 0;
    for (i, span) in short.iter().enumerate() {
        let start = at;
        if is_one(&span) {
            at += usize::from(long.get(at).is_some_and(|span| is_one(&span)));
        } else {
            at += long[at..].iter().take_while(is_one).count();
            let mut reached = span.0;
            while reached != span.1 {
                let part = long.get(at)?;
                if part.0 != reached || part.1 > span.1 {
                    return None;
                }
                reached = part.1;
                at += 1;
            }
            // Those that the next dimensions of extent 1 are stay for them.
            let ones = long[at..].iter().take_while(is_one).count();
            let needed = short[i + 1..].iter().take_while(is_one).count();
            at += ones.checked_sub(needed)?;
        }
        if at == start {
            return None;
        }
        groups.push(at - start);
    }
    let left = long[at..].iter().all(|span| is_one(&span));
    (at == long.len() || short.is_empty() && left).then_some(groups)
}
