//! Edges: vectors have fixed sizes, and the tensors of a tile may end sooner.
//!
//! Where a tile ends at the end of its memref, reads and writes that are not `in_bounds` stop there by themselves.
//! Elsewhere a mask says how far it goes. What a vector holds beyond the end means nothing, and whoever combines elements
//! leaves it out.

use std::collections::BTreeMap;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Builder, Code, DYNAMIC, Def, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use super::structured::{splat, sum, to_iteration_space};
use super::{Cx, Tensor};
use crate::code::{BELOW, compare, is_multiple, is_zero, select};
use crate::configure::Checked;
use crate::structured::moves::padding;
use crate::structured::scans::loops_of;
use crate::structured::sizes::mixed_extent;
use crate::structured::windows::Inside;

/// How a tile ends along a dimension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Edge {
    /// Where its memref ends, after so many elements; [`DYNAMIC`] if only the run knows.
    End(i64),
    /// After a step, or where its memref ends if that comes first.
    Step(i64, Mixed),
    /// After so many elements.
    Size(Mixed),
}

impl Edge {
    /// Whether a vector of this size may go beyond the end of the memref, and its other elements are the tile's.
    pub fn is_crossed(self, size: i64) -> bool {
        match self {
            Edge::End(extent) => extent < size,
            Edge::Step(step, _) => size <= step,
            Edge::Size(_) => false,
        }
    }

    /// Of a vector of this size, how many elements a mask must leave.
    fn bound(self, size: i64) -> Mixed {
        match self {
            Edge::Size(Mixed::Static(extent)) => Mixed::Static(size.min(extent)),
            Edge::Size(extent) => extent,
            Edge::Step(step, extent) if size > step => extent,
            Edge::Step(..) | Edge::End(_) => Mixed::Static(size),
        }
    }
}

/// The mask of a vector that stands for a tile with such edges; `None` where no mask is needed.
pub(super) fn mask(builder: &mut Builder<'_>, edges: &[Edge], shape: &[i64]) -> Option<ValueId> {
    let bounds: Vec<Mixed> = edges.iter().zip(shape).map(|(edge, &size)| edge.bound(size)).collect();
    if bounds.iter().zip(shape).all(|(&bound, &size)| bound == Mixed::Static(size)) {
        return None;
    }
    let bit = builder.ir.int_type(1);
    let ty = builder.ir.vector_type(shape, bit);
    let bounds: Vec<ValueId> = bounds.into_iter().map(|bound| bound.materialize(builder)).collect();
    Some(builder.value(Opcode::VectorCreateMask, &bounds, ty, &[]))
}

/// Elements of the widest access.
const GROUP_MAX: i64 = 16;

/// Where a vector of a padded tensor, along some of its dimensions and at `indices`, is inside of what was padded.
pub(super) fn inside(
    builder: &mut Builder<'_>,
    inside: &Inside,
    indices: &[ValueId],
    dims: &[usize],
    shape: &[i64],
    is_native: bool,
) -> ValueId {
    let alone = match &inside.place {
        Expr::Dim(d) => Some((*d, 0)),
        Expr::Add(d, low) => match (&**d, &**low) {
            (Expr::Dim(d), Expr::Const(low)) => Some((*d, *low)),
            _ => None,
        },
        _ => None,
    };
    // The comparison is of as few dimensions as its place names. A thread that has a whole vector, which lies on one side,
    // asks for its first element.
    let is_named = |at: usize| inside.place.names(&|d| d == dims[at]);
    let is_whole = |at: usize| match (alone, inside.extent) {
        (Some((_, low)), Mixed::Static(known)) => {
            let n = shape[at];
            is_native && low % n == 0 && known % n == 0 && is_multiple(builder.ir, indices[dims[at]], n)
        }
        _ => false,
    };
    let own: Vec<usize> = (0..dims.len()).filter(|&at| is_named(at) && !is_whole(at)).collect();
    let extents: Vec<i64> = own.iter().map(|&at| shape[at]).collect();
    let index = builder.ir.index_type();
    let ty = builder.ir.vector_type(&extents, index);
    let mut places = indices.to_vec();
    for (d, &at) in own.iter().enumerate() {
        let along = builder.ir.vector_type(&extents[d..=d], index);
        let numbers = builder.value(Opcode::VectorStep, &[], along, &[]);
        let numbers = to_iteration_space(builder, numbers, &Map::of_dims(own.len(), &[d]), &extents);
        let first = splat(builder, indices[dims[at]], ty);
        places[dims[at]] = builder.binary(Opcode::ArithAddi, numbers, first);
    }
    // Neighbours in groups that are wholly inside or outside share one comparison, and so one access.
    let alone = alone.filter(|_| !own.is_empty());
    let (mut place, mut extent) = (inside.place.clone(), inside.extent);
    if let (Some((d, low)), Mixed::Static(known)) = (alone, extent) {
        let group = GROUP_MAX.min(1 << low.trailing_zeros().min(known.trailing_zeros()).min(62));
        if group > 1 {
            let size = builder.splat(group as f64, ty);
            places[d as usize] = builder.binary(Opcode::ArithDivui, places[d as usize], size);
            place = Expr::binary(BinOp::Add, Expr::Dim(d), Expr::Const(low / group));
            extent = Mixed::Static(known / group);
        }
    }
    let place = sum(builder, &place, &places, indices.len(), ty).expect("places of windows are sums");
    let extent = extent.materialize(builder);
    let extent = splat(builder, extent, ty);
    // As numbers without a sign, of which those that are negative are large.
    let here = compare(builder, BELOW, place, extent);
    to_iteration_space(builder, here, &Map::of_dims(shape.len(), &own), shape)
}

