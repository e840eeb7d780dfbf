//! Floating-point arithmetic, every operation rounded once.
//!
//! What a 16-bit format has no instruction for is computed in f32 and rounded. That is as good as rounding the exact
//! result: f32 has more than twice the digits of both formats, and two more, so that its own rounding cannot move a
//! quotient or a root across the middle of two neighbours.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};

use super::convert;
use super::value::{Atom, Cx, Kind, Operand, Reg, float_bits};

/// Instructions for f16, bf16, f32 and f64; empty where there is none. PTX ISA 8.0, sm_80.
const INSTRUCTIONS: &[(Opcode, [&str; 4])] = &[
    (Opcode::ArithAddf, ["add.rn.f16", "fma.rn.bf16", "add.rn.f32", "add.rn.f64"]),
    (Opcode::ArithSubf, ["sub.rn.f16", "fma.rn.bf16", "sub.rn.f32", "sub.rn.f64"]),
    (Opcode::ArithMulf, ["mul.rn.f16", "fma.rn.bf16", "mul.rn.f32", "mul.rn.f64"]),
    (Opcode::ArithDivf, ["", "", "div.rn.f32", "div.rn.f64"]),
    (Opcode::MathSqrt, ["", "", "sqrt.rn.f32", "sqrt.rn.f64"]),
    (Opcode::MathFma, ["fma.rn.f16", "fma.rn.bf16", "fma.rn.f32", "fma.rn.f64"]),
    (Opcode::ArithNegf, ["neg.f16", "neg.bf16", "neg.f32", "neg.f64"]),
    (Opcode::MathAbsf, ["abs.f16", "abs.bf16", "abs.f32", "abs.f64"]),
    (Opcode::ArithMaximumf, ["max.NaN.f16", "max.NaN.bf16", "max.NaN.f32", "max.f64"]),
    (Opcode::ArithMinimumf, ["min.NaN.f16", "min.NaN.bf16", "min.NaN.f32", "min.f64"]),
    (Opcode::ArithMaxnumf, ["max.f16", "max.bf16", "max.f32", "max.f64"]),
    (Opcode::ArithMinnumf, ["min.f16", "min.bf16", "min.f32", "min.f64"]),
    (Opcode::MathFloor, ["cvt.rmi.f16.f16", "", "cvt.rmi.f32.f32", "cvt.rmi.f64.f64"]),
    (Opcode::MathCeil, ["cvt.rpi.f16.f16", "", "cvt.rpi.f32.f32", "cvt.rpi.f64.f64"]),
    (Opcode::MathTrunc, ["cvt.rzi.f16.f16", "", "cvt.rzi.f32.f32", "cvt.rzi.f64.f64"]),
    (Opcode::MathRoundeven, ["cvt.rni.f16.f16", "", "cvt.rni.f32.f32", "cvt.rni.f64.f64"]),
    (Opcode::MathCopysign, ["", "", "copysign.f32", "copysign.f64"]),
];

/// Arithmetic that PTX rounds as IEEE 754 asks.
pub(super) fn compute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (scalar, kind) = cx.scalar(op, result)?;
    let opcode = cx.ir.opcode(op);
    let names = INSTRUCTIONS.iter().find(|row| row.0 == opcode).map(|row| row.1);
    let (Some(names), Scalar::Float(float)) = (names, scalar) else {
        return Err(cx.cannot(op, "PTX has no instruction that computes it exactly rounded"));
    };
    let n = cx.ir.operands(op).len();
    let mut atoms = [Atom::Imm(0); 3];
    for (atom, &value) in atoms.iter_mut().zip(cx.ir.operands(op)) {
        *atom = cx.atom(value);
    }
    if opcode == Opcode::MathCopysign {
        // PTX names the sign first.
        atoms[..n].reverse();
    }
    let is_near = opcode == Opcode::ArithDivf && (cx.options.fast_math || cx.ir.may_approximate(op));
    let name = match float {
        // PTX ISA, "div": within 2 units in the last place for divisors below 2^126.
        Float::F32 if is_near => "div.approx.f32",
        Float::F16 => names[0],
        Float::BF16 => names[1],
        Float::F32 => names[2],
        Float::F64 => names[3],
        _ => return Err(cx.cannot(op, &format!("there is no arithmetic on {scalar}"))),
    };
    let atom = if name.is_empty() {
        let operands: Vec<Operand> = atoms[..n].iter().map(|&atom| convert::widen(cx, float, atom)).collect();
        let wide = match (opcode, float, &operands[..]) {
            (Opcode::ArithDivf, Float::F16, &[a, b]) => quotient_of_short(cx, a, b),
            _ if is_near => cx.compute("div.approx.f32", Kind::F32, &operands),
            _ => cx.compute(names[2], Kind::F32, &operands),
        };
        Atom::Round { source: wide, to: float }
    } else {
        let fma = if float == Float::BF16 { bf16_as_fma(opcode, atoms) } else { None };
        let (atoms, n) = fma.map_or((atoms, n), |fma| (fma, 3));
        let mut operands = [Operand::Imm(kind, 0); 3];
        for (operand, &atom) in operands.iter_mut().zip(&atoms[..n]) {
            *operand = cx.operand_of(atom, kind);
        }
        let operands = &operands[..n];
        let reg = cx.place(result, kind);
        cx.compute_into(reg, name, operands);
        if float == Float::F64 && matches!(opcode, Opcode::ArithMaximumf | Opcode::ArithMinimumf) {
            // The only max and min without a form that keeps NaNs: the sum of the operands is a NaN if one of them is.
            let nan = cx.compute("setp.nan.f64", Kind::Pred, operands);
            let sum = cx.compute("add.rn.f64", kind, operands);
            cx.compute_into(reg, "selp.f64", &[sum.into(), reg.into(), nan.into()]);
        }
        Atom::Reg(reg)
    };
    cx.bind(result, atom);
    Ok(())
}

