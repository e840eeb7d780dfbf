//! Split: the rounds of a loop in which a condition surely holds become a loop of their own, which does not ask.
//!
//! Before: `for k in 0..n { … ; %s = scf.if %k < %end { %a } else { masks of %a } {raddle.same_if_true} ; … }`, or masks of
//!         the first `min(64, %end - %k)` elements
//! After:
//!
//! ```mlir
//! %split = (where all of this is true, in whole turns of the slots)
//! scf.for %k = 0 to %split { … ; %a ; … }
//! scf.for %j = 0 to %n - %split { %k = %j + %split ; … ; masks of %a ; … }
//! ```
//!
//! The second loop begins at a multiple of the slots: it counts them from the first one again, and copies that the first
//! loop has begun arrive where it reads them. What both loops do is what the one did, round by round.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, Builder, Def, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::Slot;
use super::software_pipeline::Bounds;
use crate::code::{LESS, SAME_IF_TRUE};
use crate::structured::sizes::{extreme, index};

/// Splits a loop whose rings have so many slots, if it begins at 0 and has such a condition.
pub(super) fn split(ir: &mut Ir, loop_op: OpId, bounds: Bounds, slots: i64) {
    let block = ir.entry(loop_op);
    let conditions: Vec<Condition> = ir.block_ops(block).filter_map(|op| Condition::of(ir, [loop_op, op])).collect();
    if conditions.is_empty() || !bounds.is_open || bounds.lower != 0 {
        return;
    }
    let (upper, turn) = (ir.operand(loop_op, 1), bounds.step * slots);
    let binary = |op, lhs: Expr, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
    let mut builder = Builder::before(ir, loop_op);
    let mut ends: Vec<Mixed> = conditions.iter().map(|condition| condition.end(&mut builder)).collect();
    ends.push(builder.ir.const_int(upper).map_or(Mixed::Value(upper), Mixed::Static));
    let round_up = |d: usize| binary(BinOp::Add, Expr::Dim(d as u32), bounds.step - 1);
    let turns: Vec<Expr> = (0..ends.len()).map(|d| binary(BinOp::FloorDiv, round_up(d), turn)).collect();
    let turns = extreme(&mut builder, Opcode::AffineMin, &ends, &turns);
    let begun = extreme(&mut builder, Opcode::AffineMax, &[turns], &[Expr::Dim(0), Expr::Const(0)]);
    let split = index(&mut builder, &[begun], &binary(BinOp::Mul, Expr::Dim(0), turn)).materialize(&mut builder);

    let second = {
        let mut map = ValueMap::default();
        let users: Vec<(OpId, usize)> =
            builder.ir.results(loop_op).flat_map(|result| builder.ir.uses(result).collect::<Vec<_>>()).collect();
        let block = builder.ir.parent_block(loop_op).expect("a loop is in a block");
        let next = builder.ir.block_ops(block).skip_while(|&op| op != loop_op).nth(1).expect("a block ends");
        let second = Builder::before(builder.ir, next).copy(loop_op, &mut map);
        for (user, operand) in users {
            let value = map.get(ir.operand(user, operand));
            ir.set_operand(user, operand, value);
        }
        second
    };
    for (i, result) in ir.results(loop_op).collect::<Vec<_>>().into_iter().enumerate() {
        ir.set_operand(second, 3 + i, result);
    }
    let rest = Expr::binary(BinOp::Add, Expr::Dim(0), binary(BinOp::Mul, Expr::Dim(1), -1));
    let rest = Builder::before(ir, second).apply(Map { dims: 2, syms: 0, results: vec![rest] }, &[upper, split]);
    ir.set_operand(second, 1, rest);
    ir.set_operand(loop_op, 1, split);
    for (loop_op, holds) in [(loop_op, true), (second, false)] {
        for op in ir.ops_of(ir.entry(loop_op)) {
            if let Some(condition) = Condition::of(ir, [loop_op, op]) {
                condition.put(ir, holds);
            }
        }
    }
    count_from(ir, second, split, bounds.step, slots);
}

/// What the rounds of a loop in front of one of them need not ask.
enum Condition {
    /// An `scf.if` whose condition is that the number of the round is less than a value, and may as well not hold.
    Branch { op: OpId, end: ValueId },
    /// How many elements a mask keeps: all of so many, or what is left, an expression of the number of the round, which is 0
    /// here, and other operands.
    Size { op: OpId, all: i64, left: Expr, operands: Vec<Mixed> },
}

