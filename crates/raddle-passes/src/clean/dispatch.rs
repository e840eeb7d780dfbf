//! Fold what dispatches read, write and count by: slices of their bindings, casts of elements, ordinals, barriers.

use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Def, Ir, OpId, Opcode, Type, TypeId, ValueId};

use super::fold::Fold;
use super::tensor::{known, retype, state_known};

/// Folds one operation of `iree_tensor_ext`, or one on the references of `pcf`.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::IreeTensorExtDispatchTensorLoad => load(ir, op),
        Opcode::IreeTensorExtDispatchTensorStore => store(ir, op),
        Opcode::PcfReadSlice | Opcode::PcfGetMemref => part(ir, op, 1),
        Opcode::PcfWriteSlice => part(ir, op, 2),
        Opcode::IreeTensorExtBitcast => bitcast(ir, op),
        Opcode::IreeTensorExtDispatchWorkloadOrdinal => ordinal(ir, op),
        Opcode::IreeTensorExtComputeBarrierStart | Opcode::IreeTensorExtComputeBarrierEnd => {
            let source = ir.operand(op, 0);
            made_by(ir, source, ir.opcode(op)).and_then(|_| Fold::value(source))
        }
        _ => None,
    }
}

fn made_by(ir: &Ir, value: ValueId, opcode: Opcode) -> Option<OpId> {
    ir.def_op(value).filter(|&made| ir.opcode(made) == opcode)
}

/// The sizes of a slice of a binding.
pub(super) fn sizes(ir: &Ir, op: OpId) -> Vec<Mixed> {
    let groups = ir.segments(op);
    let numbers = ir.attr_id(op, "static_sizes").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    mixed(&numbers, groups[groups.len() - 2])
}

/// The type of a slice that has these sizes and lacks the dimensions that `old` lacks.
fn sliced(ir: &mut Ir, sizes: &[Mixed], old: TypeId) -> Option<TypeId> {
    let Type::Tensor { shape, elem, encoding } = ir[old].clone() else { return None };
    let mut dropped = sizes.len().checked_sub(shape.len())?;
    let mut kept = Vec::new();
    for &size in sizes {
        let extent = match size {
            Mixed::Static(extent) => extent,
            Mixed::Value(_) => DYNAMIC,
        };
        if extent == 1 && dropped > 0 && shape.get(kept.len()) != Some(&1) {
            dropped -= 1;
        } else {
            kept.push(extent);
        }
    }
    (kept.len() == shape.len()).then(|| ir.intern_type(Type::Tensor { shape: kept, elem, encoding }))
}

/// What is known of a slice goes into its attributes and its type; the extents of its binding are those that the
/// binding was tied to.
fn load(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let changed = reuse_extents(ir, op, 0);
    if state_known(ir, op, 2, &[]).changed {
        let old = ir.type_of(ir.result(op, 0));
        let sizes = sizes(ir, op);
        if let Some(new) = sliced(ir, &sizes, old).filter(|&new| new != old) {
            let result = ir.result(op, 0);
            retype(ir, result, new);
        }
        return Some(Fold::Changed);
    }
    changed.then_some(Fold::Changed)
}

fn store(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let mut changed = reuse_extents(ir, op, 1);
    if state_known(ir, op, 3, &[]).changed {
        let value = ir.operand(op, 0);
        let old = ir.type_of(value);
        let sizes = sizes(ir, op);
        if let Some(new) = sliced(ir, &sizes, old).filter(|&new| new != old) {
            let cast = Builder::before(ir, op).value(Opcode::TensorCast, &[value], new, &[]);
            ir.set_operand(op, 0, cast);
        }
        changed = true;
    }
    // A cast that forgets what the sizes say.
    if let Some(cast) = made_by(ir, ir.operand(op, 0), Opcode::TensorCast) {
        let origin = ir.operand(cast, 0);
        let sizes = sizes(ir, op);
        if knows_more(ir, origin, ir.operand(op, 0))
            && sliced(ir, &sizes, ir.type_of(origin)) == Some(ir.type_of(origin))
        {
            ir.set_operand(op, 0, origin);
            changed = true;
        }
    }
    changed.then_some(Fold::Changed)
}

/// Whether the type of one value states each extent that the type of the other states.
fn knows_more(ir: &Ir, a: ValueId, b: ValueId) -> bool {
    match (ir.ty(a).shape(), ir.ty(b).shape()) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| b == DYNAMIC || a == b),
        _ => false,
    }
}

/// The extents that stand beside the binding are those of the `tie_shape` that made it.
fn reuse_extents(ir: &mut Ir, op: OpId, at: usize) -> bool {
    let Some(tie) = made_by(ir, ir.operand(op, at), Opcode::FlowDispatchTieShape) else { return false };
    let tied = ir.operands(tie)[1..].to_vec();
    let start = at + 1;
    let given = &ir.operands(op)[start..start + ir.segments(op)[start].len()];
    if given.len() != tied.len() || given == tied {
        return false;
    }
    for (i, extent) in tied.into_iter().enumerate() {
        ir.set_operand(op, start + i, extent);
    }
    true
}

