//! Fold what is known of tensors and buffers: extents, elements, and parts that are the whole.

use raddle_ir::views::{Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId};

use super::dispatch;
use super::fold::Fold;
use super::number::{self, Number};

/// Folds one operation on tensors or buffers.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::TensorDim | Opcode::MemrefDim => dim(ir, op),
        Opcode::TensorExtractSlice => extract_slice(ir, op),
        Opcode::TensorInsertSlice => insert_slice(ir, op),
        Opcode::TensorParallelInsertSlice => state_place(ir, op),
        Opcode::TensorExpandShape | Opcode::TensorCollapseShape => reshape(ir, op),
        Opcode::TensorExtract => extract(ir, op),
        Opcode::TensorEmpty => empty(ir, op),
        Opcode::TensorPad => pad(ir, op),
        Opcode::MemrefSubview => subview(ir, op),
        Opcode::MemrefCast => memref_cast(ir, op),
        Opcode::MemrefCopy if ir.operand(op, 0) == ir.operand(op, 1) => Some(Fold::Values(Vec::new())),
        Opcode::MemrefDealloc => forgotten(ir, op, ir.operand(op, 0)),
        Opcode::MemrefStore => forgotten(ir, op, ir.operand(op, 1)),
        Opcode::MemrefLoad => load(ir, op),
        _ => None,
    }
}

pub(super) fn known(ir: &Ir, value: ValueId) -> Option<i64> {
    number::of(ir, value).and_then(Number::int)
}

/// An extent that the type states, or that the operation states which made the value.
fn dim(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let d = usize::try_from(known(ir, ir.operand(op, 1))?).ok()?;
    let extent = *ir.ty(source).shape()?.get(d)?;
    if extent != DYNAMIC {
        return Fold::value(Builder::before(ir, op).index(extent));
    }
    let made = ir.def_op(source)?;
    // The dynamic extents in front of this one.
    let n_dynamic = |ir: &Ir| ir.ty(source).shape().map(|shape| shape[..d].iter().filter(|&&e| e == DYNAMIC).count());
    match ir.opcode(made) {
        Opcode::TensorEmpty => Fold::value(*ir.operands(made).get(n_dynamic(ir)?)?),
        Opcode::TensorExpandShape => Fold::value(*ir.operands(made).get(1 + n_dynamic(ir)?)?),
        Opcode::MemrefAlloc | Opcode::MemrefAlloca => Fold::value(*ir.segments(made).first()?.get(n_dynamic(ir)?)?),
        Opcode::TensorCast | Opcode::MemrefCast | Opcode::TensorInsertSlice => {
            let from = if ir.opcode(made) == Opcode::TensorInsertSlice { 1 } else { 0 };
            let origin = ir.operand(made, from);
            if ir.ty(origin).shape()?.len() <= d {
                return None;
            }
            ir.set_operand(op, 0, origin);
            Some(Fold::Changed)
        }
        Opcode::TensorExtractSlice | Opcode::MemrefSubview => {
            let view = SliceView::of(ir, made);
            // Without dropped dimensions, each extent is a size.
            if view.sizes.len() != ir.ty(source).shape()?.len() {
                return None;
            }
            match view.sizes[d] {
                Mixed::Value(size) => Fold::value(size),
                Mixed::Static(size) => Fold::value(Builder::before(ir, op).index(size)),
            }
        }
        // Where no dimension was dropped, the dynamic extents are the dynamic sizes.
        Opcode::IreeTensorExtDispatchTensorLoad => {
            let sizes = dispatch::sizes(ir, made);
            if sizes.len() != ir.ty(source).shape()?.len() {
                return None;
            }
            match sizes[d] {
                Mixed::Value(size) => Fold::value(size),
                Mixed::Static(_) => None,
            }
        }
        _ => None,
    }
}

/// Whether a slice is all of a shape, in the same type.
fn is_whole(view: &SliceView, shape: &[i64]) -> bool {
    let is = |list: &[Mixed], number: i64| list.iter().all(|&at| at == Mixed::Static(number));
    is(&view.offsets, 0)
        && is(&view.strides, 1)
        && view.sizes.iter().zip(shape).all(|(&size, &extent)| extent != DYNAMIC && size == Mixed::Static(extent))
}

/// What became of an operation whose known offsets, sizes and strides went into its attributes.
pub(super) struct Stated {
    pub changed: bool,
    sizes: bool,
}

