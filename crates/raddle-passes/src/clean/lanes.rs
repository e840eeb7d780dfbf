//! Fold masks, reductions of nothing, and gathers that are on or off everywhere.

use raddle_ir::{Builder, Ir, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::number::{self, Number};
use crate::structured::body::Combiner;

/// Folds one such operation.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::VectorCreateMask => create_mask(ir, op),
        Opcode::VectorConstantMask => constant_mask(ir, op),
        Opcode::VectorReduction => reduction(ir, op),
        Opcode::VectorMultiReduction => multi_reduction(ir, op),
        Opcode::VectorGather => gather(ir, op),
        Opcode::VectorBitcast => bitcast(ir, op),
        Opcode::VectorMask => mask(ir, op),
        _ => None,
    }
}

/// A mask with known bounds.
fn create_mask(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let result = ir.result(op, 0);
    if matches!(ir.ty(result), raddle_ir::Type::Vector { scalable, .. } if scalable.contains(&true)) {
        return None;
    }
    let shape = ir.shape_of(result).to_vec();
    let operands = ir.operands(op).to_vec();
    if operands.len() != shape.len() {
        return None;
    }
    let bounds = operands.iter().zip(&shape).map(|(&bound, &extent)| {
        let bound = number::of(ir, bound).and_then(Number::int)?;
        Some(bound.clamp(0, extent))
    });
    let mut bounds = bounds.collect::<Option<Vec<i64>>>()?;
    // Nothing along one dimension is nothing at all.
    if bounds.contains(&0) {
        bounds.fill(0);
    }
    let ty = ir.type_of(result);
    let sizes = ir.dense_i64(&bounds);
    Fold::value(Builder::before(ir, op).value(Opcode::VectorConstantMask, &[], ty, &[("mask_dim_sizes", sizes)]))
}

/// A mask that is on everywhere, or off.
fn constant_mask(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let result = ir.result(op, 0);
    let ty = ir.type_of(result);
    let sizes = ir.ints(ir.attr_id(op, "mask_dim_sizes")?)?;
    let number = if sizes == ir.shape_of(result) {
        Number::Int(-1)
    } else if sizes.contains(&0) {
        Number::Int(0)
    } else {
        return None;
    };
    Fold::value(number::constant(ir, op, number, ty))
}

/// How values of a type combine.
fn combiner(ir: &Ir, op: OpId, value: ValueId) -> Option<Combiner> {
    let kind = ir.keyword_of(op, "kind")?;
    Combiner::of_kind(kind, matches!(ir[ir.elem_of(value)], raddle_ir::Type::Float(_)))
}

/// A reduction of one element.
fn reduction(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    if ir.shape_of(source) != [1] {
        return None;
    }
    let combiner = combiner(ir, op, source)?;
    let acc = ir.operands(op).get(1).copied();
    let mut builder = Builder::before(ir, op);
    let only = builder.extract(source, &[0]);
    Fold::value(acc.map_or(only, |acc| builder.binary(combiner.opcode, only, acc)))
}

/// A reduction over dimensions of one element, or over none at all.
fn multi_reduction(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (source, acc) = (ir.operand(op, 0), ir.operand(op, 1));
    let dims = ir.ints(ir.attr_id(op, "reduction_dims")?)?;
    let shape = ir.shape_of(source).to_vec();
    let is_unit = |&d: &i64| usize::try_from(d).is_ok_and(|d| shape.get(d) == Some(&1));
    if !dims.iter().all(is_unit) {
        return None;
    }
    let combiner = combiner(ir, op, source)?;
    let kept = if ir.ty(acc).is_vector() { Some(ir.shape_of(acc).to_vec()) } else { None };
    let mut builder = Builder::before(ir, op);
    let value = match kept {
        Some(kept) if kept == shape => source,
        Some(kept) => builder.shape_cast(source, &kept),
        None => builder.extract(source, &vec![0; shape.len()]),
    };
    Fold::value(builder.binary(combiner.opcode, acc, value))
}

/// A gather that is off everywhere gives what passes through.
fn gather(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let operands = ir.operands(op);
    let (mask, passed) = (operands[operands.len() - 2], operands[operands.len() - 1]);
    (number::of(ir, mask) == Some(Number::Int(0))).then(|| Fold::Values(vec![passed]))
}

/// Bits that are read as they were.
fn bitcast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let result = ir.type_of(ir.result(op, 0));
    if ir.type_of(source) == result {
        return Fold::value(source);
    }
    let inner = ir.def_op(source).filter(|&inner| ir.opcode(inner) == Opcode::VectorBitcast)?;
    let origin = ir.operand(inner, 0);
    if ir.attr_id(inner, "layouts").is_some() {
        return None;
    }
    if ir.type_of(origin) == result {
        return Fold::value(origin);
    }
    ir.set_operand(op, 0, origin);
    Some(Fold::Changed)
}

/// An operation under a mask that is on everywhere stands alone.
fn mask(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if number::of(ir, ir.operand(op, 0)) != Some(Number::Int(-1)) {
        return None;
    }
    let body = ir.body(op, 0)?;
    let ops = ir.ops_of(body);
    let (end, ops) = ops.split_last()?;
    let yielded = ir.operands(*end).to_vec();
    for &inner in ops {
        ir.detach(inner);
        ir.insert_before(op, inner);
    }
    Some(Fold::Values(yielded))
}

/// `vector.from_elements` of all elements of a vector in order. (One of constants stays: registers have no others.)
pub(super) fn from_elements(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let ty = ir.type_of(ir.result(op, 0));
    let &first = ir.operands(op).first()?;
    let source = ir.operand(ir.def_op(first).filter(|&made| ir.opcode(made) == Opcode::VectorExtract)?, 0);
    let in_order = ir.operands(op).iter().enumerate().all(|(i, &operand)| {
        ir.def_op(operand).is_some_and(|made| {
            ir.opcode(made) == Opcode::VectorExtract
                && ir.operands(made) == [source]
                && ir.attr_id(made, "layouts").is_none()
                && ir.attr_id(made, "static_position").and_then(|at| ir.ints(at)) == Some(vec![i as i64])
        })
    });
    (in_order && ir.type_of(source) == ty).then(|| Fold::Values(vec![source]))
}
