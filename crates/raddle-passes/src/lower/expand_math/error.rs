//! The error function and its complement.

use raddle_ir::ValueId;

use super::code::{Code, Format, Is};
use super::coefficients::{ERF, ERF_OF_SHORT, ERF_TAIL, ERFC};
use super::exponential::{exp, exp_of_sum, twice_exp};

/// x + x·P(x²) below 1. Beyond, 1 - erfc(x): in f32, erfc(x) = e^Q(x) with a polynomial Q, whose errors count for an
/// eighth or less.
pub(super) fn erf(c: &mut Code<'_>, x: ValueId) -> ValueId {
    if c.short.is_some() {
        // A quotient has fewer terms, and a division costs more than them.
        let near = c.max(x, -2.7);
        let near = c.min(near, 2.7);
        let square = c.fma(near, near, -3.645);
        let p = c.polynomial(square, &ERF_OF_SHORT);
        return c.mul(near, p);
    }
    let a = c.abs(x);
    let square = c.mul(a, a);
    let p = c.polynomial(square, &ERF);
    let small = c.fma(a, p, a);
    // From here on the result is 1.
    let near = c.min(a, c.format.pick(4.0, 6.1));
    let large = match c.format {
        Format::F32 => {
            let log = c.polynomial(near, &ERF_TAIL);
            let twice = twice_exp(c, log);
            c.fma(twice, -0.5, 1.0)
        }
        Format::F64 => {
            let complement = complement_of(c, near);
            c.sub(1.0, complement)
        }
    };
    let is_small = c.is(a, Is::Below, 1.0);
    let value = c.select(is_small, small, large);
    c.copysign(value, x)
}

/// erfc a for a ≥ 1/2: e^-a²·G/(1 + 2a), where G is nearly 1, and a polynomial in t = (a - 4)/(a + 4). The square's rounding is made good;
/// in f64, e^-(h + l) = e^-h·(1 - l).
fn complement_of(c: &mut Code<'_>, a: ValueId) -> ValueId {
    let square = c.mul(a, a);
    let minus = c.neg(square);
    let lost = c.fma(a, a, minus);
    let minus_lost = c.neg(lost);
    let below = c.sub(a, 4.0);
    let above = c.add(a, 4.0);
    let t = c.div(below, above);
    let g = c.polynomial(t, &ERFC);
    let double = c.fma(a, 2.0, 1.0);
    if c.format == Format::F32 {
        let g = c.div(g, double);
        return exp_of_sum(c, minus, minus_lost, Some(g));
    }
    let power = exp(c, minus);
    let g = c.fma(g, minus_lost, g);
    let g = c.div(g, double);
    c.mul(power, g)
}

/// Between -1/2 and 1/2, (1 - x) - x·P(x²). Below, 2 - erfc(-x).
pub(super) fn erfc(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let square = c.mul(x, x);
    let p = c.polynomial(square, &ERF);
    let more = c.mul(x, p);
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
