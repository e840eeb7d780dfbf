//! Arithmetic on each element: the loop over elements and lanes is innermost, one for each function.

use raddle_ir::float;
use raddle_ir::{Float, Scalar};

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Combine, Float2, Int1, Int2};
use crate::machine::Subgroup;
use crate::ops::wide;
use crate::regs::{Bank, Num, Reg, Regs};
use crate::round::{Round, fma_odd, narrow, signed, unsigned, wrap_all};

#[inline(always)]
pub(super) fn map1<A: Num, T: Num>(regs: &mut Regs, dst: Reg, a: Reg, f: impl Fn(A) -> T) {
    let mut out = regs.take::<T>(dst);
    for (out, a) in out.iter_mut().zip(regs.get::<A>(a)) {
        *out = f(a.clone());
    }
    regs.put(dst, out);
}

#[inline(always)]
fn map2<A: Num + Copy, T: Num>(regs: &mut Regs, dst: Reg, a: Reg, b: Reg, f: impl Fn(A, A) -> T) {
    let mut out = regs.take::<T>(dst);
    let (a, b) = (regs.get::<A>(a), regs.get::<A>(b));
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = f(a, b);
    }
    regs.put(dst, out);
}

pub(crate) fn float2(s: &mut Subgroup, op: Float2, dst: Reg, a: Reg, b: Reg, round: Round) {
    let regs = &mut s.regs;
    if dst.bank == Bank::F64 {
        let f = |f: fn(f64, f64) -> f64| f;
        match op {
            Float2::Add => map2(regs, dst, a, b, |a: f64, b: f64| a + b),
            Float2::Sub => map2(regs, dst, a, b, |a: f64, b: f64| a - b),
            Float2::Mul => map2(regs, dst, a, b, |a: f64, b: f64| a * b),
            Float2::Div => map2(regs, dst, a, b, |a: f64, b: f64| a / b),
            op => {
                let f = f(double(op));
                map2(regs, dst, a, b, f);
            }
        }
        return;
    }
    // A product or quotient of these formats may be subnormal in f32, and would be rounded twice.
    let twice = !matches!(round, Round::Keep | Round::F16);
    match op {
        Float2::Add => map2(regs, dst, a, b, |a: f32, b: f32| a + b),
        Float2::Sub => map2(regs, dst, a, b, |a: f32, b: f32| a - b),
        Float2::Mul if !twice => map2(regs, dst, a, b, |a: f32, b: f32| a * b),
        Float2::Div if !twice => map2(regs, dst, a, b, |a: f32, b: f32| a / b),
        Float2::Maximum => return map2(regs, dst, a, b, maximum::<f32>),
        Float2::Minimum => return map2(regs, dst, a, b, minimum::<f32>),
        Float2::MaxNum => return map2(regs, dst, a, b, max_num::<f32>),
        Float2::MinNum => return map2(regs, dst, a, b, min_num::<f32>),
        Float2::CopySign => return map2(regs, dst, a, b, f32::copysign),
        op @ (Float2::Mul | Float2::Div | Float2::Rem | Float2::Pow | Float2::Atan2) => {
            let f = double(op);
            return map2(regs, dst, a, b, |a: f32, b: f32| narrow(round, f(f64::from(a), f64::from(b))));
        }
    }
    round.apply_all(&mut f32::bank_mut(regs)[dst.at as usize]);
}

/// A function in double precision.
fn double(op: Float2) -> fn(f64, f64) -> f64 {
    match op {
        Float2::Add => |a, b| a + b,
        Float2::Sub => |a, b| a - b,
        Float2::Mul => |a, b| a * b,
        Float2::Div => |a, b| a / b,
        Float2::Rem => |a, b| a % b,
        Float2::Maximum => maximum::<f64>,
        Float2::Minimum => minimum::<f64>,
        Float2::MaxNum => max_num::<f64>,
        Float2::MinNum => min_num::<f64>,
        Float2::Pow => libm::pow,
        Float2::Atan2 => libm::atan2,
        Float2::CopySign => f64::copysign,
    }
}

/// What the comparison of floats needs.
pub(crate) trait Real: Num + Copy + PartialOrd {
    fn negative(self) -> bool;
}

impl Real for f32 {
    #[inline(always)]
    fn negative(self) -> bool {
        self.is_sign_negative()
    }
}

