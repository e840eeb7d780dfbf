//! By reads: what moves elements of tensors reads each element where it is, in the body of an elementwise operation.
//!
//! Before: `%1 = tensor.insert_slice %new into %cache[0, %at, 0] [4, 1, 64] [1, 1, 1] …`
//! After:
//!
//! ```mlir
//! %1 = linalg.generic ins(%cache) … {
//!   %i = affine.apply d0 - s0 (linalg.index 1)[%at]
//!   scf.if (%i < 1) { tensor.extract %new[…, %i, …] } else { %in }
//! }
//! ```
//!
//! So slices, insertions, concatenations and padding at places and of extents that only the run knows, and elements that
//! are generated, are kernels with vectors: neighbours are read together wherever indices count them, and masks keep a side
//! from reading where it is not chosen.
//!
//! Does not see that what is computed could be read in place; the kernels around may join.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, SliceView, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Map, OpId, Opcode, ValueId, ValueMap};

use crate::code::edges::choose;
use crate::code::{BELOW, compare};
use crate::structured::generalize::{elementwise, loop_index};
use crate::structured::moves::{kept, numbers, padding};
use crate::structured::sizes::mixed_extent;

/// Tensors that are put together, at most: each element is looked for among them. Vectors go along the last dimension, where
/// they may have elements of all.
const PIECES_MAX: usize = 128;
const PIECES_OF_ROWS_MAX: usize = 32;

/// Writes an operation that moves elements as one that reads them; `None` for any other.
pub(super) fn read(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    if builder.ir.shape_of(builder.ir.result(op, 0)).contains(&0) {
        return None;
    }
    match builder.ir.opcode(op) {
        Opcode::TensorExtractSlice => slice(builder, op),
        Opcode::TensorInsertSlice => insertion(builder, op),
        Opcode::TensorConcat => concatenation(builder, op),
        Opcode::TensorPad => padded(builder, op),
        Opcode::TensorGenerate => generated(builder, op),
        _ => None,
    }
}

