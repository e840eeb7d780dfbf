//! The rules of `tensor`: shapes that follow from operands, indices in number, bodies. Messages have MLIR's words.

use super::Check;
use super::iree::alike;
use super::parts::Parts;
use super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::print_type;
use crate::types::{DYNAMIC, Scalar, Type};

/// The rule of an operation on tensors; none where its row says it all.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::TensorBitcast => bitcast(&at),
        Opcode::TensorCast => cast(&at),
        Opcode::TensorCollapseShape | Opcode::TensorExpandShape => reshape_groups(&at),
        Opcode::TensorConcat => concat(&at),
        Opcode::TensorDim => dim(ir, op, "tensor"),
        Opcode::TensorExtract => {
            at.ensure(at.rank("tensor") == at.all("indices").len(), "incorrect number of indices for extract_element")
        }
        Opcode::TensorInsert => at.ensure(at.rank("dest") == at.all("indices").len(), "incorrect number of indices"),
        Opcode::TensorFromElements => from_elements(&at),
        Opcode::TensorGather => gather(&at),
        Opcode::TensorScatter => scatter(&at),
        Opcode::TensorGenerate => generate(&at),
        Opcode::TensorPad => pad(&at),
        Opcode::TensorReshape => reshape(&at),
        Opcode::TensorEmpty => dynamic_sizes(ir, op, result(ir, op), ir.operands(op).len()),
        Opcode::TensorSplat => dynamic_sizes(ir, op, result(ir, op), at.all("dynamicSizes").len()),
        _ => Ok(()),
    }
}

fn result(ir: &Ir, op: OpId) -> TypeId {
    ir.type_of(ir.result(op, 0))
}

/// There is one operand for each extent that the type leaves open.
pub(super) fn dynamic_sizes(ir: &Ir, op: OpId, ty: TypeId, found: usize) -> Check {
    let expected = ir[ty].shape().unwrap_or(&[]).iter().filter(|&&extent| extent == DYNAMIC).count();
    ensure(ir, op, found == expected, || format!("incorrect number of dynamic sizes, has {found}, expected {expected}"))
}

/// `tensor.dim`, `memref.dim`: something without dimensions has no extents to ask for.
pub(super) fn dim(ir: &Ir, op: OpId, kind: &str) -> Check {
    let ty = ir.type_of(ir.operand(op, 0));
    ensure(ir, op, ir[ty].shape() != Some(&[]), || {
        format!("operand #0 must be non-0-ranked or unranked {kind}, but got {}", quoted(ir, ty))
    })
}

/// A tensor type as text.
pub(super) fn tensor_text(ir: &Ir, shape: &[i64], elem: TypeId) -> String {
    format!("'tensor<{}{}>'", extents_text(shape), print_type(ir, elem))
}

/// `4x?x`
pub(super) fn extents_text(shape: &[i64]) -> String {
    shape.iter().map(|&n| if n == DYNAMIC { "?x".to_owned() } else { format!("{n}x") }).collect()
}

/// Shape, if there is one, and element type of a tensor.
fn of_tensor(ir: &Ir, ty: TypeId) -> Option<(Option<&[i64]>, TypeId)> {
    match &ir[ty] {
        Type::Tensor { shape, elem, .. } => Some((Some(shape), *elem)),
        Type::UnrankedTensor(elem) => Some((None, *elem)),
        _ => None,
    }
}

fn casts(at: &Parts<'_>, fits: impl Fn(TypeId, TypeId) -> bool) -> Check {
    let (from, to) = (at.ir.type_of(at.ir.operand(at.op, 0)), result(at.ir, at.op));
    let pair = of_tensor(at.ir, from).zip(of_tensor(at.ir, to));
    let holds = pair.is_some_and(|((a, x), (b, y))| fits(x, y) && a.zip(b).is_none_or(|(a, b)| alike(a, b)));
    at.ensure_with(holds, || incompatible(at.ir, from, to))
}

/// Types between which there is no cast.
pub(super) fn incompatible(ir: &Ir, from: TypeId, to: TypeId) -> String {
    format!("operand type {} and result type {} are cast incompatible", quoted(ir, from), quoted(ir, to))
}