/// How a slice ends.
pub(super) fn of_slice(ir: &Ir, cx: &Cx, slice: &SliceView) -> Vec<Edge> {
    let shape = ir.shape_of(slice.base);
    (0..shape.len())
        .map(|d| {
            let (offset, size) = (slice.offsets[d], cx.mixed(&slice.sizes[d..=d])[0]);
            match (offset, slice.sizes[d]) {
                (Mixed::Static(first), Mixed::Static(n)) if first.checked_add(n) == Some(shape[d]) => Edge::End(n),
                (Mixed::Value(_), Mixed::Value(_)) => match step_to_end(ir, slice, d) {
                    Some(step) => Edge::Step(step, size),
                    None => Edge::Size(size),
                },
                _ => Edge::Size(size),
            }
        })
        .collect()
}

/// The step of a loop whose tiles are `min(step, end - offset)` long, where `end` is the end of the tensor.
fn step_to_end(ir: &Ir, slice: &SliceView, dim: usize) -> Option<i64> {
    let (Mixed::Value(offset), Mixed::Value(size)) = (slice.offsets[dim], slice.sizes[dim]) else { return None };
    let min = ir.def_op(size).filter(|&op| ir.opcode(op) == Opcode::AffineMin)?;
    let map = ir.map(min, "map")?;
    let is_end = |value: ValueId| {
        ir.def_op(value).is_some_and(|op| {
            ir.opcode(op) == Opcode::TensorDim
                && ir.operand(op, 0) == slice.base
                && ir.const_int(ir.operand(op, 1)) == Some(dim as i64)
        })
    };
    let extent = ir.shape_of(slice.base)[dim];
    let (mut step, mut reaches) = (None, false);
    for expr in &map.results {
        let (constant, factors) = expr.linear(map.dims as usize)?;
        let terms: Vec<(ValueId, i64)> =
            ir.operands(min).iter().copied().zip(factors).filter(|term| term.1 != 0).collect();
        match terms[..] {
            [] => step = Some(step.map_or(constant, |step: i64| step.min(constant))),
            [(value, -1)] if value == offset && constant == extent => reaches = true,
            [(a, x), (b, y)] if constant == 0 && extent == DYNAMIC && (x, y) == (1, -1) => {
                reaches |= b == offset && is_end(a);
            }
            [(a, x), (b, y)] if constant == 0 && extent == DYNAMIC && (x, y) == (-1, 1) => {
                reaches |= a == offset && is_end(b);
            }
            _ => return None,
        }
    }
    step.filter(|_| reaches)
}