/// An elementwise operation of the type of a result, with these extents, whose body knows where it is.
fn at_each(
    builder: &mut Builder<'_>,
    result: ValueId,
    sizes: &[Mixed],
    inputs: &[ValueId],
    body: impl FnOnce(&mut Builder<'_>, &[ValueId], &[ValueId]) -> ValueId,
) -> ValueId {
    // What a cast has hidden from the type may be known.
    let shape = builder.ir.shape_of(result).to_vec();
    let open = shape.iter().zip(sizes).filter(|&(&extent, _)| extent == DYNAMIC);
    let open: Vec<ValueId> = open.map(|(_, size)| size.materialize(builder)).collect();
    elementwise(builder, inputs, result, &open, |inner, args| {
        let at: Vec<ValueId> = (0..sizes.len()).map(|d| loop_index(inner, d)).collect();
        body(inner, &at, args)
    })
}

fn extract(builder: &mut Builder<'_>, tensor: ValueId, at: &[ValueId]) -> ValueId {
    let elem = builder.ir.elem_of(tensor);
    builder.value(Opcode::TensorExtract, &[&[tensor], at].concat(), elem, &[])
}

/// One number or another, of which only the one that is asked for is computed.
fn either(
    builder: &mut Builder<'_>,
    condition: Option<ValueId>,
    yes: impl Fn(&mut Builder<'_>) -> ValueId,
    no: impl Fn(&mut Builder<'_>) -> ValueId,
    like: ValueId,
) -> ValueId {
    let Some(condition) = condition else { return yes(builder) };
    let elem = builder.ir.elem_of(like);
    let op = choose(builder, condition, &[elem], |inner, is_yes| vec![if is_yes { yes(inner) } else { no(inner) }]);
    builder.ir.result(op, 0)
}

/// An index and a number, as a sum.
fn moved(builder: &mut Builder<'_>, index: ValueId, by: Mixed, sign: i64) -> ValueId {
    let (values, by) = match by {
        Mixed::Static(0) => return index,
        Mixed::Static(by) => (vec![index], Expr::Const(by.wrapping_mul(sign))),
        Mixed::Value(by) => (vec![index, by], Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(sign))),
    };
    let results = vec![Expr::binary(BinOp::Add, Expr::Dim(0), by)];
    builder.apply(Map { dims: values.len() as u32, syms: 0, results }, &values)
}

/// Both conditions, where there are two.
fn both(builder: &mut Builder<'_>, a: Option<ValueId>, b: ValueId) -> Option<ValueId> {
    Some(a.map_or(b, |a| builder.binary(Opcode::ArithAndi, a, b)))
}

/// A slice, or one of such, whose elements are read where they are.
fn slice(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let ir = &*builder.ir;
    let result = ir.result(op, 0);
    let sizes = SliceView::of(ir, op).sizes;
    let sizes: Vec<Mixed> = kept(&sizes, ir.shape_of(result)).into_iter().map(|d| sizes[d]).collect();
    // From the slice to the slice that it is one of.
    let (mut slices, mut base) = (Vec::new(), result);
    while let Some(made) = ir.def_op(base).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice) {
        let view = SliceView::of(ir, made);
        let (strides, kept) = (numbers(&view.strides)?, kept(&view.sizes, ir.shape_of(base)));
        base = view.base;
        slices.push((view.offsets, strides, kept));
    }
    Some(at_each(builder, result, &sizes, &[], |inner, at, _| {
        let mut at = at.to_vec();
        for (offsets, strides, kept) in &slices {
            let place = |(d, &offset): (usize, &Mixed)| {
                let index = kept.iter().position(|&own| own == d).map(|own| at[own]);
                element_of_slice(inner, index, offset, strides[d])
            };
            at = offsets.iter().enumerate().map(place).collect();
        }
        extract(inner, base, &at)
    }))
}

/// Where the element of a slice is in what the slice is of, along one dimension.
fn element_of_slice(builder: &mut Builder<'_>, index: Option<ValueId>, offset: Mixed, stride: i64) -> ValueId {
    let first = match (index, offset) {
        (None, offset) => return offset.materialize(builder),
        (Some(index), Mixed::Static(0)) if stride == 1 => return index,
        (_, Mixed::Static(first)) => Expr::Const(first),
        (_, Mixed::Value(_)) => Expr::Dim(1),
    };
    let values: Vec<ValueId> = index.into_iter().chain(unmixed(&[offset]).1).collect();
    let place = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(stride));
    let results = vec![Expr::binary(BinOp::Add, place, first)];
    builder.apply(Map { dims: values.len() as u32, syms: 0, results }, &values)
}

/// A part of a tensor with another one in it: which of the two has an element is told by each dimension in which the part
/// is not all. Without a sign, what is in front of the part is far behind it.
fn insertion(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let ir = &*builder.ir;
    let (view, result, part) = (SliceView::of(ir, op), ir.result(op, 0), ir.operand(op, 0));
    let (strides, own) = (numbers(&view.strides)?, kept(&view.sizes, ir.shape_of(part)));
    if ir.shape_of(part).contains(&0) || strides.iter().any(|&stride| stride < 1) {
        return None;
    }
    let shape = ir.shape_of(result).to_vec();
    let sizes: Vec<Mixed> = (0..shape.len()).map(|d| mixed_extent(builder, view.base, d)).collect();
    Some(at_each(builder, result, &sizes, &[view.base], |inner, at, args| {
        let (mut inside, mut places) = (None, Vec::new());
        for d in 0..shape.len() {
            let is_whole = shape[d] != DYNAMIC && view.sizes[d] == Mixed::Static(shape[d]);
            let offset = match view.offsets[d] {
                Mixed::Value(offset) => Mixed::Value(in_memory(inner, offset)),
                number => number,
            };
            let mut place = moved(inner, at[d], offset, -1);
            if strides[d] > 1 {
                let (stride, zero) = (inner.index(strides[d]), inner.index(0));
                let rest = inner.binary(Opcode::ArithRemui, place, stride);
                let here = compare(inner, EQUAL, rest, zero);
                inside = both(inner, inside, here);
                place = inner.binary(Opcode::ArithDivui, place, stride);
            }
            if !is_whole {
                let size = view.sizes[d].materialize(inner);
                let here = compare(inner, BELOW, place, size);
                inside = both(inner, inside, here);
            }
            if own.contains(&d) {
                places.push(place);
            }
        }
        either(inner, inside, |inner| extract(inner, part, &places), |_| args[0], result)
    }))
}

