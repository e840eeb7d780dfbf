//! Floats bit for bit: every rounding mode, for every format that PTX computes in or converts to.
//!
//! A result is first computed in `f64` and rounded to odd there (the last bit says whether something was lost), so that
//! the one rounding that follows, to fewer bits in any direction, sees the exact value.

/// A float format of PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    F16,
    BF16,
    TF32,
    F32,
    F64,
    E4M3,
    E5M2,
    E2M3,
    E3M2,
    E2M1,
    /// Powers of two: eight bits of exponent, no sign.
    UE8M0,
}

/// Which neighbour stands for a number between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// The nearest one, ties to even.
    Nearest,
    /// The nearest one, ties away from zero.
    Away,
    Zero,
    Down,
    Up,
}

struct Shape {
    exponent: u32,
    mantissa: u32,
    /// The largest finite magnitude.
    largest: u64,
    nan: u64,
    infinity: Option<u64>,
}

impl Format {
    /// Bits in memory.
    pub(super) fn bits(self) -> u32 {
        match self {
            Format::F16 | Format::BF16 => 16,
            Format::TF32 | Format::F32 => 32,
            Format::F64 => 64,
            Format::E4M3 | Format::E5M2 | Format::UE8M0 => 8,
            Format::E2M3 | Format::E3M2 => 6,
            Format::E2M1 => 4,
        }
    }

    fn shape(self) -> Shape {
        let (exponent, mantissa, largest, nan, infinity) = match self {
            Format::F16 => (5, 10, 0x7bff, 0x7fff, Some(0x7c00)),
            Format::BF16 => (8, 7, 0x7f7f, 0x7fff, Some(0x7f80)),
            // A tf32 number is an f32 whose lowest 13 bits are zero; see `pack`.
            Format::TF32 => (8, 10, 0x3_fbff, 0x3_ffff, Some(0x3_fc00)),
            Format::F32 => (8, 23, 0x7f7f_ffff, 0x7fff_ffff, Some(0x7f80_0000)),
            // What an H100 gives for the root of a negative number.
            Format::F64 => (11, 52, 0x7fef_ffff_ffff_ffff, 0xfff8_0000_0000_0000, Some(0x7ff0_0000_0000_0000)),
            Format::E4M3 => (4, 3, 0x7e, 0x7f, None),
            Format::E5M2 => (5, 2, 0x7b, 0x7f, Some(0x7c)),
            // There is no NaN; the largest number stands for it.
            Format::E2M3 => (2, 3, 0x1f, 0x1f, None),
            Format::E3M2 => (3, 2, 0x1f, 0x1f, None),
            Format::E2M1 => (2, 1, 0x7, 0x7, None),
            Format::UE8M0 => (8, 0, 0xfe, 0xff, None),
        };
        Shape { exponent, mantissa, largest, nan, infinity }
    }

    /// The exact value of some bits.
    #[inline(always)]
    pub(super) fn value(self, bits: u64) -> f64 {
        match self {
            Format::F64 => f64::from_bits(bits),
            Format::F32 => f64::from(f32::from_bits(bits as u32)),
            Format::TF32 => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
            Format::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
            Format::F16 => f64::from(half(bits as u16)),
            Format::UE8M0 if bits & 0xff == 0xff => f64::NAN,
            Format::UE8M0 => f64::from_bits(((bits & 0xff) + 1023 - 127) << 52),
            Format::E4M3 | Format::E5M2 | Format::E2M3 | Format::E3M2 | Format::E2M1 => self.small(bits),
        }
    }

    fn small(self, bits: u64) -> f64 {
        let Shape { exponent, mantissa, nan, infinity, .. } = self.shape();
        let width = exponent + mantissa;
        let magnitude = bits & ((1 << width) - 1);
        let sign = if bits >> width & 1 == 1 { -1.0 } else { 1.0 };
        if infinity == Some(magnitude) {
            return sign * f64::INFINITY;
        }
        let has_nan = matches!(self, Format::E4M3 | Format::E5M2);
        if has_nan && (magnitude == nan || infinity.is_some_and(|infinity| magnitude > infinity)) {
            return f64::NAN;
        }
        let field = magnitude >> mantissa;
        let bias = (1 << (exponent - 1)) - 1;
        let significand = magnitude & ((1 << mantissa) - 1) | u64::from(field != 0) << mantissa;
        let power = field.max(1) as i64 - bias - i64::from(mantissa);
        sign * significand as f64 * f64::from_bits(((power + 1023) as u64) << 52)
    }