/// Writes what is known of offsets, sizes and strides into the attributes; `extents` are those of what the part belongs
/// to, or none where a part that reaches outside is not a mistake.
pub(super) fn state_known(ir: &mut Ir, op: OpId, n_first: usize, extents: &[i64]) -> Stated {
    let mut stated = Stated { changed: false, sizes: false };
    let parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let mut operands: Vec<ValueId> = parts[..n_first].concat();
    let mut segments: Vec<usize> = parts[..n_first].iter().map(Vec::len).collect();
    const NAMES: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];
    let mut given = [const { Vec::new() }; 3];
    for ((given, name), values) in given.iter_mut().zip(NAMES).zip(&parts[n_first..]) {
        *given = mixed(&ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default(), values);
    }
    // A negative offset or size is a mistake that stays visible.
    let number = |&at: &Mixed| match at {
        Mixed::Value(value) => known(ir, value).filter(|&n| n >= 0).map_or(at, Mixed::Static),
        Mixed::Static(_) => at,
    };
    let mut lists = given.each_ref().map(|list| list.iter().map(number).collect::<Vec<_>>());
    for (d, &extent) in extents.iter().enumerate() {
        // So is what reaches outside.
        if extent != DYNAMIC && is_outside(lists.each_ref().map(|list| list[d]), extent) {
            for (list, given) in lists.iter_mut().zip(&given) {
                list[d] = given[d];
            }
        }
    }
    for ((name, list), given) in NAMES.into_iter().zip(lists).zip(given) {
        if list != given {
            stated.changed = true;
            stated.sizes |= name == "static_sizes";
        }
        let (numbers, values) = unmixed(&list);
        let attr = ir.dense_i64(&numbers);
        if stated.changed {
            ir.set_attr(op, name, attr);
        }
        segments.push(values.len());
        operands.extend(values);
    }
    if stated.changed {
        let segments = ir.segment_sizes(&segments);
        ir.set_attr(op, "operandSegmentSizes", segments);
        ir.set_operands(op, &operands);
    }
    stated
}

/// Whether a part whose offset, size and stride are these reaches outside, as far as they are known.
fn is_outside(part: [Mixed; 3], extent: i64) -> bool {
    let [Mixed::Static(offset), size, stride] = part else { return false };
    let last = match (size, stride) {
        (Mixed::Static(size), Mixed::Static(stride)) if size > 0 => (size - 1).saturating_mul(stride),
        _ => 0,
    };
    offset >= extent || offset.saturating_add(last) >= extent
}

fn extract_slice(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let view = SliceView::of(ir, op);
    let result = ir.result(op, 0);
    if ir.type_of(view.base) == ir.type_of(result) && is_whole(&view, ir.shape_of(view.base)) {
        return Fold::value(view.base);
    }
    // The slice that was just put there.
    if let Some(made) = ir.def_op(view.base)
        && ir.opcode(made) == Opcode::TensorInsertSlice
    {
        let put = SliceView::of(ir, made);
        let same = (&put.offsets, &put.sizes, &put.strides) == (&view.offsets, &view.sizes, &view.strides);
        if let Some(value) = put.value
            && same
            && ir.type_of(value) == ir.type_of(result)
        {
            return Fold::value(value);
        }
    }
    // What the sizes say, the type says, too.
    let old = ir.type_of(result);
    let extents = ir.shape_of(view.base).to_vec();
    let stated = state_known(ir, op, 1, &extents);
    if !stated.changed {
        return None;
    }
    if stated.sizes {
        let sizes = SliceView::of(ir, op).sizes;
        let Type::Tensor { shape, elem, encoding } = ir[old].clone() else { return Some(Fold::Changed) };
        if shape.len() == sizes.len() {
            let shape = sizes.iter().map(|size| if let Mixed::Static(size) = size { *size } else { DYNAMIC }).collect();
            let new = ir.intern_type(Type::Tensor { shape, elem, encoding });
            if new != old {
                retype(ir, result, new);
            }
        }
    }
    Some(Fold::Changed)
}