/// A number that a tensor holds, read by the kernel itself: the host would have to wait for it.
fn in_memory(builder: &mut Builder<'_>, number: ValueId) -> ValueId {
    /// Operations between memory and a place, at most.
    const CHAIN_MAX: usize = 8;
    let ir = &*builder.ir;
    let (mut chain, mut at) = (Vec::new(), number);
    while let Some(made) = ir.def_op(at).filter(|_| chain.len() < CHAIN_MAX) {
        chain.push(made);
        match ir.opcode(made) {
            Opcode::TensorExtract => {
                let mut map = ValueMap::default();
                chain.into_iter().rev().for_each(|made| {
                    builder.copy(made, &mut map);
                });
                return map.get(number);
            }
            Opcode::ArithIndexCast | Opcode::ArithIndexCastui => at = ir.operand(made, 0),
            _ => break,
        }
    }
    number
}

/// Tensors one behind the other: an element is in the first of them that ends behind it.
fn concatenation(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let ir = &*builder.ir;
    let along = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok())?;
    let (result, parts) = (ir.result(op, 0), ir.operands(op).to_vec());
    let parts: Vec<ValueId> = parts.into_iter().filter(|&part| builder.ir.shape_of(part)[along] != 0).collect();
    let rank = builder.ir.shape_of(result).len();
    let most = if along + 1 == rank { PIECES_OF_ROWS_MAX } else { PIECES_MAX };
    if parts.is_empty() || parts.len() > most {
        return None;
    }
    let mut sizes: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, parts[0], d)).collect();
    let mut starts = vec![Mixed::Static(0)];
    for &part in &parts {
        let (start, extent) = (starts[starts.len() - 1], mixed_extent(builder, part, along));
        starts.push(match (start, extent) {
            (Mixed::Static(start), Mixed::Static(extent)) => Mixed::Static(start.checked_add(extent)?),
            (start, extent) => {
                let [start, extent] = [start, extent].map(|number| number.materialize(builder));
                Mixed::Value(builder.binary(Opcode::ArithAddi, start, extent))
            }
        });
    }
    // What one tensor leaves open, the result may know.
    sizes[along] = starts[parts.len()];
    let known = builder.ir.shape_of(result).iter().zip(&sizes);
    let sizes: Vec<Mixed> =
        known.map(|(&extent, &size)| if extent == DYNAMIC { size } else { Mixed::Static(extent) }).collect();
    // Neighbours in groups that no part divides share a comparison.
    let group = match numbers(&starts) {
        Some(starts) => 1 << starts.iter().map(|start| start.trailing_zeros()).min().unwrap_or(0).min(GROUP_BITS),
        None => 1,
    };
    Some(at_each(builder, result, &sizes, &[], |inner, at, _| {
        let size = inner.index(group);
        let place = if group > 1 { inner.binary(Opcode::ArithDivui, at[along], size) } else { at[along] };
        from_parts(inner, result, &parts, &starts, along, at, (place, group))
    }))
}

