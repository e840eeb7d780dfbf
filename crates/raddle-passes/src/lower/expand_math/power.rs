//! Powers, roots, and remainders.

use raddle_ir::{Opcode, TypeId, ValueId};

use super::code::{Code, Int, Is};
use super::coefficients::POW;
use super::exponential::exp2_of_sum;
use super::logarithm::split;

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

/// x + y for |x| ≥ |y| or x = 0.
fn sum(c: &mut Code<'_>, x: ValueId, y: ValueId) -> Sum {
    let high = c.add(x, y);
    let of_y = c.sub(high, x);
    (high, c.sub(y, of_y))
}

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

/// |x|^y for y as a sum: 2^(y·log2 |x|).
fn magnitude(c: &mut Code<'_>, x: ValueId, y: Sum) -> ValueId {
    let a = c.abs(x);
    let log = log2(c, a);
    let power = product(c, log, y);
    // Beyond, 2^k is 0 or infinite.
    let limit = c.format.pick(160.0, 1100.0);
    let near = c.max(power.0, -limit);
    let near = c.min(near, limit);
    let same = c.is(near, Is::Equal, power.0);
    let low = c.select(same, power.1, 0.0);
    let value = exp2_of_sum(c, near, Some(low));
    // 0 and infinity have no logarithm.
    let positive = c.is(y.0, Is::Above, 0.0);
    let of_zero = c.select(positive, 0.0, f64::INFINITY);
    let of_infinity = c.select(positive, f64::INFINITY, 0.0);
    let is_zero = c.is(a, Is::Equal, 0.0);
    let value = c.select(is_zero, of_zero, value);
    let is_infinite = c.is(a, Is::Equal, f64::INFINITY);
    let value = c.select(is_infinite, of_infinity, value);
    let is_one = c.is(a, Is::Equal, 1.0);
    let value = c.select(is_one, 1.0, value);
    let is_nan = c.is(x, Is::Unordered, x);
    c.select(is_nan, x, value)
}

pub(super) fn powf(c: &mut Code<'_>, x: ValueId, y: ValueId) -> ValueId {
    // Whatever x is, if it is not 1, larger exponents have the same result.
    let most = c.format.pick(40.0, 80.0_f64).exp2();
    let near = c.max(y, -most);
    let near = c.min(near, most);
    let none = c.term(0.0);
    let value = magnitude(c, x, (near, none));
    // Whether y is an integer, and an odd one: then half of it is none.
    let whole = c.unary(Opcode::MathTrunc, y);
    let is_whole = c.is(whole, Is::Equal, y);
    let half = c.mul(y, 0.5);
    let whole = c.unary(Opcode::MathTrunc, half);
    let is_odd = c.is(whole, Is::NotEqual, half);
    let is_odd = c.both(is_whole, is_odd);
    let signed = c.copysign(value, x);
    let value = c.select(is_odd, signed, value);
    // A negative number has powers by integers alone; infinity has one by any.
    let negative = c.is(x, Is::Below, 0.0);
    let finite = c.is(x, Is::NotEqual, f64::NEG_INFINITY);
    let broken = c.not(is_whole);
    let outside = c.both(negative, broken);
    let outside = c.both(outside, finite);
    let value = c.select(outside, f64::NAN, value);
    let is_nan = c.is(y, Is::Unordered, y);
    let value = c.select(is_nan, y, value);
    // x^0 and 1^y are 1, whatever the other one is.
    let is_one = c.is(x, Is::Equal, 1.0);
    let by_zero = c.is(y, Is::Equal, 0.0);
    let is_one = c.either(is_one, by_zero);
    c.select(is_one, 1.0, value)
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
    let value = magnitude(c, x, exponent);
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
    let third = c.int_op(Opcode::ArithDivui, bits, 3);
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

pub(super) fn rsqrt(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let root = c.sqrt(x);
    c.div(1.0, root)
}

/// x - y·trunc(x/y), exactly. A quotient below 2^23 (2^52) is off by 1 at most, and the difference is exact; for a larger
/// one, a multiple y·2^j is taken off first, with a quotient that has three digits less.
pub(super) fn remf(c: &mut Code<'_>, x: ValueId, y: ValueId) -> ValueId {
    let [a, b] = [x, y].map(|value| c.abs(value));
    let digits = c.format.mantissa();
    // What loops forever or makes no sense is left out.
    let finite = c.is(a, Is::Below, f64::INFINITY);
    let divides = c.is(b, Is::Above, 0.0);
    let good = c.both(finite, divides);
    let first = c.select(good, a, 0.0);
    let b = c.select(good, b, 1.0);
    let [rest, _] = c.repeat([first, b], &mut |c, [rest, _]| c.is(rest, Is::AtLeast, b), &mut |c, [rest, divisor]| {
        let quotient = c.div(rest, divisor);
        let small = c.is(quotient, Is::Below, f64::from(digits).exp2());
        let whole = c.unary(Opcode::MathTrunc, quotient);
        let minus = c.neg(whole);
        let less = c.fma(minus, divisor, rest);
        let negative = c.is(less, Is::Below, 0.0);
        let more = c.add(less, divisor);
        let less = c.select(negative, more, less);
        let rest = c.select(small, less, rest);
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