/// Gives the result of a tensor operation a type that knows more, with a cast for its users.
pub(super) fn retype(ir: &mut Ir, result: ValueId, new: TypeId) {
    let Some(op) = ir.def_op(result) else { return };
    let old = ir.type_of(result);
    let cast = ir.create(Opcode::TensorCast, &[], &[old], &[], ir.span(op));
    ir.insert_after(op, cast);
    let casted = ir.result(cast, 0);
    ir.replace_uses(result, casted);
    ir.set_type(result, new);
    ir.set_operands(cast, &[result]);
}

fn insert_slice(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let view = SliceView::of(ir, op);
    let value = view.value?;
    let result = ir.type_of(ir.result(op, 0));
    if ir.type_of(value) == result && is_whole(&view, ir.shape_of(view.base)) {
        return Fold::value(value);
    }
    // What was taken from there goes back.
    if let Some(made) = ir.def_op(value)
        && ir.opcode(made) == Opcode::TensorExtractSlice
    {
        let taken = SliceView::of(ir, made);
        let same = (&taken.offsets, &taken.sizes, &taken.strides) == (&view.offsets, &view.sizes, &view.strides);
        if same && taken.base == view.base {
            return Fold::value(view.base);
        }
    }
    state_place(ir, op)
}

/// What is known of the place where a slice is put in. A size states the extent of the slice, so that it is stated only
/// where the slice has such a type, perhaps behind a cast.
fn state_place(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let view = SliceView::of(ir, op);
    let sizes_known = view.sizes.iter().any(|size| matches!(size, Mixed::Value(size) if known(ir, *size).is_some()));
    if sizes_known {
        let cast = ir.def_op(view.value?).filter(|&made| ir.opcode(made) == Opcode::TensorCast)?;
        let source = ir.operand(cast, 0);
        let size = |size: &Mixed| match size {
            Mixed::Static(size) => *size,
            Mixed::Value(size) => known(ir, *size).unwrap_or(DYNAMIC),
        };
        let sizes: Vec<i64> = view.sizes.iter().map(size).collect();
        if ir[ir.type_of(source)].shape().is_none_or(|shape| shape != sizes) {
            return None;
        }
        ir.set_operand(op, 0, source);
    }
    let extents = ir.shape_of(view.base).to_vec();
    state_known(ir, op, 2, &extents).changed.then_some(Fold::Changed)
}

/// `expand_shape` and `collapse_shape` that undo one another, or collapse step by step.
fn reshape(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let result = ir.type_of(ir.result(op, 0));
    if ir.type_of(source) == result {
        return Fold::value(source);
    }
    let inner = ir.def_op(source)?;
    let origin = *ir.operands(inner).first()?;
    let is_static = |ir: &Ir, value: ValueId| ir.ty(value).shape().is_some_and(|shape| !shape.contains(&DYNAMIC));
    match (ir.opcode(op), ir.opcode(inner)) {
        (Opcode::TensorCollapseShape, Opcode::TensorExpandShape)
        | (Opcode::TensorExpandShape, Opcode::TensorCollapseShape)
            if ir.type_of(origin) == result && is_static(ir, origin) =>
        {
            Fold::value(origin)
        }
        (Opcode::TensorCollapseShape, Opcode::TensorCollapseShape) => {
            let (outer, inner) = (groups(ir, op)?, groups(ir, inner)?);
            let joined: Option<Vec<Vec<i64>>> = outer
                .iter()
                .map(|group| {
                    let parts = group.iter().map(|&d| inner.get(usize::try_from(d).ok()?).cloned());
                    parts.collect::<Option<Vec<Vec<i64>>>>().map(|parts| parts.concat())
                })
                .collect();
            let groups = joined?.iter().map(|group| ir.i64_array(group)).collect();
            let groups = ir.intern(Attr::Array(groups));
            ir.set_attr(op, "reassociation", groups);
            ir.set_operand(op, 0, origin);
            Some(Fold::Changed)
        }
        _ => None,
    }
}

fn groups(ir: &Ir, op: OpId) -> Option<Vec<Vec<i64>>> {
    match ir.attr(op, "reassociation")? {
        Attr::Array(groups) => groups.iter().map(|&group| ir.ints(group)).collect(),
        _ => None,
    }
}