impl Real for f64 {
    #[inline(always)]
    fn negative(self) -> bool {
        self.is_sign_negative()
    }
}

/// NaN wins; of two zeros the positive one.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn maximum<T: Real>(a: T, b: T) -> T {
    if a != a || (b == b && (a > b || (a == b && !a.negative()))) { a } else { b }
}

/// NaN wins; of two zeros the negative one.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn minimum<T: Real>(a: T, b: T) -> T {
    if a != a || (b == b && (a < b || (a == b && a.negative()))) { a } else { b }
}

/// NaN loses.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn max_num<T: Real>(a: T, b: T) -> T {
    if b != b || a > b || (a == b && !a.negative()) { a } else { b }
}

/// NaN loses.
#[inline(always)]
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn min_num<T: Real>(a: T, b: T) -> T {
    if b != b || a < b || (a == b && a.negative()) { a } else { b }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma(s: &mut Subgroup, dst: Reg, [a, b, c]: [Reg; 3], round: Round) {
    let regs = &mut s.regs;
    if dst.bank == Bank::F64 {
        let mut out = regs.take::<f64>(dst);
        let (a, b, c) = (regs.get::<f64>(a), regs.get::<f64>(b), regs.get::<f64>(c));
        for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
            *out = libm::fma(a, b, c);
        }
        return regs.put(dst, out);
    }
    let mut out = regs.take::<f32>(dst);
    let (a, b, c) = (regs.get::<f32>(a), regs.get::<f32>(b), regs.get::<f32>(c));
    match round {
        Round::Keep => {
            for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
                *out = fma_odd(a, b, c) as f32;
            }
        }
        round => {
            for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
                *out = narrow(round, fma_odd(a, b, c));
            }
        }
    }
    regs.put(dst, out);
}

pub(crate) fn int2(s: &mut Subgroup, op: Int2, dst: Reg, a: Reg, b: Reg, width: u32) -> Run<()> {
    if a.bank == Bank::Wide {
        return wide::int2(s, op, dst, a, b, width);
    }
    let regs = &mut s.regs;
    match op {
        Int2::Add => map2(regs, dst, a, b, |a: i64, b: i64| a.wrapping_add(b)),
        Int2::Sub => map2(regs, dst, a, b, |a: i64, b: i64| a.wrapping_sub(b)),
        Int2::Mul => map2(regs, dst, a, b, |a: i64, b: i64| a.wrapping_mul(b)),
        Int2::And => {
            map2(regs, dst, a, b, |a: i64, b: i64| a & b);
            return Ok(());
        }
        Int2::Or => {
            map2(regs, dst, a, b, |a: i64, b: i64| a | b);
            return Ok(());
        }
        Int2::Xor => {
            map2(regs, dst, a, b, |a: i64, b: i64| a ^ b);
            return Ok(());
        }
        Int2::MaxS if width > 1 => {
            map2(regs, dst, a, b, |a: i64, b: i64| a.max(b));
            return Ok(());
        }
        Int2::MinS if width > 1 => {
            map2(regs, dst, a, b, |a: i64, b: i64| a.min(b));
            return Ok(());
        }
        Int2::ShrS if width == 64 => map2(regs, dst, a, b, |a: i64, b: i64| if (b as u64) < 64 { a >> b } else { 0 }),
        op @ (Int2::MaxS | Int2::MinS | Int2::MaxU | Int2::MinU | Int2::Shl | Int2::ShrS | Int2::ShrU) => {
            map2(regs, dst, a, b, |a: i64, b: i64| shift_or_order(op, a, b, width));
        }
        op @ (Int2::HighS | Int2::HighU | Int2::Carry | Int2::Power) => {
            map2(regs, dst, a, b, |a: i64, b: i64| beyond(op, a, b, width));
            // A carry is a bit of its own.
            let width = if op == Int2::Carry { 1 } else { width };
            wrap_all(&mut i64::bank_mut(regs)[dst.at as usize], width);
            return Ok(());
        }
        op => {
            let mut out = regs.take::<i64>(dst);
            let n = regs.lanes;
            let mut bad = None;
            {
                let (a, b) = (regs.get::<i64>(a), regs.get::<i64>(b));
                for (at, out) in out.iter_mut().enumerate() {
                    match divide(op, a[at], b[at], width) {
                        Some(value) => *out = value,
                        // A lane that is off computes nothing that counts.
                        None if s.mask >> (at % n) & 1 == 0 => *out = 0,
                        None => {
                            bad = Some(at);
                            break;
                        }
                    }
                }
            }
            if let Some(at) = bad {
                let (x, y) = (regs.get::<i64>(a)[at], regs.get::<i64>(b)[at]);
                let message = if y == 0 { format!("{x} is divided by zero") } else { format!("{x} is divided by {y}") };
                return Err(Fault::new(Kind::Undefined, Some(at % n), message));
            }
            regs.put(dst, out);
        }
    }
    wrap_all(&mut i64::bank_mut(&mut s.regs)[dst.at as usize], width);
    Ok(())
}