/// Gives each factor of an operation with a configuration a value of its own where one tensor would stand for vectors of
/// different shapes: a small matrix times itself, or added to a product with it, of which no side is a slice.
pub(super) fn separate(ir: &mut Ir, checked: &mut BTreeMap<OpId, Checked>) -> Result<(), Diag> {
    let mut shapes: FxHashMap<ValueId, Vec<i64>> = FxHashMap::default();
    // What sums begin with stays as it is: a loop may carry it.
    for (&op, Checked { linalg, sizes, .. }) in checked.iter() {
        let n_inputs = linalg.inputs.len();
        for (value, map) in shared(ir, op, linalg).into_iter().skip(n_inputs) {
            let Some(dims) = map.as_dims().filter(|_| ir.ty(value).is_tensor()) else { continue };
            shapes.entry(value).or_insert_with(|| dims.iter().map(|&d| sizes[d]).collect());
        }
    }
    for (&op, Checked { linalg, sizes, .. }) in checked {
        for (i, (input, map)) in linalg.inputs.iter_mut().zip(&linalg.maps).enumerate() {
            let Some(dims) = map.as_dims().filter(|_| ir.ty(*input).is_tensor()) else { continue };
            let shape: Vec<i64> = dims.iter().map(|&d| sizes[d]).collect();
            if shapes.get(input).is_some_and(|known| *known != shape) {
                *input = again(ir, *input, op)?;
                ir.set_operand(op, i, *input);
            }
            shapes.insert(*input, shape);
        }
    }
    Ok(())
}

/// What a tensor is made by, if making it once more costs little.
fn is_cheap(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::TensorExtractSlice
        || Linalg::try_of(ir, op).is_some_and(|linalg| !linalg.reduction.contains(&true))
}

/// The same tensor as another value in front of an operation.
fn again(ir: &mut Ir, value: ValueId, user: OpId) -> Result<ValueId, Diag> {
    match ir.def(value) {
        Def::Result { op, index } if is_cheap(ir, op) => {
            let mut builder = Builder::before(ir, user);
            let copy = builder.copy(op, &mut ValueMap::default());
            return Ok(builder.ir.result(copy, index as usize));
        }
        Def::Arg { block, .. } if ir.opcode(ir.region_parent(ir.block_region(block))) != Opcode::ScfFor => {
            let mut builder = Builder::before(ir, user);
            let rank = builder.ir.shape_of(value).len();
            let sizes: Vec<Mixed> = (0..rank).map(|d| mixed_extent(&mut builder, value, d)).collect();
            return Ok(builder.extract_slice(value, &vec![Mixed::Static(0); rank], &sizes));
        }
        _ => {}
    }
    Err(two_shapes(ir, user))
}

fn two_shapes(ir: &Ir, user: OpId) -> Diag {
    let message = "this operation reads one computed tile in two shapes, which cannot be vectorized";
    Diag::error(Code::CannotConfigure, ir.span(user), message)
}

/// The shapes of the vectors that stand for tensors. Where operations without a configuration read one tensor in several
/// shapes, each but the first gets a value of its own.
pub(super) fn shapes(
    ir: &mut Ir,
    func: OpId,
    checked: &BTreeMap<OpId, Checked>,
) -> Result<FxHashMap<ValueId, Vec<i64>>, Diag> {
    let mut wanted: FxHashMap<ValueId, Vec<i64>> = FxHashMap::default();
    loop {
        let shapes = shapes_as_is(ir, func, checked, &wanted);
        let Some((op, operand, shape)) = in_two_shapes(ir, func, checked, &shapes) else { return Ok(shapes) };
        let mut value = ir.operand(op, operand);
        let is_free = ir.def_op(value).is_some_and(|made| is_cheap(ir, made) && !checked.contains_key(&made));
        if !is_free || ir.uses(value).count() > 1 {
            value = again(ir, value, op)?;
            ir.set_operand(op, operand, value);
        } else if wanted.contains_key(&value) {
            return Err(two_shapes(ir, op));
        }
        wanted.insert(value, shape);
    }
}

