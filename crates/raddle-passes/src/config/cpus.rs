//! CPUs: a program that is configured for threads of a GPU is compiled there as if it were not.

use raddle_ir::{Code, Diag, Ir, OpId};

use super::{SCALAR_PIPELINES, pipeline};
use crate::facts::Facts;

/// Leaves out configurations that a user wrote, unless they ask for scalar loops: they deal with threads, and there is
/// one.
pub fn forget_on_cpus(ir: &mut Ir, func: OpId, facts: &Facts) {
    if facts.chip.native.is_none() {
        return;
    }
    let mut lost = None;
    for op in ir.walk(func) {
        if ir.attr_id(op, "lowering_config").is_some() {
            ir.remove_attr(op, "lowering_config");
            lost = Some(op);
        }
    }
    if ir.attr_id(func, "translation_info").is_some()
        && !pipeline(ir, func).is_some_and(|name| SCALAR_PIPELINES.contains(&name))
    {
        ir.remove_attr(func, "translation_info");
        lost = lost.or(Some(func));
    }
    if let Some(op) = lost {
        let message =
            format!("the configuration is for threads of a GPU, and {} chooses its own tiles", facts.chip.name);
        facts.remark(Diag::error(Code::CannotConfigure, ir.span(op), message));
    }
}
