//! Sine, cosine, tangent, and their inverses.
//!
//! x = q·π/2 + r with |r| ≤ π/4. Where q is small, r is x - q·π/2 with π/2 in three parts: the first difference is exact,
//! since q is an integer and r fits the places of the first part. Elsewhere, x/(π/2) modulo 4 is computed with integers
//! from those bits of 2/π that matter (Payne and Hanek, 1983). Then sin r = r + r³·S(r²), cos r = 1 - r²/2 + r⁴·C(r²),
//! tan r = r + r³·T(r²).

use raddle_ir::{Float, Opcode, ValueId};

use super::code::{Arm, Code, Format, Int, Is};
use super::coefficients::{ASIN, ATAN, COS, SIN, TAN, TWO_OVER_PI};
use super::exponential::odd;

const HALF_PI: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// r and q; of q, the last two bits count. Vectors take the other path element by element, if one of them must.
fn reduce(c: &mut Code<'_>, x: ValueId) -> (ValueId, ValueId) {
    let (a, limit) = (c.abs(x), c.format.pick(16.0, 30.0_f64).exp2());
    let types = [c.float, c.int];
    if c.is_vector() {
        let near = c.all(a, Is::Below, limit);
        let far: Arm<'_, 2> = &mut |c| c.one_by_one(x, reduce);
        let [r, q] = c.branch_for_all(near, types, [&mut |c| reduce_near(c, x), far]);
        return (r, q);
    }
    let near = c.is(a, Is::Below, limit);
    let [r, q] = c.branch(near, types, [&mut |c| reduce_near(c, x), &mut |c| reduce_far(c, x)]);
    (r, q)
}

fn reduce_near(c: &mut Code<'_>, x: ValueId) -> [ValueId; 2] {
    let (number, q) = c.nearest(x, std::f64::consts::FRAC_2_PI);
    let parts: [f64; 3] = c.format.parts(HALF_PI);
    [parts.into_iter().fold(x, |r, part| c.fma(number, -part, r)), q]
}

/// x = m·2^(e - w + 1) with an integer m of w bits, and 2/π = 0.b₁b₂…: products with the bits up to b(e - w - 1) are
/// multiples of 4. Of those behind, three words are taken; the two upper words of m times them are x/(π/2)/4 modulo 1.
fn reduce_far(c: &mut Code<'_>, x: ValueId) -> [ValueId; 2] {
    let (width, mantissa, bias) = (c.format.width(), c.format.mantissa(), c.format.bias());
    let bits = c.bits(x);
    let exponent = c.shr(bits, i64::from(mantissa));
    let exponent = c.and(exponent, 2 * bias + 1);
    let m = c.shl(bits, i64::from(width - 1 - mantissa));
    let m = c.or(m, i64::MIN >> (64 - width));
    // The place of the first bit, behind one word of zeros.
    let place = c.isub(exponent, bias + 1);
    let within = c.and(place, i64::from(width) - 1);
    let words: Vec<i64> = match width {
        64 => TWO_OVER_PI.iter().map(|&word| word as i64).collect(),
        _ => TWO_OVER_PI.iter().flat_map(|&word| [word >> 32, word & 0xFFFF_FFFF]).map(|word| word as i64).collect(),
    };
    let n_words = c.format.pick(6, 18);
    let mut words: Vec<ValueId> = [0].iter().chain(&words[..n_words]).map(|&word| c.whole(word)).collect();
    // Moves the words that the place names to the front, by halves of the list.
    let mut step = c.format.pick(2, 8);
    while step > 0 {
        let moves = c.has_bit(place, width.trailing_zeros() + u32::trailing_zeros(step as u32));
        let n_words = 4 + step - 1;
        words = (0..n_words).map(|at| c.iselect(moves, words[at + step], words[at])).collect();
        step /= 2;
    }
    let rest = c.isub(i64::from(width) - 1, within);
    let [high, middle, low] = [0, 1, 2].map(|at| {
        let upper = c.shl(words[at], within);
        let lower = c.shr(words[at + 1], 1);
        let lower = c.shr(lower, rest);
        c.or(upper, lower)
    });
    let (_, low) = product(c, m, low);
    let (middle, carried) = product(c, m, middle);
    let high = c.int_op(Opcode::ArithMuli, m, high);
    let low = c.iadd(middle, low);
    let carry = c.int_is(low, Int::BelowUnsigned, middle);
    let carry = c.iselect(carry, 1, 0);
    let high = c.iadd(high, carried);
    let high = c.iadd(high, carry);
    // The two upper bits are q, rounded; what remains is between -1/2 and 1/2.
    let places = i64::from(width) - 2;
    let q = c.iadd(high, 1i64 << (places - 1));
    let q = c.shr(q, places);
    let whole = c.shl(q, places);
    let high = c.isub(high, whole);
    let r = match c.format {
        Format::F32 => angle_of_words(c, high, low),
        Format::F64 => angle_of_halves(c, high, low),
    };
    // The sign of x, and NaN for an infinite one.
    let minus = c.neg(r);
    let below = c.int_is(bits, Int::Below, 0);
    let r = c.select(below, minus, r);
    let minus = c.isub(0, q);
    let q = c.iselect(below, minus, q);
    [c.fma(x, 0.0, r), q]
}