    /// The bits of a value that was rounded to odd at most, rounded once; out of range gives the largest number with
    /// `finite`.
    pub(super) fn pack(self, x: f64, rounding: Rounding, finite: bool) -> u64 {
        match self {
            Format::F32 if rounding == Rounding::Nearest && !finite => {
                let near = x as f32;
                return if near.is_nan() { 0x7fff_ffff } else { u64::from(near.to_bits()) };
            }
            Format::F64 => return if x.is_nan() { self.shape().nan } else { x.to_bits() },
            Format::TF32 => return self.pack_shape(x, rounding, finite) << 13,
            _ => {}
        }
        self.pack_shape(x, rounding, finite)
    }

    fn pack_shape(self, x: f64, rounding: Rounding, finite: bool) -> u64 {
        let shape = self.shape();
        if x.is_nan() {
            return shape.nan;
        }
        let width = shape.exponent + shape.mantissa;
        let negative = x.is_sign_negative();
        if self == Format::UE8M0 && negative && x != 0.0 {
            return shape.nan;
        }
        let sign = if self == Format::UE8M0 { 0 } else { u64::from(negative) << width };
        let most = if finite || shape.infinity.is_none() { shape.largest } else { u64::MAX };
        let infinity = shape.infinity.unwrap_or(shape.largest);
        if x.is_infinite() {
            return sign | infinity.min(most);
        }
        let bits = x.to_bits() & (u64::MAX >> 1);
        let biased = (bits >> 52) as i32;
        let significand = bits & ((1 << 52) - 1) | u64::from(biased != 0) << 52;
        let exponent = biased.max(1) - 1023;
        let bias = (1 << (shape.exponent - 1)) - 1;
        // A format of powers of two has no subnormal numbers, and its smallest exponent is one lower.
        let least = if self == Format::UE8M0 { -127 } else { 1 - bias };
        let shift = 52 - shape.mantissa as i32 + (least - exponent).max(0);
        let (kept, lost, half) = match shift {
            0 => (significand, 0, 1),
            1..=62 => (significand >> shift, significand & ((1 << shift) - 1), 1u64 << (shift - 1)),
            _ => (0, u64::from(significand != 0), 2),
        };
        let up = match rounding {
            Rounding::Nearest => lost > half || lost == half && kept & 1 == 1,
            Rounding::Away => lost >= half,
            Rounding::Zero => false,
            Rounding::Down => negative && lost > 0,
            Rounding::Up => !negative && lost > 0,
        };
        let field = (exponent - least).max(0) as u64;
        let mut magnitude = kept + u64::from(up) + (field << shape.mantissa);
        if self == Format::UE8M0 {
            // The leading one of the significand is not part of the format.
            magnitude = magnitude.saturating_sub(1);
        }
        if magnitude > shape.largest {
            let to_infinity = match rounding {
                Rounding::Nearest | Rounding::Away => true,
                Rounding::Zero => false,
                Rounding::Down => negative,
                Rounding::Up => !negative,
            };
            magnitude = if to_infinity { infinity.min(most) } else { shape.largest };
        }
        sign | magnitude
    }

    /// The bits with a subnormal number replaced by a zero of its sign.
    #[inline(always)]
    pub(super) fn flush(self, bits: u64) -> u64 {
        let shape = self.shape();
        let exponent = ((1u64 << shape.exponent) - 1) << shape.mantissa;
        if bits & exponent == 0 { bits & 1 << (shape.exponent + shape.mantissa) } else { bits }
    }

    /// The bits that stand for what is not a number.
    pub(super) fn nan(self) -> u64 {
        self.shape().nan
    }
}

/// f16 to f32, exact. Exponents lie 112 apart; the multiplication makes subnormal numbers normal.
#[inline(always)]
pub(super) fn half(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let sign = u32::from(bits & 0x8000) << 16;
    let value = f32::from_bits(magnitude) * f32::from_bits(0x7780_0000);
    let bits = if magnitude >= 0x7c00 << 13 { magnitude | 0x7f80_0000 } else { value.to_bits() };
    f32::from_bits(sign | bits)
}

/// `near` if it is exact, else its neighbour with an odd last bit on the side where the exact value lies.
#[inline(always)]
fn odd(near: f64, lost: f64) -> f64 {
    let bits = near.to_bits();
    if lost != 0.0 && near.is_finite() && bits & 1 == 0 && near != 0.0 {
        f64::from_bits(if (lost > 0.0) == (near > 0.0) { bits + 1 } else { bits - 1 })
    } else {
        near
    }
}