fn cast(at: &Parts<'_>) -> Check {
    casts(at, |from, to| from == to)
}

fn bitcast(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let bits = |ty: TypeId| match ir[ty] {
        Type::Integer { width, .. } => Some(width),
        Type::Float(_) => Scalar::of(&ir[ty]).map(Scalar::bits),
        _ => None,
    };
    for (ty, place) in [(ir.type_of(ir.operand(at.op, 0)), "operand"), (result(ir, at.op), "result")] {
        at.ensure_with(of_tensor(ir, ty).is_some_and(|(_, elem)| bits(elem).is_some()), || {
            let found = quoted(ir, ty);
            format!("{place} #0 must be tensor of signless integer or unsigned integer or signed integer or floating-point values, but got {found}")
        })?;
    }
    casts(at, |from, to| bits(from) == bits(to))
}

/// The lists of `reassociation`: dimensions in order, one list for each dimension of the collapsed shape.
pub(super) fn groups(ir: &Ir, op: OpId) -> Result<Vec<Vec<i64>>, Box<crate::Diag>> {
    let lists = match ir.attr(op, "reassociation") {
        Some(Attr::Array(groups)) => groups.iter().map(|&group| ir.ints(group)).collect(),
        _ => None,
    };
    lists.ok_or_else(|| wrong(ir, op, "requires attribute 'reassociation'"))
}

fn reshape_groups(at: &Parts<'_>) -> Check {
    let (ir, op) = (at.ir, at.op);
    let expands = ir.opcode(op) == Opcode::TensorExpandShape;
    let (from, to) = (ir.type_of(at.one("src")), result(ir, op));
    let groups = groups(ir, op)?;
    let (Some((Some(source), a)), Some((Some(target), b))) = (of_tensor(ir, from), of_tensor(ir, to)) else {
        return Err(wrong(ir, op, "takes and gives ranked tensors"));
    };
    if expands {
        let (rank, found) = (target.len(), at.ints("static_output_shape").len());
        at.ensure_with(rank == found, || {
            format!("expected number of static shape dims to be equal to the output rank ({rank}) but found {found} inputs instead")
        })?;
    } else {
        at.ensure(groups.iter().all(|group| !group.is_empty()), "reassociation indices must not be empty")?;
    }
    let (expanded, collapsed) = if expands { (target, source) } else { (source, target) };
    at.ensure_with(expanded.len() >= collapsed.len(), || {
        let (wide, narrow) = if expands { (to, from) } else { (from, to) };
        let (wide, narrow) = (quoted(ir, wide), quoted(ir, narrow));
        format!("expected the expanded type, {wide} to have a higher (or same) rank than the collapsed type, {narrow}.")
    })?;
    at.ensure_with(collapsed.len() == groups.len(), || {
        let (rank, n) = (collapsed.len(), groups.len());
        format!("expected collapsed rank ({rank}) to equal the number of reassociation maps ({n}).")
    })?;
    let mut next = 0;
    for (i, (group, &extent)) in groups.iter().zip(collapsed).enumerate() {
        let in_order = group.iter().zip(next..).all(|(&dim, next)| dim == next);
        next += group.len() as i64;
        at.ensure_with(in_order && next <= expanded.len() as i64, || {
            format!("expected reassociation map #{i} to be valid and contiguous.")
        })?;
        let product = product(&expanded[next as usize - group.len()..next as usize]);
        at.ensure_with(product == extent, || match product {
            DYNAMIC => format!("expected dimension {i} of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic"),
            product => format!("expected dimension {i} of collapsed type to be static value of {product}"),
        })?;
    }
    // A tensor without dimensions has one element.
    let rest = if groups.is_empty() { product(expanded) == 1 } else { next == expanded.len() as i64 };
    at.ensure_with(rest, || {
        let n = expanded.len();
        format!("expected reassociation map #0 to have size equal to the expanded rank ({n}), but it is {next}.")
    })?;
    at.ensure_with(a == b, || {
        let (narrow, elem) = if expands { (from, b) } else { (to, a) };
        let expected = tensor_text(ir, collapsed, elem);
        format!("expected collapsed type to be {expected}, but got {}", quoted(ir, narrow))
    })
}