/// The last input that stands for a vector of another shape than its operation, which has no configuration, reads.
fn in_two_shapes(
    ir: &Ir,
    func: OpId,
    checked: &BTreeMap<OpId, Checked>,
    shapes: &FxHashMap<ValueId, Vec<i64>>,
) -> Option<(OpId, usize, Vec<i64>)> {
    let without_config = ir.walk(func).into_iter().rev().filter(|op| !checked.contains_key(op));
    without_config.filter_map(|op| Some((op, Linalg::try_of(ir, op)?))).find_map(|(op, linalg)| {
        let sizes = known_sizes(ir, op, &linalg, shapes);
        linalg.inputs.iter().zip(&linalg.maps).enumerate().find_map(|(operand, (value, map))| {
            let shape: Vec<i64> = map.as_dims()?.iter().map(|&d| sizes[d]).collect();
            shapes.get(value).filter(|known| **known != shape).map(|_| (op, operand, shape))
        })
    })
}

/// The shapes of the vectors that stand for tensors: those of operations with a configuration follow from it, and others
/// from what they share tensors with.
fn shapes_as_is(
    ir: &Ir,
    func: OpId,
    checked: &BTreeMap<OpId, Checked>,
    wanted: &FxHashMap<ValueId, Vec<i64>>,
) -> FxHashMap<ValueId, Vec<i64>> {
    let mut shapes = wanted.clone();
    let ops = ir.walk(func);
    for (&op, checked) in checked {
        spread(ir, op, &checked.linalg, &checked.sizes, &mut shapes);
    }
    loop {
        let before = shapes.len();
        for &op in &ops {
            match ir.opcode(op) {
                Opcode::ScfFor => {
                    let block = ir.entry(op);
                    let end = ir.terminator(block).expect("the verifier has seen a terminator");
                    for (i, result) in ir.results(op).enumerate() {
                        let one = [ir.operand(op, 3 + i), ir.args(block)[1 + i], ir.operand(end, i), result];
                        share(&one, &mut shapes);
                    }
                }
                Opcode::ScfIf => {
                    for (i, result) in ir.results(op).enumerate() {
                        let yielded = |at: usize| Some(ir.operand(ir.terminator(ir.body(op, at)?)?, i));
                        let one: Vec<ValueId> = [0, 1].into_iter().filter_map(yielded).chain([result]).collect();
                        share(&one, &mut shapes);
                    }
                }
                Opcode::TensorInsertSlice => {
                    share(&[ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0)], &mut shapes);
                }
                _ => match Linalg::try_of(ir, op) {
                    Some(linalg) if !checked.contains_key(&op) && touches(ir, op, &shapes) => {
                        let known = known_sizes(ir, op, &linalg, &shapes);
                        spread(ir, op, &linalg, &known, &mut shapes);
                    }
                    _ => {}
                },
            }
        }
        if shapes.len() == before {
            return shapes;
        }
    }
}

/// Whether the shape of an operand or result is known.
fn touches(ir: &Ir, op: OpId, shapes: &FxHashMap<ValueId, Vec<i64>>) -> bool {
    ir.operands(op).iter().copied().chain(ir.results(op)).any(|value| shapes.contains_key(&value))
}

/// Gives values that are one tensor the shape that one of them has.
fn share(values: &[ValueId], shapes: &mut FxHashMap<ValueId, Vec<i64>>) {
    let Some(shape) = values.iter().find_map(|value| shapes.get(value)).cloned() else { return };
    for &value in values {
        shapes.entry(value).or_insert_with(|| shape.clone());
    }
}

/// The values through which an operation shares shapes with others, and their maps. An empty tensor holds nothing, so that
/// those who write where it is share nothing.
fn shared<'a>(ir: &Ir, op: OpId, linalg: &'a Linalg) -> Vec<(ValueId, &'a Map)> {
    let is_empty = |mut value: ValueId| loop {
        match ir.def_op(value).map(|made| (ir.opcode(made), made)) {
            Some((Opcode::TensorEmpty, _)) => break true,
            Some((Opcode::TensorExtractSlice, slice)) => value = ir.operand(slice, 0),
            _ => break false,
        }
    };
    let (inputs, outputs) = linalg.maps.split_at(linalg.inputs.len());
    let written = linalg.outputs.iter().copied().zip(outputs).filter(|&(value, _)| !is_empty(value));
    linalg.inputs.iter().copied().zip(inputs).chain(written).chain(ir.results(op).zip(outputs)).collect()
}

