//! Integers of more than 64 bits: the arithmetic of `arith.rs` on numbers of any length.
//!
//! A register holds the signed reading of each number, as for narrower ones.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use raddle_ir::{Float, Scalar, float};

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Combine, Contract, Int1, Int2};
use crate::machine::Subgroup;
use crate::ops::arith::{map1, odd};
use crate::regs::{Bank, Reg, Regs};
use crate::round::{self, Round, narrow};

/// The signed reading of the lowest `width` bits.
pub(crate) fn wrap(x: BigInt, width: u32) -> BigInt {
    if x.bits() < u64::from(width) {
        return x;
    }
    let all = BigInt::from(1) << width;
    let low: BigInt = x & (&all - 1);
    if low.bit(u64::from(width) - 1) { low - all } else { low }
}

/// The unsigned reading.
pub(crate) fn unsigned(x: &BigInt, width: u32) -> BigInt {
    if x.sign() == Sign::Minus { x + (BigInt::from(1) << width) } else { x.clone() }
}

/// The order of unsigned readings: numbers below zero have the highest bit.
fn unsigned_order(a: &BigInt, b: &BigInt) -> Ordering {
    let high = |x: &BigInt| x.sign() == Sign::Minus;
    high(a).cmp(&high(b)).then_with(|| a.cmp(b))
}

/// The lowest 64 bits.
pub(crate) fn low_word(x: &BigInt) -> u64 {
    let magnitude = x.iter_u64_digits().next().unwrap_or(0);
    if x.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude }
}

/// Little-endian bytes of the lowest `width` bits.
pub(crate) fn to_bytes(x: &BigInt, width: u32, n_bytes: usize) -> Vec<u8> {
    let mut bytes = unsigned(x, width).to_bytes_le().1;
    bytes.resize(n_bytes, 0);
    bytes
}

#[inline(never)]
pub(crate) fn int2(s: &mut Subgroup, op: Int2, dst: Reg, a: Reg, b: Reg, width: u32) -> Run<()> {
    let regs = &mut s.regs;
    if op == Int2::Carry {
        let mut out = regs.take::<i64>(dst);
        for ((out, a), b) in out.iter_mut().zip(regs.get::<BigInt>(a)).zip(regs.get::<BigInt>(b)) {
            *out = i64::from((unsigned(a, width) + unsigned(b, width)).bits() > u64::from(width));
        }
        regs.put(dst, out);
        return Ok(());
    }
    let lanes = regs.lanes;
    let mut out = regs.take::<BigInt>(dst);
    let (x, y) = (regs.get::<BigInt>(a), regs.get::<BigInt>(b));
    for (at, out) in out.iter_mut().enumerate() {
        match binary(op, &x[at], &y[at], width) {
            Some(value) => *out = value,
            // A lane that is off computes nothing that counts.
            None if s.mask >> (at % lanes) & 1 == 0 => *out = BigInt::ZERO,
            None => {
                let by = if y[at] == BigInt::ZERO { "zero".to_owned() } else { y[at].to_string() };
                let message = format!("{} is divided by {by}", x[at]);
                return Err(Fault::new(Kind::Undefined, Some(at % lanes), message));
            }
        }
    }
    s.regs.put(dst, out);
    Ok(())
}

