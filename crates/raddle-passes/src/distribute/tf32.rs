//! Factors of f32 in pieces that matrix instructions take: what tf32 keeps of a number, and the rest.
//!
//! Of 24 digits tf32 has 11. The first piece is rounded to them, so that the rest has 12 at most and either sign, and the
//! instruction cuts off the last one. The product of two rests is at most 2^-22 of that of the numbers and is left out.

use raddle_ir::{Builder, Class, Ir, Opcode, Scalar, ValueId};

/// Bits of an f32 that tf32 has not.
const CUT: u32 = 13;
/// Digits of a tf32, and bits of integers that are as long.
const DIGITS: u32 = 11;

/// The pieces of either factor whose products are added, the least first.
pub const PRODUCTS: [[usize; 2]; 3] = [[1, 0], [0, 1], [0, 0]];

/// What tf32 keeps of a fragment of f32, and the rest. Ties are rounded away from zero; what is infinite has a rest that is
/// not a number.
pub fn pieces(builder: &mut Builder<'_>, fragment: ValueId) -> [ValueId; 2] {
    let ty = builder.ir.type_of(fragment);
    let (shape, word) = (builder.ir.shape_of(fragment).to_vec(), builder.ir.int_type(32));
    let words = builder.ir.vector_type(&shape, word);
    let bits = builder.value(Opcode::ArithBitcast, &[fragment], words, &[]);
    let half = builder.splat(f64::from(1u32 << (CUT - 1)), words);
    let kept = builder.splat(-f64::from(1u32 << CUT), words);
    let rounded = builder.binary(Opcode::ArithAddi, bits, half);
    let rounded = builder.binary(Opcode::ArithAndi, rounded, kept);
    let first = builder.value(Opcode::ArithBitcast, &[rounded], ty, &[]);
    let rest = builder.binary(Opcode::ArithSubf, fragment, first);
    [first, rest]
}

/// Whether all numbers of a value have no more digits than tf32, since they were made longer.
pub fn is_short(ir: &Ir, value: ValueId) -> bool {
    let Some(op) = ir.def_op(value) else { return false };
    let bits = |value: ValueId| Scalar::of(&ir[ir.elem_of(value)]).map_or(u32::MAX, Scalar::bits);
    match ir.opcode(op) {
        Opcode::ArithExtf => bits(ir.operand(op, 0)) <= 16,
        Opcode::ArithSitofp | Opcode::ArithUitofp => bits(ir.operand(op, 0)) <= DIGITS,
        _ => matches!(ir.class(op), Class::Layout | Class::Transpose) && is_short(ir, ir.operand(op, 0)),
    }
}
