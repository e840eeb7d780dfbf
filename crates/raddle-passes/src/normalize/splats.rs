//! Splats: a constant tensor of one number is a fill, which each kernel makes for itself.
//!
//! Before: `%c = arith.constant dense<0.0> : tensor<64x64xf32>`, `linalg.matmul ins(…) outs(%c)`
//! After:  `%c = linalg.fill ins(%zero) outs(tensor.empty())`
//!
//! As a constant it would be memory that the host hands over, of which the kernel reads every element.
//! Does not touch what other operations than structured ones use.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, ValueId};

use crate::structured::fill as fill_of;

/// Rewrites the constants of a function.
pub(super) fn fill(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::ArithConstant || !ir.ty(ir.result(op, 0)).is_tensor() {
            continue;
        }
        let (value, Some(number)) = (ir.result(op, 0), number(ir, op)) else { continue };
        let users: Vec<(OpId, usize)> =
            ir.uses(value).filter(|&(user, _)| Linalg::try_of(ir, user).is_some()).collect();
        if users.is_empty() {
            continue;
        }
        let filled = filled(&mut Builder::before(ir, op), value, number);
        for (user, operand) in users {
            ir.set_operand(user, operand, filled);
        }
        if ir.is_unused(value) {
            ir.erase(op);
        }
    }
}

/// The one number of a constant tensor.
fn number(ir: &Ir, op: OpId) -> Option<Attr> {
    match ir.attr(op, "value")? {
        dense @ Attr::Dense { splat: true, .. } => ir.dense_elems(dense).into_iter().next(),
        _ => None,
    }
}

fn filled(builder: &mut Builder<'_>, like: ValueId, number: Attr) -> ValueId {
    let (ty, elem) = (builder.ir.type_of(like), builder.ir.elem_of(like));
    let number = builder.constant(number, elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    fill_of(builder, number, empty)
}
