//! The rules of tuning specifications: scripts that IREE looks up by the attributes on them and on their module.
//!
//! The wording is IREE's, as its tests expect it.

use super::Check;
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::Diag;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;

const ENTRY: &str = "iree_codegen.tuning_spec_entrypoint";
const DEFAULT: &str = "iree_codegen.tuning_spec_with_default_entrypoint";
const KERNEL: &str = "__kernel_config";

fn ensure(ir: &Ir, op: OpId, holds: bool, by: &str, message: impl FnOnce() -> String) -> Check {
    if holds {
        return Ok(());
    }
    let message = format!("{} (required by '{by}')", message());
    Err(Box::new(Diag::error(Code::BadOperation, ir.span(op), message)))
}

/// Whether the only one of these types stands for any operation.
fn is_any_op(ir: &Ir, types: &[TypeId]) -> bool {
    matches!(types, [ty] if matches!(&ir[*ty], Type::Dialect(text) if ir[*text] == *"transform.any_op"))
}

/// A sequence that tuning starts with takes the program and returns it.
pub(super) fn sequence(ir: &Ir, op: OpId) -> Check {
    let Some(attr) = ir.attr(op, ENTRY) else { return Ok(()) };
    if *attr != Attr::Unit {
        let message = format!("'{ENTRY}' attribute must be a UnitAttr");
        return Err(Box::new(Diag::error(Code::BadAttribute, ir.span(op), message)));
    }
    let (inputs, results) = ir.signature(op);
    ensure(ir, op, is_any_op(ir, results), ENTRY, || "Must return one 'any_op'".to_owned())?;
    ensure(ir, op, is_any_op(ir, inputs), ENTRY, || "Must take one 'any_op'".to_owned())
}

/// A module that can be merged with others has one entry: a single `foreach_match`.
pub(super) fn module(ir: &Ir, op: OpId) -> Check {
    if ir.attr_id(op, DEFAULT).is_none() {
        return Ok(());
    }
    let inner: Vec<OpId> = ir.body(op, 0).map(|block| ir.ops_of(block)).unwrap_or_default();
    let is_kernel =
        |&&op: &&OpId| ir.opcode(op) == Opcode::TransformNamedSequence && ir.symbol_name(op) == Some(KERNEL);
    let Some(&kernel) = inner.iter().find(is_kernel) else {
        return ensure(ir, op, false, DEFAULT, || format!("Missing named sequence '{KERNEL}'"));
    };
    ensure(ir, kernel, ir.attr_id(kernel, ENTRY).is_some(), DEFAULT, || {
        format!("Missing attribute '{ENTRY}' in named sequence '{KERNEL}'")
    })?;
    let entries = inner.iter().filter(|&&op| ir.attr_id(op, ENTRY).is_some()).count();
    ensure(ir, op, entries == 1, DEFAULT, || {
        format!("Expected one named sequence with '{ENTRY}', but found {entries}")
    })?;
    let blocks = ir.regions(kernel).first().map_or(&[][..], |&region| ir.blocks(region));
    ensure(ir, kernel, blocks.len() == 1, DEFAULT, || format!("'{KERNEL}' must contain exactly one block"))?;
    let steps = ir.ops_of(blocks[0]);
    ensure(ir, kernel, steps.len() == 2, DEFAULT, || format!("'{KERNEL}' must contain exactly two operations"))?;
    let step = steps[0];
    ensure(ir, kernel, ir.opcode(step) == Opcode::TransformForeachMatch, DEFAULT, || {
        format!("'{KERNEL}' must start with 'ForeachMatchOp'")
    })?;
    for name in ["restrict_root", "flatten_results"] {
        ensure(ir, step, ir.attr_id(step, name).is_none(), DEFAULT, || {
            format!("'ForeachMatchOp' must not have '{name}' attribute")
        })?;
    }
    let taken: Vec<TypeId> = ir.operands(step).iter().map(|&value| ir.type_of(value)).collect();
    let given: Vec<TypeId> = ir.results(step).map(|value| ir.type_of(value)).collect();
    ensure(ir, step, is_any_op(ir, &taken), DEFAULT, || {
        "'ForeachMatchOp' must take exactly one 'any_op' argument".to_owned()
    })?;
    ensure(ir, step, is_any_op(ir, &given), DEFAULT, || {
        "'ForeachMatchOp' must return exactly one 'any_op' result".to_owned()
    })
}