/// Results that need more bits than the operands have.
fn beyond(op: Int2, a: i64, b: i64, width: u32) -> i64 {
    let (ua, ub) = (u128::from(unsigned(a, width)), u128::from(unsigned(b, width)));
    match op {
        Int2::HighS => ((i128::from(signed(a, width)) * i128::from(signed(b, width))) >> width) as i64,
        Int2::HighU => ((ua * ub) >> width) as i64,
        Int2::Carry => i64::from((ua + ub) >> width != 0),
        _ => integer_power(signed(a, width), signed(b, width)),
    }
}

/// Modulo 2^64; a negative exponent leaves the integer part of the reciprocal, zero for a base of zero.
fn integer_power(a: i64, b: i64) -> i64 {
    match (a, b) {
        (1, ..0) => 1,
        (-1, ..0) => {
            if b % 2 == 0 {
                1
            } else {
                -1
            }
        }
        (_, ..0) => 0,
        _ => {
            let (mut result, mut square, mut left) = (1i64, a, b);
            while left > 0 {
                if left & 1 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                left >>= 1;
            }
            result
        }
    }
}

#[inline(never)]
pub(crate) fn int1(s: &mut Subgroup, op: Int1, dst: Reg, a: Reg, width: u32) {
    if a.bank == Bank::Wide {
        return wide::int1(s, op, dst, a, width);
    }
    let regs = &mut s.regs;
    let width64 = i64::from(width);
    match op {
        Int1::Abs => map1(regs, dst, a, |x: i64| signed(x, width).wrapping_abs()),
        Int1::LeadingZeros => {
            map1(regs, dst, a, |x: i64| i64::from(unsigned(x, width).leading_zeros()) - (64 - width64));
        }
        Int1::TrailingZeros => map1(regs, dst, a, |x: i64| i64::from(unsigned(x, width).trailing_zeros()).min(width64)),
        Int1::Ones => map1(regs, dst, a, |x: i64| i64::from(unsigned(x, width).count_ones())),
    }
    wrap_all(&mut i64::bank_mut(regs)[dst.at as usize], width);
}

fn shift_or_order(op: Int2, a: i64, b: i64, width: u32) -> i64 {
    // A shift by the width or more is poison; zero stands in.
    let shift = unsigned(b, width);
    let inside = shift < u64::from(width);
    match op {
        Int2::MaxS => {
            if signed(a, width) >= signed(b, width) {
                a
            } else {
                b
            }
        }
        Int2::MinS => {
            if signed(a, width) <= signed(b, width) {
                a
            } else {
                b
            }
        }
        Int2::MaxU => {
            if unsigned(a, width) >= unsigned(b, width) {
                a
            } else {
                b
            }
        }
        Int2::MinU => {
            if unsigned(a, width) <= unsigned(b, width) {
                a
            } else {
                b
            }
        }
        Int2::Shl if inside => a << shift,
        Int2::ShrS if inside => signed(a, width) >> shift,
        Int2::ShrU if inside => (unsigned(a, width) >> shift) as i64,
        _ => 0,
    }
}

/// Division and its relatives; `None` where there is no result.
fn divide(op: Int2, a: i64, b: i64, width: u32) -> Option<i64> {
    let (ua, ub) = (unsigned(a, width), unsigned(b, width));
    let (a, b) = (signed(a, width), signed(b, width));
    let least = if width >= 64 { i64::MIN } else { -(1 << (width - 1)) };
    match op {
        Int2::DivU => ua.checked_div(ub).map(|q| q as i64),
        Int2::RemU => ua.checked_rem(ub).map(|r| r as i64),
        Int2::CeilDivU => (ub != 0).then(|| ua.div_ceil(ub) as i64),
        // Affine arithmetic divides by positive numbers only.
        Int2::ModE => (b > 0).then(|| a.rem_euclid(b)),
        Int2::RemS if b == -1 => Some(0),
        Int2::RemS => a.checked_rem(b),
        _ if a == least && b == -1 => None,
        Int2::DivS => a.checked_div(b),
        Int2::FloorDivS => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        Int2::CeilDivS => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) == (b < 0) { q + 1 } else { q }),
        _ => None,
    }
}