/// An element that was given, or that all elements are.
fn extract(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let made = ir.def_op(source)?;
    let ty = ir.type_of(ir.result(op, 0));
    match ir.opcode(made) {
        Opcode::TensorSplat => return Fold::value(ir.operand(made, 0)),
        Opcode::ArithConstant => {
            if let Some(number) = number::of(ir, source) {
                return Fold::value(number::constant(ir, op, number, ty));
            }
        }
        Opcode::TensorFromElements => {}
        _ => return None,
    }
    let shape = ir.ty(source).shape()?.to_vec();
    let mut at = 0usize;
    for (&index, &extent) in ir.operands(op)[1..].iter().zip(&shape) {
        let (index, extent) = (usize::try_from(known(ir, index)?).ok()?, usize::try_from(extent).ok()?);
        if index >= extent {
            return None;
        }
        at = at.checked_mul(extent)?.checked_add(index)?;
    }
    if ir.opcode(made) == Opcode::TensorFromElements {
        return Fold::value(*ir.operands(made).get(at)?);
    }
    let value = ir.attr(made, "value").filter(|value| matches!(value, Attr::Dense { .. }))?;
    let elem = ir.dense_elems(value).get(at)?.clone();
    let number = number::of_attr(ir, &elem)?;
    Fold::value(number::constant(ir, op, number, ty))
}

/// Known extents go into the type.
fn empty(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let result = ir.result(op, 0);
    let Type::Tensor { shape, elem, encoding } = ir.ty(result).clone() else { return None };
    let mut left = Vec::new();
    let mut extents = ir.operands(op).to_vec().into_iter();
    let shape: Vec<i64> = shape
        .into_iter()
        .map(|extent| match extent {
            DYNAMIC => {
                let value = extents.next().expect("the verifier counts dynamic extents");
                known(ir, value).filter(|&extent| extent >= 0).unwrap_or_else(|| {
                    left.push(value);
                    DYNAMIC
                })
            }
            extent => extent,
        })
        .collect();
    if left.len() == ir.operands(op).len() {
        return None;
    }
    let new = ir.intern_type(Type::Tensor { shape, elem, encoding });
    ir.set_operands(op, &left);
    retype(ir, result, new);
    Some(Fold::Changed)
}

/// Padding of nothing.
fn pad(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let none = |name: &str| {
        ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).is_some_and(|pads| pads.iter().all(|&p| p == 0))
    };
    let unpadded = none("static_low") && none("static_high") && ir.attr_id(op, "nofold").is_none();
    if unpadded && ir.type_of(source) == ir.type_of(ir.result(op, 0)) { Fold::value(source) } else { None }
}

fn subview(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let view = SliceView::of(ir, op);
    let same = ir.type_of(view.base) == ir.type_of(ir.result(op, 0));
    if same && is_whole(&view, ir.shape_of(view.base)) { Fold::value(view.base) } else { None }
}

/// A cast to the type that the buffer had.
fn memref_cast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let result = ir.type_of(ir.result(op, 0));
    if ir.type_of(source) == result {
        return Fold::value(source);
    }
    let inner = ir.def_op(source).filter(|&inner| ir.opcode(inner) == Opcode::MemrefCast)?;
    let origin = ir.operand(inner, 0);
    if ir.type_of(origin) == result { Fold::value(origin) } else { None }
}

/// A write to a buffer that nobody reads, or the end of one that nobody uses.
fn forgotten(ir: &mut Ir, op: OpId, buffer: ValueId) -> Option<Fold> {
    ir.def_op(buffer).filter(|&made| matches!(ir.opcode(made), Opcode::MemrefAlloc | Opcode::MemrefAlloca))?;
    // What threads share stays: it is part of what the kernel asks the chip for.
    if !matches!(ir.ty(buffer), Type::MemRef { space: None, .. }) {
        return None;
    }
    let forgets = |(user, index): (OpId, usize)| match ir.opcode(user) {
        Opcode::MemrefDealloc => true,
        Opcode::MemrefStore => index == 1,
        _ => false,
    };
    (ir.results(op).len() == 0 && ir.uses(buffer).all(forgets)).then(|| Fold::Values(Vec::new()))
}

/// A load through a cast that only forgets extents.
fn load(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let cast = ir.def_op(ir.operand(op, 0)).filter(|&cast| ir.opcode(cast) == Opcode::MemrefCast)?;
    let origin = ir.operand(cast, 0);
    let known = |ir: &Ir, value: ValueId| ir.ty(value).shape().is_some();
    if !known(ir, origin) || !known(ir, ir.result(cast, 0)) {
        return None;
    }
    ir.set_operand(op, 0, origin);
    Some(Fold::Changed)
}
