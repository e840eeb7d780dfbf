//! Numbers: constants of scalar type, or splats of them, as values to compute with.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Type, TypeId, ValueId};

/// The value of a constant, or of each element of a splat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    /// An integer, sign-extended from the width of its type; an index has 64 bits.
    Int(i64),
    /// A float, exact in its format.
    Float(f64),
}

impl Number {
    /// The integer, if it is one.
    pub(crate) fn int(self) -> Option<i64> {
        match self {
            Number::Int(value) => Some(value),
            Number::Float(_) => None,
        }
    }
}

/// The width of an integer or index type of at most 64 bits.
pub(crate) fn int_width(ir: &Ir, ty: TypeId) -> Option<u32> {
    match &ir[ty] {
        Type::Integer { width, .. } if (1..=64).contains(width) => Some(*width),
        Type::Index => Some(64),
        _ => None,
    }
}

/// The low `width` bits of `value` as a signed number.
pub(crate) fn wrap(value: i128, width: u32) -> i64 {
    let shift = 64 - width;
    (value as i64) << shift >> shift
}

/// The low `width` bits of `value` as an unsigned number.
pub(crate) fn unsigned(value: i64, width: u32) -> u64 {
    let shift = 64 - width;
    (value as u64) << shift >> shift
}

/// The number that a value is, or that each of its elements is.
pub(crate) fn of(ir: &Ir, value: ValueId) -> Option<Number> {
    let op = ir.def_op(value)?;
    if ir.opcode(op) != Opcode::ArithConstant {
        return None;
    }
    let attr = ir.attr(op, "value")?;
    match attr {
        Attr::Dense { splat: true, .. } => of_attr(ir, ir.dense_elems(attr).first()?),
        _ => of_attr(ir, attr),
    }
}

/// The number that a scalar attribute is.
pub(crate) fn of_attr(ir: &Ir, attr: &Attr) -> Option<Number> {
    match attr {
        Attr::Bool(value) => Some(Number::Int(-i64::from(*value))),
        Attr::Int { value, ty } => Some(Number::Int(wrap(*value, int_width(ir, *ty)?))),
        Attr::Float { bits, .. } => Some(Number::Float(f64::from_bits(*bits))),
        _ => None,
    }
}

/// The attribute of a number of scalar type `ty`.
pub(crate) fn attr(ir: &Ir, number: Number, ty: TypeId) -> Attr {
    match number {
        Number::Int(value) if matches!(ir[ty], Type::Integer { width: 1, .. }) => Attr::Bool(value != 0),
        Number::Int(value) => Attr::Int { value: value.into(), ty },
        Number::Float(value) => Attr::float(value, ty),
    }
}

/// A constant of type `ty` in front of `op`, a splat where `ty` is shaped.
pub(crate) fn constant(ir: &mut Ir, op: OpId, number: Number, ty: TypeId) -> ValueId {
    let attr = match ir[ty].elem() {
        None => attr(ir, number, ty),
        Some(elem) => {
            let bytes = ir.elem_bytes(&attr(ir, number, elem));
            Attr::Dense { ty, splat: true, bytes }
        }
    };
    Builder::before(ir, op).constant(attr, ty)
}
