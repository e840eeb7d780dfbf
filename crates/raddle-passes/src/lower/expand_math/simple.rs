//! Rounding, tests of floats, and limits: exact in every format.

use raddle_ir::{Opcode, ValueId};

use super::code::{Code, Is};

/// To the nearest integer, halves away from zero.
pub(super) fn round(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let whole = c.unary(Opcode::MathTrunc, x);
    let rest = c.sub(x, whole);
    let rest = c.abs(rest);
    let one = c.term(1.0);
    let one = c.copysign(one, x);
    let next = c.add(whole, one);
    let away = c.is(rest, Is::AtLeast, 0.5);
    let value = c.select(away, next, whole);
    c.copysign(value, x)
}

pub(super) fn clamp(c: &mut Code<'_>, x: ValueId, least: ValueId, most: ValueId) -> ValueId {
    let x = c.max(x, least);
    c.min(x, most)
}

/// `math.isfinite` and the like, where `least` is the smallest normal number of the operand's format.
pub(super) fn test(c: &mut Code<'_>, opcode: Opcode, x: ValueId, least: f64) -> ValueId {
    let a = c.abs(x);
    match opcode {
        Opcode::MathIsnan => c.is(x, Is::Unordered, x),
        Opcode::MathIsinf => c.is(a, Is::Equal, f64::INFINITY),
        Opcode::MathIsfinite => c.is(a, Is::Below, f64::INFINITY),
        _ => {
            let finite = c.is(a, Is::Below, f64::INFINITY);
            let normal = c.is(a, Is::AtLeast, least);
            c.both(finite, normal)
        }
    }
}
