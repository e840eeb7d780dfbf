//! `cvt`: between integers, between floats, and from one to the other.

use super::super::float::{Format, Rounding};
use super::super::types::{Kind, Ty, mask, signed};
use super::super::words::Words;
use super::{Elementwise, Lanes, one, two};

pub(super) fn convert(words: &mut Words<'_>) -> Option<Elementwise> {
    if words.take("pack") {
        return pack(words);
    }
    let integral = words.take_map(|word| match word {
        "rni" => Some(Rounding::Nearest),
        "rzi" => Some(Rounding::Zero),
        "rmi" => Some(Rounding::Down),
        "rpi" => Some(Rounding::Up),
        _ => None,
    });
    let rounding = words.rounding();
    let (ftz, sat, relu, finite) = (words.take("ftz"), words.take("sat"), words.take("relu"), words.take("satfinite"));
    let (dst, src) = (words.ty()?, words.ty()?);
    let flags = Flags { rounding: rounding.unwrap_or(Rounding::Nearest), integral, ftz, sat, relu, finite };
    if dst.bits > 64 || src.bits > 64 {
        return None;
    }
    if dst.packed > 1 || src.packed > 1 {
        return packed(dst, src, flags);
    }
    let lanes = match (dst.kind, src.kind) {
        (Kind::Float(to), Kind::Float(from)) => one(move |a| float_to_float(to, from, flags, a)),
        (Kind::Float(to), _) => {
            let (bits, is_signed) = (src.bits, src.is_signed());
            one(move |a| {
                let a = if is_signed { i128::from(signed(a, bits)) } else { i128::from(a & mask(bits)) };
                int_to_float(to, flags, a)
            })
        }
        (Kind::Signed | Kind::Unsigned | Kind::Bits, Kind::Float(from)) => {
            one(move |a| float_to_int(dst, from, flags, a))
        }
        (Kind::Signed | Kind::Unsigned | Kind::Bits, Kind::Signed | Kind::Unsigned | Kind::Bits) => {
            int_to_int(dst, src, sat)
        }
        (Kind::Pred, _) | (_, Kind::Pred) => return None,
    };
    Some(Elementwise::new(dst, &[src], lanes))
}

#[derive(Clone, Copy)]
struct Flags {
    rounding: Rounding,
    /// To a whole number first.
    integral: Option<Rounding>,
    ftz: bool,
    sat: bool,
    relu: bool,
    finite: bool,
}

/// What a register holds above the type is zero, so that wide registers that hold the result need the sign.
fn int_to_int(dst: Ty, src: Ty, sat: bool) -> Lanes {
    let (from, to) = (src.bits, dst.bits);
    let (from_signed, to_signed) = (src.is_signed(), dst.is_signed());
    if sat {
        return one(move |a| {
            let a = if from_signed { i128::from(signed(a, from)) } else { i128::from(a & mask(from)) };
            let (low, high) = if to_signed { (-(1i128 << (to - 1)), (1 << (to - 1)) - 1) } else { (0, (1 << to) - 1) };
            a.clamp(low, high) as u64 & mask(to)
        });
    }
    if from_signed {
        one(move |a| signed(a, from.min(to)) as u64 & mask(to))
    } else {
        one(move |a| a & mask(from.min(to)))
    }
}

fn read(format: Format, flags: Flags, bits: u64) -> f64 {
    format.value(if flags.ftz && format == Format::F32 { format.flush(bits) } else { bits })
}

fn write(format: Format, flags: Flags, x: f64) -> u64 {
    let x = match () {
        () if flags.sat && x.is_nan() => 0.0,
        () if flags.sat => x.clamp(0.0, 1.0),
        () if flags.relu && x < 0.0 => 0.0,
        () => x,
    };
    // Formats of eight bits and fewer always saturate.
    let finite = flags.finite || format.bits() <= 8;
    let bits = format.pack(x, flags.rounding, finite);
    if flags.ftz && format == Format::F32 { format.flush(bits) } else { bits }
}