/// Known offsets and strides of a part of a shared reference. A size states the extent of the part, which has a type.
fn part(ir: &mut Ir, op: OpId, n_first: usize) -> Option<Fold> {
    let stated = |size: &Mixed| matches!(size, Mixed::Value(size) if known(ir, *size).is_some());
    if sizes(ir, op).iter().any(stated) {
        return None;
    }
    state_known(ir, op, n_first, &[]).changed.then_some(Fold::Changed)
}

/// A bitcast to the type that was there, of a bitcast, of what has no elements, or of a cast that forgets extents.
fn bitcast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let groups = ir.segments(op);
    let (source_dims, result_dims) = (groups[1].to_vec(), groups[2].to_vec());
    if ir.type_of(source) == ir.type_of(result) && source_dims == result_dims {
        return Fold::value(source);
    }
    let made = ir.def_op(source)?;
    match ir.opcode(made) {
        Opcode::TensorEmpty => {
            let ty = ir.type_of(result);
            Fold::value(Builder::before(ir, op).value(Opcode::TensorEmpty, &result_dims, ty, &[]))
        }
        Opcode::IreeTensorExtBitcast => {
            let origin = [ir.operand(made, 0)];
            let dims = ir.segments(made)[1].to_vec();
            replace(ir, op, [&origin, &dims, &result_dims]);
            Some(Fold::Changed)
        }
        Opcode::TensorCast => {
            let origin = ir.operand(made, 0);
            let (from, between) = (ir.ty(origin).shape()?.to_vec(), ir.shape_of(source).to_vec());
            let Type::Tensor { shape, elem, encoding } = ir.ty(result).clone() else { return None };
            if !knows_more(ir, origin, source) || between.len() != shape.len() || shape.is_empty() {
                return None;
            }
            // All but the last extent are those of the source; the last changes with the size of the elements.
            let (given, wanted) = (extents(ir, &between, &source_dims), extents(ir, &shape, &result_dims));
            let last = shape.len() - 1;
            if given[..last] != wanted[..last] {
                return None;
            }
            let mut dims = Vec::new();
            let mut new = Vec::new();
            for (i, extent) in wanted.into_iter().enumerate() {
                let stated = from.get(i).copied().filter(|&extent| i < last && extent != DYNAMIC);
                match (stated, extent) {
                    (Some(extent), _) | (None, Mixed::Static(extent)) => new.push(extent),
                    (None, Mixed::Value(value)) => {
                        new.push(DYNAMIC);
                        dims.push(value);
                    }
                }
            }
            let dynamic = between.iter().zip(&from).filter(|pair| *pair.0 == DYNAMIC).map(|pair| *pair.1 == DYNAMIC);
            let left: Vec<ValueId> =
                source_dims.iter().zip(dynamic).filter(|pair| pair.1).map(|pair| *pair.0).collect();
            let new = ir.intern_type(Type::Tensor { shape: new, elem, encoding });
            let old = ir.type_of(result);
            replace(ir, op, [&[origin], &left, &dims]);
            if new != old {
                retype(ir, result, new);
            }
            Some(Fold::Changed)
        }
        _ => None,
    }
}

/// Extents of a type and the values beside it, known ones as numbers.
fn extents(ir: &Ir, shape: &[i64], dims: &[ValueId]) -> Vec<Mixed> {
    let number = |extent| match extent {
        Mixed::Value(value) => known(ir, value).map_or(extent, Mixed::Static),
        Mixed::Static(_) => extent,
    };
    mixed(shape, dims).into_iter().map(number).collect()
}

/// Gives an operation other operands, by group.
fn replace(ir: &mut Ir, op: OpId, groups: [&[ValueId]; 3]) {
    let segments = ir.segment_sizes(&groups.map(<[ValueId]>::len));
    ir.set_attr(op, "operandSegmentSizes", segments);
    ir.set_operands(op, &groups.concat());
}

/// An ordinal of a constant or of the same ordinal; and, where several use an argument, all do so through its ordinal.
fn ordinal(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let value = ir.operand(op, 0);
    let number = |ir: &Ir, op: OpId| ir.attr(op, "ordinal").and_then(Attr::as_i64);
    if known(ir, value).is_some() {
        return Fold::value(value);
    }
    if made_by(ir, value, Opcode::IreeTensorExtDispatchWorkloadOrdinal)
        .is_some_and(|made| number(ir, made) == number(ir, op))
    {
        return Fold::value(value);
    }
    let Def::Arg { block, .. } = ir.def(value) else { return None };
    let others: Vec<(OpId, usize)> = ir.uses(value).filter(|&(user, _)| user != op).collect();
    if others.is_empty() || ir.parent_block(op) != Some(block) {
        return None;
    }
    // In front of all others, behind the ordinals that come before it.
    let before = |&other: &OpId| {
        ir.opcode(other) == Opcode::IreeTensorExtDispatchWorkloadOrdinal
            && other != op
            && number(ir, other) < number(ir, op)
    };
    let behind = ir.block_ops(block).take_while(before).last();
    ir.detach(op);
    match (behind, ir.first_op(block)) {
        (Some(behind), _) => ir.insert_after(behind, op),
        (None, Some(first)) => ir.insert_before(first, op),
        (None, None) => ir.append(block, op),
    }
    let result = ir.result(op, 0);
    for (user, at) in others {
        ir.set_operand(user, at, result);
    }
    Some(Fold::Changed)
}
