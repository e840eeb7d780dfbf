//! Powers, roots, and remainders.

use raddle_ir::{Opcode, TypeId, ValueId};

use super::code::{Code, Format, Int, Is};
use super::coefficients::{LN, POW};
use super::exponential::{LN_2, LN_2_SHORT, exp_of_sum, exp2_of_sum};
use super::logarithm::{split, split_from};

/// 2/ln 2 and 2/(3·ln 2).
const TWO_LOG2_E: [f64; 3] = [2.885_390_081_777_926_8, 4.071_054_748_186_206_6e-17, -2.122_931_991_223_451_6e-33];
const CUBIC: [f64; 3] = [0.961_796_693_925_975_6, 5.057_761_664_812_591e-17, -7.076_439_970_744_839e-34];

/// A number as a sum of two, the second below the last place of the first.
type Sum = (ValueId, ValueId);

/// x·y, with all digits of the upper parts' product.
fn product(c: &mut Code<'_>, x: Sum, y: Sum) -> Sum {
    let high = c.mul(x.0, y.0);
    let minus = c.neg(high);
    let low = c.fma(x.0, y.0, minus);
    let low = c.fma(x.0, y.1, low);
    (high, c.fma(x.1, y.0, low))
}

/// x·y for a single number y.
fn product_of_number(c: &mut Code<'_>, x: Sum, y: ValueId) -> Sum {
    let high = c.mul(x.0, y);
    let minus = c.neg(high);
    let low = c.fma(x.0, y, minus);
    (high, c.fma(x.1, y, low))
}

/// x + y for |x| ≥ |y| or x = 0.
fn sum(c: &mut Code<'_>, x: ValueId, y: ValueId) -> Sum {
    let high = c.add(x, y);
    let of_y = c.sub(high, x);
    (high, c.sub(y, of_y))
}

/// ln of a positive f32: k·ln 2 - ln c + ln(1 + f), where 1 + f is the significand times c, one of three numbers of so few
/// digits that f is exact and |f| < 0.135. Then ln(1 + f) = f - f²/2 + f³·P(f), of which the last term needs no more
/// digits than f32 has.
fn short_ln(c: &mut Code<'_>, x: ValueId) -> Sum {
    let (k, m) = split_from(c, x, FIRST);
    let bits = c.bits(m);
    let is_low = c.int_is(bits, Int::Below, c.format.bits(LOW.end));
    let is_high = c.int_is(bits, Int::Above, c.format.bits(HIGH.end));
    let mut of_interval = |low: f64, high: f64, middle: f64| {
        let value = c.select(is_low, low, middle);
        c.select(is_high, high, value)
    };
    let times = of_interval(LOW.times, HIGH.times, 1.0);
    let high = of_interval(LOW.log[0], HIGH.log[0], 0.0);
    let low = of_interval(LOW.log[1], HIGH.log[1], 0.0);
    // Multiples of 2^-16 below 128 are exact.
    let whole = c.fma(k, LN_2_SHORT[0], high);
    let low = c.fma(k, LN_2_SHORT[1], low);
    let f = c.fma(m, times, -1.0);
    let half = c.mul(f, -0.5);
    let near = c.fma(half, f, f);
    let lost = c.sub(f, near);
    let lost = c.fma(half, f, lost);
    let second = c.mul(half, f);
    let cube = c.mul(second, f);
    let p = c.polynomial(f, &LN);
    let rest = c.fma(cube, p, lost);
    let (high, lost) = sum(c, whole, near);
    let low = c.add(low, lost);
    (high, c.add(low, rest))
}

/// Significands on one side of those that are multiplied by 1: where they end, what they are multiplied by, and minus the
/// logarithm of that, as a multiple of 2^-16 and the rest.
struct Interval {
    end: f64,
    times: f64,
    log: [f64; 2],
}

/// The least significand; the greatest is twice as large.
const FIRST: f64 = 0.6923;
const LOW: Interval = Interval { end: 0.875, times: 1.25, log: [-0.223_144_531_25, 9.799_357_902_442_336e-7] };
const HIGH: Interval = Interval { end: 1.125, times: 0.8125, log: [0.207_641_601_562_5, -2.236_784_255_498_384_5e-6] };

