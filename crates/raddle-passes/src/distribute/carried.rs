//! Sums that loops carry: each lane keeps its own until the loop is left, and the lanes meet once.
//!
//! A loop of `%next = vector.multi_reduction <add>, %x, %sum * %factor`, as attention has it for the sums of its rows,
//! needs what all lanes have of `%x` only where it ends: a factor that they share changes their sums alike.

use raddle_ir::{Builder, Diag, Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashSet;

use super::{Cx, layout, reduce};
use crate::code;
use crate::config::{Launch, Parts};
use crate::lay_out::{layout_of, reduced};

/// The reductions whose lanes meet behind the loop.
pub fn find(ir: &Ir, func: OpId, launch: Launch) -> FxHashSet<OpId> {
    let loops = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::ScfFor);
    loops.flat_map(|op| of_loop(ir, op, launch.at(ir, op))).collect()
}

fn of_loop(ir: &Ir, op: OpId, launch: Launch) -> Vec<OpId> {
    let body = ir.entry(op);
    let end = ir.terminator(body).expect("the verifier has seen a terminator");
    let inits = ir.operands(op)[3..].iter();
    let carried =
        inits.zip(&ir.args(body)[1..]).zip(ir.operands(end)).filter(|((init, _), _)| code::is_zeros(ir, **init));
    let reduction = |((_, &arg), &next): ((_, &ValueId), &ValueId)| {
        let op = ir.def_op(next).filter(|&op| ir.opcode(op) == Opcode::VectorMultiReduction)?;
        let [source, acc] = *ir.operands(op) else { return None };
        let scaled = ir.def_op(acc).filter(|&op| matches!(ir.opcode(op), Opcode::ArithMulf | Opcode::ArithMuli));
        // Nobody else looks at it, before the factor or behind.
        let is_private = |value| ir.uses(value).count() == 1;
        let is_sum = ir.parent_block(op) == Some(body)
            && ir.keyword_of(op, "kind") == Some("add")
            && is_private(next)
            && is_private(acc)
            && is_private(arg)
            && (acc == arg || scaled.is_some_and(|scaled| ir.operands(scaled).contains(&arg)));
        let (lanes, parts) = Parts::of(layout_of(ir, source)?, &reduced(ir, op), launch);
        (is_sum && !lanes.is_empty() && parts.is_empty()).then_some(op)
    };
    carried.filter_map(reduction).collect()
}

/// Lets the lanes meet in what a loop gives, which is distributed already; its body ends with `end`.
pub fn meet(builder: &mut Builder<'_>, cx: &mut Cx<'_>, loop_op: OpId, end: OpId) -> Result<(), Diag> {
    let carried = builder.ir.results(loop_op).zip(builder.ir.operands(end).to_vec()).collect::<Vec<_>>();
    for (result, next) in carried {
        let Some(op) = builder.ir.def_op(next).filter(|op| cx.carried.contains(op)) else { continue };
        let source = builder.ir.operand(op, 0);
        let (from, reduced) = (layout(builder.ir, op, source)?, reduced(builder.ir, op));
        let combiner = reduce::combiner(builder, op, builder.ir.elem_of(source))?;
        let sum = reduce::across(builder, cx, op, cx.part(result), &from, &reduced, combiner)?;
        cx.map.set(result, sum);
    }
    Ok(())
}