/// One operation; `None` where it has no result.
fn binary(op: Int2, a: &BigInt, b: &BigInt, width: u32) -> Option<BigInt> {
    let (ua, ub) = (|| unsigned(a, width), || unsigned(b, width));
    let zero = *b == BigInt::ZERO;
    // A shift by the width or more is poison; zero stands in.
    let shift = || u32::try_from(b).ok().filter(|&shift| shift < width);
    let overflows = || *b == BigInt::from(-1) && a.bits() == u64::from(width);
    let value = match op {
        Int2::Add => a + b,
        Int2::Sub => a - b,
        Int2::Mul => a * b,
        Int2::And => a & b,
        Int2::Or => a | b,
        Int2::Xor => a ^ b,
        Int2::Shl => shift().map_or(BigInt::ZERO, |shift| a << shift),
        Int2::ShrS => shift().map_or(BigInt::ZERO, |shift| a >> shift),
        Int2::ShrU => shift().map_or(BigInt::ZERO, |shift| ua() >> shift),
        Int2::MaxS => a.max(b).clone(),
        Int2::MinS => a.min(b).clone(),
        Int2::MaxU => if unsigned_order(a, b).is_ge() { a } else { b }.clone(),
        Int2::MinU => if unsigned_order(a, b).is_le() { a } else { b }.clone(),
        Int2::HighS => (a * b) >> width,
        Int2::HighU => (ua() * ub()) >> width,
        Int2::Power => power(a, b, width),
        _ if zero => return None,
        Int2::DivU => ua() / ub(),
        Int2::RemU => ua() % ub(),
        Int2::CeilDivU => (ua() + ub() - 1) / ub(),
        Int2::RemS => a % b,
        Int2::ModE => ((a % b) + b) % b,
        _ if overflows() => return None,
        Int2::DivS => a / b,
        Int2::FloorDivS | Int2::CeilDivS => {
            let (quotient, exact) = (a / b, (a % b) == BigInt::ZERO);
            let negative = (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
            match (op, exact, negative) {
                (Int2::FloorDivS, false, true) => quotient - 1,
                (Int2::CeilDivS, false, false) => quotient + 1,
                _ => quotient,
            }
        }
        Int2::Carry => unreachable!("a carry is a bit"),
    };
    Some(wrap(value, width))
}

/// Modulo 2^width; a negative exponent leaves the integer part of the reciprocal, zero for a base of zero.
fn power(a: &BigInt, b: &BigInt, width: u32) -> BigInt {
    let (one, minus) = (BigInt::from(1), BigInt::from(-1));
    if b.sign() != Sign::Minus {
        return unsigned(a, width).modpow(b, &(&one << width));
    }
    match a {
        a if *a == one => one,
        a if *a == minus => {
            if b.bit(0) {
                minus
            } else {
                one
            }
        }
        _ => BigInt::ZERO,
    }
}

/// Combines numbers one pair at a time.
pub(crate) fn combine(op: Int2, width: u32) -> impl Fn(BigInt, BigInt) -> BigInt + Copy {
    move |a, b| binary(op, &a, &b, width).expect("no reduction divides")
}

#[inline(never)]
pub(crate) fn int1(s: &mut Subgroup, op: Int1, dst: Reg, a: Reg, width: u32) {
    let n_bits = u64::from(width);
    map1(&mut s.regs, dst, a, |x: BigInt| match op {
        Int1::Abs => wrap(BigInt::from(x.magnitude().clone()), width),
        Int1::LeadingZeros => BigInt::from(n_bits - unsigned(&x, width).bits()),
        Int1::TrailingZeros => BigInt::from(x.trailing_zeros().unwrap_or(n_bits)),
        Int1::Ones => BigInt::from(unsigned(&x, width).magnitude().count_ones()),
    });
}

#[inline(never)]
pub(crate) fn cmpi(s: &mut Subgroup, predicate: u8, dst: Reg, a: Reg, b: Reg) {
    let regs = &mut s.regs;
    let mut out = regs.take::<i64>(dst);
    for ((out, a), b) in out.iter_mut().zip(regs.get::<BigInt>(a)).zip(regs.get::<BigInt>(b)) {
        let order = if predicate < 6 { a.cmp(b) } else { unsigned_order(a, b) };
        *out = i64::from(match predicate {
            0 => order.is_eq(),
            1 => order.is_ne(),
            2 | 6 => order.is_lt(),
            3 | 7 => order.is_le(),
            4 | 8 => order.is_gt(),
            _ => order.is_ge(),
        });
    }
    regs.put(dst, out);
}

#[inline(never)]
pub(crate) fn int_cast(s: &mut Subgroup, dst: Reg, a: Reg, signed: bool, from: u32, to: u32) {
    let regs = &mut s.regs;
    match (a.bank, dst.bank) {
        (Bank::Wide, Bank::Wide) if signed => map1(regs, dst, a, |x: BigInt| wrap(x, to)),
        (Bank::Wide, Bank::Wide) => map1(regs, dst, a, |x: BigInt| wrap(unsigned(&x, from), to)),
        (Bank::Wide, _) => map1(regs, dst, a, |x: BigInt| round::wrap(low_word(&x) as i64, to)),
        _ if signed => map1(regs, dst, a, |x: i64| BigInt::from(round::signed(x, from))),
        _ => map1(regs, dst, a, |x: i64| BigInt::from(round::unsigned(x, from))),
    }
}

#[inline(never)]
pub(crate) fn int_to_float(s: &mut Subgroup, dst: Reg, a: Reg, signed: bool, width: u32, round: Round) {
    let read = |x: BigInt| if signed { x } else { unsigned(&x, width) };
    match dst.bank {
        Bank::F64 => map1(&mut s.regs, dst, a, |x: BigInt| nearest(&read(x))),
        _ => map1(&mut s.regs, dst, a, |x: BigInt| narrow(round, to_float(&read(x), odd))),
    }
}

/// The nearest f64.
pub(crate) fn nearest(x: &BigInt) -> f64 {
    to_float(x, |top| top as f64)
}

/// The highest 64 bits as `convert` has them, the last of which also stands for all that follow.
fn to_float(x: &BigInt, convert: impl Fn(u64) -> f64) -> f64 {
    let magnitude = x.magnitude();
    let shift = magnitude.bits().saturating_sub(64);
    let lost = magnitude.trailing_zeros().is_some_and(|zeros| zeros < shift);
    let top = low_word(&BigInt::from(magnitude >> shift)) | u64::from(lost);
    let value = libm::scalbn(convert(top), i32::try_from(shift).unwrap_or(i32::MAX));
    if x.sign() == Sign::Minus { -value } else { value }
}

/// Toward zero; what does not fit is the nearest that does, and NaN is zero.
#[inline(never)]
pub(crate) fn float_to_int(s: &mut Subgroup, dst: Reg, a: Reg, signed: bool, width: u32) {
    let half = BigInt::from(1) << (width - 1);
    let (low, high): (BigInt, BigInt) = if signed { (-&half, half - 1) } else { (BigInt::ZERO, half * 2 - 1) };
    let convert = |x: f64| {
        let value = match x {
            _ if x.is_nan() => BigInt::ZERO,
            _ if x == f64::INFINITY => high.clone(),
            _ if x == f64::NEG_INFINITY => low.clone(),
            _ => whole(x).clamp(low.clone(), high.clone()),
        };
        wrap(value, width)
    };
    match a.bank {
        Bank::F32 => map1(&mut s.regs, dst, a, |x: f32| convert(f64::from(x))),
        _ => map1(&mut s.regs, dst, a, convert),
    }
}

/// The integer part of a finite number.
pub(crate) fn whole(x: f64) -> BigInt {
    // f64: the significand in 52 bits and one that is not written, the exponent above them.
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1075;
    let magnitude = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match exponent {
        ..-52 => BigInt::ZERO,
        -52..0 => magnitude >> exponent.unsigned_abs(),
        0.. => magnitude << exponent.unsigned_abs(),
    };
    if x < 0.0 { -magnitude } else { magnitude }
}

/// The same bits as numbers of another type, where one of the two has more than 64; the first number has the lowest.
#[inline(never)]
pub(crate) fn bitcast(s: &mut Subgroup, dst: Reg, a: Reg, from: Scalar, to: Scalar) {
    let regs = &mut s.regs;
    let lanes = regs.lanes;
    let mask = (BigInt::from(1) << to.bits()) - 1;
    for lane in 0..lanes {
        let mut all = BigInt::ZERO;
        for element in (0..a.len()).rev() {
            all = (all << from.bits()) | word(regs, a, from, element * lanes + lane);
        }
        for element in 0..dst.len() {
            set_word(regs, dst, to, element * lanes + lane, &all & &mask);
            all >>= to.bits();
        }
    }
}

pub(crate) fn word(regs: &Regs, reg: Reg, ty: Scalar, at: usize) -> BigInt {
    let n = reg.at as usize;
    match (ty, reg.bank) {
        (_, Bank::Wide) => unsigned(&regs.wides[n][at], ty.bits()),
        (Scalar::Float(float), Bank::F32) => float::encode(float, f64::from(regs.f32s[n][at])).into(),
        (Scalar::Float(float), _) => float::encode(float, regs.f64s[n][at]).into(),
        _ => round::unsigned(regs.ints[n][at], ty.bits()).into(),
    }
}

pub(crate) fn set_word(regs: &mut Regs, reg: Reg, ty: Scalar, at: usize, word: BigInt) {
    let n = reg.at as usize;
    let decoded = |float: Float| float::decode(float, low_word(&word));
    match (ty, reg.bank) {
        (_, Bank::Wide) => regs.wides[n][at] = wrap(word, ty.bits()),
        (Scalar::Float(float), Bank::F32) => regs.f32s[n][at] = decoded(float) as f32,
        (Scalar::Float(float), _) => regs.f64s[n][at] = decoded(float),
        _ => regs.ints[n][at] = round::wrap(low_word(&word) as i64, ty.bits()),
    }
}

/// A contraction of wide numbers, in order of k.
#[inline(never)]
pub(crate) fn contract(regs: &mut Regs, inst: &Contract) {
    let (Combine::Int(multiply, width), Combine::Int(add, _)) = (inst.multiply, inst.combine) else {
        unreachable!("the decoder compared the banks")
    };
    let (multiply, add) = (combine(multiply, width), combine(add, width));
    let lanes = regs.lanes;
    let [nb, nm, nn, nk] = inst.extents;
    let mut out = regs.take::<BigInt>(inst.dst);
    let at = |reg: Reg, table: &[u32], place: usize, lane: usize| {
        &regs.wides[reg.at as usize][table[place] as usize * lanes + lane]
    };
    for lane in 0..lanes {
        for (place, &to) in inst.acc_table.iter().enumerate().take(nb * nm * nn) {
            let (batch, m, n) = (place / (nm * nn), place / nn % nm, place % nn);
            let sum = (0..nk).fold(at(inst.acc, &inst.acc_table, place, lane).clone(), |sum, k| {
                let lhs = at(inst.lhs, &inst.lhs_table, (batch * nm + m) * nk + k, lane);
                let rhs = at(inst.rhs, &inst.rhs_table, (batch * nk + k) * nn + n, lane);
                add(sum, multiply(lhs.clone(), rhs.clone()))
            });
            out[to as usize * lanes + lane] = sum;
        }
    }
    regs.put(inst.dst, out);
}