/// A fraction of a right angle in two words of 32 bits: f64 has room for what f32 needs of it.
fn angle_of_words(c: &mut Code<'_>, high: ValueId, low: ValueId) -> ValueId {
    let (long, double) = (c.b.ir.int_type(64), c.b.ir.float_type(Float::F64));
    let high = c.b.value(Opcode::ArithExtsi, &[high], long, &[]);
    let low = c.b.value(Opcode::ArithExtui, &[low], long, &[]);
    let width = c.b.int(32, long);
    let high = c.b.binary(Opcode::ArithShli, high, width);
    let both = c.b.binary(Opcode::ArithOri, high, low);
    let both = c.b.value(Opcode::ArithSitofp, &[both], double, &[]);
    let unit = c.b.float(HALF_PI[0] * (-62.0_f64).exp2(), double);
    let angle = c.b.binary(Opcode::ArithMulf, both, unit);
    c.convert(Opcode::ArithTruncf, angle, c.float)
}

/// A fraction of a right angle in two words of 64 bits, without its sign first, so that nothing cancels.
fn angle_of_halves(c: &mut Code<'_>, high: ValueId, low: ValueId) -> ValueId {
    let places = i64::from(c.format.width()) - 2;
    let negative = c.int_is(high, Int::Below, 0);
    let none = c.int_is(low, Int::Equal, 0);
    let carry = c.iselect(none, 1, 0);
    let not = c.xor(high, -1);
    let minus_high = c.iadd(not, carry);
    let minus_low = c.isub(0, low);
    let high = c.iselect(negative, minus_high, high);
    let low = c.iselect(negative, minus_low, low);
    let unit = HALF_PI[0] * (-places as f64).exp2();
    let high = c.float_of_int(high);
    let low = c.b.value(Opcode::ArithUitofp, &[low], c.float, &[]);
    let low = c.mul(low, unit * (-f64::from(c.format.width())).exp2());
    let r = c.fma(high, unit, low);
    let minus = c.neg(r);
    c.select(negative, minus, r)
}

/// The lower and the upper word of a product.
fn product(c: &mut Code<'_>, x: ValueId, y: ValueId) -> (ValueId, ValueId) {
    let op = c.b.op(Opcode::ArithMuluiExtended, &[x, y], &[c.int, c.int], &[]);
    (c.b.ir.result(op, 0), c.b.ir.result(op, 1))
}

/// sin(x + turns·π/2)
fn sine(c: &mut Code<'_>, x: ValueId, turns: i64) -> ValueId {
    let (r, q) = reduce(c, x);
    let sin = odd(c, r, &SIN);
    let square = c.mul(r, r);
    let p = c.polynomial(square, &COS);
    let p = c.fma(square, p, -0.5);
    let cos = c.fma(square, p, 1.0);
    let q = if turns == 0 { q } else { c.iadd(q, turns) };
    let is_odd = c.has_bit(q, 0);
    let value = c.select(is_odd, cos, sin);
    // Bit 1 of the quadrant is the sign.
    let sign = c.and(q, 2);
    let sign = c.shl(sign, i64::from(c.format.width()) - 2);
    let bits = c.bits(value);
    let bits = c.xor(bits, sign);
    c.real(bits)
}

/// A function's value; a zero, whose sign r and its cube do not keep, for a zero.
fn zero_at_zero(c: &mut Code<'_>, x: ValueId, value: ValueId) -> ValueId {
    let nothing = c.is(x, Is::Equal, 0.0);
    c.select(nothing, x, value)
}

pub(super) fn sin(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let value = sine(c, x, 0);
    zero_at_zero(c, x, value)
}

pub(super) fn cos(c: &mut Code<'_>, x: ValueId) -> ValueId {
    sine(c, x, 1)
}

/// tan(r + π/2) = -1/tan r.
pub(super) fn tan(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let (r, q) = reduce(c, x);
    let tan = odd(c, r, &TAN);
    let inverse = c.div(-1.0, tan);
    let is_odd = c.has_bit(q, 0);
    let value = c.select(is_odd, inverse, tan);
    zero_at_zero(c, x, value)
}

/// The sine's angle for |x| up to 1/2 as `first + second`; for a larger one, half of what lacks to a right angle: with
/// z = (1 - |x|)/2, asin |x| = π/2 - 2·asin √z.
fn inverse(c: &mut Code<'_>, a: ValueId) -> (ValueId, [ValueId; 2]) {
    let small = c.is(a, Is::AtMost, 0.5);
    let rest = c.sub(1.0, a);
    let rest = c.mul(rest, 0.5);
    let root = c.sqrt(rest);
    let square = c.mul(a, a);
    let z = c.select(small, square, rest);
    let t = c.select(small, a, root);
    let p = c.polynomial(z, &ASIN);
    let cube = c.mul(z, t);
    (small, [t, c.mul(cube, p)])
}

