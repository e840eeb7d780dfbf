//! Assertions in bodies of structured operations are left out, with a remark.
//!
//! Before: `%in = arith.cmpi slt, %i, %n` and `cf.assert %in, "…"` in front of the `tensor.extract` of a lookup
//! After:  the `tensor.extract`
//!
//! A kernel has no way to say that an assertion does not hold, and with one its body is nothing that vectors compute.
//! Whoever executes the program as written checks them, and the host those outside of bodies.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Code, Diag, Ir, OpId, Opcode};

use crate::facts::Facts;

/// Erases the assertions in the bodies of a function's structured operations, and what only they needed.
pub(super) fn leave_out(ir: &mut Ir, func: OpId, facts: &Facts) {
    for op in ir.walk(func) {
        if Linalg::try_of(ir, op).is_none() || ir.regions(op).is_empty() {
            continue;
        }
        let body = ir.entry(op);
        let checks: Vec<OpId> = ir.ops_of(body).into_iter().filter(|&op| ir.opcode(op) == Opcode::CfAssert).collect();
        for &check in &checks {
            let message = "a kernel does not check this assertion";
            facts.remark(Diag::error(Code::KernelChoice, ir.span(check), message));
            ir.erase(check);
        }
        if !checks.is_empty() {
            leave_out_unused(ir, body);
        }
    }
}

/// Erases what nobody in a body uses; users go before what they use.
pub(super) fn leave_out_unused(ir: &mut Ir, body: BlockId) {
    for op in ir.ops_of(body).into_iter().rev() {
        let is_unused = ir.results(op).len() > 0 && ir.results(op).all(|result| ir.is_unused(result));
        if is_unused && ir.regions(op).is_empty() && ir.opcode(op).info().only_gives_results() {
            ir.erase(op);
        }
    }
}
