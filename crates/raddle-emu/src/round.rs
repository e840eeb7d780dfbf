//! Rounding and wrapping: how a number in a register is brought back to its type after each operation.
//!
//! A float of at most 32 bits is an `f32` that holds a value of its type. One operation on such values, computed in
//! `f32` and then rounded, gives the correctly rounded result of the narrow type, since 24 >= 2 * 11 + 2 bits; where an
//! operation has more bits than that, it is computed in `f64` and comes here through [`narrow`].

use raddle_ir::float;
use raddle_ir::{Float, Scalar};

use crate::Precision;

/// What happens to a result of a float operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// Nothing: the register's own precision is the type's.
    Keep,
    F16,
    BF16,
    TF32,
    Other(Float),
}

impl Round {
    /// What a float type asks for; nothing at wide precision.
    pub(crate) fn of(scalar: Scalar, precision: Precision) -> Round {
        match (scalar, precision) {
            (Scalar::Int(_) | Scalar::Index, _) | (_, Precision::Wide) => Round::Keep,
            (Scalar::Float(float), Precision::Exact) => match float {
                Float::F32 | Float::F64 | Float::F80 | Float::F128 => Round::Keep,
                Float::F16 => Round::F16,
                Float::BF16 => Round::BF16,
                Float::TF32 => Round::TF32,
                float => Round::Other(float),
            },
        }
    }

    /// What rounding takes, in additions.
    pub(crate) fn weight(self) -> u64 {
        match self {
            Round::Keep => 1,
            Round::F16 | Round::BF16 | Round::TF32 => 3,
            Round::Other(_) => 32,
        }
    }

    /// One value, rounded.
    #[inline(always)]
    pub(crate) fn apply(self, x: f32) -> f32 {
        match self {
            Round::Keep => x,
            Round::F16 => to_f16(x),
            Round::BF16 => cut::<16>(x),
            Round::TF32 => cut::<13>(x),
            Round::Other(float) => float::round(float, f64::from(x)) as f32,
        }
    }

    /// Rounds every value.
    pub(crate) fn apply_all(self, values: &mut [f32]) {
        match self {
            Round::Keep => {}
            Round::F16 => values.iter_mut().for_each(|x| *x = to_f16(*x)),
            Round::BF16 => values.iter_mut().for_each(|x| *x = cut::<16>(*x)),
            Round::TF32 => values.iter_mut().for_each(|x| *x = cut::<13>(*x)),
            Round::Other(_) => values.iter_mut().for_each(|x| *x = self.apply(*x)),
        }
    }
}

/// A value of higher precision, rounded once.
#[inline(always)]
pub(crate) fn narrow(round: Round, x: f64) -> f32 {
    match round {
        Round::Keep => x as f32,
        Round::Other(float) => float::round(float, x) as f32,
        Round::F16 | Round::BF16 | Round::TF32 => round.apply(to_odd(x)),
    }
}

/// `a * b + c` rounded once to `f32` (and then to a narrower type by the caller).
///
/// The product is exact in `f64`; the sum is rounded to odd there, so that the second rounding sees which side of a
/// tie the exact sum lies on.
#[inline(always)]
pub(crate) fn fma_odd(a: f32, b: f32, c: f32) -> f64 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // Knuth's two-sum: what the addition lost.
    let back = sum - product;
    let lost = (product - (sum - back)) + (c - back);
    let bits = sum.to_bits();
    if lost != 0.0 && sum.is_finite() && bits & 1 == 0 {
        f64::from_bits(if (lost > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 })
    } else {
        sum
    }
}

/// To `f32` with the last bit set when the value is not exact: a later rounding to fewer bits is then the only one.
#[inline(always)]
fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    let back = f64::from(near);
    if back == x || x.is_nan() || bits & 1 == 1 {
        return near;
    }
    f32::from_bits(if back.abs() < x.abs() { bits + 1 } else { bits - 1 })
}

