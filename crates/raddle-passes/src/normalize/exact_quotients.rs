//! Exact quotients: one by a constant power of two is a product, to the last bit, and costs a twentieth of it.
//!
//! Before: `arith.divf %x, %eight`, as scores of an attention are scaled
//! After:  `arith.mulf %x, %eighth`

use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Scalar};

/// Rewrites a quotient whose divisor has a reciprocal that is exact and not subnormal.
pub(super) fn expand(ir: &mut Ir, op: OpId) -> Option<()> {
    if ir.opcode(op) != Opcode::ArithDivf {
        return None;
    }
    let &[x, divisor] = ir.operands(op) else { return None };
    let made = ir.def_op(divisor).filter(|&made| ir.opcode(made) == Opcode::ArithConstant)?;
    let Attr::Float { bits, .. } = *ir.attr(made, "value")? else { return None };
    let Scalar::Float(format) = Scalar::of(&ir[ir.type_of(x)])? else { return None };
    let least_normal = match format {
        Float::F16 => -14,
        Float::BF16 | Float::F32 => -126,
        Float::F64 => -1022,
        _ => return None,
    };
    let value = f64::from_bits(bits);
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let is_power = bits & ((1 << 52) - 1) == 0;
    if !is_power || exponent < least_normal || -exponent < least_normal {
        return None;
    }
    let attrs: Vec<_> = ir.attrs(op).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect();
    let attrs: Vec<(&str, _)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
    let (old, ty) = (ir.result(op, 0), ir.type_of(x));
    let builder = &mut Builder::before(ir, op);
    let reciprocal = builder.float(1.0 / value, ty);
    let product = builder.value(Opcode::ArithMulf, &[x, reciprocal], ty, &attrs);
    ir.replace_uses(old, product);
    ir.erase(op);
    Some(())
}