/// What the addition lost (Knuth's two-sum).
#[inline(always)]
fn lost_by_sum(a: f64, b: f64, sum: f64) -> f64 {
    let back = sum - a;
    let lost = (a - (sum - back)) + (b - back);
    if lost.is_finite() { lost } else { 0.0 }
}

/// `a + b`, rounded to odd.
#[inline(always)]
pub(super) fn add_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    odd(sum, lost_by_sum(a, b, sum))
}

/// `a * b + c`, rounded to odd, where the product is exact in `f64`.
#[inline(always)]
pub(super) fn fma_odd(a: f64, b: f64, c: f64) -> f64 {
    add_odd(a * b, c)
}

/// `a / b`, rounded to odd, for operands of at most 32 bits.
pub(super) fn div_odd(a: f64, b: f64) -> f64 {
    let near = a / b;
    let rest = if near.is_finite() && b.is_finite() { near.mul_add(-b, a) } else { 0.0 };
    odd(near, if b < 0.0 { -rest } else { rest })
}

/// The square root, rounded to odd, for operands of at most 32 bits.
pub(super) fn sqrt_odd(a: f64) -> f64 {
    let near = a.sqrt();
    odd(near, if near.is_finite() { near.mul_add(-near, a) } else { 0.0 })
}

/// The result of an `f64` operation before it is rounded: `significand * 2^exponent`, where the lowest bit is also set if
/// anything was lost below it, which happens only where that bit is far below what is kept.
struct Unrounded {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Unrounded {
    /// The neighbour in a direction, with subnormal numbers and overflow as the format has them.
    fn round(self, rounding: Rounding) -> f64 {
        const LEAST: i32 = -1074;
        let shift = self.significand.leading_zeros();
        let (significand, exponent) = (self.significand << shift, self.exponent - shift as i32);
        let drop = (127 - 52).max(LEAST - exponent);
        let (kept, lost, half) = match drop {
            0..=127 => (significand >> drop, significand & ((1 << drop) - 1), 1u128 << (drop - 1)),
            // Less than half of the smallest number.
            _ => (0, 1, 2),
        };
        let up = match rounding {
            Rounding::Nearest => lost > half || lost == half && kept & 1 == 1,
            Rounding::Away => lost >= half,
            Rounding::Zero => false,
            Rounding::Down => self.negative && lost > 0,
            Rounding::Up => !self.negative && lost > 0,
        };
        // The leading one of a normal number counts as one in the field of the exponent.
        let field = (exponent + drop - LEAST) as u64;
        let largest = f64::MAX.to_bits();
        let mut bits = if field > 2046 { largest + 1 } else { kept as u64 + u64::from(up) + (field << 52) };
        if bits > largest {
            let is_finite = match rounding {
                Rounding::Nearest | Rounding::Away => false,
                Rounding::Zero => true,
                Rounding::Down => !self.negative,
                Rounding::Up => self.negative,
            };
            bits = largest + u64::from(!is_finite);
        }
        f64::from_bits(bits | u64::from(self.negative) << 63)
    }
}

/// The significand and the exponent of a finite number; that of a number other than zero has its leading bit at 52.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits() & (u64::MAX >> 1);
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if field != 0 {
        return (fraction | 1 << 52, field - 1075);
    }
    let shift = fraction.leading_zeros().saturating_sub(11);
    (fraction << shift, -1074 - shift as i32)
}

/// `x >> shift`, where the lowest bit says as well whether anything was lost.
fn shift_odd(x: u128, shift: u32) -> u128 {
    match shift {
        0..=127 => x >> shift | u128::from(x & ((1 << shift) - 1) != 0),
        _ => u128::from(x != 0),
    }
}