fn whole(x: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => x.round_ties_even(),
        Rounding::Away => x.round(),
        Rounding::Zero => x.trunc(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
    }
}

fn float_to_float(to: Format, from: Format, flags: Flags, a: u64) -> u64 {
    let x = read(from, flags, a);
    let x = flags.integral.map_or(x, |rounding| whole(x, rounding));
    write(to, flags, x)
}

fn int_to_float(to: Format, flags: Flags, a: i128) -> u64 {
    if to == Format::F64 {
        let near = a as f64;
        // 2^64 is not an i128's problem, but the nearest f64 of a 64-bit integer may be off by its rounding.
        let lost = a - near as i128;
        let x = match flags.rounding {
            Rounding::Zero if near > 0.0 && lost < 0 => near.next_down(),
            Rounding::Zero if near < 0.0 && lost > 0 => near.next_up(),
            Rounding::Down if lost < 0 => near.next_down(),
            Rounding::Up if lost > 0 => near.next_up(),
            _ => near,
        };
        return x.to_bits();
    }
    // Rounded to odd: what the high bits lose is kept in the last one.
    let magnitude = a.unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = (magnitude >> shift) as u64 | u64::from(magnitude & ((1 << shift) - 1) != 0);
    let x = kept as f64 * f64::from_bits(u64::from(shift + 1023) << 52);
    write(to, flags, if a < 0 { -x } else { x })
}

/// To the nearest integer that the type has; what is not a number gives 0, or the highest bit where 64 are concerned.
fn float_to_int(dst: Ty, from: Format, flags: Flags, a: u64) -> u64 {
    let x = read(from, flags, a);
    if x.is_nan() {
        return if dst.bits == 64 || from == Format::F64 { 1 << (dst.bits - 1) } else { 0 };
    }
    let x = whole(x, flags.integral.unwrap_or(flags.rounding));
    let bits = dst.bits;
    let (low, high) =
        if dst.is_signed() { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    // A cast saturates at the limits of i128, which lie beyond.
    (x as i128).clamp(low, high) as u64 & mask(bits)
}

/// Two numbers into one register, or two out of one.
fn packed(dst: Ty, src: Ty, flags: Flags) -> Option<Elementwise> {
    let (to, from) = (dst.format()?, src.format()?);
    let width = dst.bits;
    if src.packed == 1 {
        // The first source goes to the upper half.
        let lanes = two(move |a, b| float_to_float(to, from, flags, a) << width | float_to_float(to, from, flags, b));
        return Some(Elementwise::new(dst, &[src, src], lanes));
    }
    let part = src.bits;
    let n = dst.packed.min(src.packed);
    let lanes = one(move |a| {
        (0..n).fold(0, |word, at| word | float_to_float(to, from, flags, a >> (at * part) & mask(part)) << (at * width))
    });
    Some(Elementwise::new(dst, &[src], lanes))
}

/// `cvt.pack.sat.s8.s32.b32 d, a, b, c`: two integers, saturated, below what was there.
fn pack(words: &mut Words<'_>) -> Option<Elementwise> {
    words.take("sat").then_some(())?;
    let (to, from) = (words.ty()?, words.ty()?);
    let rest = words.ty();
    let bits = to.bits;
    (bits <= 16).then_some(())?;
    let (low, high) =
        if to.is_signed() { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
    let narrow = move |x: u64| signed(x, from.bits).clamp(low, high) as u64 & mask(bits);
    let lanes = super::three(move |a, b, c| {
        let below = if rest.is_some() { c << (2 * bits) & 0xffff_ffff } else { 0 };
        below | narrow(a) << bits | narrow(b)
    });
    let mut srcs = vec![from, from];
    if let Some(rest) = rest {
        srcs.push(rest);
    }
    Some(Elementwise::new(Ty::B32, &srcs, lanes))
}