/// log2 of a positive number: k + log2(1 + f), with s = f/(2 + f) and log2(1 + f) = 2/ln 2·(s + s³/3 + s⁵·P(s²)), the
/// first terms as sums of two numbers.
fn log2(c: &mut Code<'_>, x: ValueId) -> Sum {
    let (k, one_and_f) = split(c, x);
    let f = c.sub(one_and_f, 1.0);
    let (below, below_low) = {
        let two = c.term(2.0);
        sum(c, two, f)
    };
    let s = c.div(f, below);
    let minus = c.neg(s);
    let rest = c.fma(minus, below, f);
    let rest = c.fma(minus, below_low, rest);
    let s = (s, c.div(rest, below));
    let [first, first_low]: [f64; 2] = c.format.parts(TWO_LOG2_E);
    let first = (c.term(first), c.term(first_low));
    let linear = product(c, s, first);
    let z = product(c, s, s);
    let p = c.polynomial(z.0, &POW);
    let p = c.mul(p, z.0);
    let [third, third_low]: [f64; 2] = c.format.parts(CUBIC);
    let p = c.add(p, third_low);
    let third = c.term(third);
    let p = sum(c, third, p);
    let cube = product(c, z, s);
    let cubic = product(c, cube, p);
    let (high, low) = sum(c, k, linear.0);
    let (high, lower) = sum(c, high, cubic.0);
    let low = c.add(low, lower);
    let lower = c.add(linear.1, cubic.1);
    let low = c.add(low, lower);
    sum(c, high, low)
}

/// ln a of a positive number, or for f64 log2 a, as a sum; of 0 and infinity an infinity, and of NaN a NaN.
fn logarithm(c: &mut Code<'_>, a: ValueId) -> Sum {
    let (high, low) = match c.format {
        Format::F32 => short_ln(c, a),
        Format::F64 => log2(c, a),
    };
    // CPUs compare integers beside arithmetic on floats.
    let bits = c.bits(a);
    let is_zero = c.int_is(bits, Int::Equal, 0);
    let high = c.select(is_zero, f64::NEG_INFINITY, high);
    let is_finite = c.int_is(bits, Int::Below, c.format.bits(f64::INFINITY));
    (c.select(is_finite, high, a), low)
}

/// e^(high + low), or for f64 2^(high + low).
fn power_of(c: &mut Code<'_>, (high, low): Sum) -> ValueId {
    // Beyond, the power is 0 or infinite. What is rounded to 0 takes CPUs long, so that it is not computed.
    let is_zero = c.is(high, Is::Below, c.format.pick(-104.0, -1080.0));
    let near = c.select(is_zero, 0.0, high);
    let value = match c.format {
        Format::F32 => exp_of_sum(c, near, low, None),
        Format::F64 => exp2_of_sum(c, near, Some(low)),
    };
    let value = c.select(is_zero, 0.0, value);
    let is_infinite = c.is(high, Is::Above, c.format.pick(89.0, 1025.0));
    c.select(is_infinite, f64::INFINITY, value)
}

/// An exponent with finite numbers for infinite ones: whatever x is, if it is not 1, they have the same result.
fn finite_exponent(c: &mut Code<'_>, y: ValueId) -> ValueId {
    let most = c.format.pick(100.0, 800.0_f64).exp2();
    let y = c.max(y, -most);
    c.min(y, most)
}

