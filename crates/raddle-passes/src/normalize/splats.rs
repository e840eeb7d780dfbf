//! Splats: a tensor of one number is filled with it.
//!
//! Before: `%0 = tensor.splat %x[%n] : tensor<?x8xf32>`
//! After:  `%e = tensor.empty(%n)`, `%0 = linalg.fill ins(%x) outs(%e)`

use raddle_ir::{Builder, Ir, OpId, Opcode};

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
