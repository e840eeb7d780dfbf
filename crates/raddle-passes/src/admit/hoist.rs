//! Hoist: functions inside of executables and inner modules move to the top level of the file.
//!
//! Before: `hal.executable @e { hal.executable.variant … { hal.executable.export … builtin.module { func.func @f … } } }`
//! After:  `func.func @f …`
//!
//! Of several variants of an executable, the one for the chip stays. The count of workgroups in an export is dropped:
//! a kernel has the grid of its own tiles.

use std::collections::BTreeSet;

use raddle_ir::{Code, Diag, Ir, OpId, Opcode, print_attr};

use crate::table::Facts;

/// Whether `hoist` has something to do.
pub fn is_nested(ir: &Ir, module: OpId) -> bool {
    ir.body(module, 0).is_some_and(|top| ir.block_ops(top).any(|op| holds_functions(ir, op)))
}

/// Moves every function with a body to the top level.
pub fn hoist(ir: &mut Ir, module: OpId, facts: &Facts) -> Result<(), Diag> {
    let Some(top) = ir.body(module, 0) else { return Ok(()) };
    let named = |ir: &Ir, op| ir.symbol_name(op).map(str::to_owned);
    let mut taken: BTreeSet<String> = ir.ops_of(top).into_iter().filter_map(|op| named(ir, op)).collect();
    for outer in ir.ops_of(top) {
        if !holds_functions(ir, outer) {
            continue;
        }
        keep_one_variant(ir, outer, facts)?;
        if let Some(name) = named(ir, outer) {
            taken.remove(&name);
        }
        for func in ir.walk(outer) {
            let in_module = ir.parent_op(func).is_some_and(|parent| ir.opcode(parent) == Opcode::BuiltinModule);
            if !in_module || ir.opcode(func) != Opcode::FuncFunc || ir.body(func, 0).is_none() {
                continue;
            }
            let name = named(ir, func).unwrap_or_default();
            if !taken.insert(name.clone()) {
                let message = format!("two functions of the file are named `@{name}`");
                return Err(Diag::error(Code::CannotAdmit, ir.span(func), message)
                    .note("functions of executables and inner modules move to the top level of the file")
                    .help("rename one of them, or part the file"));
            }
            ir.detach(func);
            ir.insert_before(outer, func);
        }
        ir.erase(outer);
    }
    Ok(())
}

/// Whether functions are to be taken out of an operation.
fn holds_functions(ir: &Ir, op: OpId) -> bool {
    let outer = [Opcode::HalExecutable, Opcode::HalExecutableSource, Opcode::HalExecutableVariant];
    let is_outer = outer.contains(&ir.opcode(op)) || ir.opcode(op) == Opcode::BuiltinModule;
    let is_func = |&inner: &OpId| ir.opcode(inner) == Opcode::FuncFunc && ir.body(inner, 0).is_some();
    is_outer && ir.walk(op).iter().any(is_func)
}

/// Erases the variants of an executable that are for other chips.
fn keep_one_variant(ir: &mut Ir, executable: OpId, facts: &Facts) -> Result<(), Diag> {
    let variants: Vec<OpId> =
        ir.walk(executable).into_iter().filter(|&op| ir.opcode(op) == Opcode::HalExecutableVariant).collect();
    if variants.len() < 2 {
        return Ok(());
    }
    let chip = format!("\"{}\"", facts.chip.name);
    let is_ours = |op: &OpId| ir.attr_id(*op, "target").is_some_and(|target| print_attr(ir, target).contains(&chip));
    let ours: Vec<OpId> = variants.iter().copied().filter(is_ours).collect();
    let [kept] = ours[..] else {
        let message = format!("{} of the {} variants of the executable are for {chip}", ours.len(), variants.len());
        return Err(Diag::error(Code::CannotAdmit, ir.span(executable), message)
            .help("choose the chip with `--target`, or dump for one target"));
    };
    for variant in variants {
        if variant != kept {
            ir.erase(variant);
        }
    }
    Ok(())
}
