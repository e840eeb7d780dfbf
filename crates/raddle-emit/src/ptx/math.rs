//! Functions that PTX only approximates, made accurate to a few units in the last place of f32.
//!
//! 16-bit formats compute in f32 and round once more. Errors below are bounds on top of those of the instructions, which
//! PTX ISA gives as 2^-22 (relative) for `ex2.approx` and `rsqrt.approx`. Polynomials are least-maximum fits.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};

use super::convert;
use super::value::{Atom, Cx, Kind, Operand, Reg, float_bits};

/// A function without an exactly rounded instruction.
pub(super) fn compute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (scalar, _) = cx.scalar(op, result)?;
    let float = match scalar {
        Scalar::Float(float @ (Float::F16 | Float::BF16 | Float::F32)) => float,
        _ => return Err(cx.cannot(op, &format!("PTX has no accurate instruction for it on {scalar}"))),
    };
    let atom = cx.atom(cx.ir.operand(op, 0));
    let x = match convert::widen(cx, float, atom) {
        Operand::Reg(reg) => reg,
        Operand::Imm(kind, bits) => cx.reg_of(Atom::Imm(bits), kind),
    };
    let y = match cx.ir.opcode(op) {
        Opcode::MathExp => exp(cx, x),
        Opcode::MathExp2 => f32_op(cx, "ex2.approx.f32", &[x.into()]),
        Opcode::MathLog => log(cx, x, Base::E),
        Opcode::MathLog2 => log(cx, x, Base::Two),
        Opcode::MathRsqrt => f32_op(cx, "rsqrt.approx.f32", &[x.into()]),
        Opcode::MathTanh => tanh(cx, x),
        Opcode::MathSin => sine(cx, x, 0),
        Opcode::MathCos => sine(cx, x, 1),
        _ => return Err(cx.cannot(op, "PTX has no accurate instruction for it")),
    };
    cx.bind(result, if float == Float::F32 { Atom::Reg(y) } else { Atom::Round { source: y, to: float } });
    Ok(())
}

const LOG2_E: [f32; 2] = [std::f32::consts::LOG2_E, 1.925_963e-8];
const LN_2: [f32; 2] = [std::f32::consts::LN_2, -1.904_654_2e-9];
const HALF_PI: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];

fn imm(value: f32) -> Operand {
    Operand::Imm(Kind::F32, float_bits(Float::F32, value.into()))
}

fn word(value: u32) -> Operand {
    Operand::Imm(Kind::B32, value.into())
}

fn f32_op(cx: &mut Cx<'_>, name: &str, operands: &[Operand]) -> Reg {
    cx.compute(name, Kind::F32, operands)
}

fn mul(cx: &mut Cx<'_>, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
    f32_op(cx, "mul.rn.f32", &[a.into(), b.into()])
}

fn fma(cx: &mut Cx<'_>, a: impl Into<Operand>, b: impl Into<Operand>, c: impl Into<Operand>) -> Reg {
    f32_op(cx, "fma.rn.f32", &[a.into(), b.into(), c.into()])
}

/// c0 + x·(c1 + x·(c2 + …))
fn polynomial(cx: &mut Cx<'_>, x: Reg, coefficients: &[f32]) -> Reg {
    let (&last, rest) = coefficients.split_last().expect("a polynomial has coefficients");
    let mut sum = imm(last);
    for &coefficient in rest.iter().rev() {
        sum = fma(cx, x, sum, imm(coefficient)).into();
    }
    match sum {
        Operand::Reg(reg) => reg,
        Operand::Imm(kind, bits) => cx.reg_of(Atom::Imm(bits), kind),
    }
}

/// e^x = 2^n · 2^f with n the integer nearest to x·log2(e), and f the rest, taken from the exact product with log2(e) in
/// two parts. Error at most 2^-21. n stays where 2^n is a float: what is beyond, f takes over, and it overflows or
/// vanishes there as it should.
fn exp(cx: &mut Cx<'_>, x: Reg) -> Reg {
    let product = mul(cx, x, imm(LOG2_E[0]));
    let n = f32_op(cx, "cvt.rni.f32.f32", &[product.into()]);
    let n = f32_op(cx, "min.f32", &[n.into(), imm(127.0)]);
    let n = f32_op(cx, "max.f32", &[n.into(), imm(-149.0)]);
    let minus_n = f32_op(cx, "neg.f32", &[n.into()]);
    let f = fma(cx, x, imm(LOG2_E[0]), minus_n);
    let f = fma(cx, x, imm(LOG2_E[1]), f);
    let power = f32_op(cx, "ex2.approx.ftz.f32", &[f.into()]);
    let scale = f32_op(cx, "ex2.approx.f32", &[n.into()]);
    mul(cx, power, scale)
}

#[derive(Clone, Copy)]
enum Base {
    Two,
    E,
}

