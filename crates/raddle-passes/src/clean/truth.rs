//! Fold what decides: comparisons and selects, in the form that MLIR gives them.

use raddle_ir::{Builder, Ir, OpId, Opcode, Type, ValueId};

use super::fold::Fold;
use super::number::{self, Number, int_width};
use super::scalar::{compare, known};

/// `eq ne slt sle sgt sge ult ule ugt uge`, by number: what each is with its sides changed.
const MIRRORED: [i64; 10] = [0, 1, 4, 5, 2, 3, 8, 9, 6, 7];
/// What each is where it does not hold.
const INVERTED: [i64; 10] = [1, 0, 5, 4, 3, 2, 9, 8, 7, 6];

/// Folds one `arith.cmpi`.
pub(super) fn fold_cmpi(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let predicate = ir.attr(op, "predicate")?.as_i64()?;
    let width = int_width(ir, ir.elem_of(lhs))?;
    let truth = |ir: &mut Ir, truth: bool| known(ir, op, Number::Int(-i64::from(truth)));
    if lhs == rhs {
        let always = compare(predicate, width, 0, 0)?;
        return truth(ir, always);
    }
    let (a, b) = (number::of(ir, lhs).and_then(Number::int), number::of(ir, rhs).and_then(Number::int));
    match (a, b) {
        (Some(a), Some(b)) => {
            let always = compare(predicate, width, a, b)?;
            truth(ir, always)
        }
        // Constants stand on the right.
        (Some(_), None) => {
            let mirrored = *MIRRORED.get(usize::try_from(predicate).ok()?)?;
            ir.set_operands(op, &[rhs, lhs]);
            let mirrored = ir.i64_attr(mirrored);
            ir.set_attr(op, "predicate", mirrored);
            Some(Fold::Changed)
        }
        // A bit that was extended, against 0.
        (None, Some(0)) if predicate == 1 => {
            let extended = ir.def_op(lhs)?;
            let bit = ir.operands(extended).first().copied()?;
            let extends = matches!(ir.opcode(extended), Opcode::ArithExtui | Opcode::ArithExtsi);
            (extends && ir.type_of(bit) == ir.type_of(ir.result(op, 0))).then(|| Fold::Values(vec![bit]))
        }
        _ => None,
    }
}

/// `xori` of a comparison with true: the opposite comparison.
pub(super) fn fold_not(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let inner = ir.def_op(negated(ir, op)?)?;
    if ir.opcode(inner) != Opcode::ArithCmpi || ir.attr_id(inner, "layouts").is_some() {
        return None;
    }
    let predicate = ir.attr(inner, "predicate")?.as_i64()?;
    let inverted = *INVERTED.get(usize::try_from(predicate).ok()?)?;
    let inverted = ir.i64_attr(inverted);
    let (operands, ty) = (ir.operands(inner).to_vec(), ir.type_of(ir.result(op, 0)));
    Fold::value(Builder::before(ir, op).value(Opcode::ArithCmpi, &operands, ty, &[("predicate", inverted)]))
}

/// What `xori` with true negates.
fn negated(ir: &Ir, op: OpId) -> Option<ValueId> {
    let all = ir.opcode(op) == Opcode::ArithXori
        && int_width(ir, ir.elem_of(ir.result(op, 0))) == Some(1)
        && number::of(ir, ir.operand(op, 1)) == Some(Number::Int(-1));
    all.then(|| ir.operand(op, 0))
}

/// Whether the elements of a value are integers of more than one bit; an index is not extended to.
fn is_wide(ir: &Ir, value: ValueId) -> bool {
    let elem = ir.elem_of(value);
    ir[elem] != Type::Index && int_width(ir, elem).is_some_and(|width| width > 1)
}

fn same_shape(ir: &Ir, a: ValueId, b: ValueId) -> bool {
    ir.ty(a).shape() == ir.ty(b).shape()
}

/// Folds one `arith.select`.
pub(super) fn fold_select(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (condition, yes, no) = (ir.operand(op, 0), ir.operand(op, 1), ir.operand(op, 2));
    if yes == no {
        return Fold::value(yes);
    }
    if let Some(truth) = number::of(ir, condition) {
        return Fold::value(if truth == Number::Int(0) { no } else { yes });
    }
    let result = ir.type_of(ir.result(op, 0));
    let same = result == ir.type_of(condition);
    match (number::of(ir, yes), number::of(ir, no)) {
        (Some(Number::Int(-1)), Some(Number::Int(0))) if same => return Fold::value(condition),
        (Some(Number::Int(0)), Some(Number::Int(-1))) if same => {
            return Fold::value(Builder::before(ir, op).value(Opcode::ArithXori, &[condition, no], result, &[]));
        }
        // At width 1 the number 1 is -1.
        (Some(Number::Int(1)), Some(Number::Int(0))) if is_wide(ir, yes) && same_shape(ir, condition, yes) => {
            return Fold::value(Builder::before(ir, op).value(Opcode::ArithExtui, &[condition], result, &[]));
        }
        _ => {}
    }
    // select (not c), x, y
    if let Some(inner) = ir.def_op(condition)
        && ir.attr_id(inner, "layouts").is_none()
    {
        if let Some(negated) = negated(ir, inner) {
            ir.set_operands(op, &[negated, no, yes]);
            return Some(Fold::Changed);
        }
        // select (x == y), x, y is y: where they are equal it does not matter which.
        if ir.opcode(inner) == Opcode::ArithCmpi {
            let (a, b) = (ir.operand(inner, 0), ir.operand(inner, 1));
            let sides = (a, b) == (yes, no) || (b, a) == (yes, no);
            match ir.attr(inner, "predicate").and_then(raddle_ir::Attr::as_i64) {
                Some(0) if sides => return Fold::value(no),
                Some(1) if sides => return Fold::value(yes),
                _ => {}
            }
        }
    }
    // A select by the same condition inside.
    for (side, value) in [(1, yes), (2, no)] {
        if let Some(inner) = ir.def_op(value)
            && ir.opcode(inner) == Opcode::ArithSelect
            && ir.attr_id(inner, "layouts").is_none()
            && ir.operand(inner, 0) == condition
        {
            let taken = ir.operand(inner, side);
            ir.set_operand(op, side, taken);
            return Some(Fold::Changed);
        }
    }
    None
}