/// To f16, to nearest even.
#[inline(always)]
fn to_f16(x: f32) -> f32 {
    let magnitude = x.abs();
    // Subnormals are multiples of 2^-24, the last place of the numbers from one half to one.
    let subnormal = (magnitude + 0.5) - 0.5;
    let normal = cut::<13>(magnitude);
    let rounded = if magnitude < 6.103_515_6e-5 { subnormal } else { normal };
    // 65520 lies half way between the largest number and the next power of two, and goes up.
    let rounded = if magnitude >= 65520.0 { f32::INFINITY } else { rounded };
    if x.is_nan() { f32::NAN } else { rounded.copysign(x) }
}

/// Drops the last `BITS` bits of the significand, to nearest even.
#[inline(always)]
fn cut<const BITS: u32>(x: f32) -> f32 {
    let bits = x.to_bits();
    let even = bits >> BITS & 1;
    let rounded = bits.wrapping_add((1 << (BITS - 1)) - 1 + even) & !((1 << BITS) - 1);
    if x.is_nan() { f32::NAN } else { f32::from_bits(rounded) }
}

/// An integer brought to `width` bits: sign-extended, an `i1` as 0 or 1.
#[inline(always)]
pub(crate) fn wrap(x: i64, width: u32) -> i64 {
    match width {
        64.. => x,
        1 => x & 1,
        width => x << (64 - width) >> (64 - width),
    }
}

/// Brings every integer to `width` bits.
pub(crate) fn wrap_all(values: &mut [i64], width: u32) {
    match width {
        64.. => {}
        32 => values.iter_mut().for_each(|x| *x = i64::from(*x as i32)),
        16 => values.iter_mut().for_each(|x| *x = i64::from(*x as i16)),
        8 => values.iter_mut().for_each(|x| *x = i64::from(*x as i8)),
        1 => values.iter_mut().for_each(|x| *x &= 1),
        width => values.iter_mut().for_each(|x| *x = wrap(*x, width)),
    }
}

/// The signed reading of a register: an `i1` that is set means -1.
#[inline(always)]
pub(crate) fn signed(x: i64, width: u32) -> i64 {
    if width == 1 { -x } else { x }
}

/// The unsigned reading of a register.
#[inline(always)]
pub(crate) fn unsigned(x: i64, width: u32) -> u64 {
    if width >= 64 { x as u64 } else { x as u64 & ((1 << width) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast paths agree with the bit-exact tables of raddle-ir, around every f16 and bf16 and on the way between.
    #[test]
    fn fast_rounding_agrees_with_the_tables() {
        let rows = [(Round::F16, Float::F16), (Round::BF16, Float::BF16), (Round::TF32, Float::TF32)];
        for (round, float) in rows {
            for step in 0..=0x1_0000u32 {
                for near in [-1i32, 0, 1, 0x0fff, 0x1000, 0x1001] {
                    let x = f32::from_bits((step << 16 | step & 0x8000).wrapping_add_signed(near));
                    let (fast, slow) = (round.apply(x), float::round(float, f64::from(x)) as f32);
                    assert!(
                        fast.to_bits() == slow.to_bits() || fast.is_nan() && slow.is_nan(),
                        "{float:?} {x:e}: {fast} {slow}"
                    );
                }
            }
        }
    }

    /// A sum whose exact value lies just above a tie of f32 is rounded up, though `f64` cannot tell it from the tie.
    #[test]
    fn fma_rounds_once() {
        let (a, b, c) = (1.0 + f32::EPSILON, 1.0 + f32::EPSILON, -1.0);
        assert_eq!(fma_odd(a, b, c) as f32, a.mul_add(b, c));
        let tie = 2f32.powi(-24);
        assert_eq!(fma_odd(1.0, 1.0, tie) as f32, 1.0);
        assert_eq!(fma_odd(tie, 1.0 + 2f32.powi(-20), 1.0) as f32, 1.0 + f32::EPSILON);
        let tiny = 2f32.powi(-60);
        assert_eq!(fma_odd(tiny, tiny, 1.0 + f32::EPSILON) as f32, 1.0 + f32::EPSILON);
    }

    /// An f64 just above a tie of f16 goes up, although its nearest f32 is the tie.
    #[test]
    fn narrowing_rounds_once() {
        let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(narrow(Round::F16, above), 1.0 + 2f32.powi(-10));
        assert_eq!(narrow(Round::F16, 1.0 + 2f64.powi(-11)), 1.0);
    }
}