pub(crate) fn cmpi(s: &mut Subgroup, predicate: u8, dst: Reg, a: Reg, b: Reg, width: u32) {
    if a.bank == Bank::Wide {
        return wide::cmpi(s, predicate, dst, a, b);
    }
    let regs = &mut s.regs;
    let sign = |x: i64| if width == 1 { signed(x, 1) } else { x };
    // Sign-extended numbers of one width keep their unsigned order as 64-bit words.
    match predicate {
        0 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(a == b)),
        1 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(a != b)),
        2 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(sign(a) < sign(b))),
        3 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(sign(a) <= sign(b))),
        4 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(sign(a) > sign(b))),
        5 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(sign(a) >= sign(b))),
        6 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from((a as u64) < b as u64)),
        7 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(a as u64 <= b as u64)),
        8 => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(a as u64 > b as u64)),
        _ => map2(regs, dst, a, b, |a: i64, b: i64| i64::from(a as u64 >= b as u64)),
    }
}

pub(crate) fn cmpf(s: &mut Subgroup, predicate: u8, dst: Reg, a: Reg, b: Reg) {
    match a.bank {
        Bank::F32 => compare::<f32>(&mut s.regs, predicate, dst, a, b),
        _ => compare::<f64>(&mut s.regs, predicate, dst, a, b),
    }
}

/// For which outcomes a predicate of MLIR's numbering holds: 1 equal, 2 greater, 4 less, 8 unordered.
fn outcomes(predicate: u8) -> u8 {
    match predicate {
        // The ordered ones are numbered by their outcomes.
        0..8 => predicate,
        // ueq, ugt, uge, ult, ule, une: what the ordered one takes, and unordered.
        8..14 => predicate + 1,
        14 => 8,
        _ => 15,
    }
}

fn compare<T: Real>(regs: &mut Regs, predicate: u8, dst: Reg, a: Reg, b: Reg) {
    match predicate {
        // The common ordered ones have loops of their own.
        1 => map2(regs, dst, a, b, |a: T, b: T| i64::from(a == b)),
        2 => map2(regs, dst, a, b, |a: T, b: T| i64::from(a > b)),
        3 => map2(regs, dst, a, b, |a: T, b: T| i64::from(a >= b)),
        4 => map2(regs, dst, a, b, |a: T, b: T| i64::from(a < b)),
        5 => map2(regs, dst, a, b, |a: T, b: T| i64::from(a <= b)),
        predicate => {
            let holds = outcomes(predicate);
            map2(regs, dst, a, b, |a: T, b: T| {
                let outcome = if a == b {
                    1
                } else if a > b {
                    2
                } else if a < b {
                    4
                } else {
                    8
                };
                i64::from(holds & outcome != 0)
            });
        }
    }
}

#[inline(never)]
pub(crate) fn float_cast(s: &mut Subgroup, dst: Reg, a: Reg, round: Round) {
    let regs = &mut s.regs;
    match (a.bank, dst.bank) {
        (Bank::F32, Bank::F32) => {
            map1(regs, dst, a, |x: f32| x);
            round.apply_all(&mut f32::bank_mut(regs)[dst.at as usize]);
        }
        (Bank::F64, Bank::F32) => map1(regs, dst, a, |x: f64| narrow(round, x)),
        (Bank::F32, _) => map1(regs, dst, a, |x: f32| f64::from(x)),
        _ => map1(regs, dst, a, |x: f64| x),
    }
}

#[inline(never)]
pub(crate) fn int_cast(s: &mut Subgroup, dst: Reg, a: Reg, is_signed: bool, from: u32, to: u32) {
    if a.bank == Bank::Wide || dst.bank == Bank::Wide {
        return wide::int_cast(s, dst, a, is_signed, from, to);
    }
    let regs = &mut s.regs;
    if is_signed {
        map1(regs, dst, a, |x: i64| signed(x, from));
    } else {
        map1(regs, dst, a, |x: i64| unsigned(x, from) as i64);
    }
    wrap_all(&mut i64::bank_mut(regs)[dst.at as usize], to);
}