/// `a * b + c` in `f64`.
pub(super) fn f64_fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    let near = a.mul_add(b, c);
    let is_finite = a.is_finite() && b.is_finite() && c.is_finite();
    if rounding == Rounding::Nearest || !is_finite {
        return near;
    }
    let ((ma, ea), (mb, eb), (mc, ec)) = (parts(a), parts(b), parts(c));
    if ma == 0 || mb == 0 {
        // The sum is exact; of two zeros, the direction says the sign.
        let signs_differ = (a.is_sign_negative() != b.is_sign_negative()) != c.is_sign_negative();
        return if mc == 0 && signs_differ && rounding == Rounding::Down { -0.0 } else { near };
    }
    // Both terms with their leading bits at 125 or 124: there is room for a carry, and of the smaller one only what lies
    // far below the rounding is lost.
    let sign = a.is_sign_negative() != b.is_sign_negative();
    let product = ((u128::from(ma) * u128::from(mb)) << 20, ea + eb - 20, sign);
    let addend = (u128::from(mc) << 73, ec - 73, c.is_sign_negative());
    let is_larger = mc == 0 || product.1 > addend.1;
    let ((large, exponent, negative), (small, below, other)) =
        if is_larger { (product, addend) } else { (addend, product) };
    let small = if small == 0 { 0 } else { shift_odd(small, exponent.abs_diff(below)) };
    let (significand, negative) = match (negative == other, large >= small) {
        (true, _) => (large + small, negative),
        (false, true) => (large - small, negative),
        (false, false) => (small - large, other),
    };
    if significand == 0 {
        return if rounding == Rounding::Down { -0.0 } else { 0.0 };
    }
    Unrounded { negative, significand, exponent }.round(rounding)
}

/// `a / b` in `f64`.
pub(super) fn f64_div(a: f64, b: f64, rounding: Rounding) -> f64 {
    let near = a / b;
    if rounding == Rounding::Nearest || !a.is_finite() || !b.is_finite() || a == 0.0 || b == 0.0 {
        return near;
    }
    let ((ma, ea), (mb, eb)) = (parts(a), parts(b));
    let (dividend, divisor) = (u128::from(ma) << 72, u128::from(mb));
    let significand = (dividend / divisor) | u128::from(dividend % divisor != 0);
    Unrounded { negative: near.is_sign_negative(), significand, exponent: ea - 72 - eb }.round(rounding)
}