/// Gives operands and results of an operation the shapes that its loops' sizes mean; those that are not known are
/// [`DYNAMIC`].
fn spread(ir: &Ir, op: OpId, linalg: &Linalg, sizes: &[i64], shapes: &mut FxHashMap<ValueId, Vec<i64>>) {
    for (value, map) in shared(ir, op, linalg) {
        let Some(dims) = map.as_dims().filter(|_| ir.ty(value).is_tensor()) else { continue };
        let shape: Vec<i64> = dims.iter().map(|&d| sizes[d]).collect();
        if !shape.contains(&DYNAMIC) {
            shapes.entry(value).or_insert(shape);
        }
    }
}

/// How far the vectors of an operation without a configuration go: as far as the tensors' that it shares.
fn known_sizes(ir: &Ir, op: OpId, linalg: &Linalg, shapes: &FxHashMap<ValueId, Vec<i64>>) -> Vec<i64> {
    let mut sizes = vec![DYNAMIC; linalg.reduction.len()];
    // A shape that follows from a configuration says more than a tensor's own; of these, that of a result has users that
    // ask for it, and that of an operand which can be made again says the least.
    let mut all = shared(ir, op, linalg);
    all.sort_by_cached_key(|&(value, _)| match ir.def_op(value) {
        Some(made) if made == op => 0,
        Some(made) if is_cheap(ir, made) => 2,
        _ => 1,
    });
    for has_own in [true, false] {
        for &(value, map) in &all {
            let shape = match shapes.get(&value) {
                Some(shape) if has_own => &shape[..],
                None if !has_own => ir.shape_of(value),
                _ => continue,
            };
            for (&size, &d) in shape.iter().zip(&map.as_dims().unwrap_or_default()) {
                if sizes[d] == DYNAMIC {
                    sizes[d] = size;
                }
            }
        }
    }
    sizes
}

/// How far the vectors of an operation go along each of its loops.
pub(super) fn sizes(ir: &Ir, cx: &Cx, op: OpId, linalg: &Linalg) -> Result<Vec<i64>, Diag> {
    let sizes = match cx.checked.get(&op) {
        Some(checked) => checked.sizes.clone(),
        None => known_sizes(ir, op, linalg, &cx.shapes),
    };
    if sizes.contains(&DYNAMIC) {
        let message = "the extents of this operation are not known, and nothing says how large its vectors are";
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
            .help("give it a `lowering_config`, or static shapes"));
    }
    Ok(sizes)
}

/// Whether two sizes are the same number, or computed alike.
pub(super) fn is_same(ir: &Ir, a: Mixed, b: Mixed) -> bool {
    let (Mixed::Value(a), Mixed::Value(b)) = (a, b) else { return a == b };
    let made = |value: ValueId| ir.def_op(value).filter(|&op| ir.opcode(op).info().is_pure());
    a == b
        || made(a).zip(made(b)).is_some_and(|(a, b)| {
            let operands = ir.operands(a).iter().zip(ir.operands(b));
            ir.opcode(a) == ir.opcode(b)
                && ir.attr_dict(a) == ir.attr_dict(b)
                && ir.operands(a).len() == ir.operands(b).len()
                && operands.into_iter().all(|(&a, &b)| is_same(ir, Mixed::Value(a), Mixed::Value(b)))
        })
}

