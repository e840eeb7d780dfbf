//! Float arithmetic in every format and rounding, and the elementary functions, correctly rounded.

use super::super::float::{Format, Rounding, add_odd, div_odd, f64_div, f64_fma, f64_sqrt, fma_odd, sqrt_odd};
use super::super::types::{Kind, Ty};
use super::super::words::Words;
use super::{Elementwise, Lanes, one, packed1, packed2, packed3, three, two};

/// What happens to a result.
#[derive(Clone, Copy)]
struct Finish {
    format: Format,
    rounding: Rounding,
    /// Subnormal operands and results become zero.
    ftz: bool,
    /// Clamped to 0 to 1; what is not a number becomes 0.
    sat: bool,
    /// Negative numbers become zero.
    relu: bool,
}

impl Finish {
    #[inline(always)]
    fn read(self, bits: u64) -> f64 {
        self.format.value(if self.ftz { self.format.flush(bits) } else { bits })
    }

    #[inline(always)]
    fn write(self, x: f64) -> u64 {
        let x = match () {
            () if self.sat && x.is_nan() => 0.0,
            () if self.sat => x.clamp(0.0, 1.0),
            () if self.relu && x < 0.0 => 0.0,
            () => x,
        };
        let bits = self.format.pack(x, self.rounding, false);
        if self.ftz { self.format.flush(bits) } else { bits }
    }

    fn is_plain_f32(self) -> bool {
        self.format == Format::F32 && self.rounding == Rounding::Nearest && !self.ftz && !self.sat && !self.relu
    }
}

/// The one that is not a number.
#[inline(always)]
fn bits_of(x: f32) -> u64 {
    u64::from(if x.is_nan() { 0x7fff_ffff } else { x.to_bits() })
}

#[inline(always)]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(super) fn arithmetic(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let rounding = words.rounding();
    // Approximate quotients are computed correctly rounded.
    words.take_any(&["approx", "full"]);
    let (ftz, sat, relu) = (words.take("ftz"), words.take("sat"), words.take("relu"));
    let (nan, xorsign) = (words.take("NaN"), words.take("xorsign"));
    let abs = words.take("abs");
    let oob = opcode == "fma" && words.take("oob");
    let ty = words.ty()?;
    let format = ty.format()?;
    if oob && !matches!(format, Format::F16 | Format::BF16) {
        return None;
    }
    // A sum of a wide number and a narrow one.
    let narrow = if matches!(opcode, "add" | "sub" | "fma") { words.ty() } else { None };
    if narrow.is_some() {
        return mixed(opcode, ty, narrow?, rounding, sat);
    }
    let finish = Finish { format, rounding: rounding.unwrap_or(Rounding::Nearest), ftz, sat, relu };
    if format == Format::F64 {
        return double(opcode, ty, finish.rounding);
    }
    Some(match opcode {
        "add" | "sub" => {
            let minus = opcode == "sub";
            let lanes = match (finish.is_plain_f32() && ty.packed == 1, minus) {
                (true, false) => two(|a, b| bits_of(f32_of(a) + f32_of(b))),
                (true, true) => two(|a, b| bits_of(f32_of(a) - f32_of(b))),
                (false, _) => packed2(ty, move |a, b| {
                    let (a, b) = (finish.read(a), finish.read(b));
                    let b = if minus { -b } else { b };
                    finish.write(signed_zero(add_odd(a, b), a, b, finish.rounding))
                }),
            };
            Elementwise::same(ty, 2, lanes)
        }
        "mul" if finish.is_plain_f32() && ty.packed == 1 => {
            Elementwise::same(ty, 2, two(|a, b| bits_of(f32_of(a) * f32_of(b))))
        }
        "mul" => Elementwise::same(ty, 2, packed2(ty, move |a, b| finish.write(finish.read(a) * finish.read(b)))),
        "fma" | "mad" => {
            let lanes = if finish.is_plain_f32() && ty.packed == 1 {
                three(|a, b, c| {
                    bits_of(fma_odd(f64::from(f32_of(a)), f64::from(f32_of(b)), f64::from(f32_of(c))) as f32)
                })
            } else {
                packed3(ty, move |a, b, c| {
                    // A factor that lies outside of a tensor takes the sum with it.
                    if oob && (a == format.nan() || b == format.nan()) {
                        return 0;
                    }
                    let (product, c) = (finish.read(a) * finish.read(b), finish.read(c));
                    finish.write(signed_zero(add_odd(product, c), product, c, finish.rounding))
                })
            };
            Elementwise::same(ty, 3, lanes)
        }
        "div" => Elementwise::same(ty, 2, two(move |a, b| finish.write(div_odd(finish.read(a), finish.read(b))))),
        "abs" | "neg" => {
            let sign = 1u64 << (ty.bits - 1);
            let negate = opcode == "neg";
            let lanes = packed1(ty, move |a| {
                let a = if ftz { format.flush(a) } else { a };
                if negate { a ^ sign } else { a & !sign }
            });
            Elementwise::same(ty, 1, lanes)
        }
        "min" | "max" if xorsign == abs => return extreme(opcode == "max", ty, finish, nan, xorsign),
        "min3" | "max3" if format == Format::F32 && ty.packed == 1 && !xorsign => {
            let (max, sign) = (opcode == "max3", 1 << 31);
            let read = move |x: u64| (if ftz { format.flush(x) } else { x }) & if abs { !sign } else { u64::MAX };
            let choose = move |a, b| pick(format, max, nan, a, b);
            Elementwise::same(ty, 3, three(move |a, b, c| choose(choose(read(a), read(b)), read(c))))
        }
        _ => return None,
    })
}