/// The square root in `f64`.
pub(super) fn f64_sqrt(a: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest || !a.is_finite() || a <= 0.0 {
        return a.sqrt();
    }
    let (significand, exponent) = parts(a);
    // An even exponent can be halved.
    let shift = 74 - (exponent & 1) as u32;
    let square = u128::from(significand) << shift;
    let root = square.isqrt();
    let exponent = (exponent - shift as i32) / 2;
    Unrounded { negative: false, significand: root | u128::from(root * root != square), exponent }.round(rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a format holds comes back from its value, in every rounding mode.
    #[test]
    fn every_small_number_round_trips() {
        use Format::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, UE8M0};
        for format in [F16, BF16, E4M3, E5M2, E2M3, E3M2, E2M1, UE8M0] {
            for bits in 0..1u64 << format.bits() {
                let value = format.value(bits);
                for rounding in [Rounding::Nearest, Rounding::Away, Rounding::Zero, Rounding::Down, Rounding::Up] {
                    let back = format.pack(value, rounding, false);
                    assert!(
                        back == bits || value.is_nan() && back == format.nan(),
                        "{format:?} {bits:#x} {value} {back:#x}"
                    );
                }
            }
        }
    }

    /// Between two neighbours, each mode picks the one that it names.
    #[test]
    fn modes_pick_the_neighbour_they_name() {
        for format in [Format::F16, Format::BF16, Format::E4M3, Format::E5M2] {
            for bits in 0..format.shape().largest {
                let (low, high) = (format.value(bits), format.value(bits + 1));
                for (part, near) in [(0.25, bits), (0.5, bits + (bits & 1)), (0.75, bits + 1)] {
                    let x = low + (high - low) * part;
                    let sign = 1 << (format.bits() - 1);
                    assert_eq!(format.pack(x, Rounding::Nearest, false), near);
                    assert_eq!(format.pack(x, Rounding::Zero, false), bits);
                    assert_eq!(format.pack(x, Rounding::Up, false), bits + 1);
                    assert_eq!(format.pack(x, Rounding::Down, false), bits);
                    assert_eq!(format.pack(-x, Rounding::Up, false), bits | sign);
                    assert_eq!(format.pack(-x, Rounding::Down, false), (bits + 1) | sign);
                    assert_eq!(format.pack(x, Rounding::Away, false), if part < 0.5 { bits } else { bits + 1 });
                }
            }
        }
    }

    /// A sum that falls between two `f64` is rounded once: 1 + 2^-24 + 2^-80 goes up in f32.
    #[test]
    fn odd_rounding_keeps_ties_apart() {
        let x = fma_odd(1.0, 2f64.powi(-80), 1.0 + 2f64.powi(-24));
        assert_eq!(Format::F32.pack(x, Rounding::Nearest, false), 0x3f80_0001);
        assert_eq!(Format::F32.pack(div_odd(1.0, 3.0), Rounding::Up, false), 0x3eaa_aaab);
        assert_eq!(Format::F32.pack(div_odd(1.0, 3.0), Rounding::Down, false), 0x3eaa_aaaa);
        assert_eq!(Format::F32.pack(sqrt_odd(2.0), Rounding::Down, false), 0x3fb5_04f3);
        assert_eq!(Format::F32.pack(sqrt_odd(2.0), Rounding::Up, false), 0x3fb5_04f4);
        assert_eq!(f64_div(1.0, 3.0, Rounding::Up), (1.0f64 / 3.0).next_up());
        assert_eq!(f64_fma(1.0, 1.0, 2f64.powi(-80), Rounding::Up), 1f64.next_up());
        assert_eq!(f64_fma(1.0, 1.0, 2f64.powi(-80), Rounding::Down), 1.0);
    }

    /// Results between subnormal numbers of `f64` go to the neighbour that the mode names, as others do: all numbers here
    /// are counted in parts of the smallest one.
    #[test]
    fn f64_is_rounded_among_subnormal_numbers() {
        let unit = f64::from_bits(1);
        let small = 2f64.powi(-540);
        // `n / 64` of the smallest number, with the sign of zero that it has from the other side.
        let expect = |n: i64, parts: i64, got: [f64; 3], what: &str| {
            let (down, up) = (n.div_euclid(parts), -(-n).div_euclid(parts));
            let zero = if n < 0 { up } else { down };
            for (got, want) in got.into_iter().zip([down, up, zero]) {
                assert_eq!(got, want as f64 * unit, "{what}");
            }
        };
        let modes = [Rounding::Down, Rounding::Up, Rounding::Zero];
        for a in -20..=20i64 {
            for b in (-20..=20i64).filter(|&b| b != 0) {
                let (x, y) = (a as f64, b as f64);
                let n = if b < 0 { -a } else { a };
                expect(n, b.abs(), modes.map(|mode| f64_div(x * unit, y, mode)), &format!("{a} / {b}"));
                for c in -3..=3i64 {
                    let sums = modes.map(|mode| f64_fma(x * small, y * small, c as f64 * unit, mode));
                    expect(a * b + 64 * c, 64, sums, &format!("{a} * {b} / 64 + {c}"));
                }
            }
        }
    }

    /// Whatever the distance of two terms, the two neighbours of the exact sum are next to each other, and an exact one is
    /// given alone.
    #[test]
    fn f64_keeps_what_lies_far_apart() {
        let wide = |power: i32| 1.0 + 2f64.powi(-power);
        for power in 1..=1074 {
            let term = if power > 1022 { f64::from_bits(1 << (1074 - power)) } else { 2f64.powi(-power) };
            for x in [term, -term] {
                let is_exact = power <= if x < 0.0 { 53 } else { 52 };
                let (down, up) = (f64_fma(1.0, 1.0, x, Rounding::Down), f64_fma(1.0, 1.0, x, Rounding::Up));
                assert!(down <= up && (is_exact || down.next_up() == up), "1 + {x}");
                assert!(!is_exact || down == 1.0 + x && up == down, "1 + {x}");
            }
        }
        for mode in [Rounding::Down, Rounding::Up, Rounding::Zero] {
            assert_eq!(f64_fma(wide(30), 2.0 - wide(30), -1.0, mode), -(2f64.powi(-60)));
        }
        assert_eq!(f64_fma(f64::MAX, 2.0, 0.0, Rounding::Zero), f64::MAX);
        assert_eq!(f64_fma(f64::MAX, 2.0, 0.0, Rounding::Up), f64::INFINITY);
        assert_eq!(f64_fma(f64::MAX, -2.0, 0.0, Rounding::Up), f64::MIN);
        assert_eq!(f64_sqrt(2.0, Rounding::Up), 2f64.sqrt());
        assert_eq!(f64_sqrt(2.0, Rounding::Down), 2f64.sqrt().next_down());
        assert_eq!(f64_sqrt(2f64.powi(-1074), Rounding::Zero), 2f64.powi(-537));
    }
}
