//! Logarithms and inverse hyperbolic functions.
//!
//! x = 2^k·(1 + f) with 1 + f between 2/3 and 4/3, so that k is 0 near x = 1 and nothing cancels. Then
//! log(1 + f) = f + g, where f is exact and g small. In f32, g = f²·P(f). In f64, with s = f/(2 + f),
//! log(1 + f) = 2·artanh(s) = 2s + s³·R(s²), and 2s = f - s·f, so that g = -s·(f - s²·R(s²)).

use raddle_ir::ValueId;

use super::code::{Code, Format, Int, Is};
use super::coefficients::{ASINH, ATANH, LOG, LOG_RATIO};
use super::exponential::{LN_2, odd};

/// A base, as the logarithms of 2 and e in it.
struct Base {
    of_2: [f64; 3],
    of_e: [f64; 3],
}

const E: Base = Base { of_2: LN_2, of_e: [1.0, 0.0, 0.0] };
const TWO: Base = Base { of_2: [1.0, 0.0, 0.0], of_e: [std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17, 0.0] };
const TEN: Base = Base {
    of_2: [std::f64::consts::LOG10_2, -2.803_728_127_785_170_4e-18, 0.0],
    of_e: [std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17, 0.0],
};

/// k as a float and 1 + f, of a positive number.
pub(super) fn split(c: &mut Code<'_>, x: ValueId) -> (ValueId, ValueId) {
    split_from(c, x, 2.0 / 3.0)
}

/// The same for 1 + f from `first` on.
pub(super) fn split_from(c: &mut Code<'_>, x: ValueId, first: f64) -> (ValueId, ValueId) {
    // Subnormal numbers first become normal.
    let mantissa = c.format.mantissa();
    let bits = c.bits(x);
    let tiny = c.int_is(bits, Int::Below, 1i64 << mantissa);
    let scaled = c.mul(x, f64::from(mantissa).exp2());
    let normal = c.select(tiny, scaled, x);
    let (k, one_and_f) = split_normal(c, normal, first);
    let k = c.float_of_int(k);
    let less = c.sub(k, f64::from(mantissa));
    (c.select(tiny, less, k), one_and_f)
}

/// k and 1 + f, of a normal number. Subtracting the bits of the first one makes the exponent field count from there.
fn split_normal(c: &mut Code<'_>, x: ValueId, first: f64) -> (ValueId, ValueId) {
    let mantissa = i64::from(c.format.mantissa());
    let bits = c.bits(x);
    let above = c.isub(bits, c.format.bits(first));
    let k = c.sar(above, mantissa);
    let field = c.shl(k, mantissa);
    let rest = c.isub(bits, field);
    (k, c.real(rest))
}

/// log(1 + f) - f
fn beyond(c: &mut Code<'_>, f: ValueId) -> ValueId {
    match c.format {
        Format::F32 => {
            let square = c.mul(f, f);
            let p = c.polynomial(f, &LOG);
            c.mul(square, p)
        }
        Format::F64 => {
            let sum = c.add(f, 2.0);
            let s = c.div(f, sum);
            let z = c.mul(s, s);
            let r = c.polynomial(z, &LOG_RATIO);
            let less = c.mul(z, r);
            let less = c.sub(less, f);
            c.mul(s, less)
        }
    }
}

/// (k + log2(1 + f)) in a base, small terms first.
fn sum(c: &mut Code<'_>, k: ValueId, f: ValueId, base: &Base) -> ValueId {
    let g = beyond(c, f);
    let [e, e_low] = c.format.parts(base.of_e);
    let [two, two_low] = c.format.parts(base.of_2);
    let mut low = g;
    if e != 1.0 {
        low = c.mul(g, e);
        low = c.fma(f, e_low, low);
    }
    if two_low != 0.0 {
        low = c.fma(k, two_low, low);
    }
    let value = if e == 1.0 { c.add(f, low) } else { c.fma(f, e, low) };
    c.fma(k, two, value)
}

/// The values at the end of the domain and outside of it.
fn at_edges(c: &mut Code<'_>, value: ValueId, x: ValueId, pole: f64) -> ValueId {
    let infinite = c.is(x, Is::Equal, f64::INFINITY);
    let value = c.select(infinite, x, value);
    let at_pole = c.is(x, Is::Equal, pole);
    let value = c.select(at_pole, f64::NEG_INFINITY, value);
    let outside = c.is(x, Is::BelowOrNan, pole);
    c.select(outside, f64::NAN, value)
}

fn logarithm(c: &mut Code<'_>, x: ValueId, base: &Base) -> ValueId {
    let (k, one_and_f) = split(c, x);
    let f = c.sub(one_and_f, 1.0);
    let value = sum(c, k, f, base);
    at_edges(c, value, x, 0.0)
}

