//! Arithmetic with two results, by such with one: a second word is arithmetic in a wider type, or on halves.

use raddle_ir::{Builder, Ir, OpId, Opcode, Scalar, TypeId, ValueId};

/// Expands arithmetic with two results, on numbers, vectors or tensors.
pub(crate) fn two_results(ir: &mut Ir, op: OpId) {
    match ir.opcode(op) {
        Opcode::ArithAdduiExtended | Opcode::ArithMuluiExtended | Opcode::ArithMulsiExtended => two_words(ir, op),
        Opcode::MathSincos => sine_and_cosine(ir, op),
        _ => {}
    }
}

fn sine_and_cosine(ir: &mut Ir, op: OpId) {
    let (x, ty) = (ir.operand(op, 0), ir.type_of(ir.result(op, 0)));
    let mut builder = Builder::before(ir, op);
    let new = [Opcode::MathSin, Opcode::MathCos].map(|opcode| builder.value(opcode, &[x], ty, &[]));
    replace(ir, op, &new);
}

/// Sums and products of integers, with what does not fit into one word as a second one.
fn two_words(ir: &mut Ir, op: OpId) {
    let [a, b] = [0, 1].map(|operand| ir.operand(op, operand));
    let ty = ir.type_of(a);
    let Some(Scalar::Int(bits)) = Scalar::of(&ir[ir.elem_of(a)]) else { return };
    let opcode = ir.opcode(op);
    let flags = ir.type_of(ir.result(op, 1));
    let mut builder = Builder::before(ir, op);
    if opcode == Opcode::ArithAdduiExtended {
        let sum = builder.binary(Opcode::ArithAddi, a, b);
        // A sum that went past the end is less than what went into it.
        let less = builder.ir.i64_attr(ULT);
        let carry = builder.value(Opcode::ArithCmpi, &[sum, a], flags, &[("predicate", less)]);
        return replace(ir, op, &[sum, carry]);
    }
    let signed = opcode == Opcode::ArithMulsiExtended;
    let words = if bits <= 32 {
        let extend = if signed { Opcode::ArithExtsi } else { Opcode::ArithExtui };
        let wide = builder.ir.int_type(2 * bits);
        let wide = builder.ir.with_elem(ty, wide);
        let [a, b] = [a, b].map(|word| builder.value(extend, &[word], wide, &[]));
        let product = builder.binary(Opcode::ArithMuli, a, b);
        let bits = builder.splat(f64::from(bits), wide);
        let high = builder.binary(Opcode::ArithShrui, product, bits);
        [product, high].map(|word| builder.value(Opcode::ArithTrunci, &[word], ty, &[]))
    } else if bits == 64 {
        [builder.binary(Opcode::ArithMuli, a, b), high(&mut builder, [a, b], ty, signed)]
    } else {
        return;
    };
    replace(ir, op, &words);
}

/// `arith.cmpi ult`.
const ULT: i64 = 6;

/// The upper word of a product of 64-bit integers.
fn high(builder: &mut Builder<'_>, [a, b]: [ValueId; 2], ty: TypeId, signed: bool) -> ValueId {
    let (half, low) = (builder.splat(32.0, ty), builder.splat(f64::from(u32::MAX), ty));
    let [ah, bh] = [a, b].map(|word| builder.binary(Opcode::ArithShrui, word, half));
    let [al, bl] = [a, b].map(|word| builder.binary(Opcode::ArithAndi, word, low));
    // a·b = ah·bh·2^64 + (ah·bl + al·bh)·2^32 + al·bl, and no partial sum here goes past 64 bits.
    let first = builder.binary(Opcode::ArithMuli, al, bl);
    let carry = builder.binary(Opcode::ArithShrui, first, half);
    let middle = builder.binary(Opcode::ArithMuli, ah, bl);
    let middle = builder.binary(Opcode::ArithAddi, middle, carry);
    let carry = builder.binary(Opcode::ArithShrui, middle, half);
    let rest = builder.binary(Opcode::ArithAndi, middle, low);
    let other = builder.binary(Opcode::ArithMuli, al, bh);
    let other = builder.binary(Opcode::ArithAddi, other, rest);
    let other = builder.binary(Opcode::ArithShrui, other, half);
    let top = builder.binary(Opcode::ArithMuli, ah, bh);
    let top = builder.binary(Opcode::ArithAddi, top, carry);
    let mut top = builder.binary(Opcode::ArithAddi, top, other);
    if signed {
        // A negative word stands for itself less 2^64.
        let sign = builder.splat(63.0, ty);
        for [word, other] in [[a, b], [b, a]] {
            let sign = builder.binary(Opcode::ArithShrsi, word, sign);
            let less = builder.binary(Opcode::ArithAndi, sign, other);
            top = builder.binary(Opcode::ArithSubi, top, less);
        }
    }
    top
}

pub(crate) fn replace(ir: &mut Ir, op: OpId, new: &[ValueId]) {
    for (old, &new) in ir.results(op).zip(new).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}