/// log(x) = k·log(2) + log(1 + f), with x = 2^k·(1 + f) and 1 + f between 2/3 and 4/3: near x = 1, k is 0 and nothing
/// cancels. Error at most 3 units in the last place.
fn log(cx: &mut Cx<'_>, x: Reg, base: Base) -> Reg {
    // Subnormals first become normal.
    let tiny = cx.compute("setp.lt.f32", Kind::Pred, &[x.into(), imm(f32::MIN_POSITIVE)]);
    let scaled = mul(cx, x, imm(8_388_608.0));
    let normal = f32_op(cx, "selp.f32", &[scaled.into(), x.into(), tiny.into()]);
    let shift = f32_op(cx, "selp.f32", &[imm(-23.0), imm(0.0), tiny.into()]);
    let bits = cx.compute("mov.b32", Kind::B32, &[normal.into()]);
    // 0x3F2AAAAB is 2/3: subtracting it makes the exponent field count from there.
    let above = cx.compute("sub.s32", Kind::B32, &[bits.into(), word(0x3F2A_AAAB)]);
    let exponent = cx.compute("and.b32", Kind::B32, &[above.into(), word(0xFF80_0000)]);
    let mantissa = cx.compute("sub.s32", Kind::B32, &[bits.into(), exponent.into()]);
    let mantissa = cx.compute("mov.b32", Kind::F32, &[mantissa.into()]);
    let k = cx.compute("shr.s32", Kind::B32, &[exponent.into(), word(23)]);
    let k = f32_op(cx, "cvt.rn.f32.s32", &[k.into()]);
    let k = f32_op(cx, "add.rn.f32", &[k.into(), shift.into()]);
    // log(1 + f) = f + f²·(-1/2 + f·P(f))
    let f = f32_op(cx, "add.rn.f32", &[mantissa.into(), imm(-1.0)]);
    let p = polynomial(
        cx,
        f,
        &[
            -0.5,
            0.333_332_24,
            -0.249_996_89,
            0.200_100_44,
            -0.166_854_66,
            0.140_109_26,
            -0.121_151_075,
            0.139_624_2,
            -0.131_917_42,
        ],
    );
    let square = mul(cx, f, f);
    let small = fma(cx, square, p, f);
    let sum = match base {
        Base::Two => {
            let low = mul(cx, small, imm(LOG2_E[1]));
            let low = fma(cx, small, imm(LOG2_E[0]), low);
            f32_op(cx, "add.rn.f32", &[k.into(), low.into()])
        }
        Base::E => {
            let low = fma(cx, k, imm(LN_2[1]), small);
            fma(cx, k, imm(LN_2[0]), low)
        }
    };
    // Zero, negative numbers, infinity and NaN: the instruction gives what it should for both bases.
    let special = f32_op(cx, "lg2.approx.f32", &[x.into()]);
    let finite = cx.compute("setp.lt.f32", Kind::Pred, &[x.into(), imm(f32::INFINITY)]);
    let ordinary = cx.fresh(Kind::Pred);
    cx.inst(format_args!("setp.gt.and.f32 {ordinary}, {x}, {}, {finite}", imm(0.0)));
    f32_op(cx, "selp.f32", &[sum.into(), special.into(), ordinary.into()])
}

/// Near 0 an odd polynomial, elsewhere 1 - 2/(e^2|x| + 1) with the sign of x. Error at most 2^-22.
fn tanh(cx: &mut Cx<'_>, x: Reg) -> Reg {
    let magnitude = f32_op(cx, "abs.f32", &[x.into()]);
    let double = f32_op(cx, "add.rn.f32", &[magnitude.into(), magnitude.into()]);
    let power = exp(cx, double);
    let sum = f32_op(cx, "add.rn.f32", &[power.into(), imm(1.0)]);
    let quotient = f32_op(cx, "div.rn.f32", &[imm(-2.0), sum.into()]);
    let large = f32_op(cx, "add.rn.f32", &[quotient.into(), imm(1.0)]);
    let square = mul(cx, x, x);
    let p = polynomial(cx, square, &[-0.333_333, 0.133_319_59, -0.053_786_684, 0.020_805_385, -0.005_905_868_5]);
    let cube = mul(cx, square, x);
    let small = fma(cx, cube, p, x);
    let is_small = cx.compute("setp.lt.f32", Kind::Pred, &[magnitude.into(), imm(0.6)]);
    let value = f32_op(cx, "selp.f32", &[small.into(), large.into(), is_small.into()]);
    f32_op(cx, "copysign.f32", &[x.into(), value.into()])
}

/// sin(x + turns·π/2): x minus the nearest multiple of π/2, taken from π/2 in three parts; then the polynomial and the
/// sign of that quadrant. Absolute error at most 2^-22 for |x| up to 100 000; beyond, the three parts run out of digits.
fn sine(cx: &mut Cx<'_>, x: Reg, turns: u32) -> Reg {
    let product = mul(cx, x, imm(std::f32::consts::FRAC_2_PI));
    let quadrant = cx.compute("cvt.rni.s32.f32", Kind::B32, &[product.into()]);
    let k = f32_op(cx, "cvt.rn.f32.s32", &[quadrant.into()]);
    let mut rest = x;
    for part in HALF_PI {
        rest = fma(cx, k, imm(-part), rest);
    }
    // Infinity times 0 is the NaN that the sine of infinity is.
    let rest = fma(cx, x, imm(0.0), rest);
    let square = mul(cx, rest, rest);
    let p = polynomial(cx, square, &[-0.166_666_54, 0.008_332_131, -0.000_195_108_72]);
    let cube = mul(cx, square, rest);
    let sin = fma(cx, cube, p, rest);
    let p = polynomial(cx, square, &[1.0, -0.5, 0.041_666_646, -0.001_388_730_6, 2.443_124_1e-5]);
    let quadrant = cx.compute("add.s32", Kind::B32, &[quadrant.into(), word(turns)]);
    let odd = cx.compute("and.b32", Kind::B32, &[quadrant.into(), word(1)]);
    let odd = super::int::is_nonzero(cx, odd);
    let value = cx.compute("selp.f32", Kind::F32, &[p.into(), sin.into(), odd.into()]);
    // Bit 1 of the quadrant is the sign.
    let sign = cx.compute("shl.b32", Kind::B32, &[quadrant.into(), word(30)]);
    let sign = cx.compute("and.b32", Kind::B32, &[sign.into(), word(0x8000_0000)]);
    let bits = cx.compute("mov.b32", Kind::B32, &[value.into()]);
    let bits = cx.compute("xor.b32", Kind::B32, &[bits.into(), sign.into()]);
    cx.compute("mov.b32", Kind::F32, &[bits.into()])
}
