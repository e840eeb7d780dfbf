//! Elementary functions: computed in double precision by libm, and rounded once.

use crate::inst::Float1;
use crate::machine::Subgroup;
use crate::ops::arith::map1;
use crate::regs::{Bank, Num, Reg};
use crate::round::{Round, narrow};

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
    }
}