pub(super) fn log(c: &mut Code<'_>, x: ValueId) -> ValueId {
    logarithm(c, x, &E)
}

pub(super) fn log2(c: &mut Code<'_>, x: ValueId) -> ValueId {
    logarithm(c, x, &TWO)
}

pub(super) fn log10(c: &mut Code<'_>, x: ValueId) -> ValueId {
    logarithm(c, x, &TEN)
}

/// log(2^more·(u + lost)) for normal u, where `lost` is below the last place of u.
fn log_of_sum(c: &mut Code<'_>, u: ValueId, lost: ValueId, more: Option<ValueId>) -> ValueId {
    let (k, one_and_f) = split_normal(c, u, 2.0 / 3.0);
    // 2^-k, which is not a normal number for the largest u; nothing is lost there.
    let down = c.isub(0, k);
    let least = c.int_op(raddle_ir::Opcode::ArithMaxsi, down, 1 - c.format.bias());
    let scale = c.power_of_two(least);
    let f = c.sub(one_and_f, 1.0);
    let f = c.fma(lost, scale, f);
    let mut k = c.float_of_int(k);
    if let Some(more) = more {
        k = c.add(k, more);
    }
    sum(c, k, f, &E)
}

/// 1 + x and what its rounding lost.
fn one_and(c: &mut Code<'_>, x: ValueId) -> (ValueId, ValueId) {
    let u = c.add(x, 1.0);
    let of_x = c.sub(u, 1.0);
    let lost = c.sub(x, of_x);
    let of_1 = c.sub(u, of_x);
    let lost_1 = c.sub(1.0, of_1);
    (u, c.add(lost, lost_1))
}

pub(super) fn log1p(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let (u, lost) = one_and(c, x);
    let value = log_of_sum(c, u, lost, None);
    let value = c.copysign(value, x);
    at_edges(c, value, x, -1.0)
}

/// log(1 + t) for a t of `a`, or log(2·a) where a is so large that this is the same.
fn log_of_large(c: &mut Code<'_>, a: ValueId, t: ValueId) -> ValueId {
    let (u, lost) = one_and(c, t);
    let large = c.is(a, Is::Above, c.format.pick(28.0, 60.0_f64).exp2());
    let u = c.select(large, a, u);
    let lost = c.select(large, 0.0, lost);
    let more = c.select(large, 1.0, 0.0);
    let value = log_of_sum(c, u, lost, Some(more));
    let infinite = c.is(a, Is::Equal, f64::INFINITY);
    c.select(infinite, a, value)
}

/// log(a + √(1 + a²)) = log(1 + a + a²/(1 + √(1 + a²))); below 1/2, x + x³·P(x²).
pub(super) fn asinh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    // a² overflows only where `log_of_large` does not use it.
    let square = c.mul(a, a);
    let root = c.add(square, 1.0);
    let root = c.sqrt(root);
    let root = c.add(root, 1.0);
    let quotient = c.div(square, root);
    let t = c.add(a, quotient);
    let large = log_of_large(c, a, t);
    let small = odd(c, a, &ASINH);
    let is_small = c.is(a, Is::Below, 0.5);
    let value = c.select(is_small, small, large);
    c.copysign(value, x)
}

/// log(x + √(x² - 1)) = log(1 + d + √(d² + 2d)) with d = x - 1.
pub(super) fn acosh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let d = c.sub(x, 1.0);
    let double = c.add(d, d);
    let square = c.fma(d, d, double);
    let root = c.sqrt(square);
    let t = c.add(d, root);
    let value = log_of_large(c, x, t);
    let outside = c.is(x, Is::BelowOrNan, 1.0);
    c.select(outside, f64::NAN, value)
}

/// log(1 + 2a/(1 - a))/2; below 1/2, x + x³·P(x²).
pub(super) fn atanh(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let double = c.add(a, a);
    let rest = c.sub(1.0, a);
    let t = c.div(double, rest);
    let (u, lost) = one_and(c, t);
    let large = log_of_sum(c, u, lost, None);
    let large = c.mul(large, 0.5);
    let small = odd(c, a, &ATANH);
    let is_small = c.is(a, Is::Below, 0.5);
    let value = c.select(is_small, small, large);
    let at_pole = c.is(a, Is::Equal, 1.0);
    let value = c.select(at_pole, f64::INFINITY, value);
    let inside = c.is(a, Is::AtMost, 1.0);
    let value = c.select(inside, value, f64::NAN);
    c.copysign(value, x)
}
