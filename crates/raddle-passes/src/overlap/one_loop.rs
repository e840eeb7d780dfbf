//! One loop: the loops of a product's sums become one, so that copies run ahead across all of them.
//!
//! Before: `for %i in 0..3 { for %c in 0..64 step 32 { … A[%i, %c] … } }`
//! After:  `for %t in 0..192 step 32 { %i = %t floordiv 64 ; %c = %t mod 64 ; … A[%i, %c] … }`
//!
//! A loop that begins again for each place of a window waits as often for its first tiles, and has few iterations to let
//! copies run ahead in. The order of the sums stays.
//!
//! Does not touch loops whose bounds only the run knows, those around anything that is more than numbers, and an inner
//! loop whose last step is not a whole one.

use raddle_ir::affine::BinOp;
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, Type, ValueId};

use super::is_quiet;
use crate::overlap::software_pipeline::Bounds;

/// Makes one loop of a loop and those around it that do nothing but run it.
pub(super) fn join(ir: &mut Ir, loop_op: OpId) {
    let mut loops = vec![loop_op];
    while let Some(around) = loops.last().and_then(|&inner| only_around(ir, inner)) {
        loops.push(around);
    }
    let Some(bounds) = loops.iter().map(|&op| Bounds::of(ir, op)).collect::<Option<Vec<_>>>() else { return };
    // How far the new loop counts until each of the others is through.
    let mut lengths = vec![bounds[0].trips * bounds[0].step];
    for bounds in &bounds[1..] {
        let Some(length) = lengths[lengths.len() - 1].checked_mul(bounds.trips) else { return };
        lengths.push(length);
    }
    let &[.., outermost] = &loops[..] else { return };
    if loops.len() == 1 || lengths.contains(&0) {
        return;
    }
    let body = ir.entry(loop_op);
    let first = ir.block_ops(body).next().expect("a loop's block ends");
    for pair in loops.windows(2).rev() {
        let around = ir.entry(pair[1]);
        let end = ir.terminator(around);
        for op in ir.ops_of(around).into_iter().filter(|&op| op != pair[0] && Some(op) != end) {
            ir.detach(op);
            ir.insert_before(first, op);
        }
    }
    let index = ir.args(body)[0];
    let first = ir.block_ops(body).next().expect("a loop's block ends");
    for (at, bounds) in bounds.iter().enumerate() {
        let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
        // The innermost loop counts in its own steps.
        let (unit, step) = if at == 0 { (1, 1) } else { (lengths[at - 1], bounds.step) };
        let whole = if at + 1 == loops.len() { Expr::Dim(0) } else { of(BinOp::Mod, Expr::Dim(0), lengths[at]) };
        let place = of(BinOp::Add, of(BinOp::Mul, of(BinOp::FloorDiv, whole, unit), step), bounds.lower).simplified();
        let own = ir.args(ir.entry(loops[at]))[0];
        let digit = Builder::before(ir, first).apply(Map { dims: 1, syms: 0, results: vec![place] }, &[index]);
        let made = ir.def_op(digit).expect("it was just made");
        ir.replace_uses(own, digit);
        ir.set_operand(made, 0, index);
    }
    let mut builder = Builder::before(ir, outermost);
    let numbers = [0, lengths[lengths.len() - 1], bounds[0].step].map(|number| builder.index(number));
    let inits = ir.operands(outermost)[3..].to_vec();
    ir.detach(loop_op);
    ir.insert_before(outermost, loop_op);
    ir.set_operands(loop_op, &[&numbers[..], &inits[..]].concat());
    for (old, new) in ir.results(outermost).zip(ir.results(loop_op)).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(outermost);
}

/// The loop around a loop that does nothing but run it, and carries for it what it carries.
fn only_around(ir: &Ir, inner: OpId) -> Option<OpId> {
    let around = ir.parent_op(inner).filter(|&op| ir.opcode(op) == Opcode::ScfFor)?;
    let (body, bounds) = (ir.entry(around), Bounds::of(ir, inner)?);
    let (args, end) = (ir.args(body), ir.terminator(body)?);
    let length = ir.const_int(ir.operand(inner, 1))?.checked_sub(bounds.lower)?;
    let is_once = |value: &ValueId| ir.uses(*value).count() == 1;
    let carries = ir.operands(inner)[3..] == args[1..] && ir.operands(end).iter().copied().eq(ir.results(inner));
    let is_carried = args[1..].iter().all(is_once) && ir.results(inner).all(|value| is_once(&value));
    let is_index = [inner, around].into_iter().all(|op| *ir.ty(ir.args(ir.entry(op))[0]) == Type::Index);
    let is_only = ir.block_ops(body).all(|op| op == inner || op == end || is_quiet(ir, op));
    (length % bounds.step == 0 && carries && is_carried && is_index && is_only).then_some(around)
}
