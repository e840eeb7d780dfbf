//! Rare operations on vectors, as those that layouts and threads have rules for.
//!
//! Before: `%r = vector.outerproduct %a, %b, %c {kind = #vector.kind<maxsi>} : vector<4xi32>, vector<8xi32>`
//! After:  `%a` and `%b` repeated along what they lack, `arith.muli`, and `arith.maxsi` with `%c`.
//!
//! An outer product is arithmetic; a reduction to a scalar is one of all dimensions; what packs elements where a mask is
//! set counts the mask up to each element, which is its place in memory; for arithmetic with a second word see
//! [`crate::normalize::two_results`]. Nothing is rounded in another way, and sums of floats are those of
//! `vector.multi_reduction`, whose order is free.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Type, TypeId, ValueId};

use crate::normalize::two_results::{replace, two_results};
use crate::structured::body::Combiner;

use super::mask_of;

/// Expands the operations of a function that are of these.
pub fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        expand_one(ir, op);
    }
}

fn expand_one(ir: &mut Ir, op: OpId) {
    match ir.opcode(op) {
        Opcode::VectorOuterproduct => outer_product(ir, op),
        Opcode::VectorReduction => reduction(ir, op),
        Opcode::VectorExpandload | Opcode::VectorCompressstore => packed(ir, op),
        _ => two_results(ir, op),
    }
}

/// How an operation combines, by its `kind`.
fn combiner(ir: &Ir, op: OpId, elem: TypeId) -> Option<Combiner> {
    Combiner::of_kind(ir.keyword_of(op, "kind").unwrap_or("add"), matches!(ir[elem], Type::Float(_)))
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