pub(super) fn powf(c: &mut Code<'_>, x: ValueId, y: ValueId) -> ValueId {
    let is_plain = |&base: &f64| base > 0.0 && base < f64::INFINITY && base != 1.0;
    if let Some(base) = c.number(x).filter(|base| c.format == Format::F32 && is_plain(base)) {
        return power_of_number(c, base, y);
    }
    let exponent = c.number(y).filter(|exponent| exponent.is_finite() && *exponent != 0.0);
    match exponent {
        Some(0.5) => return root(c, x),
        Some(-0.5) => {
            let root = root(c, x);
            return c.div(1.0, root);
        }
        _ => {}
    }
    let near = if exponent.is_some() { y } else { finite_exponent(c, y) };
    let a = c.abs(x);
    let log = logarithm(c, a);
    let power = product_of_number(c, log, near);
    let value = power_of(c, power);
    // What remains of the exponent when pairs are taken off is exact.
    let (odd, whole) = match exponent {
        Some(exponent) => (Known::of(exponent % 2.0 != 0.0 && exponent % 1.0 == 0.0), Known::of(exponent % 1.0 == 0.0)),
        None => {
            let half = c.mul(near, 0.5);
            let pairs = c.unary(Opcode::MathTrunc, half);
            let rest = c.fma(pairs, -2.0, near);
            let rest = c.abs(rest);
            let odd = c.is(rest, Is::Equal, 1.0);
            let even = c.is(rest, Is::Equal, 0.0);
            (Known::Value(odd), Known::Value(c.either(odd, even)))
        }
    };
    let value = match odd {
        Known::No => value,
        Known::Yes => c.copysign(value, x),
        Known::Value(odd) => {
            let signed = c.copysign(value, x);
            c.select(odd, signed, value)
        }
    };
    // A negative number has powers by integers alone; infinity has one by any.
    let value = match whole {
        Known::Yes => value,
        Known::No => {
            let outside = is_negative(c, x);
            c.select(outside, f64::NAN, value)
        }
        Known::Value(whole) => {
            let negative = is_negative(c, x);
            let broken = c.not(whole);
            let outside = c.both(negative, broken);
            c.select(outside, f64::NAN, value)
        }
    };
    if exponent.is_some() {
        return value;
    }
    // x^0 and 1^y are 1, whatever the other one is.
    let bits = c.bits(x);
    let is_one = c.int_is(bits, Int::Equal, c.format.bits(1.0));
    let by_zero = c.is(y, Is::Equal, 0.0);
    let is_one = c.either(is_one, by_zero);
    c.select(is_one, 1.0, value)
}

/// The power 1/2: a square root, but for -0 it is 0, and for -infinity infinity.
fn root(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let root = c.sqrt(x);
    let root = c.add(root, 0.0);
    let infinite = c.is(x, Is::Equal, f64::NEG_INFINITY);
    c.select(infinite, f64::INFINITY, root)
}

/// A truth that may be known before the program runs.
enum Known {
    No,
    Yes,
    Value(ValueId),
}

impl Known {
    fn of(truth: bool) -> Known {
        if truth { Known::Yes } else { Known::No }
    }
}

/// Whether a number is below 0 and finite.
fn is_negative(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let bits = c.bits(x);
    let above = c.isub(bits, c.format.bits(-0.0) + 1);
    c.int_is(above, Int::BelowUnsigned, c.format.bits(f64::INFINITY) - 1)
}

/// A number to a power, in f32: its logarithm is known.
fn power_of_number(c: &mut Code<'_>, base: f64, y: ValueId) -> ValueId {
    let [high, low] = c.format.parts([ln(base), 0.0, 0.0]);
    let y = finite_exponent(c, y);
    let log = (c.term(high), c.term(low));
    let power = product_of_number(c, log, y);
    power_of(c, power)
}

/// The logarithm of a positive number to some 50 digits, with operations that are rounded alike wherever this is compiled.
fn ln(x: f64) -> f64 {
    let mut k = 0.0;
    let mut m = x;
    while m > std::f64::consts::SQRT_2 {
        (m, k) = (m * 0.5, k + 1.0);
    }
    while m < std::f64::consts::FRAC_1_SQRT_2 {
        (m, k) = (m * 2.0, k - 1.0);
    }
    let s = (m - 1.0) / (m + 1.0);
    let series = (0..12).rev().fold(0.0, |sum, at| sum * s * s + 1.0 / f64::from(2 * at + 1));
    k * LN_2[0] + 2.0 * s * series
}