#[inline(never)]
pub(crate) fn int_to_float(s: &mut Subgroup, dst: Reg, a: Reg, is_signed: bool, width: u32, round: Round) {
    if a.bank == Bank::Wide {
        return wide::int_to_float(s, dst, a, is_signed, width, round);
    }
    let regs = &mut s.regs;
    let exact = width <= 53;
    match (dst.bank, is_signed) {
        (Bank::F64, true) => map1(regs, dst, a, |x: i64| signed(x, width) as f64),
        (Bank::F64, false) => map1(regs, dst, a, |x: i64| unsigned(x, width) as f64),
        (_, true) if exact => map1(regs, dst, a, |x: i64| narrow(round, signed(x, width) as f64)),
        (_, false) if exact => map1(regs, dst, a, |x: i64| narrow(round, unsigned(x, width) as f64)),
        (_, true) => map1(regs, dst, a, |x: i64| {
            let magnitude = narrow(round, odd(signed(x, width).unsigned_abs()));
            if x < 0 { -magnitude } else { magnitude }
        }),
        (_, false) => map1(regs, dst, a, |x: i64| narrow(round, odd(unsigned(x, width)))),
    }
}

/// A large integer with its last bits gathered into one, so that rounding it again sees whether it was exact.
pub(super) fn odd(x: u64) -> f64 {
    if x >> 53 == 0 { x as f64 } else { ((x >> 11 | u64::from(x & 0x7ff != 0)) as f64) * 2048.0 }
}

/// Toward zero; what does not fit is the nearest that does, and NaN is zero.
#[inline(never)]
pub(crate) fn float_to_int(s: &mut Subgroup, dst: Reg, a: Reg, is_signed: bool, width: u32) {
    if dst.bank == Bank::Wide {
        return wide::float_to_int(s, dst, a, is_signed, width);
    }
    // What does not fit a register of 32 or 64 bits saturates, and a narrower type keeps the low bits, as machines do.
    // MLIR leaves both undefined, and PyTorch and JAX convert to bytes without a sign by this operation.
    let (low, high) = match (is_signed, width) {
        (true, ..=32) => (f64::from(i32::MIN), f64::from(i32::MAX)),
        (true, width @ 33..64) => (-((1i64 << (width - 1)) as f64), ((1i64 << (width - 1)) - 1) as f64),
        (true, 64..) => (i64::MIN as f64, i64::MAX as f64),
        (false, ..=32) => (0.0, f64::from(u32::MAX)),
        (false, width @ 33..64) => (0.0, ((1u64 << width) - 1) as f64),
        (false, 64..) => (0.0, u64::MAX as f64),
    };
    let convert = |x: f64| {
        let x = if x.is_nan() { 0.0 } else { x.clamp(low, high) };
        if is_signed { x as i64 } else { x as u64 as i64 }
    };
    let regs = &mut s.regs;
    match a.bank {
        Bank::F32 => map1(regs, dst, a, |x: f32| convert(f64::from(x))),
        _ => map1(regs, dst, a, convert),
    }
    wrap_all(&mut i64::bank_mut(regs)[dst.at as usize], width);
}

/// The same bits as numbers of another type. Where the types differ in width, the first number has the lowest bits, and
/// an element of the wider one stands for several of the other.
///
/// At wide precision a number has the bits of the nearest one of its type.
#[inline(never)]
pub(crate) fn bitcast(s: &mut Subgroup, dst: Reg, a: Reg, from: Scalar, to: Scalar) {
    if a.bank == Bank::Wide || dst.bank == Bank::Wide {
        return wide::bitcast(s, dst, a, from, to);
    }
    let regs = &mut s.regs;
    let words: Vec<u64> = match (from, a.bank) {
        (Scalar::Float(Float::F32), Bank::F32) => regs.get::<f32>(a).iter().map(|x| u64::from(x.to_bits())).collect(),
        (Scalar::Float(float), Bank::F32) => {
            regs.get::<f32>(a).iter().map(|&x| float::encode(float, f64::from(x))).collect()
        }
        (Scalar::Float(float), _) => regs.get::<f64>(a).iter().map(|&x| float::encode(float, x)).collect(),
        _ => regs.get::<i64>(a).iter().map(|&x| unsigned(x, from.bits())).collect(),
    };
    let words = if from.bits() == to.bits() { words } else { repack(&words, regs.lanes, from.bits(), to.bits()) };
    match (to, dst.bank) {
        (Scalar::Float(Float::F32), Bank::F32) => {
            regs.f32s[dst.at as usize].iter_mut().zip(words).for_each(|(out, word)| *out = f32::from_bits(word as u32));
        }
        (Scalar::Float(float), Bank::F32) => {
            let out = &mut regs.f32s[dst.at as usize];
            out.iter_mut().zip(words).for_each(|(out, word)| *out = float::decode(float, word) as f32);
        }
        (Scalar::Float(float), _) => {
            let out = &mut regs.f64s[dst.at as usize];
            out.iter_mut().zip(words).for_each(|(out, word)| *out = float::decode(float, word));
        }
        _ => {
            let out = &mut regs.ints[dst.at as usize];
            out.iter_mut().zip(words).for_each(|(out, word)| *out = word as i64);
            wrap_all(out, to.bits());
        }
    }
}

