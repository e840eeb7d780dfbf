//! Exponentials and hyperbolic functions.
//!
//! e^x = 2^k·e^r, with k the integer nearest to x/ln 2 and r = x - k·ln 2, taken from ln 2 in two parts; |r| ≤ ln 2/2.
//! Then e^r - 1 = r + r²·Q(r), with Q the polynomial of least greatest error (relative to e^r).

use raddle_ir::{Float, ValueId};

use super::code::{Code, Is};
use super::coefficients::{EXP, EXP2, SINH, TANH, TANH_OF_SHORT, TWICE_EXP_OF_SHORT};

pub(super) const LOG2_E: f64 = std::f64::consts::LOG2_E;
pub(super) const LN_2: [f64; 3] = [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17, 5.707_708_438_416_212e-34];

/// ln 2 as a multiple of 2^-16 and the rest: in f32, whole multiples of the first are exact.
pub(super) const LN_2_SHORT: [f64; 2] = [0.693_145_751_953_125, 1.428_606_820_309_417_3e-6];

/// e^r - 1 and 2^(k + more), which must be a normal number.
fn reduced(c: &mut Code<'_>, x: ValueId, more: i64) -> (ValueId, ValueId) {
    let (number, power) = c.nearest_power_above(x, LOG2_E, more);
    (above_one(c, x, number), power)
}

/// e^r - 1, for the nearest integer.
fn above_one(c: &mut Code<'_>, x: ValueId, number: ValueId) -> ValueId {
    let [high, low] = c.format.parts(LN_2);
    let r = c.fma(number, -high, x);
    let r = c.fma(number, -low, r);
    let q = c.polynomial(r, &EXP);
    let square = c.mul(r, r);
    c.fma(square, q, r)
}

/// A function of x that is 0 where x is `least` and below.
///
/// A product that is rounded to 0 takes CPUs a hundred times as long as another one. Vectors, which are CPUs', compute
/// the function of 0 there, since masks put such elements into softmaxes.
fn zero_below(
    c: &mut Code<'_>,
    x: ValueId,
    least: [f64; 2],
    function: impl FnOnce(&mut Code<'_>, ValueId) -> ValueId,
) -> ValueId {
    let least = c.format.pick(least[0], least[1]);
    if !c.is_vector() {
        let x = c.max(x, least);
        return function(c, x);
    }
    let is_zero = c.is(x, Is::Below, least);
    let x = c.select(is_zero, 0.0, x);
    let value = function(c, x);
    c.select(is_zero, 0.0, value)
}

/// Where e^x and 2^x are 0, in f32 and f64.
const EXP_LEAST: [f64; 2] = [-104.0, -746.0];
const EXP2_LEAST: [f64; 2] = [-151.0, -1076.0];

/// Where e^x is infinite, in f32 and f64.
const EXP_MOST: [f64; 2] = [89.0, 709.9];

pub(super) fn exp(c: &mut Code<'_>, x: ValueId) -> ValueId {
    if let Some(short) = c.short {
        return exp_of_short(c, x, short);
    }
    zero_below(c, x, EXP_LEAST, |c, x| {
        let x = c.min(x, c.format.pick(EXP_MOST[0], EXP_MOST[1]));
        let (number, [first, second]) = c.nearest_power(x, LOG2_E);
        let above = above_one(c, x, number);
        // Times a power of two, a sum is rounded as it is without.
        let power = c.fma(above, first, first);
        c.mul(power, second)
    })
}

/// Where e^x is 0, and where it is infinite, in f16.
const EXP_OF_F16: [f64; 2] = [-18.0, 12.0];

/// e^x for a result of 16 bits.
fn exp_of_short(c: &mut Code<'_>, x: ValueId, to: Float) -> ValueId {
    let twice = |c: &mut Code<'_>, x: ValueId, number: ValueId| {
        let r = c.fma(number, -LN_2[0], x);
        c.polynomial(r, &TWICE_EXP_OF_SHORT)
    };
    if to == Float::F16 {
        let [least, most] = EXP_OF_F16;
        let x = c.max(x, least);
        let x = c.min(x, most);
        // f32 has a normal number for half of each power.
        let (number, half) = c.nearest_power_above(x, LOG2_E, -1);
        let twice = twice(c, x, number);
        return c.mul(twice, half);
    }
    zero_below(c, x, EXP_LEAST, |c, x| {
        let x = c.min(x, EXP_MOST[0]);
        let (number, [first, second]) = c.nearest_power(x, LOG2_E);
        let value = twice(c, x, number);
        let value = c.mul(value, 0.5);
        let value = c.mul(value, first);
        c.mul(value, second)
    })
}

/// 2^(x·factor) for a result of 16 bits, by the chip's instruction, whose error (a relative 2^-22) is lost in rounding.
pub(super) fn short_power(c: &mut Code<'_>, x: ValueId, factor: f64, to: Float) -> ValueId {
    if to == Float::F16 {
        let exponent = if factor == 1.0 { x } else { c.mul(x, factor) };
        return c.near_exp2(exponent);
    }
    // bf16 has numbers below 2^-126, and the instruction has none.
    let half = c.mul(x, factor / 2.0);
    let root = c.near_exp2(half);
    c.mul(root, root)
}