/// A sum that is exactly zero is negative when rounding down, if its terms have different signs.
#[inline(always)]
fn signed_zero(sum: f64, a: f64, b: f64, rounding: Rounding) -> f64 {
    if sum == 0.0 && rounding == Rounding::Down && a.is_sign_negative() != b.is_sign_negative() { -0.0 } else { sum }
}

/// `add.f32.f16`: a sum in f32 with one narrow term; `fma.rn.f32.f16`: with two narrow factors.
fn mixed(opcode: &str, wide: Ty, narrow: Ty, rounding: Option<Rounding>, sat: bool) -> Option<Elementwise> {
    let (format, small) = (wide.format()?, narrow.format()?);
    let finish = Finish { format, rounding: rounding.unwrap_or(Rounding::Nearest), ftz: false, sat, relu: false };
    let minus = opcode == "sub";
    Some(match opcode {
        "fma" => Elementwise::new(
            wide,
            &[narrow, narrow, wide],
            three(move |a, b, c| finish.write(fma_odd(small.value(a), small.value(b), format.value(c)))),
        ),
        _ => Elementwise::new(
            wide,
            &[narrow, wide],
            two(move |a, b| {
                let b = format.value(b);
                finish.write(add_odd(small.value(a), if minus { -b } else { b }))
            }),
        ),
    })
}

fn double(opcode: &str, ty: Ty, rounding: Rounding) -> Option<Elementwise> {
    let (read, write) = (f64::from_bits, |x: f64| Format::F64.pack(x, Rounding::Nearest, false));
    Some(match opcode {
        "add" => Elementwise::same(ty, 2, two(move |a, b| write(f64_fma(read(a), 1.0, read(b), rounding)))),
        "sub" => Elementwise::same(ty, 2, two(move |a, b| write(f64_fma(read(a), 1.0, -read(b), rounding)))),
        "mul" => Elementwise::same(
            ty,
            2,
            two(move |a, b| {
                let (a, b) = (read(a), read(b));
                // The zero that is added has the product's sign, so that it changes nothing.
                write(f64_fma(a, b, if a.is_sign_negative() == b.is_sign_negative() { 0.0 } else { -0.0 }, rounding))
            }),
        ),
        "fma" | "mad" => {
            Elementwise::same(ty, 3, three(move |a, b, c| write(f64_fma(read(a), read(b), read(c), rounding))))
        }
        "div" => Elementwise::same(ty, 2, two(move |a, b| write(f64_div(read(a), read(b), rounding)))),
        "abs" => Elementwise::same(ty, 1, one(|a| a & (u64::MAX >> 1))),
        "neg" => Elementwise::same(ty, 1, one(|a| a ^ 1 << 63)),
        "min" | "max" => {
            let max = opcode == "max";
            Elementwise::same(ty, 2, two(move |a, b| pick(Format::F64, max, false, a, b)))
        }
        _ => return None,
    })
}

