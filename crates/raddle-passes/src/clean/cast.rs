//! Fold casts between tensor types that differ in what they know of their extents.

use raddle_ir::{Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId};

use super::fold::Fold;

/// Folds one `tensor.cast` or `iree_gpu.buffer_resource_cast`.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::TensorCast => tensor_cast(ir, op),
        Opcode::IreeGpuBufferResourceCast => resource_cast(ir, op),
        _ => None,
    }
}

/// A cast to the type that the value has, or of a value that was cast before and keeps what that cast knew.
fn tensor_cast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let to = ir.type_of(ir.result(op, 0));
    if ir.type_of(source) == to {
        return Fold::value(source);
    }
    let inner = ir.def_op(source).filter(|&inner| ir.opcode(inner) == Opcode::TensorCast)?;
    let origin = ir.operand(inner, 0);
    if ir.type_of(origin) == to {
        return Fold::value(origin);
    }
    // The cast in between may have checked an extent that neither end names.
    let (from, between, to) = (ir.ty(origin).shape()?, ir.ty(source).shape()?, ir[to].shape()?);
    let checks = |((&a, &b), &c): ((&i64, &i64), &i64)| b != DYNAMIC && a == DYNAMIC && c == DYNAMIC;
    // Ends that contradict one another are a mistake that stays visible.
    let differ = |(&a, &c): (&i64, &i64)| a != DYNAMIC && c != DYNAMIC && a != c;
    if from.iter().zip(between).zip(to).any(checks) || from.iter().zip(to).any(differ) {
        return None;
    }
    ir.set_operand(op, 0, origin);
    Some(Fold::Changed)
}

/// The resource is made from the tensor that knows most of its extents.
fn resource_cast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let cast = ir.def_op(ir.operand(op, 0)).filter(|&cast| ir.opcode(cast) == Opcode::TensorCast)?;
    let origin = ir.operand(cast, 0);
    let (from, to) = (ir.type_of(origin), ir.type_of(ir.result(op, 0)));
    let known = join(ir, from, to)?;
    if known == to {
        return None;
    }
    let mut operands = ir.operands(op).to_vec();
    let attrs = ir.attr_dict(op);
    let mut builder = Builder::before(ir, op);
    operands[0] = if from == known { origin } else { builder.value(Opcode::TensorCast, &[origin], known, &[]) };
    let new = builder.ir.create_with(Opcode::IreeGpuBufferResourceCast, &operands, &[known], attrs, builder.span);
    builder.place(new);
    let resource = builder.ir.result(new, 0);
    Fold::value(builder.value(Opcode::TensorCast, &[resource], to, &[]))
}

/// The tensor type that knows each extent that one of two knows.
fn join(ir: &mut Ir, a: TypeId, b: TypeId) -> Option<TypeId> {
    let (Type::Tensor { shape: left, elem, encoding }, Type::Tensor { shape: right, encoding: other, .. }) =
        (&ir[a], &ir[b])
    else {
        return None;
    };
    if encoding != other {
        return None;
    }
    let shape = left.iter().zip(right).map(|(&a, &b)| if a == DYNAMIC { b } else { a }).collect();
    let ty = Type::Tensor { shape, elem: *elem, encoding: *encoding };
    Some(ir.intern_type(ty))
}