/// e^x for x that are not positive: one power of two is larger than the result by a constant factor, and always normal.
pub(super) fn exp_below(c: &mut Code<'_>, x: ValueId) -> ValueId {
    zero_below(c, x, EXP_LEAST, |c, x| {
        let (number, first) = c.nearest_power_above(x, LOG2_E, BELOW);
        let above = above_one(c, x, number);
        let power = c.fma(above, first, first);
        c.mul(power, (-BELOW as f64).exp2())
    })
}

/// The same for 2^x.
pub(super) fn exp2_below(c: &mut Code<'_>, x: ValueId) -> ValueId {
    zero_below(c, x, EXP2_LEAST, |c, x| {
        let (number, first) = c.nearest_power_above(x, 1.0, BELOW);
        let power = power_of_rest(c, x, number, None);
        let power = c.mul(power, first);
        c.mul(power, (-BELOW as f64).exp2())
    })
}

/// How much larger, as an exponent: as much as makes numbers that are not normal normal ones.
const BELOW: i64 = 63;

/// e^(x + below)·factor in f32, for an x where k has room. The power alone is not rounded.
pub(super) fn exp_of_sum(c: &mut Code<'_>, x: ValueId, below: ValueId, factor: Option<ValueId>) -> ValueId {
    let (number, [first, second]) = c.nearest_power(x, LOG2_E);
    let r = c.fma(number, -LN_2_SHORT[0], x);
    let below = c.fma(number, -LN_2_SHORT[1], below);
    let r = c.add(r, below);
    let q = c.polynomial(r, &EXP);
    let square = c.mul(r, r);
    let above = c.fma(square, q, r);
    let first = factor.map_or(first, |factor| c.mul(first, factor));
    let power = c.fma(above, first, first);
    c.mul(power, second)
}

/// 2·e^x for an x whose power is a normal number.
pub(super) fn twice_exp(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let (above, twice) = reduced(c, x, 1);
    c.fma(above, twice, twice)
}

/// 2^x = 2^k·2^r with k the integer nearest to x.
pub(super) fn exp2(c: &mut Code<'_>, x: ValueId) -> ValueId {
    zero_below(c, x, EXP2_LEAST, |c, x| {
        let x = c.min(x, c.format.pick(129.0, 1025.0));
        exp2_of_sum(c, x, None)
    })
}

/// 2^(x + below), for x where k has room.
pub(super) fn exp2_of_sum(c: &mut Code<'_>, x: ValueId, below: Option<ValueId>) -> ValueId {
    let (number, powers) = c.nearest_power(x, 1.0);
    let power = power_of_rest(c, x, number, below);
    powers.into_iter().fold(power, |power, factor| c.mul(power, factor))
}

/// 2^(x - number + below)
fn power_of_rest(c: &mut Code<'_>, x: ValueId, number: ValueId, below: Option<ValueId>) -> ValueId {
    let mut r = c.sub(x, number);
    if let Some(below) = below {
        r = c.add(r, below);
    }
    let p = c.polynomial(r, &EXP2);
    c.fma(r, p, 1.0)
}

/// 2^k·(e^r - 1) + (2^k - 1), computed at half its size, since 2^k may be too large where the result is not.
pub(super) fn expm1(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let near = c.max(x, c.format.pick(-18.0, -38.0));
    let near = c.min(near, c.format.pick(EXP_MOST[0], EXP_MOST[1]));
    let (above, half) = reduced(c, near, -1);
    let rest = c.sub(half, 0.5);
    let sum = c.fma(half, above, rest);
    let sum = c.add(sum, sum);
    c.copysign(sum, x)
}

/// e^a/2 and e^-a/2.
fn halves(c: &mut Code<'_>, a: ValueId) -> [ValueId; 2] {
    let a = c.min(a, c.format.pick(90.0, 711.5));
    let (number, [first, second]) = c.nearest_power(a, LOG2_E);
    let above = above_one(c, a, number);
    let power = c.fma(above, first, first);
    let half = c.mul(second, 0.5);
    let up = c.mul(power, half);
    let down = c.div(0.25, up);
    [up, down]
}

pub(super) fn cosh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let [up, down] = halves(c, a);
    c.add(up, down)
}

/// Below 1, where the halves cancel, x + x³·P(x²).
pub(super) fn sinh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let [up, down] = halves(c, a);
    let large = c.sub(up, down);
    let small = odd(c, a, &SINH);
    let is_small = c.is(a, Is::Below, 1.0);
    let value = c.select(is_small, small, large);
    c.copysign(value, x)
}

/// Below 0.6, x + x³·P(x²); elsewhere 1 - 2/(e^2a + 1), where the quotient is at most as large as the difference.
pub(super) fn tanh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    if c.short.is_some() {
        return c.quotient(x, &TANH_OF_SHORT);
    }
    let a = c.abs(x);
    let double = c.add(a, a);
    // From here on the result is 1.
    let double = c.min(double, 44.0);
    let (above, two) = reduced(c, double, 1);
    let power = c.add(above, 1.0);
    let sum = c.fma(power, two, 2.0);
    let quotient = c.div(4.0, sum);
    let large = c.sub(1.0, quotient);
    let small = odd(c, a, &TANH);
    let is_small = c.is(a, Is::Below, 0.6);
    let value = c.select(is_small, small, large);
    c.copysign(value, x)
}

/// x + x³·P(x²)
pub(super) fn odd(c: &mut Code<'_>, x: ValueId, coefficients: &super::code::Coefficients) -> ValueId {
    let square = c.mul(x, x);
    let p = c.polynomial(square, coefficients);
    let cube = c.mul(square, x);
    c.fma(cube, p, x)
}