/// The product of extents, dynamic where one of them is, or where it is too large to say.
pub(super) fn product(extents: &[i64]) -> i64 {
    if extents.contains(&DYNAMIC) { DYNAMIC } else { extents.iter().fold(1, |product, &extent| times(product, extent)) }
}

/// A product of numbers that may be dynamic; nothing times anything is nothing.
pub(super) fn times(a: i64, b: i64) -> i64 {
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    }
}

/// A sum of numbers that may be dynamic.
pub(super) fn plus(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_add(b).unwrap_or(DYNAMIC) }
}

fn concat(at: &Parts<'_>) -> Check {
    let (ir, inputs) = (at.ir, at.all("inputs"));
    let ty = result(ir, at.op);
    let (shape, elem) = (ir[ty].shape().unwrap_or(&[]), ir[ty].elem());
    at.ensure(!inputs.is_empty(), "requires at least one input")?;
    let ranks = inputs.iter().all(|&input| ir.shape_of(input).len() == shape.len());
    at.ensure(ranks, "rank of concatenated inputs must match result rank")?;
    let elems = inputs.iter().all(|&input| Some(ir.elem_of(input)) == elem);
    at.ensure(elems, "inputs and result element type must match")?;
    let along = usize::try_from(at.int("dim")).ok().filter(|&dim| dim < shape.len());
    let Some(along) = along else {
        return Err(wrong(ir, at.op, "concatenation dim must be less than the tensor rank"));
    };
    let mut inferred = Vec::new();
    for d in 0..shape.len() {
        let extents = inputs.iter().map(|&input| ir.shape_of(input)[d]);
        if d == along {
            inferred.push(extents.fold(0, plus));
            continue;
        }
        let known: Vec<i64> = extents.filter(|&extent| extent != DYNAMIC).collect();
        at.ensure_with(known.iter().all(|&extent| extent == known[0]), || {
            format!("static concatenation size mismatch along non-concatenated dimension {d}")
        })?;
        inferred.push(known.first().copied().unwrap_or(DYNAMIC));
    }
    at.ensure_with(alike(&inferred, shape), || {
        let inferred = tensor_text(ir, &inferred, ir.elem_of(inputs[0]));
        format!("result type {}does not match inferred shape {inferred} static sizes", quoted(ir, ty))
    })
}

fn from_elements(at: &Parts<'_>) -> Check {
    let found = at.all("elements").len();
    let ty = result(at.ir, at.op);
    let expected = product(at.ir[ty].shape().unwrap_or(&[]));
    at.ensure_with(expected != DYNAMIC, || format!("gives a tensor of known shape, not {}", quoted(at.ir, ty)))?;
    at.ensure_with(usize::try_from(expected) == Ok(found), || {
        format!("number of operands and types do not match: got {found} operands and {expected} types")
    })
}

fn picked_dims(at: &Parts<'_>, name: &str, side: &str) -> Check {
    let (dims, rank) = (at.ints(&format!("{name}_dims")), at.rank(side) as i64);
    let n = dims.len() as i64;
    let ensure = |holds: bool, what: &str| at.ensure_with(holds, || format!("{name}_dims {what}"));
    ensure(n > 0, "must be non-empty")?;
    ensure(n <= rank, &format!("overflow {side} rank"))?;
    ensure(at.shape("indices").last() == Some(&n), "length must match the size of last dimension of indices")?;
    for &dim in &dims {
        ensure(dim >= 0, "value must be non-negative")?;
        ensure(dim < rank, &format!("value must be smaller than {side} rank"))?;
    }
    ensure(dims.is_sorted_by(|a, b| a < b), "values must be strictly increasing")
}