/// `math.fpowi`: the exponent as a sum of two floats, which have all its digits.
pub(super) fn fpowi(c: &mut Code<'_>, x: ValueId, n: ValueId) -> ValueId {
    let width = super::int_width(c.b.ir, c.b.ir.type_of(n));
    let long = c.b.ir.int_type(64);
    let n = if width < 64 { c.b.value(Opcode::ArithExtsi, &[n], long, &[]) } else { n };
    let shift = c.b.int(16, long);
    let high = c.b.binary(Opcode::ArithShrsi, n, shift);
    let back = c.b.binary(Opcode::ArithShli, high, shift);
    let low = c.b.binary(Opcode::ArithSubi, n, back);
    let high = c.float_of_int(high);
    let low = c.float_of_int(low);
    let high = c.mul(high, 65536.0);
    let exponent = sum(c, high, low);
    let a = c.abs(x);
    let log = logarithm(c, a);
    let power = product(c, log, exponent);
    let value = power_of(c, power);
    let one = c.b.int(1, long);
    let last = c.b.binary(Opcode::ArithAndi, n, one);
    let bit = c.bit;
    let is_odd = c.b.value(Opcode::ArithTrunci, &[last], bit, &[]);
    let signed = c.copysign(value, x);
    let value = c.select(is_odd, signed, value);
    let by_zero = c.is(exponent.0, Is::Equal, 0.0);
    c.select(by_zero, 1.0, value)
}

/// `math.ipowi`: squares and products. A negative exponent leaves the integer part of the reciprocal.
pub(super) fn ipowi(c: &mut Code<'_>, x: ValueId, n: ValueId, ty: TypeId) -> ValueId {
    let bit = c.bit;
    if ty == bit {
        let none = c.not(n);
        return c.either(x, none);
    }
    let is = |c: &mut Code<'_>, x: ValueId, relation: Int, number: i64| {
        let number = c.b.int(number, ty);
        let predicate = c.b.ir.i64_attr(relation as i64);
        c.b.value(Opcode::ArithCmpi, &[x, number], bit, &[("predicate", predicate)])
    };
    let select = |c: &mut Code<'_>, bit, yes, no| c.b.value(Opcode::ArithSelect, &[bit, yes, no], ty, &[]);
    // Only 1 and -1 have reciprocals that are not 0; their powers with n are those with the last bit of n.
    let (zero, one) = (c.b.int(0, ty), c.b.int(1, ty));
    let negative = is(c, n, Int::Below, 0);
    let last = c.b.binary(Opcode::ArithAndi, n, one);
    let count = select(c, negative, last, n);
    let [power, ..] = c.repeat([one, x, count], &mut |c, [_, _, left]| is(c, left, Int::NotEqual, 0), &mut |c,
                                                                                                            [
        power,
        square,
        left,
    ]| {
        let more = c.b.binary(Opcode::ArithMuli, power, square);
        let last = c.b.binary(Opcode::ArithAndi, left, one);
        let takes = is(c, last, Int::NotEqual, 0);
        let power = select(c, takes, more, power);
        let square = c.b.binary(Opcode::ArithMuli, square, square);
        [power, square, c.b.binary(Opcode::ArithShrui, left, one)]
    });
    let is_one = is(c, x, Int::Equal, 1);
    let is_minus = is(c, x, Int::Equal, -1);
    let unit = c.either(is_one, is_minus);
    let reciprocal = select(c, unit, power, zero);
    select(c, negative, reciprocal, power)
}

