//! Floats as decimal text, with the digits that MLIR prints.

use std::fmt::Write as _;

use crate::float;
use crate::types::Float;

/// Six digits behind a leading one where they say everything, else as many as the format can need, else its bits.
pub(crate) fn float(out: &mut String, kind: Float, value: f64) {
    let is_long = kind.bits() > 64;
    if value.is_finite() {
        // LLVM's APFloat::toString: enough digits for any value of this precision.
        let enough = 2 + precision(kind) * 59 / 196;
        let short = scientific(value, 6);
        // MLIR reads decimals of long formats as f64, but asks here whether the long format would mean this value.
        // Formats without a zero, or without a negative one, have no bits for it.
        let says_all = value == 0.0
            || if is_long { decimal(value, 6) == decimal(value, enough) } else { same(kind, &short, value) };
        if says_all {
            out.push_str(&short);
            return;
        }
        let natural = plain(value, enough);
        if natural.contains('.') && same(kind, &natural, value) {
            out.push_str(&natural);
            return;
        }
    }
    if is_long {
        return long_bits(out, kind, float::encode_long(kind, value));
    }
    let width = (kind.bits().div_ceil(4)) as usize;
    let _ = write!(out, "0x{:0width$X}", float::encode(kind, value));
}

/// A float of more than 64 bits by its bits; what no decimal can say, as decimals are read as `f64`, is printed as these.
pub(crate) fn long(out: &mut String, kind: Float, bits: u128) {
    match float::decode_long(kind, bits) {
        Some(value) => float(out, kind, value),
        None => long_bits(out, kind, bits),
    }
}

fn long_bits(out: &mut String, kind: Float, bits: u128) {
    let width = (kind.bits() / 4) as usize;
    let _ = write!(out, "0x{bits:0width$X}");
}

fn same(kind: Float, text: &str, value: f64) -> bool {
    let Ok(read) = text.parse::<f64>() else { return false };
    let read = if kind == Float::F32 { text.parse::<f32>().map_or(read, f64::from) } else { float::round(kind, read) };
    read.to_bits() == value.to_bits()
}

/// Digits of significand, the leading one included.
fn precision(kind: Float) -> usize {
    match kind {
        Float::F64 => 53,
        Float::F80 => 64,
        Float::F128 => 113,
        Float::F32 => 24,
        Float::F16 | Float::TF32 => 11,
        Float::BF16 => 8,
        Float::F8E3M4 => 5,
        Float::F8E4M3 | Float::F8E4M3FN | Float::F8E4M3FNUZ | Float::F8E4M3B11FNUZ | Float::F6E2M3FN => 4,
        Float::F8E5M2 | Float::F8E5M2FNUZ | Float::F6E3M2FN => 3,
        Float::F4E2M1FN => 2,
        Float::F8E8M0FNU => 1,
    }
}

/// The decimal digits of a positive number, most significant first and without zeros at the end, and the power of ten
/// of the last one.
///
/// LLVM first divides by a power of ten that leaves about `precision` digits, which truncates, and then rounds what is
/// left half up. So that the same literals come out, so do we.
fn decimal(value: f64, precision: usize) -> (Vec<u8>, i32) {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let significand = bits & ((1 << 52) - 1) | u64::from(biased != 0) << 52;
    let zeros = significand.trailing_zeros() as i32;
    let significand = significand >> zeros;
    // value = significand * 2^two, with an odd significand.
    let two = biased.max(1) - 1075 + zeros;
    // The integer that holds all digits, value * 10^ten, and how many bits it has.
    let ten = (-two).max(0);
    let text = format!("{:.*}", ten as usize, value.abs());
    let mut digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).skip_while(|&b| b == b'0').collect();
    let n_bits = if two >= 0 {
        64 - significand.leading_zeros() as i32 + two
    } else {
        ((significand as f64).log2() + f64::from(ten) * 5f64.log2()).floor() as i32 + 1
    };
    let mut last = -ten;
    // 196/59 is a little more than the number of bits in a decimal digit.
    let required = (precision as i32 * 196 + 58) / 59;
    let removable = (n_bits - required).max(0) * 59 / 196;
    digits.truncate(digits.len().saturating_sub(removable as usize));
    last += removable;
    let trim = |digits: &mut Vec<u8>, last: &mut i32| {
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
            *last += 1;
        }
    };
    trim(&mut digits, &mut last);
    if digits.len() > precision {
        let up = digits[precision] >= b'5';
        last += (digits.len() - precision) as i32;
        digits.truncate(precision);
        if up {
            while digits.last() == Some(&b'9') {
                digits.pop();
                last += 1;
            }
            match digits.last_mut() {
                Some(digit) => *digit += 1,
                None => digits.push(b'1'),
            }
        }
        trim(&mut digits, &mut last);
    }
    (digits, last)
}

/// `1.250000e-01`: `precision` significant digits, filled with zeros to `precision` places behind the point.
fn scientific(value: f64, precision: usize) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0.{:0<precision$}e+00", "");
    }
    let (digits, last) = decimal(value, precision);
    let text = String::from_utf8_lossy(&digits);
    let first = last + digits.len() as i32 - 1;
    let (e, exponent) = (if first < 0 { '-' } else { '+' }, first.unsigned_abs());
    format!("{sign}{}.{:0<precision$}e{e}{exponent:02}", &text[..1], &text[1..])
}

/// `0.333333343`, or `1.23456789E-10` where more than three zeros would stand in front.
fn plain(value: f64, precision: usize) -> String {
    let (digits, last) = decimal(value, precision);
    let all = String::from_utf8_lossy(&digits);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let n = all.len() as i32;
    let first = last + n - 1;
    let scientific = if last >= 0 { last > 3 || n + last > precision as i32 } else { first < 0 && -first > 3 };
    if scientific {
        let rest = if n == 1 { "0" } else { &all[1..] };
        let (e, exponent) = (if first < 0 { '-' } else { '+' }, first.unsigned_abs());
        return format!("{sign}{}.{rest}E{e}{exponent}", &all[..1]);
    }
    if last >= 0 {
        return format!("{sign}{all}{}", "0".repeat(last as usize));
    }
    if first >= 0 {
        let (whole, rest) = all.split_at(first as usize + 1);
        return format!("{sign}{whole}.{rest}");
    }
    format!("{sign}0.{}{all}", "0".repeat((-first - 1) as usize))
}
