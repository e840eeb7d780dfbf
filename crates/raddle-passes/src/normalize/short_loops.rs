//! Short loops: a loop of few iterations that only computes elements is written out.
//!
//! Before: `scf.for %i = %c0 to %c5 step %c1 iter_args(%x = …, %y = …)` around elementwise operations, as the rounds of the
//!         random numbers of JAX are imported
//! After:  these operations five times
//!
//! Kernels between the iterations of a loop are launched for each of them, and all that goes on to the next one goes through
//! memory; one behind the other, elementwise operations are one kernel.
//!
//! Does not touch loops with reductions, products or moves of tensors, whose iterations would be kernels anyway, and those of
//! open extents, of which whoever calls the program learns from the loop.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Class, DYNAMIC, Ir, OpId, Opcode, ValueId, ValueMap};

/// Operations that are written out, at most.
const OPERATIONS_MAX: usize = 512;

/// Writes out such loops of a function.
pub(super) fn write_out(ir: &mut Ir, func: OpId) {
    // Loops inside of others first.
    for op in ir.walk(func).into_iter().rev() {
        if ir.opcode(op) == Opcode::ScfFor {
            let _ = rewrite(ir, op);
        }
    }
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let [begin, end, step] = [0, 1, 2].map(|at| ir.const_int(ir.operand(op, at)));
    let (begin, end, step) = (begin?, end?, step.filter(|&step| step > 0)?);
    let body = ir.body(op, 0)?;
    let (inner_ops, args) = (ir.ops_of(body), ir.args(body).to_vec());
    let (&last, inner_ops) = inner_ops.split_last()?;
    let n = usize::try_from(end.checked_sub(begin)?.max(0).checked_add(step - 1)? / step).ok()?;
    let is_short = n.checked_mul(inner_ops.len()).is_some_and(|all| all <= OPERATIONS_MAX);
    let is_open = ir.results(op).any(|value| ir.ty(value).shape().is_some_and(|shape| shape.contains(&DYNAMIC)));
    let computes = inner_ops.iter().any(|&inner| is_elementwise(ir, inner));
    if !is_short || is_open || !computes || !inner_ops.iter().all(|&inner| is_plain(ir, inner)) {
        return None;
    }
    let mut values = ir.operands(op)[3..].to_vec();
    let builder = &mut Builder::before(ir, op);
    for i in 0..n as i64 {
        let mut map = ValueMap::default();
        let number = builder.int(begin + i * step, builder.ir.type_of(args[0]));
        map.set(args[0], number);
        for (&arg, &value) in args[1..].iter().zip(&values) {
            map.set(arg, value);
        }
        for &inner in inner_ops {
            builder.copy(inner, &mut map);
        }
        values = builder.ir.operands(last).iter().map(|&value| map.get(value)).collect();
    }
    for (old, new) in ir.results(op).zip(values).collect::<Vec<(ValueId, ValueId)>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Some(())
}

/// Whether an operation computes elements of tensors.
fn is_elementwise(ir: &Ir, op: OpId) -> bool {
    ir.results(op).any(|value| ir.ty(value).is_tensor())
        && match Linalg::try_of(ir, op) {
            Some(linalg) => !linalg.reduction.contains(&true),
            None => ir.class(op) == Class::Elementwise,
        }
}

/// Whether an operation computes elements or numbers, or says how to see them.
fn is_plain(ir: &Ir, op: OpId) -> bool {
    let is_number = |value: ValueId| ir.ty(value).shape().is_some_and(|shape| shape.iter().all(|&extent| extent == 1));
    match ir.opcode(op) {
        Opcode::TensorEmpty | Opcode::TensorExpandShape | Opcode::TensorCollapseShape | Opcode::TensorExtract => true,
        Opcode::TensorExtractSlice => is_number(ir.result(op, 0)),
        _ if is_elementwise(ir, op) => true,
        _ => matches!(ir.class(op), Class::Elementwise | Class::Constant) && ir.regions(op).is_empty(),
    }
}
