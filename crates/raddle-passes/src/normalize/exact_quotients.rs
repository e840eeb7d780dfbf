//! Exact quotients: one by a constant is a product wherever that is the same to the last bit, and costs a tenth of it.
//!
//! Before: `arith.divf %x, %eight`, as scores of an attention are scaled
//! After:  `arith.mulf %x, %eighth`
//!
//! The reciprocal of a power of two is exact. In 16 bits, f32 has so many more digits that a product with the rounded
//! reciprocal of another divisor is rounded to the quotient for most of them, such as the root of 2 that `gelu` divides by:
//! all numbers of the format are tried.
//!
//! In f32, the relative error of the product with the rounded reciprocal is at most 2^-23, where the quotient's is 2^-24. So it
//! stands where nothing but `erf` or `tanh` sees it: these make relative errors no larger, and have an error of their own.
//! PyTorch multiplies, too, where its exporter writes the quotient of a `gelu`.

use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Scalar, TypeId, ValueId, float};

/// Rewrites a quotient whose divisor is a constant, or the root of one.
pub(super) fn expand(ir: &mut Ir, op: OpId) -> Option<()> {
    if ir.opcode(op) != Opcode::ArithDivf {
        return None;
    }
    let &[x, divisor] = ir.operands(op) else { return None };
    let Scalar::Float(format) = Scalar::of(&ir[ir.type_of(x)])? else { return None };
    let divisor = constant(ir, divisor, format)?;
    let ty = ir.type_of(x);
    let new = if has_exact_reciprocal(format, divisor) {
        product(&mut Builder::before(ir, op), x, 1.0 / divisor, ty)
    } else if format == Float::F32 && is_plain(divisor) && feeds_functions(ir, op) {
        product(&mut Builder::before(ir, op), x, reciprocal(divisor), ty)
    } else if matches!(format, Float::F16 | Float::BF16) && rounds_like_quotients(format, divisor) {
        let builder = &mut Builder::before(ir, op);
        let wide = builder.ir.float_type(Float::F32);
        let x = builder.value(Opcode::ArithExtf, &[x], wide, &[]);
        let product = product(builder, x, reciprocal(divisor), wide);
        builder.value(Opcode::ArithTruncf, &[product], ty, &[])
    } else {
        return None;
    };
    let old = ir.result(op, 0);
    ir.replace_uses(old, new);
    ir.erase(op);
    Some(())
}

fn product(builder: &mut Builder<'_>, x: ValueId, factor: f64, ty: TypeId) -> ValueId {
    let factor = builder.float(factor, ty);
    builder.binary(Opcode::ArithMulf, x, factor)
}

/// The number that a value is known to be.
fn constant(ir: &Ir, value: ValueId, format: Float) -> Option<f64> {
    let made = ir.def_op(value)?;
    match ir.opcode(made) {
        Opcode::ArithConstant => match ir.attr(made, "value")? {
            Attr::Float { bits, .. } => Some(f64::from_bits(*bits)),
            _ => None,
        },
        Opcode::MathSqrt => Some(float::round(format, constant(ir, ir.operand(made, 0), format)?.sqrt())),
        _ => None,
    }
}

/// Whether a divisor is a power of two whose reciprocal is not subnormal.
fn has_exact_reciprocal(format: Float, divisor: f64) -> bool {
    let least_normal = match format {
        Float::F16 => -14,
        Float::BF16 | Float::F32 => -126,
        Float::F64 => -1022,
        _ => return false,
    };
    let bits = divisor.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    bits & ((1 << 52) - 1) == 0 && exponent >= least_normal && -exponent >= least_normal
}

/// Whether all who use a quotient are functions that are at most as far off, relative to their result, as their operand.
fn feeds_functions(ir: &Ir, op: OpId) -> bool {
    let mut users = ir.uses(ir.result(op, 0)).map(|(user, _)| ir.opcode(user));
    users.all(|user| matches!(user, Opcode::MathErf | Opcode::MathTanh))
}

/// Whether a reciprocal is neither subnormal nor infinite, nor close to it.
fn is_plain(divisor: f64) -> bool {
    (2f64.powi(-100)..2f64.powi(100)).contains(&divisor.abs())
}

fn reciprocal(divisor: f64) -> f64 {
    float::round(Float::F32, 1.0 / divisor)
}

/// Whether each number of a format of 16 bits, times the reciprocal in f32, is rounded to the quotient.
fn rounds_like_quotients(format: Float, divisor: f64) -> bool {
    let factor = reciprocal(divisor);
    let is_same = |bits: u64| {
        let x = float::decode(format, bits);
        // Exact products and quotients of these in f64 have digits enough to be rounded once more.
        let product = float::round(Float::F32, x * factor);
        !x.is_finite() || float::encode(format, product) == float::encode(format, x / divisor)
    };
    // Nothing is subnormal or infinite in between.
    is_plain(divisor) && (0..1 << 15).all(is_same)
}
