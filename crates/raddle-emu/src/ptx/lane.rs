//! Instructions that each lane does alone: what they compute, as functions on whole registers.
//!
//! A register is a row of 64-bit words, one for each lane, zero above its width. An instruction becomes a closure that
//! the compiler unrolls over the row: its type, rounding and flags are decided once, when the text is decoded.

mod compare;
mod convert;
mod float;
mod int;

use super::types::{Kind, Ty, mask};
use super::words::Words;

/// Lanes of a warp.
pub(super) const LANES: usize = 32;
/// A register: a word for each lane.
pub(super) type Row = [u64; LANES];
/// Sources of an instruction, at most.
pub(super) const SOURCES: usize = 4;
/// What becomes of the sources' rows.
pub(super) type Lanes = Box<dyn Fn(&mut Row, [&Row; SOURCES]) + Send + Sync>;

/// An instruction that each lane does alone.
pub(super) struct Elementwise {
    pub dst: Ty,
    /// The types of the sources, for constants.
    pub srcs: Vec<Ty>,
    pub lanes: Lanes,
    /// The second result: a predicate behind `|`.
    pub second: Option<Lanes>,
    /// What becomes of the carry flag. The carry that comes in is one more source.
    pub carry: Option<Lanes>,
    pub takes_carry: bool,
}

impl Elementwise {
    fn new(dst: Ty, srcs: &[Ty], lanes: Lanes) -> Elementwise {
        Elementwise { dst, srcs: srcs.to_vec(), lanes, second: None, carry: None, takes_carry: false }
    }

    /// Operands of one type.
    fn same(ty: Ty, n: usize, lanes: Lanes) -> Elementwise {
        Elementwise::new(ty, &vec![ty; n], lanes)
    }
}

/// One source.
pub(super) fn one(f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, [a, ..]| {
        for lane in 0..LANES {
            out[lane] = f(a[lane]);
        }
    })
}

/// Two sources.
pub(super) fn two(f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, [a, b, ..]| {
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane]);
        }
    })
}

/// Three sources.
fn three(f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, [a, b, c, _]| {
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane], c[lane]);
        }
    })
}

/// Four sources.
fn four(f: impl Fn(u64, u64, u64, u64) -> u64 + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, [a, b, c, d]| {
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane], c[lane], d[lane]);
        }
    })
}

/// A function of one element, for every element that a register packs.
fn packed1(ty: Ty, f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Lanes {
    let (bits, n) = (ty.bits, ty.packed);
    if n == 1 {
        return one(f);
    }
    one(move |a| (0..n).fold(0, |word, at| word | (f(a >> (at * bits) & mask(bits)) & mask(bits)) << (at * bits)))
}

fn packed2(ty: Ty, f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Lanes {
    let (bits, n) = (ty.bits, ty.packed);
    if n == 1 {
        return two(f);
    }
    two(move |a, b| {
        let part = |x: u64, at: u32| x >> (at * bits) & mask(bits);
        (0..n).fold(0, |word, at| word | (f(part(a, at), part(b, at)) & mask(bits)) << (at * bits))
    })
}

fn packed3(ty: Ty, f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Lanes {
    let (bits, n) = (ty.bits, ty.packed);
    if n == 1 {
        return three(f);
    }
    three(move |a, b, c| {
        let part = |x: u64, at: u32| x >> (at * bits) & mask(bits);
        (0..n).fold(0, |word, at| word | (f(part(a, at), part(b, at), part(c, at)) & mask(bits)) << (at * bits))
    })
}

/// The instruction with this opcode and these words; `None` if each lane does not do it alone, or nobody knows it.
/// Words that it takes are gone from `words`.
pub(super) fn find(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    // Nothing computes with 128 bits.
    if words.has("b128") {
        return None;
    }
    let is_float = |words: &Words<'_>| {
        let mut words = words.clone();
        words.take_all(Ty::of).first().is_some_and(|ty| matches!(ty.kind, Kind::Float(_)))
    };
    match opcode {
        "setp" | "set" => compare::compare(opcode, words),
        "selp" | "slct" => compare::select(opcode, words),
        "testp" => compare::testp(words),
        "cvt" => convert::convert(words),
        "mov" => {
            let ty = words.ty()?;
            Some(Elementwise::same(ty, 1, one(|a| a)))
        }
        "add" | "sub" | "mul" | "mad" | "div" | "abs" | "neg" | "min" | "max" if is_float(words) => {
            float::arithmetic(opcode, words)
        }
        "fma" | "min3" | "max3" => float::arithmetic(opcode, words),
        "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" | "copysign" => float::unary(opcode, words),
        _ => int::find(opcode, words),
    }
}