impl Condition {
    fn of(ir: &Ir, [loop_op, op]: [OpId; 2]) -> Option<Condition> {
        let block = ir.entry(loop_op);
        let number = ir.args(block)[0];
        let outside = |value: ValueId| match ir.def(value) {
            Def::Arg { block: of, .. } => of != block,
            Def::Result { op, .. } => ir.parent_block(op) != Some(block),
        };
        match ir.opcode(op) {
            Opcode::ScfIf => {
                let compare = ir.def_op(ir.operand(op, 0)).filter(|&made| ir.opcode(made) == Opcode::ArithCmpi)?;
                let less = ir.attr(compare, "predicate").and_then(Attr::as_i64) == Some(LESS);
                let &[of, end] = ir.operands(compare) else { return None };
                let same = ir.attr_id(op, SAME_IF_TRUE).is_some();
                (same && less && of == number && outside(end)).then_some(Condition::Branch { op, end })
            }
            Opcode::AffineMin => {
                let map = ir.map(op, "map").filter(|map| map.syms == 0)?;
                let (&all, left) = match &map.results[..] {
                    [Expr::Const(all), left] | [left, Expr::Const(all)] => (all, left),
                    _ => return None,
                };
                let operands = ir.operands(op).to_vec();
                let d = operands.iter().position(|&operand| operand == number)?;
                let others = operands.iter().enumerate().filter(|&(at, _)| at != d);
                let is_mask = |&(user, _): &(OpId, usize)| ir.opcode(user) == Opcode::VectorCreateMask;
                let masks = ir.uses(ir.result(op, 0)).any(|user| is_mask(&user));
                let fits = masks && factor(left, d)? == -1 && others.into_iter().all(|(_, &value)| outside(value));
                // What is left in front of the first round.
                let mixed =
                    |(at, &value): (usize, &ValueId)| if at == d { Mixed::Static(0) } else { Mixed::Value(value) };
                let operands = operands.iter().enumerate().map(mixed).collect();
                fits.then(|| Condition::Size { op, all, left: left.clone(), operands })
            }
            _ => None,
        }
    }

    /// The first number of a round in which it may not hold.
    fn end(&self, builder: &mut Builder<'_>) -> Mixed {
        match self {
            &Condition::Branch { end, .. } => builder.ir.const_int(end).map_or(Mixed::Value(end), Mixed::Static),
            Condition::Size { all, left, operands, .. } => {
                let end = Expr::binary(BinOp::Add, left.clone(), Expr::Const(1 - all));
                index(builder, operands, &end)
            }
        }
    }

    /// Puts what is known in its place: that it holds, or nothing.
    fn put(&self, ir: &mut Ir, holds: bool) {
        match *self {
            Condition::Branch { op, .. } => choose(ir, op, usize::from(!holds)),
            Condition::Size { op, all, .. } if holds => {
                let (result, all) = (ir.result(op, 0), Builder::before(ir, op).index(all));
                ir.replace_uses(result, all);
                ir.erase(op);
            }
            Condition::Size { .. } => {}
        }
    }
}

/// What a dimension is multiplied with in a sum.
fn factor(expr: &Expr, d: usize) -> Option<i64> {
    match expr {
        Expr::Const(_) | Expr::Sym(_) => Some(0),
        Expr::Dim(at) => Some(i64::from(*at as usize == d)),
        Expr::Add(a, b) => factor(a, d)?.checked_add(factor(b, d)?),
        Expr::Mul(a, b) => match (&**a, &**b) {
            (Expr::Const(number), other) | (other, Expr::Const(number)) => factor(other, d)?.checked_mul(*number),
            _ => None,
        },
        Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => None,
    }
}

/// Lets a loop count its rounds from a value on; slots are counted from 0.
fn count_from(ir: &mut Ir, loop_op: OpId, first: ValueId, step: i64, n: i64) {
    let block = ir.entry(loop_op);
    let iv = ir.args(block)[0];
    let slots: Vec<(ValueId, i64)> = ir
        .block_ops(block)
        .filter(|&op| ir.opcode(op) == Opcode::AffineApply)
        .filter_map(|op| {
            let slot = Slot::of(ir, ir.result(op, 0), n).filter(|slot| slot.of == Some(loop_op))?;
            Some((ir.result(op, 0), slot.at))
        })
        .collect();
    let users: Vec<(OpId, usize)> = ir.uses(iv).collect();
    let begin = ir.first_op(block).expect("a loop's block ends");
    let mut builder = Builder::before(ir, begin);
    let number = builder.binary(Opcode::ArithAddi, iv, first);
    for (value, at) in slots {
        let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
        let from = of(BinOp::Add, Expr::Dim(0), at * step);
        let slot = of(BinOp::Mod, of(BinOp::FloorDiv, from, step), n);
        let slot = builder.apply(Map { dims: 1, syms: 0, results: vec![slot] }, &[iv]);
        builder.ir.replace_uses(value, slot);
    }
    for (user, operand) in users {
        ir.set_operand(user, operand, number);
    }
}

/// Puts one arm of an `scf.if` in its place.
fn choose(ir: &mut Ir, op: OpId, arm: usize) {
    let block = ir.body(op, arm).expect("such a condition has two arms");
    let end = ir.terminator(block).expect("a verified region has a terminator");
    let mut map = ValueMap::default();
    let mut builder = Builder::before(ir, op);
    for inner in builder.ir.ops_of(block).into_iter().filter(|&inner| inner != end) {
        builder.span = builder.ir.span(inner);
        builder.copy(inner, &mut map);
    }
    let values: Vec<ValueId> = ir.operands(end).iter().map(|&value| map.get(value)).collect();
    for (result, value) in ir.results(op).collect::<Vec<_>>().into_iter().zip(values) {
        ir.replace_uses(result, value);
    }
    ir.erase(op);
}
