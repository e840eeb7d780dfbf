//! The error function and its complement.

use raddle_ir::ValueId;

use super::code::{Code, Format, Is};
use super::coefficients::{ERF, ERF_TAIL, ERFC};
use super::exponential::exp;

/// x + x·P(x²) below 1. Beyond, 1 - erfc(x): in f32, erfc(x) = e^-Q(x) with a polynomial Q, whose errors count for an
/// eighth or less.
pub(super) fn erf(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let more = near_zero(c, a);
    let small = c.add(a, more);
    // From here on the result is 1.
    let near = c.min(a, c.format.pick(4.0, 6.1));
    let complement = match c.format {
        Format::F32 => {
            let q = c.polynomial(near, &ERF_TAIL);
            let q = c.neg(q);
            exp(c, q)
        }
        Format::F64 => complement_of(c, near),
    };
    let large = c.sub(1.0, complement);
    let is_small = c.is(a, Is::Below, 1.0);
    let value = c.select(is_small, small, large);
    c.copysign(value, x)
}

/// erf x - x for |x| up to 1.
fn near_zero(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let square = c.mul(x, x);
    let p = c.polynomial(square, &ERF);
    c.mul(x, p)
}

/// erfc a for a ≥ 1/2: e^-a²·G/(1 + 2a), where G is nearly 1, and a polynomial in t = (a - 4)/(a + 4). The square's rounding is made good:
/// e^-(h + l) = e^-h·(1 - l).
fn complement_of(c: &mut Code<'_>, a: ValueId) -> ValueId {
    let square = c.mul(a, a);
    let minus = c.neg(square);
    let lost = c.fma(a, a, minus);
    let power = exp(c, minus);
    let below = c.sub(a, 4.0);
    let above = c.add(a, 4.0);
    let t = c.div(below, above);
    let g = c.polynomial(t, &ERFC);
    let minus_lost = c.neg(lost);
    let g = c.fma(g, minus_lost, g);
    let double = c.fma(a, 2.0, 1.0);
    let g = c.div(g, double);
    c.mul(power, g)
}

/// Between -1/2 and 1/2, (1 - x) - x·P(x²). Below, 2 - erfc(-x).
pub(super) fn erfc(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let more = near_zero(c, x);
    let small = c.sub(1.0, x);
    let small = c.sub(small, more);
    // From here on the result is 0.
    let near = c.min(a, c.format.pick(10.2, 27.4));
    let right = complement_of(c, near);
    let left = c.sub(2.0, right);
    let negative = c.is(x, Is::Below, 0.0);
    let large = c.select(negative, left, right);
    let is_small = c.is(a, Is::Below, 0.5);
    c.select(is_small, small, large)
}