/// A guess with a third of the exponent field, two or three steps of Halley's method, which triple the digits, and one
/// of Newton's with the remainder to full precision.
pub(super) fn cbrt(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let tiny = c.is(a, Is::Below, c.format.pick(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE));
    let up = c.mul(a, c.format.pick(24.0, 54.0_f64).exp2());
    let m = c.select(tiny, up, a);
    // Multiples of the largest numbers would overflow.
    let huge = c.is(a, Is::Above, c.format.pick(96.0, 960.0_f64).exp2());
    let down = c.mul(a, c.format.pick(-24.0, -54.0_f64).exp2());
    let m = c.select(huge, down, m);
    let bits = c.bits(m);
    let third = third(c, bits);
    // Two thirds of the bias, less what the straight line between powers of two is too high on average.
    let guess = c.iadd(third, c.format.bits(1.0) / 3 * 2 - (1i64 << c.format.mantissa()) / 20);
    let mut y = c.real(guess);
    for _ in 0..c.format.pick(2, 3) {
        let square = c.mul(y, y);
        let cube = c.mul(square, y);
        let double = c.add(m, m);
        let upper = c.add(cube, double);
        let lower = c.fma(cube, 2.0, m);
        let factor = c.div(upper, lower);
        y = c.mul(y, factor);
    }
    let square = c.mul(y, y);
    let minus = c.neg(square);
    let lost = c.fma(y, y, minus);
    let minus = c.neg(m);
    let rest = c.fma(square, y, minus);
    let rest = c.fma(lost, y, rest);
    let slope = c.mul(square, -3.0);
    let step = c.div(rest, slope);
    let y = c.add(y, step);
    let down = c.mul(y, c.format.pick(-8.0, -18.0_f64).exp2());
    let up = c.mul(y, c.format.pick(8.0, 18.0_f64).exp2());
    let y = c.select(tiny, down, y);
    let y = c.select(huge, up, y);
    // 0, infinity and NaN are their own roots.
    let double = c.add(x, x);
    let own = c.is(x, Is::Equal, double);
    let nan = c.is(x, Is::Unordered, x);
    let own = c.either(own, nan);
    let value = c.copysign(y, x);
    c.select(own, x, value)
}

/// A third of an integer or a few less: 1/3 = (1/4 + 1/16)(1 + 1/16)(1 + 1/256)…
fn third(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let [quarter, sixteenth] = [2, 4].map(|by| c.shr(x, by));
    let mut sum = c.iadd(quarter, sixteenth);
    for by in [4, 8, 16, 32].into_iter().take(c.format.pick(3, 4)) {
        let more = c.shr(sum, by);
        sum = c.iadd(sum, more);
    }
    sum
}

pub(super) fn rsqrt(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let root = c.sqrt(x);
    c.div(1.0, root)
}

/// x - y·trunc(x/y), exactly. A quotient below 2^23 (2^52) is off by 1 at most, and the difference is exact; for a larger
/// one, a multiple y·2^j is taken off first, with a quotient that has three digits less. The elements of a vector take steps
/// until the last one is done.
pub(super) fn remf(c: &mut Code<'_>, x: ValueId, y: ValueId) -> ValueId {
    let [a, b] = [x, y].map(|value| c.abs(value));
    let digits = c.format.mantissa();
    // What loops forever or makes no sense is left out.
    let finite = c.is(a, Is::Below, f64::INFINITY);
    let divides = c.is(b, Is::Above, 0.0);
    let good = c.both(finite, divides);
    let first = c.select(good, a, 0.0);
    let b = c.select(good, b, 1.0);
    let [rest, _] = c.repeat([first, b], &mut |c, [rest, _]| c.any(rest, Is::AtLeast, b), &mut |c, [rest, divisor]| {
        let quotient = c.div(rest, divisor);
        let small = c.is(quotient, Is::Below, f64::from(digits).exp2());
        let whole = c.unary(Opcode::MathTrunc, quotient);
        let minus = c.neg(whole);
        let less = c.fma(minus, divisor, rest);
        let negative = c.is(less, Is::Below, 0.0);
        let more = c.add(less, divisor);
        let less = c.select(negative, more, less);
        let less = c.select(small, less, rest);
        let rest = if c.is_vector() {
            let goes_on = c.is(rest, Is::AtLeast, b);
            c.select(goes_on, less, rest)
        } else {
            less
        };
        // 2^j by the exponent field of the quotient; an infinite one counts as the largest power.
        let most = c.format.pick(127.0, 1023.0_f64).exp2();
        let quotient = c.min(quotient, most);
        let bits = c.bits(quotient);
        let exponent = c.shr(bits, i64::from(digits));
        let j = c.isub(exponent, c.format.bias() + i64::from(digits) - 3);
        let power = c.power_of_two(j);
        let larger = c.mul(divisor, power);
        [rest, c.select(small, b, larger)]
    });
    let rest = c.copysign(rest, x);
    let is_nan = c.is(x, Is::Unordered, y);
    let bad = c.not(good);
    let bad = c.either(bad, is_nan);
    c.select(bad, f64::NAN, rest)
}