/// The extent of a dimension of a tensor of the tiled program.
pub(super) fn extent(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, dim: usize) -> Mixed {
    let mut value = value;
    loop {
        let known = builder.ir.shape_of(value)[dim];
        if known != DYNAMIC {
            return Mixed::Static(known);
        }
        let ir = &*builder.ir;
        value = match ir.def(value) {
            Def::Arg { block, index } => {
                let parent = ir.region_parent(ir.block_region(block));
                let index = index as usize;
                match ir.opcode(parent) {
                    // The operands of a loop stand behind its bounds, as its arguments behind the index.
                    Opcode::ScfFor => ir.operand(parent, index + 2),
                    Opcode::ScfForall => {
                        let n_inits = ir.results(parent).len();
                        let n_args = ir.args(block).len();
                        let operands = ir.operands(parent);
                        operands[operands.len() - n_inits + index - (n_args - n_inits)]
                    }
                    _ => {
                        let base = cx.map.get(value);
                        let at = builder.index(dim as i64);
                        let ty = builder.ir.index_type();
                        return Mixed::Value(builder.value(Opcode::MemrefDim, &[base, at], ty, &[]));
                    }
                }
            }
            Def::Result { op, index } => match ir.opcode(op) {
                Opcode::TensorEmpty => {
                    let at = ir.shape_of(value)[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
                    return Mixed::Value(cx.map.get(ir.operand(op, at)));
                }
                Opcode::TensorExtractSlice => return cx.mixed(&SliceView::of(ir, op).sizes)[dim],
                Opcode::TensorExpandShape => {
                    let at = ir.shape_of(value)[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
                    return Mixed::Value(cx.map.get(ir.operand(op, 1 + at)));
                }
                Opcode::TensorPad => {
                    let source = ir.operand(op, 0);
                    let [low, high] = padding(ir, op).map(|around| cx.mixed(&around[dim..=dim])[0]);
                    let inner = extent(builder, cx, source, dim);
                    let end = super::sum(builder, low, inner);
                    return super::sum(builder, end, high);
                }
                Opcode::TensorInsertSlice => ir.operand(op, 1),
                Opcode::ScfFor => ir.operand(op, index as usize + 3),
                Opcode::ScfIf => {
                    let end = ir.terminator(ir.entry(op)).expect("the verifier has seen a terminator");
                    ir.operand(end, index as usize)
                }
                _ => loops_of(ir, op).expect("tensors are made by operations with loops").outputs[index as usize],
            },
        };
    }
}

/// How far an operation's loop goes in this tile.
pub(super) fn end(builder: &mut Builder<'_>, cx: &Cx, linalg: &Linalg, d: usize) -> Option<Mixed> {
    let mut found = None;
    for (&value, map) in linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps) {
        let Some(at) = map.as_dims().and_then(|dims| dims.iter().position(|&other| other == d)) else { continue };
        let here = builder.ir.shape_of(value)[at];
        if here != DYNAMIC {
            return Some(Mixed::Static(here));
        }
        found = found.or(Some((value, at)));
    }
    found.map(|(value, at)| extent(builder, cx, value, at))
}

/// Which points of the iteration space there are along some of its loops; `None` for all of them.
pub(super) fn mask_of_loops(
    builder: &mut Builder<'_>,
    cx: &Cx,
    linalg: &Linalg,
    sizes: &[i64],
    along: &dyn Fn(usize) -> bool,
) -> Option<ValueId> {
    let edges: Vec<Edge> = (0..sizes.len())
        .map(|d| match end(builder, cx, linalg, d) {
            Some(end) if along(d) => Edge::Size(end),
            _ => Edge::Size(Mixed::Static(sizes[d])),
        })
        .collect();
    mask(builder, &edges, sizes)
}

/// A factor with zeros beyond the end of the loops that a contraction sums along. What is read has them already, unless it
/// is padded by something else.
pub(super) fn zero_beyond(
    builder: &mut Builder<'_>,
    cx: &Cx,
    op: OpId,
    linalg: &Linalg,
    operand: usize,
    loops: &[usize],
    value: ValueId,
) -> ValueId {
    let tensor = linalg.inputs[operand];
    if let Tensor::View { padded, .. } = cx.get(tensor)
        && padded.is_none_or(|padded| is_zero(&builder.ir[padded.padding]))
    {
        return value;
    }
    let Ok(sizes) = sizes(builder.ir, cx, op, linalg) else { return value };
    let dims = linalg.maps[operand].as_dims().unwrap_or_default();
    let dims: Vec<usize> = dims.into_iter().filter(|d| loops.contains(d)).collect();
    let shape: Vec<i64> = dims.iter().map(|&d| sizes[d]).collect();
    let edges: Vec<Edge> = (dims.iter())
        .map(|&d| match end(builder, cx, linalg, d) {
            Some(end) if linalg.reduction[d] => Edge::Size(end),
            _ => Edge::Size(Mixed::Static(sizes[d])),
        })
        .collect();
    let Some(mask) = mask(builder, &edges, &shape) else { return value };
    let ty = builder.ir.type_of(value);
    let zero = builder.splat(0.0, ty);
    select(builder, mask, value, zero)
}
