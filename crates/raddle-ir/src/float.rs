//! Floating-point formats, bit for bit: encode with round-to-nearest-even, decode exactly.
//!
//! Every format of at most 53 bits of precision embeds in `f64`. Sources: IEEE 754 for f16, f32, f64; the OCP 8-bit and
//! Microscaling specifications for the f8, f6 and f4 formats; the FNUZ variants as MLIR's builtin types define them.

use crate::types::Float;

/// How a format treats the encodings at its top.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// Largest exponent holds infinities and NaNs.
    Ieee,
    /// No infinity; all ones is NaN (`FN`).
    AllOnesNan,
    /// No infinity, no negative zero; negative zero's encoding is NaN (`FNUZ`).
    NegativeZeroNan,
    /// Neither infinity nor NaN: out of range saturates.
    Finite,
}

struct Format {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    specials: Specials,
}

fn format(float: Float) -> Format {
    let (exponent, mantissa, bias, specials) = match float {
        Float::F16 => (5, 10, 15, Specials::Ieee),
        Float::BF16 => (8, 7, 127, Specials::Ieee),
        Float::TF32 => (8, 10, 127, Specials::Ieee),
        Float::F32 => (8, 23, 127, Specials::Ieee),
        Float::F64 | Float::F80 | Float::F128 => (11, 52, 1023, Specials::Ieee),
        Float::F8E5M2 => (5, 2, 15, Specials::Ieee),
        Float::F8E4M3 => (4, 3, 7, Specials::Ieee),
        Float::F8E4M3FN => (4, 3, 7, Specials::AllOnesNan),
        Float::F8E5M2FNUZ => (5, 2, 16, Specials::NegativeZeroNan),
        Float::F8E4M3FNUZ => (4, 3, 8, Specials::NegativeZeroNan),
        Float::F8E4M3B11FNUZ => (4, 3, 11, Specials::NegativeZeroNan),
        Float::F8E3M4 => (3, 4, 3, Specials::Ieee),
        Float::F8E8M0FNU => (8, 0, 127, Specials::AllOnesNan),
        Float::F6E2M3FN => (2, 3, 1, Specials::Finite),
        Float::F6E3M2FN => (3, 2, 3, Specials::Finite),
        Float::F4E2M1FN => (2, 1, 1, Specials::Finite),
    };
    Format { exponent, mantissa, bias, specials }
}

/// The bits of `value` rounded to `float`, ties to even. Out of range gives infinity, else NaN, else the largest
/// number, whichever the format has first.
pub fn encode(float: Float, value: f64) -> u64 {
    match float {
        Float::F64 | Float::F80 | Float::F128 => return value.to_bits(),
        Float::F32 => return u64::from((value as f32).to_bits()),
        Float::F8E8M0FNU => return encode_e8m0(value),
        _ => {}
    }
    let f = format(float);
    let sign = u64::from(value.is_sign_negative()) << (f.exponent + f.mantissa);
    let top = (1u64 << f.exponent) - 1;
    let ones = (1u64 << (f.exponent + f.mantissa)) - 1;
    let nan = match f.specials {
        Specials::Ieee => sign | top << f.mantissa | 1 << (f.mantissa - 1),
        Specials::AllOnesNan => sign | ones,
        Specials::NegativeZeroNan => 1 << (f.exponent + f.mantissa),
        // There is no NaN: the largest number stands in.
        Specials::Finite => sign | ones,
    };
    if value.is_nan() {
        return nan;
    }
    let largest = match f.specials {
        Specials::Ieee => (top << f.mantissa) - 1,
        Specials::AllOnesNan => ones - 1,
        Specials::NegativeZeroNan | Specials::Finite => ones,
    };
    let overflow = match f.specials {
        Specials::Ieee => sign | top << f.mantissa,
        Specials::AllOnesNan | Specials::NegativeZeroNan => nan,
        Specials::Finite => sign | largest,
    };
    if value.is_infinite() {
        return overflow;
    }
    let bits = value.to_bits() & (u64::MAX >> 1);
    let magnitude = if bits == 0 {
        0
    } else {
        // value = significand * 2^(exponent - 52), with the significand's leading one at bit 52 unless it is
        // a subnormal f64, which is below every format here and rounds to zero all the same.
        let biased = (bits >> 52) as i32;
        let significand = bits & ((1 << 52) - 1) | u64::from(biased != 0) << 52;
        let exponent = biased.max(1) - 1023;
        // Units of the format's last place at this exponent; subnormals share the smallest normal exponent.
        let least = 1 - f.bias;
        let shift = 52 - f.mantissa as i32 + (least - exponent).max(0);
        let rounded = round_shift(significand, shift);
        // Adding the exponent above the (possibly carried) significand makes the carry move into it.
        let field = (exponent - least).max(0) as u64;
        rounded + (field << f.mantissa)
    };
    if magnitude > largest {
        return overflow;
    }
    if magnitude == 0 && f.specials == Specials::NegativeZeroNan {
        return 0;
    }
    sign | magnitude
}

