//! Rules of `hal` operations. The wording is IREE's, as its tests expect it.

use raddle_ir::verify::Check;
use raddle_ir::verify::wording::ensure;
use raddle_ir::{Ir, OpId, Opcode, ValueId};

pub(super) fn encoding(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ir.attr_id(op, "encoding").is_none(), || "unsupported encoding type".to_owned())
}

/// What a device's queue waits for is not what it signals.
pub(super) fn fences(ir: &Ir, op: OpId) -> Check {
    let [wait, signal] = ["wait_fence", "signal_fence"].map(|name| ir.group(op, name).first().copied());
    let is_null = |value: ValueId| ir.def_op(value).is_some_and(|op| ir.opcode(op) == Opcode::UtilNull);
    ensure(ir, op, wait.is_none_or(|fence| Some(fence) != signal || is_null(fence)), || {
        "device queue operations cannot wait and signal on the same fence".to_owned()
    })
}