/// A quotient of two numbers of f16, in f32: close enough to the exact one that it is rounded to f16 alike. None of the
/// steps overflows or has a subnormal result, which is what `div.rn.f32` has a branch for.
///
/// Of numbers with 11 digits no quotient lies in the middle of two neighbours with 11, nor closer to it than 2^-22 of
/// itself, unless the result is subnormal and the quotient has few digits, which are then found exactly.
///
/// Of the number 1, the reciprocal is that close: PTX ISA promises 1 ULP, and all reciprocals of numbers of f16 are rounded
/// alike from 1 ULP further on either side.
fn quotient_of_short(cx: &mut Cx<'_>, a: Operand, b: Operand) -> Reg {
    let reciprocal = cx.compute("rcp.approx.ftz.f32", Kind::F32, &[b]);
    if a == Operand::Imm(Kind::F32, u64::from(1f32.to_bits())) {
        return reciprocal;
    }
    let quotient = cx.compute("mul.rn.f32", Kind::F32, &[a, reciprocal.into()]);
    let minus = cx.compute("neg.f32", Kind::F32, &[quotient.into()]);
    let left = cx.compute("fma.rn.f32", Kind::F32, &[minus.into(), b, a]);
    let better = cx.compute("fma.rn.f32", Kind::F32, &[left.into(), reciprocal.into(), quotient.into()]);
    // Zeros lose their sign, and infinities leave nothing that is a number.
    let zero = Operand::Imm(Kind::F32, 0);
    let is_better = cx.compute("setp.ne.f32", Kind::Pred, &[better.into(), zero]);
    cx.compute("selp.f32", Kind::F32, &[better.into(), quotient.into(), is_better.into()])
}

/// Chips with bf16 fma but without add, sub and mul: a·1 + b, b·(-1) + a, a·b + (-0). Zeros keep their sign.
fn bf16_as_fma(opcode: Opcode, [lhs, rhs, _]: [Atom; 3]) -> Option<[Atom; 3]> {
    let constant = |value| Atom::Imm(float_bits(Float::BF16, value));
    match opcode {
        Opcode::ArithAddf => Some([lhs, constant(1.0), rhs]),
        Opcode::ArithSubf => Some([rhs, constant(-1.0), lhs]),
        Opcode::ArithMulf => Some([lhs, rhs, constant(-0.0)]),
        _ => None,
    }
}

/// MLIR's numbering of float predicates, from `oeq` to `uno`; 0 is never and 15 always true.
const PREDICATES: [&str; 14] =
    ["eq", "gt", "ge", "lt", "le", "ne", "num", "equ", "gtu", "geu", "ltu", "leu", "neu", "nan"];

/// `arith.cmpf`
pub(super) fn compare(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let predicate = cx.ir.attr(op, "predicate").and_then(|attr| attr.as_i64());
    let atom = match predicate {
        Some(0) => Atom::Imm(0),
        Some(15) => Atom::Imm(1),
        Some(number @ 1..=14) => Atom::Reg(relate(cx, op, PREDICATES[number as usize - 1])?),
        _ => return Err(cx.cannot(op, "the predicate is none of the sixteen")),
    };
    cx.bind(cx.ir.result(op, 0), atom);
    Ok(())
}

fn relate(cx: &mut Cx<'_>, op: OpId, relation: &str) -> Result<Reg, Diag> {
    let [lhs, rhs] = [0, 1].map(|operand| cx.ir.operand(op, operand));
    let (scalar, kind) = cx.scalar(op, lhs)?;
    let atoms = [lhs, rhs].map(|value| cx.atom(value));
    let (ty, operands) = match scalar {
        // Comparing bf16 needs a newer chip; widening is exact.
        Scalar::Float(float @ Float::BF16) => ("f32", atoms.map(|atom| convert::widen(cx, float, atom))),
        Scalar::Float(Float::F16) => ("f16", atoms.map(|atom| cx.operand_of(atom, kind))),
        Scalar::Float(Float::F32 | Float::F64) => (kind.ty(), atoms.map(|atom| cx.operand_of(atom, kind))),
        _ => return Err(cx.cannot(op, &format!("there is no arithmetic on {scalar}"))),
    };
    Ok(cx.compute(&format!("setp.{relation}.{ty}"), Kind::Pred, &operands))
}