/// What is gathered out of a tensor, or scattered into it, has one slice for each index; the dimensions that are
/// picked have extent 1, or are not there.
fn slices_fit(at: &Parts<'_>, whole: &str, dims: &str, (slices, name): (TypeId, &str)) -> Check {
    let (ir, dims) = (at.ir, at.ints(dims));
    let indices = at.shape("indices");
    let shape = at.shape(whole);
    let expected = |reduced: bool| -> Vec<i64> {
        let mut expected = indices[..indices.len() - 1].to_vec();
        for (d, &extent) in shape.iter().enumerate() {
            match (dims.contains(&(d as i64)), reduced) {
                (true, true) => {}
                (true, false) => expected.push(1),
                (false, _) => expected.push(extent),
            }
        }
        expected
    };
    let elem = at.elem(whole);
    let found = ir[slices].shape().unwrap_or(&[]);
    let (full, reduced) = (expected(false), expected(true));
    let fits = ir[slices].elem() == Some(elem) && (found == full || found == reduced);
    at.ensure_with(fits, || {
        let (full, reduced) = (tensor_text(ir, &full, elem), tensor_text(ir, &reduced, elem));
        format!(
            "{name} type mismatch: expected {full} or its rank-reduced variant {reduced} (got: {})",
            quoted(ir, slices)
        )
    })
}

fn gather(at: &Parts<'_>) -> Check {
    picked_dims(at, "gather", "source")?;
    slices_fit(at, "source", "gather_dims", (result(at.ir, at.op), "result"))
}

fn scatter(at: &Parts<'_>) -> Check {
    picked_dims(at, "scatter", "dest")?;
    at.ensure(at.ir.attr_id(at.op, "unique").is_some(), "requires 'unique' attribute to be set")?;
    slices_fit(at, "dest", "scatter_dims", (at.ir.type_of(at.one("source")), "source"))
}

fn generate(at: &Parts<'_>) -> Check {
    let (ir, ty) = (at.ir, result(at.ir, at.op));
    dynamic_sizes(ir, at.op, ty, at.all("dynamicExtents").len())?;
    let args = at.args();
    at.ensure(args.iter().all(|&arg| ir[arg] == Type::Index), "all body arguments must be index")?;
    let rank = ir[ty].shape().map_or(0, <[i64]>::len);
    at.ensure(args.len() == rank, "must have one body argument per input dimension")?;
    let yields = at.yielded().1.first().copied() == ir[ty].elem();
    at.ensure(yields, "body must be terminated with a `yield` operation of the tensor element type")
}

fn pad(at: &Parts<'_>) -> Check {
    let (ir, ty) = (at.ir, result(at.ir, at.op));
    let (source, found) = (at.shape("source"), ir[ty].shape().unwrap_or(&[]));
    let (low, high) = (at.ints("static_low"), at.ints("static_high"));
    let rank = source.len();
    at.ensure_with(low.len() == rank && high.len() == rank, || {
        format!("pads {} and {} dimensions of {rank}", low.len(), high.len())
    })?;
    let inferred: Vec<i64> = (0..rank).map(|d| plus(plus(low[d], source[d]), high[d])).collect();
    let fits = found.len() == rank && inferred.iter().zip(found).all(|(&a, &b)| a == DYNAMIC || a == b);
    at.ensure_with(fits, || {
        let inferred = tensor_text(ir, &inferred, at.elem("source"));
        format!("specified type {} does not match the inferred type {inferred}", quoted(ir, ty))
    })?;
    let args = at.args();
    at.ensure_with(args.len() == rank, || format!("expected the block to have {rank} arguments"))?;
    for (i, &arg) in args.iter().enumerate() {
        at.ensure_with(ir[arg] == Type::Index, || format!("expected block argument {} to be an index", i + 1))?;
    }
    let yields = at.yielded().1.first().copied() == ir[ty].elem();
    at.ensure(yields, "expected yield type to match shape element type")
}

fn reshape(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let types = of_tensor(ir, ir.type_of(at.one("source"))).zip(of_tensor(ir, result(ir, at.op)));
    let Some(((source, a), (target, b))) = types else { return Err(wrong(ir, at.op, "takes and gives tensors")) };
    at.ensure(a == b, "element types of source and destination tensor types should be the same")?;
    let Some(target) = target else { return Ok(()) };
    let counts = source.map(product).zip(Some(product(target)));
    let fits = counts.is_none_or(|(a, b)| a == DYNAMIC || b == DYNAMIC || a == b);
    at.ensure(fits, "source and destination tensor should have the same number of elements")?;
    let n = at.shape("shape").first().copied().unwrap_or(0);
    at.ensure(
        n != DYNAMIC,
        "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type",
    )?;
    at.ensure(n == target.len() as i64, "length of shape operand differs from the result's tensor rank")
}