/// The element of the first of some tensors that ends behind a place, counted in groups: half of them are left after each
/// comparison.
fn from_parts(
    builder: &mut Builder<'_>,
    result: ValueId,
    parts: &[ValueId],
    starts: &[Mixed],
    along: usize,
    at: &[ValueId],
    (place, group): (ValueId, i64),
) -> ValueId {
    if let [part] = parts {
        let mut at = at.to_vec();
        at[along] = moved(builder, at[along], starts[0], -1);
        return extract(builder, *part, &at);
    }
    let half = parts.len() / 2;
    let end = if let Mixed::Static(end) = starts[half] { Mixed::Static(end / group) } else { starts[half] };
    let end = end.materialize(builder);
    let condition = compare(builder, BELOW, place, end);
    let of = |inner: &mut Builder<'_>, parts: &[ValueId], starts: &[Mixed]| {
        from_parts(inner, result, parts, starts, along, at, (place, group))
    };
    let first = |inner: &mut Builder<'_>| of(inner, &parts[..half], starts);
    let others = |inner: &mut Builder<'_>| of(inner, &parts[half..], &starts[half..]);
    either(builder, Some(condition), first, others, result)
}

/// A tensor with a number around it.
fn padded(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let ir = &*builder.ir;
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let [low, high] = padding(ir, op);
    let body = ir.body(op, 0)?;
    let made = ir.operand(ir.terminator(body)?, 0);
    // A number from outside, or a constant.
    let number = match ir.def_op(made).filter(|&made| ir.parent_block(made) == Some(body)) {
        Some(inside) if ir.opcode(inside) == Opcode::ArithConstant => {
            let copy = builder.copy(inside, &mut ValueMap::default());
            builder.ir.result(copy, 0)
        }
        None if !ir.args(body).contains(&made) => made,
        _ => return None,
    };
    let mut sizes = Vec::new();
    for (d, &extent) in builder.ir.shape_of(result).to_vec().iter().enumerate() {
        sizes.push(if extent == DYNAMIC {
            let parts = [low[d], mixed_extent(builder, source, d), high[d]];
            let [low, own, high] = parts.map(|number| number.materialize(builder));
            let sum = builder.binary(Opcode::ArithAddi, low, own);
            Mixed::Value(builder.binary(Opcode::ArithAddi, sum, high))
        } else {
            Mixed::Static(extent)
        });
    }
    let ends: Vec<Mixed> = (0..sizes.len()).map(|d| mixed_extent(builder, source, d)).collect();
    Some(at_each(builder, result, &sizes, &[], |inner, at, _| {
        let (mut inside, mut places) = (None, Vec::new());
        for d in 0..at.len() {
            let place = moved(inner, at[d], low[d], -1);
            if [low[d], high[d]] != [Mixed::Static(0); 2] {
                let end = ends[d].materialize(inner);
                let here = compare(inner, BELOW, place, end);
                inside = both(inner, inside, here);
            }
            places.push(place);
        }
        either(inner, inside, |inner| extract(inner, source, &places), |_| number, result)
    }))
}

/// Elements that are computed of their places.
fn generated(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let ir = &*builder.ir;
    let (result, body) = (ir.result(op, 0), ir.body(op, 0)?);
    let (args, ops) = (ir.args(body).to_vec(), ir.ops_of(body));
    let (&end, inner_ops) = ops.split_last()?;
    let sizes = ir.operands(op).to_vec();
    let mut open = sizes.into_iter().map(Mixed::Value);
    let sizes: Vec<Mixed> = (ir.shape_of(result).iter())
        .map(|&extent| if extent == DYNAMIC { open.next() } else { Some(Mixed::Static(extent)) })
        .collect::<Option<_>>()?;
    Some(at_each(builder, result, &sizes, &[], |inner, at, _| {
        let mut map = ValueMap::default();
        args.iter().zip(at).for_each(|(&arg, &index)| map.set(arg, index));
        for &made in inner_ops {
            inner.copy(made, &mut map);
        }
        let value = inner.ir.operand(end, 0);
        map.find(value).unwrap_or(value)
    }))
}

/// `eq` as `arith.cmpi` numbers it.
const EQUAL: i64 = 0;

/// The binary logarithm of the elements of the widest access.
const GROUP_BITS: u32 = 4;
