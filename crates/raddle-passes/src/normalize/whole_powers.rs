//! Powers with a small whole exponent are products: squares, as norms take of each element, cost one multiplication
//! where a logarithm and a power would cost fifty.
//!
//! Before: `math.fpowi %x, %c2`, or `math.powf %x, %two`
//! After:  `arith.mulf %x, %x`
//!
//! A square and a reciprocal are rounded once, as the power is; third and fourth powers are rounded twice: in f32 and f64
//! the error is at most 1.5 ULP, and those of 16 bits are computed in f32.

use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Type};

/// Rewrites the powers of a function.
pub(super) fn expand(ir: &mut Ir, op: OpId) -> Option<()> {
    if !matches!(ir.opcode(op), Opcode::MathFpowi | Opcode::MathPowf) {
        return None;
    }
    let &[x, exponent] = ir.operands(op) else { return None };
    let made = ir.def_op(exponent).filter(|&made| ir.opcode(made) == Opcode::ArithConstant)?;
    let exponent = match ir.attr(made, "value")? {
        Attr::Int { value, .. } => *value as f64,
        Attr::Float { bits, .. } => f64::from_bits(*bits),
        _ => return None,
    };
    let ty = ir.type_of(x);
    let is_short = matches!(ir[ty], Type::Float(Float::F16 | Float::BF16));
    let is_precise = matches!(ir[ir.elem_of(x)], Type::Float(Float::F32 | Float::F64));
    let builder = &mut Builder::before(ir, op);
    let new = match exponent {
        1.0 => x,
        2.0 => builder.binary(Opcode::ArithMulf, x, x),
        -1.0 => {
            let one = builder.splat(1.0, ty);
            builder.binary(Opcode::ArithDivf, one, x)
        }
        3.0 | 4.0 if is_precise || is_short => {
            let f32 = builder.ir.float_type(Float::F32);
            let x = if is_short { builder.value(Opcode::ArithExtf, &[x], f32, &[]) } else { x };
            let square = builder.binary(Opcode::ArithMulf, x, x);
            let power = builder.binary(Opcode::ArithMulf, square, if exponent == 3.0 { x } else { square });
            if is_short { builder.value(Opcode::ArithTruncf, &[power], ty, &[]) } else { power }
        }
        _ => return None,
    };
    let result = ir.result(op, 0);
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}