/// `significand >> shift`, to nearest, ties to even.
fn round_shift(significand: u64, shift: i32) -> u64 {
    if shift > 60 {
        return 0;
    }
    let (kept, lost) = (significand >> shift, significand & ((1 << shift) - 1));
    let half = 1u64 << (shift - 1);
    kept + u64::from(lost > half || lost == half && kept & 1 == 1)
}

/// Powers of two from 2^-127 to 2^127; 255 is NaN. There is no sign and no zero, for which the smallest number stands.
/// The middle between two numbers goes up: a significand of one alone is odd.
fn encode_e8m0(value: f64) -> u64 {
    if value.is_nan() || value < 0.0 {
        return 255;
    }
    let bits = value.to_bits() & (u64::MAX >> 1);
    let rounded = ((bits + (1 << 51)) >> 52) as i64 - 1023;
    if rounded > 127 { 255 } else { (rounded.max(-127) + 127) as u64 }
}

/// The exact value of the low bits of `word` in the format `float`.
pub fn decode(float: Float, word: u64) -> f64 {
    match float {
        Float::F64 | Float::F80 | Float::F128 => return f64::from_bits(word),
        Float::F32 => return f64::from(f32::from_bits(word as u32)),
        Float::F8E8M0FNU => return if word & 255 == 255 { f64::NAN } else { 2f64.powi((word & 255) as i32 - 127) },
        _ => {}
    }
    let f = format(float);
    let negative = word >> (f.exponent + f.mantissa) & 1 == 1;
    let magnitude = word & ((1 << (f.exponent + f.mantissa)) - 1);
    let field = (magnitude >> f.mantissa) as i32;
    let fraction = magnitude & ((1 << f.mantissa) - 1);
    let top = (1i32 << f.exponent) - 1;
    let sign = if negative { -1.0 } else { 1.0 };
    match f.specials {
        Specials::Ieee if field == top => return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN },
        Specials::AllOnesNan if magnitude == (1 << (f.exponent + f.mantissa)) - 1 => return f64::NAN,
        Specials::NegativeZeroNan if negative && magnitude == 0 => return f64::NAN,
        _ => {}
    }
    let significand = fraction | u64::from(field != 0) << f.mantissa;
    sign * significand as f64 * 2f64.powi(field.max(1) - f.bias - f.mantissa as i32)
}

/// `value` rounded to the format `float`.
pub fn round(float: Float, value: f64) -> f64 {
    match float {
        Float::F64 | Float::F80 | Float::F128 => value,
        Float::F32 => f64::from(value as f32),
        float => decode(float, encode(float, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every encoding of a small format that is a number decodes to a value that encodes to itself.
    #[test]
    fn every_small_number_round_trips() {
        for &(float, name, bits) in Float::ALL {
            if bits > 16 {
                continue;
            }
            for word in 0..1u64 << bits {
                let value = decode(float, word);
                if !value.is_nan() {
                    assert_eq!(encode(float, value), word, "{name} {word:#x} = {value}");
                }
            }
        }
    }

    /// Between two neighbours lies a tie that goes to the even one; nudged, it goes to the nearer one.
    #[test]
    fn rounding_is_to_nearest_even() {
        for &(float, name, bits) in Float::ALL {
            if bits > 16 || float == Float::F8E8M0FNU {
                continue;
            }
            for word in 0..(1u64 << (bits - 1)) - 1 {
                let (low, high) = (decode(float, word), decode(float, word + 1));
                if !low.is_finite() || !high.is_finite() {
                    continue;
                }
                let middle = (low + high) / 2.0;
                assert_eq!(encode(float, middle), word + (word & 1), "{name} tie above {low}");
                assert_eq!(encode(float, middle.next_down()), word, "{name} below the tie above {low}");
                assert_eq!(encode(float, middle.next_up()), word + 1, "{name} above the tie above {low}");
            }
        }
    }
}
