//! Conversions of floats of at most eight bits, with integers.

use raddle_ir::float::{Specials, format};
use raddle_ir::{Float, Opcode, ValueId};

use super::code::{Code, Format, Int, Is};

const ABSOLUTE: i64 = 0x7FFF_FFFF;
const INFINITE: i64 = 0x7F80_0000;

/// Whether a format has conversions only by this module.
pub(super) fn is_small(float: Float) -> bool {
    float.bits() <= 8
}

/// A number of a small format as an f32: its bits at the place of f32's have a value that is smaller by the difference of
/// the biases, also where they are subnormal.
pub(super) fn widen(c: &mut Code<'_>, x: ValueId, from: Float) -> ValueId {
    let shape = format(from);
    let narrow = c.b.ir.int_type(from.bits());
    let bits = c.b.value(Opcode::ArithBitcast, &[x], narrow, &[]);
    let word = c.int;
    let bits = c.b.value(Opcode::ArithExtui, &[bits], word, &[]);
    if from == Float::F8E8M0FNU {
        // Its smallest number is subnormal in f32, and is 0 here.
        let moved = c.shl(bits, 23);
        let is_least = c.int_is(bits, Int::Equal, 0);
        let moved = c.iselect(is_least, 0x0040_0000, moved);
        let is_nan = c.int_is(bits, Int::Equal, 0xFF);
        let moved = c.iselect(is_nan, 0x7FC0_0000, moved);
        return c.real(moved);
    }
    let n_bits = shape.exponent + shape.mantissa;
    let up = i64::from(23 - shape.mantissa);
    let magnitude = c.and(bits, (1i64 << n_bits) - 1);
    let moved = c.shl(magnitude, up);
    let value = c.real(moved);
    let value = c.mul(value, f64::from(127 - shape.bias).exp2());
    let mut value = c.bits(value);
    let top = ((1i64 << shape.exponent) - 1) << shape.mantissa;
    match shape.specials {
        Specials::Ieee => {
            let special = c.int_is(magnitude, Int::AtLeastUnsigned, top);
            let same = c.or(moved, INFINITE);
            value = c.iselect(special, same, value);
        }
        Specials::AllOnesNan => {
            let special = c.int_is(magnitude, Int::Equal, (1i64 << n_bits) - 1);
            value = c.iselect(special, 0x7FC0_0000, value);
        }
        Specials::NegativeZeroNan => {
            let special = c.int_is(bits, Int::Equal, 1i64 << n_bits);
            value = c.iselect(special, 0x7FC0_0000, value);
        }
        Specials::Finite => {}
    }
    let sign = c.shr(bits, i64::from(n_bits));
    let sign = c.shl(sign, 31);
    let value = c.or(value, sign);
    c.real(value)
}

/// An f32 rounded to a small format, ties to even. Normal numbers are rounded by adding to their bits; subnormal ones by
/// adding the power of two whose last place is theirs.
pub(super) fn round(c: &mut Code<'_>, x: ValueId, to: Float) -> ValueId {
    let shape = format(to);
    let all = c.bits(x);
    let magnitude = c.and(all, ABSOLUTE);
    let is_nan = c.int_is(magnitude, Int::Above, INFINITE);
    let bits = if to == Float::F8E8M0FNU {
        let rounded = c.iadd(magnitude, 1i64 << 22);
        let rounded = c.shr(rounded, 23);
        // Below the normal numbers of f32 are 2^-127, which 0 stands for, and the middle to the next one.
        let second = c.int_is(magnitude, Int::AtLeastUnsigned, 0x0060_0000);
        let least = c.iselect(second, 1, 0);
        let is_least = c.int_is(magnitude, Int::BelowUnsigned, 0x0080_0000);
        let rounded = c.iselect(is_least, least, rounded);
        let negative = c.is(x, Is::Below, 0.0);
        let bad = c.either(is_nan, negative);
        c.iselect(bad, 0xFF, rounded)
    } else {
        let n_bits = shape.exponent + shape.mantissa;
        let down = i64::from(23 - shape.mantissa);
        let even = c.shr(magnitude, down);
        let even = c.and(even, 1);
        let rounded = c.iadd(magnitude, (1i64 << (down - 1)) - 1);
        let rounded = c.iadd(rounded, even);
        let rounded = c.shr(rounded, down);
        let normal = c.isub(rounded, i64::from(127 - shape.bias) << shape.mantissa);
        let least = f64::from(1 - shape.bias).exp2();
        let step = least * f64::from(23 - shape.mantissa).exp2();
        let absolute = c.real(magnitude);
        let stepped = c.add(absolute, step);
        let stepped = c.bits(stepped);
        let subnormal = c.isub(stepped, Format::F32.bits(step));
        let is_subnormal = c.int_is(magnitude, Int::BelowUnsigned, Format::F32.bits(least));
        let number = c.iselect(is_subnormal, subnormal, normal);
        let sign = c.shr(all, 31);
        let sign = c.shl(sign, i64::from(n_bits));
        // The sign of a NaN is another one on each machine: the number that stands for it has none.
        let sign = if shape.specials == Specials::Finite { c.iselect(is_nan, 0, sign) } else { sign };
        let (ones, top) = ((1i64 << n_bits) - 1, ((1i64 << shape.exponent) - 1) << shape.mantissa);
        let (largest, beyond, nan) = match shape.specials {
            Specials::Ieee => (top - 1, top, top | 1i64 << (shape.mantissa - 1)),
            Specials::AllOnesNan => (ones - 1, ones, ones),
            Specials::NegativeZeroNan => (ones, ones + 1, ones + 1),
            Specials::Finite => (ones, ones, ones),
        };
        let fits = c.int_is(number, Int::BelowUnsigned, largest + 1);
        let number = c.iselect(fits, number, beyond);
        let number = c.iselect(is_nan, nan, number);
        if shape.specials == Specials::NegativeZeroNan {
            // Neither zero nor the one NaN has a sign.
            let signed = c.or(number, sign);
            let none = c.int_is(number, Int::Equal, 0);
            c.iselect(none, 0, signed)
        } else {
            c.or(number, sign)
        }
    };
    let (narrow, ty) = (c.b.ir.int_type(to.bits()), c.b.ir.float_type(to));
    let bits = c.b.value(Opcode::ArithTrunci, &[bits], narrow, &[]);
    c.b.value(Opcode::ArithBitcast, &[bits], ty, &[])
}

/// An f64 as an f32 whose last bit is set if something was lost: rounding that to fewer digits rounds the f64 itself.
pub(super) fn round_odd(c: &mut Code<'_>, x: ValueId) -> ValueId {
    let long = c.b.ir.float_type(Float::F64);
    let near = c.convert(Opcode::ArithTruncf, x, c.float);
    let back = c.b.value(Opcode::ArithExtf, &[near], long, &[]);
    let bits = c.bits(near);
    let (inexact, larger) = c.in_format(Format::F64, |c| {
        let inexact = c.is(back, Is::NotEqual, x);
        let [back, x] = [back, x].map(|value| c.abs(value));
        (inexact, c.is(back, Is::Above, x))
    });
    let less = c.isub(bits, 1);
    let bits = c.iselect(larger, less, bits);
    let odd = c.or(bits, 1);
    let bits = c.iselect(inexact, odd, bits);
    c.real(bits)
}
