//! What rules are written with: a finding about an operation, in MLIR's words, as its tests expect them.

use super::Check;
use crate::codes::Code;
use crate::diag::Diag;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::text::print_type;

/// A finding about an operation.
pub fn wrong(ir: &Ir, op: OpId, message: impl std::fmt::Display) -> Box<Diag> {
    Box::new(Diag::error(Code::BadOperation, ir.span(op), format!("'{}' op {message}", ir.name(op))))
}

/// A finding unless the condition holds; the message is only made when it does not.
pub fn ensure(ir: &Ir, op: OpId, holds: bool, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(wrong(ir, op, message())) }
}

/// A type in quotes.
pub fn quoted(ir: &Ir, ty: TypeId) -> String {
    format!("'{}'", print_type(ir, ty))
}
