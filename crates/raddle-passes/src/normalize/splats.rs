//! Splats: a tensor of one number is filled with it.
//!
//! Before: `%0 = tensor.splat %x[%n] : tensor<?x8xf32>`
//! After:  `%e = tensor.empty(%n)`, `%0 = linalg.fill ins(%x) outs(%e)`
//!
//! So is what a scatter goes into if it is a constant, as gradients of tables begin with zeros: that is not in memory.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode};

use crate::structured::fill;

pub(super) fn splat(ir: &mut Ir, op: OpId) -> Option<()> {
    let (number, sizes) = (ir.operand(op, 0), ir.operands(op)[1..].to_vec());
    let result = ir.result(op, 0);
    let ty = ir.type_of(result);
    let mut builder = Builder::before(ir, op);
    let empty = builder.value(Opcode::TensorEmpty, &sizes, ty, &[]);
    let filled = fill(&mut builder, number, empty);
    ir.replace_uses(result, filled);
    ir.erase(op);
    Some(())
}

/// Fills what the scatters of a function go into.
pub(super) fn of_scatters(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::IreeLinalgExtScatter).collect::<Vec<_>>()
    {
        let Some((at, &whole)) = ir.operands(op).iter().enumerate().next_back() else { continue };
        let made = ir.def_op(whole).filter(|&made| ir.opcode(made) == Opcode::ArithConstant);
        let Some(dense @ Attr::Dense { splat: true, .. }) = made.and_then(|made| ir.attr(made, "value")) else {
            continue;
        };
        let (number, ty, elem) = (ir.dense_elems(dense).swap_remove(0), ir.type_of(whole), ir.elem_of(whole));
        let mut builder = Builder::before(ir, op);
        let number = builder.constant(number, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let filled = fill(&mut builder, number, empty);
        ir.set_operand(op, at, filled);
    }
}