/// Each lane's words as one string of bits, cut into words of another width.
fn repack(words: &[u64], lanes: usize, from: u32, to: u32) -> Vec<u64> {
    let n = words.len() / lanes * from as usize / to as usize;
    let mut out = vec![0; n * lanes];
    for lane in 0..lanes {
        let bit = |at: usize| words[at / from as usize * lanes + lane] >> (at % from as usize) & 1;
        for (element, word) in out.iter_mut().skip(lane).step_by(lanes).enumerate() {
            let first = element * to as usize;
            *word = (0..to as usize).rev().fold(0, |word, at| word << 1 | bit(first + at));
        }
    }
    out
}

/// Combines numbers one pair at a time, each result brought back to its type.
pub(crate) fn combine_f32(op: Float2, round: Round) -> impl Fn(f32, f32) -> f32 + Copy {
    let f = double(op);
    move |a, b| match (op, round) {
        (Float2::Add, Round::Keep) => a + b,
        (Float2::Mul, Round::Keep) => a * b,
        (Float2::MaxNum, _) => max_num(a, b),
        (Float2::Maximum, _) => maximum(a, b),
        (_, round) => narrow(round, f(f64::from(a), f64::from(b))),
    }
}

/// The same in double precision.
pub(crate) fn combine_f64(op: Float2) -> impl Fn(f64, f64) -> f64 + Copy {
    double(op)
}

/// The same for integers.
pub(crate) fn combine_int(op: Int2, width: u32) -> impl Fn(i64, i64) -> i64 + Copy {
    move |a, b| {
        let value = match op {
            Int2::Add => a.wrapping_add(b),
            Int2::Mul => a.wrapping_mul(b),
            Int2::And => a & b,
            Int2::Or => a | b,
            Int2::Xor => a ^ b,
            op => shift_or_order(op, a, b, width),
        };
        crate::round::wrap(value, width)
    }
}

/// Calls a function that takes the bank's combining function.
macro_rules! with_combine {
    ($combine:expr, $bank:expr, $call:ident($($arg:expr),* $(,)?)) => {
        match ($combine, $bank) {
            ($crate::inst::Combine::Int(op, width), $crate::regs::Bank::Wide) => {
                $call::<num_bigint::BigInt, _>($($arg,)* $crate::ops::wide::combine(op, width))
            }
            ($crate::inst::Combine::Int(op, width), _) => {
                $call::<i64, _>($($arg,)* $crate::ops::arith::combine_int(op, width))
            }
            ($crate::inst::Combine::Float(op, round), $crate::regs::Bank::F32) => {
                $call::<f32, _>($($arg,)* $crate::ops::arith::combine_f32(op, round))
            }
            ($crate::inst::Combine::Float(op, _), _) => {
                $call::<f64, _>($($arg,)* $crate::ops::arith::combine_f64(op))
            }
        }
    };
}
pub(crate) use with_combine;

/// Whether a reduction is a plain sum, which has fast loops.
pub(crate) fn is_plain_sum(multiply: Combine, combine: Combine) -> bool {
    matches!(
        (multiply, combine),
        (Combine::Float(Float2::Mul, Round::Keep), Combine::Float(Float2::Add, Round::Keep))
            | (Combine::Int(Int2::Mul, _), Combine::Int(Int2::Add, _))
    )
}