pub(super) fn asin(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let (small, [t, more]) = inverse(c, a);
    let near = c.add(t, more);
    let [right, below] = c.format.parts(HALF_PI);
    let far = c.fma(more, -2.0, below);
    let far = c.fma(t, -2.0, far);
    let far = c.add(far, right);
    let value = c.select(small, near, far);
    c.copysign(value, x)
}

pub(super) fn acos(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    let (small, [t, more]) = inverse(c, a);
    let [right, below] = c.format.parts(HALF_PI);
    // π/2 - asin x
    let sign_t = c.copysign(t, x);
    let sign_more = c.copysign(more, x);
    let near = c.sub(below, sign_more);
    let near = c.sub(near, sign_t);
    let near = c.add(near, right);
    // 2·asin √z, or π minus it.
    let angle = c.add(t, more);
    let angle = c.add(angle, angle);
    let other = c.fma(more, -2.0, 2.0 * below);
    let other = c.fma(t, -2.0, other);
    let other = c.add(other, 2.0 * right);
    let negative = c.is(x, Is::Below, 0.0);
    let far = c.select(negative, other, angle);
    c.select(small, near, far)
}

/// The angle of (x, y) for x, y ≥ 0. With t the smaller by the larger one, atan t is t + t³·P(t²) for t up to
/// √2 - 1 = tan π/8, and π/4 + atan((t - 1)/(t + 1)) beyond. `left` puts the angle to the left half.
fn angle(c: &mut Code<'_>, y: ValueId, x: ValueId, left: Option<ValueId>) -> ValueId {
    let steep = c.is(y, Is::Above, x);
    let large = c.select(steep, y, x);
    let small = c.select(steep, x, y);
    let limit = c.mul(large, std::f64::consts::SQRT_2 - 1.0);
    let wide = c.is(small, Is::Above, limit);
    let difference = c.sub(small, large);
    let sum = c.add(small, large);
    let upper = c.select(wide, difference, small);
    let lower = c.select(wide, sum, large);
    // Both are 0: the angle is.
    let nothing = c.is(lower, Is::Equal, 0.0);
    let lower = c.select(nothing, 1.0, lower);
    let t = c.div(upper, lower);
    let square = c.mul(t, t);
    let p = c.polynomial(square, &ATAN);
    let cube = c.mul(square, t);
    let more = c.mul(cube, p);
    // The angle is a multiple of π/4, plus or minus (t + more).
    let quarter = c.select(wide, 1.0, 0.0);
    let from_right = c.sub(2.0, quarter);
    let mut quarters = c.select(steep, from_right, quarter);
    let mut minus = steep;
    if let Some(left) = left {
        let from_left = c.sub(4.0, quarters);
        quarters = c.select(left, from_left, quarters);
        minus = c.b.value(Opcode::ArithXori, &[steep, left], c.bit, &[]);
    }
    let [t, more] = [t, more].map(|value| {
        let negated = c.neg(value);
        c.select(minus, negated, value)
    });
    let [right, below] = c.format.parts(HALF_PI);
    let low = c.fma(quarters, 0.5 * below, more);
    let low = c.add(low, t);
    // No more than three significant bits: the product is exact, or rounded with the sum.
    c.fma(quarters, 0.5 * right, low)
}

pub(super) fn atan(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let a = c.abs(x);
    // Beyond, nothing but π/2 is left.
    let near = c.min(a, 1e30);
    let one = c.term(1.0);
    let value = angle(c, near, one, None);
    c.copysign(value, x)
}

pub(super) fn atan2(c: &mut Code<'_>, y: ValueId, x: ValueId) -> ValueId {
    let [up, along] = [y, x].map(|value| c.abs(value));
    let larger = c.max(up, along);
    // Sums of the largest numbers would overflow, quotients of the smallest ones have few digits; infinities count as 1.
    let huge = c.is(larger, Is::Above, c.format.pick(1e37, 1e306));
    let scale = c.select(huge, 0.0625, 1.0);
    let tiny = c.is(larger, Is::Below, c.format.pick(1e-30, 1e-290));
    let scale = c.select(tiny, c.format.pick(23.0, 52.0_f64).exp2(), scale);
    let infinite = c.is(larger, Is::Equal, f64::INFINITY);
    let [v, h] = [up, along].map(|value| {
        let scaled = c.mul(value, scale);
        let is_infinite = c.is(value, Is::Equal, f64::INFINITY);
        let unit = c.select(is_infinite, 1.0, 0.0);
        c.select(infinite, unit, scaled)
    });
    let bits = c.bits(x);
    let left = c.int_is(bits, Int::Below, 0);
    let value = angle(c, v, h, Some(left));
    let value = c.copysign(value, y);
    // A NaN may have met an infinity.
    let sum = c.add(y, x);
    let [one, other] = [y, x].map(|value| c.is(value, Is::Unordered, value));
    let is_nan = c.either(one, other);
    c.select(is_nan, sum, value)
}
