//! Floating-point formats, bit for bit: encode with round-to-nearest-even, decode exactly.
//!
//! Every format of at most 53 bits of precision embeds in `f64`; `f80` and `f128` have room for every `f64`. Sources:
//! IEEE 754 for f16, f32, f64, f128; the OCP 8-bit and Microscaling specifications for the f8, f6 and f4 formats; the FNUZ
//! variants as MLIR's builtin types define them; Intel's manual for f80.

use crate::types::Float;

/// How a format treats the encodings at its top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specials {
    /// Largest exponent holds infinities and NaNs.
    Ieee,
    /// No infinity; all ones is NaN (`FN`).
    AllOnesNan,
    /// No infinity, no negative zero; negative zero's encoding is NaN (`FNUZ`).
    NegativeZeroNan,
    /// Neither infinity nor NaN: out of range saturates.
    Finite,
}

/// How a format divides its bits; in front of the exponent stands the sign, which `f8E8M0FNU` has none of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand behind the point.
    pub mantissa: u32,
    /// What the exponent field of 1 holds.
    pub bias: i32,
    /// What stands at the top.
    pub specials: Specials,
}

/// How a format divides its bits.
pub fn format(float: Float) -> Format {
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
        Float::F32 if !value.is_nan() => return u64::from((value as f32).to_bits()),
        Float::F8E8M0FNU => return encode_e8m0(value),
        _ => {}
    }
    let f = format(float);
    let sign = u64::from(value.is_sign_negative()) << (f.exponent + f.mantissa);
    let top = (1u64 << f.exponent) - 1;
    let ones = (1u64 << (f.exponent + f.mantissa)) - 1;
    let nan = match f.specials {
        // What the payload of a NaN says stays, as far as there is room.
        Specials::Ieee => {
            let payload = (value.to_bits() & ((1 << 52) - 1)) >> (52 - f.mantissa);
            sign | top << f.mantissa | if payload == 0 { 1 << (f.mantissa - 1) } else { payload }
        }
        Specials::AllOnesNan => sign | ones,
        Specials::NegativeZeroNan => 1 << (f.exponent + f.mantissa),
        // There is no NaN: the largest number stands in, without the sign, which is another one on each machine.
        Specials::Finite => ones,
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

/// The bits of a format of more than 64 bits (`f80`, `f128`), which holds every `f64` exactly.
pub fn encode_long(float: Float, value: f64) -> u128 {
    let bits = value.to_bits();
    let (sign, field, fraction) = (bits >> 63, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (exponent, fraction) = match (field, fraction) {
        (0, 0) => (0, 0),
        // A subnormal f64 is an ordinary number here: its leading one moves to bit 52 and goes without saying.
        (0, fraction) => {
            let shift = fraction.leading_zeros() - 11;
            (u64::from(LONG_BIAS - 1022 - shift), fraction << shift & ((1 << 52) - 1))
        }
        (0x7ff, fraction) => (LONG_TOP, fraction),
        (field, fraction) => (field + u64::from(LONG_BIAS) - 1023, fraction),
    };
    let n_fraction = long_fraction(float);
    let leading = u128::from(float == Float::F80 && exponent != 0) << n_fraction;
    let sign = u128::from(sign) << (float.bits() - 1);
    sign | u128::from(exponent) << (float.bits() - 16) | leading | u128::from(fraction) << (n_fraction - 52)
}

/// The value of the bits of `f80` or `f128`, if an `f64` is that value.
pub fn decode_long(float: Float, bits: u128) -> Option<f64> {
    let n_fraction = long_fraction(float);
    let sign = ((bits >> (float.bits() - 1)) as u64) << 63;
    let exponent = (bits >> (float.bits() - 16)) as u64 & LONG_TOP;
    let fraction = (bits >> (n_fraction - 52)) as u64 & ((1 << 52) - 1);
    let field = exponent as i64 - i64::from(LONG_BIAS) + 1023;
    let magnitude = match exponent {
        LONG_TOP => 0x7ff << 52 | fraction,
        _ if field >= 0x7ff => return None,
        _ if field > 0 => (field as u64) << 52 | fraction,
        // A shift by more than a word leaves nothing, and nothing comes back as other bits below.
        _ => (1 << 52 | fraction).checked_shr(u32::try_from(1 - field).unwrap_or(u32::MAX)).unwrap_or(0),
    };
    let value = f64::from_bits(sign | magnitude);
    (encode_long(float, value) == bits).then_some(value)
}

/// The one spelling of bits that mean the same in `f80`: its leading digit is stated, and may contradict the exponent.
pub fn canonical_long(float: Float, bits: u128) -> u128 {
    let exponent = (bits >> 64) as u64 & LONG_TOP;
    match (float, exponent, bits >> 63 & 1) {
        (Float::F80, 0, 1) => bits | 1 << 64,
        // Not a number.
        (Float::F80, 1.., 0) => bits | u128::from(LONG_TOP) << 64,
        _ => bits,
    }
}

/// The exponent bias of `f80` and `f128`, and the exponent of infinities and NaNs.
const LONG_BIAS: u32 = 16383;
const LONG_TOP: u64 = 0x7fff;

/// Bits behind the leading digit.
fn long_fraction(float: Float) -> u32 {
    match float {
        Float::F80 => 63,
        float => float.bits() - 16,
    }
}

/// The exact value of the low bits of `word` in the format `float`.
pub fn decode(float: Float, word: u64) -> f64 {
    match float {
        Float::F64 | Float::F80 | Float::F128 => return f64::from_bits(word),
        Float::F32 if !f32::from_bits(word as u32).is_nan() => return f64::from(f32::from_bits(word as u32)),
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
        Specials::Ieee if field == top => {
            let bits = u64::from(negative) << 63 | 0x7ff << 52 | fraction << (52 - f.mantissa);
            return f64::from_bits(bits);
        }
        // Either sign has its NaN, which a bitcast shows.
        Specials::AllOnesNan if magnitude == (1 << (f.exponent + f.mantissa)) - 1 => return f64::NAN.copysign(sign),
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

/// The least and the greatest value of the format: infinities where it has them.
pub fn ends(float: Float) -> [f64; 2] {
    if format(float).specials == Specials::Ieee {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    // Formats without infinities have at most 8 bits. `f64::min` passes over NaN.
    let values = || (0..1u64 << float.bits()).map(|word| decode(float, word));
    [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of the OCP specification, where it has the format.
    #[test]
    fn formats_without_infinities_end_at_numbers() {
        assert_eq!(ends(Float::F8E4M3FN), [-448.0, 448.0]);
        assert_eq!(ends(Float::F8E5M2FNUZ), [-57344.0, 57344.0]);
        assert_eq!(ends(Float::F6E3M2FN), [-28.0, 28.0]);
        assert_eq!(ends(Float::F4E2M1FN), [-6.0, 6.0]);
        assert_eq!(ends(Float::F8E8M0FNU), [2f64.powi(-127), 2f64.powi(127)]);
        assert_eq!(ends(Float::F8E4M3), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    /// Every `f64` comes back from a longer format, and what lies between two of them is none.
    #[test]
    fn every_f64_round_trips_through_long_formats() {
        let fractions = [0, 1, 2, 1 << 26, 1 << 51, (1 << 52) - 1];
        for float in [Float::F80, Float::F128] {
            for field in 0..0x800u64 {
                for bits in fractions.map(|fraction| field << 52 | fraction) {
                    for value in [bits, bits | 1 << 63].map(f64::from_bits) {
                        let long = encode_long(float, value);
                        assert_eq!(canonical_long(float, long), long, "{value:e}");
                        let back = decode_long(float, long).map(f64::to_bits);
                        assert_eq!(back, Some(value.to_bits()), "{float:?} {value:e} {long:#x}");
                        assert_eq!(decode_long(float, long ^ 1), None, "{float:?} {value:e} {long:#x}");
                    }
                }
            }
        }
        assert_eq!(encode_long(Float::F80, -1.5), 0xBFFF_C000_0000_0000_0000);
        assert_eq!(encode_long(Float::F128, 1.0), 0x3FFF << 112);
    }

    /// Every encoding of a small format that is a number decodes to a value that encodes to itself, and so do NaNs where
    /// there are several.
    #[test]
    fn every_small_number_round_trips() {
        for &(float, name, bits) in Float::ALL {
            if bits > 16 {
                continue;
            }
            for word in 0..1u64 << bits {
                let value = decode(float, word);
                if !value.is_nan() || float != Float::F8E8M0FNU {
                    assert_eq!(encode(float, value), word, "{name} {word:#x} = {value}");
                }
            }
        }
    }

    /// The sign of a NaN differs from machine to machine, and does not show in formats that have none.
    #[test]
    fn a_nan_becomes_a_number_without_a_sign() {
        for float in [Float::F6E3M2FN, Float::F6E2M3FN, Float::F4E2M1FN] {
            assert_eq!(encode(float, -f64::NAN), encode(float, f64::INFINITY));
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