/// The smaller or larger of two numbers; zeros are ordered by their signs.
#[inline(always)]
fn pick(format: Format, max: bool, nan: bool, a: u64, b: u64) -> u64 {
    let (x, y) = (format.value(a), format.value(b));
    if x.is_nan() || y.is_nan() {
        return match (x.is_nan(), y.is_nan()) {
            (false, true) if !nan => a,
            (true, false) if !nan => b,
            _ => format.nan(),
        };
    }
    let less = x < y || x == y && x.is_sign_negative() && y.is_sign_positive();
    if less == max { b } else { a }
}

fn extreme(max: bool, ty: Ty, finish: Finish, nan: bool, xorsign: bool) -> Option<Elementwise> {
    let format = finish.format;
    let sign = 1u64 << (ty.bits - 1);
    let choose = move |a: u64, b: u64| {
        let flushed = |x: u64| if finish.ftz { format.flush(x) } else { x };
        let (a, b) = (flushed(a), flushed(b));
        if xorsign {
            let magnitude = pick(format, max, nan, a & !sign, b & !sign);
            return if format.value(magnitude).is_nan() { magnitude } else { magnitude & !sign | (a ^ b) & sign };
        }
        pick(format, max, nan, a, b)
    };
    Some(Elementwise::same(ty, 2, packed2(ty, choose)))
}

pub(super) fn unary(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    if opcode == "copysign" {
        let ty = words.ty().filter(|ty| ty.packed == 1 && matches!(ty.kind, Kind::Float(_)))?;
        let sign = 1u64 << (ty.bits - 1);
        // The sign of the first operand on the magnitude of the second.
        return Some(Elementwise::same(ty, 2, two(move |a, b| a & sign | b & !sign)));
    }
    let approximate = words.take("approx");
    let rounding = words.rounding();
    let ftz = words.take("ftz");
    let ty = words.ty()?;
    let format = ty.format()?;
    if !matches!(ty.kind, Kind::Float(_)) || !(approximate || rounding.is_some()) {
        return None;
    }
    let finish = Finish { format, rounding: rounding.unwrap_or(Rounding::Nearest), ftz, sat: false, relu: false };
    if format == Format::F64 {
        return double_unary(opcode, ty, finish.rounding);
    }
    let lanes: Lanes = match opcode {
        "rcp" => packed1(ty, move |a| finish.write(div_odd(1.0, finish.read(a)))),
        "sqrt" => packed1(ty, move |a| finish.write(sqrt_odd(finish.read(a)))),
        "rsqrt" => packed1(ty, move |a| finish.write(1.0 / finish.read(a).sqrt())),
        "sin" => packed1(ty, move |a| finish.write(libm::sin(finish.read(a)))),
        "cos" => packed1(ty, move |a| finish.write(libm::cos(finish.read(a)))),
        "lg2" => packed1(ty, move |a| finish.write(libm::log2(finish.read(a)))),
        "ex2" => packed1(ty, move |a| finish.write(libm::exp2(finish.read(a)))),
        "tanh" => packed1(ty, move |a| finish.write(libm::tanh(finish.read(a)))),
        _ => return None,
    };
    Some(Elementwise::same(ty, 1, lanes))
}

fn double_unary(opcode: &str, ty: Ty, rounding: Rounding) -> Option<Elementwise> {
    let (read, write) = (f64::from_bits, |x: f64| Format::F64.pack(x, Rounding::Nearest, false));
    let lanes = match opcode {
        "rcp" => one(move |a| write(f64_div(1.0, read(a), rounding))),
        "sqrt" => one(move |a| write(f64_sqrt(read(a), rounding))),
        "rsqrt" => one(move |a| write(1.0 / read(a).sqrt())),
        _ => return None,
    };
    Some(Elementwise::same(ty, 1, lanes))
}
