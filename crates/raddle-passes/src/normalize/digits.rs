//! Digits: a loop of whose number a body takes digits alone becomes a loop for each of them.
//!
//! Before: a `linalg.generic` of 12000 points, in whose body `%r = arith.divsi %n, %c40` and `%c = arith.remsi %n, %c40`, and
//!         `tensor.extract %x[%r, %c]`
//! After:  one of 300 x 40 points with `tensor.extract %x[%i, %j]`, of which `tensor.collapse_shape` makes one of 12000
//!
//! So PyTorch's scatters along a dimension are imported, which have an update for each element: its place and the element
//! are then read where they lie. Each result becomes an operation of its own, as those that are read alone are views.
//!
//! Does not touch operations with operands, and those that use the number otherwise, too.

use std::collections::BTreeMap;

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Builder, DYNAMIC, Expr, Ir, OpId, Opcode, ValueId, ValueMap};

use super::assertions::leave_out_unused;
use super::plain_reads::{is_plain, outside};
use crate::structured::fill;
use crate::structured::generalize::{loop_index, made};

/// Rewrites such operations of a function.
pub(super) fn split(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::LinalgGeneric && is_plain(ir, op) {
            let _ = rewrite(ir, op);
        }
    }
}

/// A digit of a number `n`: `n / step mod end / step`, where `end` is a multiple of `step`.
#[derive(Clone, Copy, PartialEq)]
struct Digit {
    step: i64,
    end: i64,
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let linalg = Linalg::of(ir, op);
    let &[n] = &linalg.extents(ir)[..] else { return None };
    let block = ir.entry(op);
    let is_unread = ir.args(block).iter().all(|&arg| ir.is_unused(arg));
    if n < 2 || n == DYNAMIC || linalg.reduction[0] || !linalg.inputs.is_empty() || !is_unread {
        return None;
    }
    // A result has the loop along one dimension, and one element along others.
    let is_line = |at: usize| {
        let (results, shape) = (&linalg.maps[at].results, ir.shape_of(linalg.outputs[at]));
        let is_one = |d: usize| results[d] == Expr::Const(0) && shape[d] == 1;
        results.iter().filter(|expr| **expr == Expr::Dim(0)).count() == 1
            && (0..results.len()).all(|d| results[d] == Expr::Dim(0) || is_one(d))
    };
    if !(0..linalg.outputs.len()).all(is_line) {
        return None;
    }
    let digits = digits(ir, op, n)?;
    let used = || digits.values().flatten();
    let mut ends: Vec<i64> = used().flat_map(|digit| [digit.step, digit.end]).chain([1, n]).collect();
    ends.sort_unstable();
    ends.dedup();
    // From the innermost loop on, as the steps grow.
    let loops: Vec<Digit> = ends.windows(2).map(|ends| Digit { step: ends[0], end: ends[1] }).rev().collect();
    let is_loop = |digit: &Digit| digit.step == digit.end || loops.contains(digit);
    if loops.iter().any(|digit| digit.end % digit.step != 0) || !used().all(is_loop) {
        return None;
    }
    let extents: Vec<i64> = loops.iter().map(|digit| digit.end / digit.step).collect();
    let sizes: Vec<Mixed> = extents.iter().copied().map(Mixed::Static).collect();
    let (inner_ops, end) = (ir.ops_of(block), ir.terminator(block)?);
    for (at, &output) in linalg.outputs.iter().enumerate() {
        let builder = &mut Builder::before(ir, op);
        let (old, given) = (builder.ir.result(op, at), builder.ir.operand(end, at));
        let is_number = builder.ir.def_op(given).is_none_or(|made| {
            builder.ir.parent_op(made) != Some(op) || builder.ir.opcode(made) == Opcode::ArithConstant
        });
        if is_number {
            let number = outside(builder, op, given);
            let new = fill(builder, number, output);
            ir.replace_uses(old, new);
            continue;
        }
        let elem = builder.ir.elem_of(output);
        let new = made(builder, &[], &sizes, elem, |body, _| {
            let mut map = ValueMap::default();
            for &inner in inner_ops.iter().filter(|&&inner| inner != end) {
                match body.ir.results(inner).next().and_then(|value| digits.get(&value)) {
                    Some(None) => {}
                    Some(Some(digit)) => {
                        let number = match loops.iter().position(|own| own == digit) {
                            Some(d) => loop_index(body, d),
                            None => body.index(0),
                        };
                        map.set(body.ir.result(inner, 0), number);
                    }
                    None => drop(body.copy(inner, &mut map)),
                }
            }
            map.get(given)
        });
        let made = ir.def_op(new).expect("an operation makes it");
        leave_out_unused(ir, ir.entry(made));
        let shape = ir.shape_of(output).to_vec();
        let builder = &mut Builder::before(ir, op);
        let flat = reshape(builder, new, &[n], Opcode::TensorCollapseShape, &[extents.len() as i64]);
        let new = reshape(builder, flat, &shape, Opcode::TensorExpandShape, &[shape.len() as i64]);
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Some(())
}

/// The digits that a body takes of the number of its only loop, of `n` points, and the number itself; no digit stands for
/// those of which nothing but others is made. `None` if all is made of the number as it is.
fn digits(ir: &Ir, op: OpId, n: i64) -> Option<BTreeMap<ValueId, Option<Digit>>> {
    let mut found: BTreeMap<ValueId, Digit> = BTreeMap::new();
    for inner in ir.ops_of(ir.entry(op)) {
        let digit = match ir.opcode(inner) {
            Opcode::LinalgIndex => Some(Digit { step: 1, end: n }),
            Opcode::ArithDivsi | Opcode::ArithDivui | Opcode::ArithRemsi | Opcode::ArithRemui => {
                digit_of(ir, inner, &found)
            }
            _ => None,
        };
        if let Some(digit) = digit {
            found.insert(ir.result(inner, 0), digit);
        }
    }
    let is_number = |value: ValueId| ir.def_op(value).is_some_and(|made| ir.opcode(made) == Opcode::LinalgIndex);
    if found.keys().all(|&value| is_number(value)) {
        return None;
    }
    let is_digit = |user: OpId| ir.results(user).next().is_some_and(|result| found.contains_key(&result));
    let is_used = |value: ValueId| ir.uses(value).any(|(user, _)| !is_digit(user));
    Some(found.iter().map(|(&value, &digit)| (value, Some(digit).filter(|_| is_used(value)))).collect())
}

/// The digit that a quotient or a remainder of a digit is.
fn digit_of(ir: &Ir, op: OpId, found: &BTreeMap<ValueId, Digit>) -> Option<Digit> {
    let digit = *found.get(&ir.operand(op, 0))?;
    let by = ir.const_int(ir.operand(op, 1)).filter(|&by| by > 0)?;
    let step = digit.step.checked_mul(by)?;
    let is_remainder = matches!(ir.opcode(op), Opcode::ArithRemsi | Opcode::ArithRemui);
    match (digit.end % step == 0, is_remainder) {
        (true, true) => Some(Digit { end: step, ..digit }),
        (true, false) => Some(Digit { step, ..digit }),
        // A number below the divisor is its own remainder.
        (false, true) => (step > digit.end).then_some(digit),
        (false, false) => None,
    }
}

/// The same elements under other extents, so many dimensions for each of the fewer ones; as they are where they have these.
fn reshape(builder: &mut Builder<'_>, value: ValueId, shape: &[i64], opcode: Opcode, groups: &[i64]) -> ValueId {
    if builder.ir.shape_of(value) == shape {
        return value;
    }
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(shape, elem);
    let reassociation = builder.ir.reassociation(groups);
    let mut attrs = vec![("reassociation", reassociation)];
    if opcode == Opcode::TensorExpandShape {
        attrs.push(("static_output_shape", builder.ir.dense_i64(shape)));
    }
    builder.value(opcode, &[value], ty, &attrs)
}
