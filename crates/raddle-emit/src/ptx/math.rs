//! Functions that PTX approximates: one or two instructions, where the program allows it.
//!
//! Programs that ask for accuracy have none of these operations here: lowering wrote them with exactly rounded ones.
//! 16-bit formats compute in f32 and round once more. The errors are PTX ISA's.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};

use super::convert;
use super::value::{Atom, Cx, Kind, Operand, float_bits};

/// What is done around an instruction.
enum Around {
    Nothing,
    /// The operand is multiplied.
    Before(f32),
    /// The result is multiplied.
    After(f32),
}

/// Each function with its instruction.
const INSTRUCTIONS: &[(Opcode, &str, Around)] = &[
    // Relative error 2^-22, and that of the product in front, which grows with the operand. Without `ftz` the assembler
    // scales operand and result, for results below 2^-126 alone: three instructions more.
    (Opcode::MathExp, "ex2.approx.ftz.f32", Around::Before(std::f32::consts::LOG2_E)),
    (Opcode::MathExp2, "ex2.approx.ftz.f32", Around::Nothing),
    // Absolute error 2^-22 between 1/2 and 2, relative error elsewhere.
    (Opcode::MathLog, "lg2.approx.f32", Around::After(std::f32::consts::LN_2)),
    (Opcode::MathLog2, "lg2.approx.f32", Around::Nothing),
    // Relative error 2^-22.9.
    (Opcode::MathRsqrt, "rsqrt.approx.f32", Around::Nothing),
    // Relative error 2^-11.
    (Opcode::MathTanh, "tanh.approx.f32", Around::Nothing),
    // Absolute error 2^-20.9 between -π and π.
    (Opcode::MathSin, "sin.approx.f32", Around::Nothing),
    (Opcode::MathCos, "cos.approx.f32", Around::Nothing),
];

/// A function with an instruction that approximates it.
pub(super) fn compute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (scalar, _) = cx.scalar(op, result)?;
    let row = INSTRUCTIONS.iter().find(|row| row.0 == cx.ir.opcode(op));
    let (Some((_, name, around)), Scalar::Float(float @ (Float::F16 | Float::BF16 | Float::F32)), true) =
        (row, scalar, cx.options.fast_math || cx.ir.may_approximate(op))
    else {
        return Err(cx
            .cannot(op, "PTX has no instruction for it that is accurate")
            .help("run `expand-math` in front, which writes functions with accurate instructions"));
    };
    let atom = cx.atom(cx.ir.operand(op, 0));
    let factor = |factor: f32| Operand::Imm(Kind::F32, float_bits(Float::F32, factor.into()));
    let mut x = convert::widen(cx, float, atom);
    if let Around::Before(by) = around {
        x = cx.compute("mul.rn.f32", Kind::F32, &[x, factor(*by)]).into();
    }
    let mut y = cx.compute(name, Kind::F32, &[x]);
    if let Around::After(by) = around {
        y = cx.compute("mul.rn.f32", Kind::F32, &[y.into(), factor(*by)]);
    }
    cx.bind(result, if float == Float::F32 { Atom::Reg(y) } else { Atom::Round { source: y, to: float } });
    Ok(())
}
