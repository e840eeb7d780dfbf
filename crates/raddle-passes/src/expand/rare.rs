//! Rare operations on vectors, as those that layouts and threads have rules for.
//!
//! Before: `%r = vector.outerproduct %a, %b, %c {kind = #vector.kind<maxsi>} : vector<4xi32>, vector<8xi32>`
//! After:  `%a` and `%b` repeated along what they lack, `arith.muli`, and `arith.maxsi` with `%c`.
//!
//! An outer product is arithmetic; a reduction to a scalar is one of all dimensions; what packs elements where a mask is
//! set counts the mask up to each element, which is its place in memory; arithmetic with a second word is arithmetic in
//! a wider type, or on halves. Nothing is rounded in another way, and sums of floats are those of
//! `vector.multi_reduction`, whose order is free.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use crate::body::Combiner;
use crate::lay_out::mask_of;

/// Expands one operation, if it is one of these.
pub(super) fn expand(ir: &mut Ir, op: OpId) {
    match ir.opcode(op) {
        Opcode::VectorOuterproduct => outer_product(ir, op),
        Opcode::VectorReduction => reduction(ir, op),
        Opcode::VectorExpandload | Opcode::VectorCompressstore => packed(ir, op),
        _ => two_results(ir, op),
    }
}

/// Expands arithmetic with two results, on numbers, vectors or tensors.
pub(super) fn two_results(ir: &mut Ir, op: OpId) {
    match ir.opcode(op) {
        Opcode::ArithAdduiExtended | Opcode::ArithMuluiExtended | Opcode::ArithMulsiExtended => two_words(ir, op),
        Opcode::MathSincos => sine_and_cosine(ir, op),
        _ => {}
    }
}

/// How an operation combines, by its `kind`.
fn combiner(ir: &Ir, op: OpId, elem: TypeId) -> Option<Combiner> {
    Combiner::of_kind(ir.keyword_of(op, "kind").unwrap_or("add"), matches!(ir[elem], Type::Float(_)))
}

fn replace(ir: &mut Ir, op: OpId, new: &[ValueId]) {
    for (old, &new) in ir.results(op).zip(new).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

fn sine_and_cosine(ir: &mut Ir, op: OpId) {
    let (x, ty) = (ir.operand(op, 0), ir.type_of(ir.result(op, 0)));
    let mut builder = Builder::before(ir, op);
    let new = [Opcode::MathSin, Opcode::MathCos].map(|opcode| builder.value(opcode, &[x], ty, &[]));
    replace(ir, op, &new);
}

fn outer_product(ir: &mut Ir, op: OpId) {
    let (operands, ty) = (ir.operands(op).to_vec(), ir.type_of(ir.result(op, 0)));
    let (lhs, rhs, acc, elem) = (operands[0], operands[1], operands.get(2).copied(), ir.elem_of(ir.result(op, 0)));
    let Some(combiner) = combiner(ir, op, elem) else { return };
    let mask = mask_of(ir, op);
    let mut builder = Builder::before(ir, mask.unwrap_or(op));
    let shape = builder.ir[ty].shape().unwrap_or_default().to_vec();
    // Rows repeat along the columns: broadcasts add dimensions in front.
    let lhs = match shape[..] {
        [m, n] => {
            let turned = builder.ir.vector_type(&[n, m], elem);
            let turned = builder.broadcast(lhs, turned);
            builder.transpose(turned, &[1, 0])
        }
        _ => lhs,
    };
    let rhs = builder.broadcast(rhs, ty);
    let is_float = matches!(builder.ir[elem], Type::Float(_));
    let product = builder.binary(if is_float { Opcode::ArithMulf } else { Opcode::ArithMuli }, lhs, rhs);
    let combined = match acc {
        Some(acc) => builder.binary(combiner.opcode, acc, product),
        None => product,
    };
    let Some(mask) = mask else { return replace(ir, op, &[combined]) };
    // Where the mask is off, what is passed through stays, or else the accumulator.
    let flags = builder.ir.operand(mask, 0);
    let other = builder.ir.operands(mask).get(1).copied().or(acc);
    let new = match other {
        Some(other) => builder.value(Opcode::ArithSelect, &[flags, combined, other], ty, &[]),
        None => combined,
    };
    replace(ir, mask, &[new]);
}

fn reduction(ir: &mut Ir, op: OpId) {
    let (source, acc, elem) = (ir.operand(op, 0), ir.operands(op).get(1).copied(), ir.type_of(ir.result(op, 0)));
    let Some(combiner) = combiner(ir, op, elem) else { return };
    if ir.shape_of(source).is_empty() {
        let mut builder = Builder::before(ir, op);
        let element = builder.extract(source, &[]);
        let combined = acc.map_or(element, |acc| builder.binary(combiner.opcode, acc, element));
        return replace(ir, op, &[combined]);
    }
    // A region under a mask has one operation alone.
    let outside = mask_of(ir, op).unwrap_or(op);
    let start = acc.unwrap_or_else(|| combiner.neutral(&mut Builder::before(ir, outside), elem));
    let combined = Builder::before(ir, op).multi_reduction(combiner.kind, source, start, &[0]);
    replace(ir, op, &[combined]);
}

/// `vector.expandload`, `vector.compressstore`: the element where the mask is set for the n-th time lies at place n.
fn packed(ir: &mut Ir, op: OpId) {
    let operands = ir.operands(op).to_vec();
    let [base @ .., mask, value] = &operands[..] else { return };
    let &[n] = ir.shape_of(*mask) else { return };
    let types: Vec<TypeId> = ir.results(op).map(|result| ir.type_of(result)).collect();
    let opcode = if ir.opcode(op) == Opcode::VectorExpandload { Opcode::VectorGather } else { Opcode::VectorScatter };
    let word = ir.int_type(32);
    let [one, all] = [&[][..], &[n]].map(|shape| ir.vector_type(shape, word));
    let mut builder = Builder::before(ir, op);
    let zero = builder.splat(0.0, one);
    let ones = builder.value(Opcode::ArithExtui, &[*mask], all, &[]);
    let exclusive = builder.ir.intern(Attr::Bool(false));
    let attrs = [
        ("kind", builder.keyword_attr("vector.kind", "add")),
        ("reduction_dim", builder.ir.i64_attr(0)),
        ("inclusive", exclusive),
    ];
    let places = builder.op(Opcode::VectorScan, &[ones, zero], &[all, one], &attrs);
    let places = builder.ir.result(places, 0);
    let new = builder.op(opcode, &[base, &[places, *mask, *value]].concat(), &types, &[]);
    let new: Vec<ValueId> = ir.results(new).collect();
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
