//! Elementary functions: computed in double precision by libm, and rounded once.

use crate::inst::{Float1, Test};
use crate::machine::Subgroup;
use crate::ops::arith::map1;
use crate::regs::{Bank, Num, Reg};
use crate::round::{Round, narrow};

#[inline(never)]
pub(crate) fn float1(s: &mut Subgroup, op: Float1, dst: Reg, a: Reg, round: Round) {
    let regs = &mut s.regs;
    if dst.bank == Bank::F64 {
        return map1(regs, dst, a, wide(op));
    }
    match op {
        // These are exact.
        Float1::Neg => map1(regs, dst, a, |x: f32| -x),
        Float1::Abs => map1(regs, dst, a, f32::abs),
        Float1::Floor => map1(regs, dst, a, f32::floor),
        Float1::Ceil => map1(regs, dst, a, f32::ceil),
        // Correctly rounded in f32, and so in every narrower format.
        Float1::Sqrt => {
            map1(regs, dst, a, f32::sqrt);
            round.apply_all(&mut f32::bank_mut(regs)[dst.at as usize]);
        }
        op => {
            let f = wide(op);
            map1(regs, dst, a, |x: f32| narrow(round, f(f64::from(x))));
        }
    }
}

fn wide(op: Float1) -> fn(f64) -> f64 {
    match op {
        Float1::Neg => |x| -x,
        Float1::Abs => f64::abs,
        Float1::Exp => libm::exp,
        Float1::Exp2 => libm::exp2,
        Float1::Log => libm::log,
        Float1::Log2 => libm::log2,
        Float1::Sqrt => f64::sqrt,
        Float1::Rsqrt => |x| 1.0 / x.sqrt(),
        Float1::Tanh => libm::tanh,
        Float1::Erf => libm::erf,
        Float1::Sin => libm::sin,
        Float1::Cos => libm::cos,
        Float1::Floor => f64::floor,
        Float1::Ceil => f64::ceil,
        Float1::Acos => libm::acos,
        // libm has numbers for what lies outside of the domain.
        Float1::Acosh => |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        Float1::Asin => libm::asin,
        Float1::Asinh => libm::asinh,
        Float1::Atan => libm::atan,
        Float1::Atanh => libm::atanh,
        Float1::Cbrt => libm::cbrt,
        Float1::Cosh => libm::cosh,
        Float1::Erfc => libm::erfc,
        Float1::ExpM1 => libm::expm1,
        Float1::Log10 => libm::log10,
        Float1::Log1p => libm::log1p,
        Float1::Round => f64::round,
        Float1::RoundEven => f64::round_ties_even,
        Float1::Sinh => libm::sinh,
        Float1::Tan => libm::tan,
        Float1::Trunc => f64::trunc,
    }
}

/// An integer power: squares and products, each rounded to double precision, the result once more.
#[inline(never)]
pub(crate) fn powi(s: &mut Subgroup, dst: Reg, a: Reg, b: Reg, round: Round) {
    let exponents = s.regs.get::<i64>(b).to_vec();
    let regs = &mut s.regs;
    if dst.bank == Bank::F64 {
        let mut out = regs.take::<f64>(dst);
        for ((out, &x), &n) in out.iter_mut().zip(regs.get::<f64>(a)).zip(&exponents) {
            *out = power(x, n);
        }
        return regs.put(dst, out);
    }
    let mut out = regs.take::<f32>(dst);
    for ((out, &x), &n) in out.iter_mut().zip(regs.get::<f32>(a)).zip(&exponents) {
        *out = narrow(round, power(f64::from(x), n));
    }
    regs.put(dst, out);
}

fn power(x: f64, n: i64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, x, n.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    if n < 0 { 1.0 / result } else { result }
}

/// Which numbers are finite, infinite, NaN or normal in their type.
#[inline(never)]
pub(crate) fn test(s: &mut Subgroup, test: Test, dst: Reg, a: Reg, least_normal: f64) {
    let holds = |x: f64| {
        i64::from(match test {
            Test::Finite => x.is_finite(),
            Test::Infinite => x.is_infinite(),
            Test::NaN => x.is_nan(),
            Test::Normal => x.is_finite() && x.abs() >= least_normal,
        })
    };
    match a.bank {
        Bank::F32 => map1(&mut s.regs, dst, a, |x: f32| holds(f64::from(x))),
        _ => map1(&mut s.regs, dst, a, holds),
    }
}
