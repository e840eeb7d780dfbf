//! Hoist: functions inside of executables and inner modules move to the top level of the file.
//!
//! Before: `hal.executable @e { hal.executable.variant … { hal.executable.export … builtin.module { func.func @f … } } }`
//! After:  `func.func @f …`
//!
//! A `util.func` of tensors and numbers, as `iree-compile --compile-to=input` writes it, becomes a `func.func`, and so does
//! one that only imports and exports them (`boundary`); those on buffers and devices are the host's side of a dump and
//! stay. Kernels of `gpu.module` come, too (`launches`). A program on memrefs takes in what it
//! calls (`calls`). What the file's resources hold comes to the constants that name it. Of several variants of an executable, the one for the chip stays. The count of workgroups in an export is dropped:
//! a kernel has the grid of its own tiles.

use raddle_ir::{AttrId, BlockId, Builder, Code, Diag, Ir, OpId, Opcode, Type, TypeId, ValueMap, print_attr};
use rustc_hash::FxHashSet;

use super::{boundary, calls, launches, reads_inside};
use crate::facts::Facts;

/// What IREE adds to the name of a function that takes fences, beside the one that waits.
const ASYNC: &str = "$async";

/// Whether `hoist` has something to do.
pub fn is_nested(ir: &Ir, module: OpId) -> bool {
    let holds = |ir: &Ir, op| {
        holds_functions(ir, op)
            || is_program(ir, op)
            || launches::is_module(ir, op)
            || launches::has_several(ir, op)
            || calls::is_needed(ir, op)
    };
    ir.body(module, 0).is_some_and(|top| ir.block_ops(top).any(|op| holds(ir, op))) || !ir.metadata().is_empty()
}

/// Moves every function with a body to the top level.
pub fn hoist(ir: &mut Ir, module: OpId, facts: &Facts) -> Result<(), Diag> {
    let Some(top) = ir.body(module, 0) else { return Ok(()) };
    let named = |ir: &Ir, op| ir.symbol_name(op).map(str::to_owned);
    for op in ir.walk(module) {
        ir.take_resources(op)?;
    }
    let modules: Vec<OpId> = ir.ops_of(top).into_iter().filter(|&op| launches::is_module(ir, op)).collect();
    for &outer in &modules {
        launches::take_kernels(ir, outer, facts)?;
        ir.erase(outer);
    }
    if !modules.is_empty() {
        launches::drop_hosts(ir, top, facts);
    }
    for func in ir.ops_of(top) {
        if launches::has_several(ir, func) {
            launches::outline(ir, func, facts);
        }
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for op in ir.ops_of(top) {
        if named(ir, op).is_some_and(|name| !taken.insert(name)) {
            return Err(named_twice(ir, op));
        }
    }
    for outer in ir.ops_of(top) {
        if is_program(ir, outer) {
            make_func(ir, outer);
            continue;
        }
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
            if !taken.insert(name) {
                return Err(named_twice(ir, func));
            }
            ir.detach(func);
            ir.insert_before(outer, func);
        }
        ir.erase(outer);
    }
    drop_callers(ir, top);
    calls::inline(ir, top)
}

fn named_twice(ir: &Ir, func: OpId) -> Diag {
    let message = format!("two functions of the file are named `@{}`", ir.symbol_name(func).unwrap_or_default());
    Diag::error(Code::CannotAdmit, ir.span(func), message)
        .note("functions of executables and inner modules move to the top level of the file")
        .help("rename one of them, or part the file")
}

/// A function that calls another one and waits for it says no more than that one, which takes its name.
fn drop_callers(ir: &mut Ir, top: BlockId) {
    for func in ir.ops_of(top) {
        let name = ir.symbol_name(func).and_then(|name| name.strip_suffix(ASYNC)).map(str::to_owned);
        let (Opcode::FuncFunc, Some(name)) = (ir.opcode(func), name) else { continue };
        let caller = ir.block_ops(top).find(|&op| ir.symbol_name(op) == Some(&name));
        let is_handles = |&op: &OpId| ir.opcode(op) == Opcode::UtilFunc;
        if let Some(caller) = caller.filter(is_handles) {
            ir.erase(caller);
            let name = ir.str_attr(&name);
            ir.set_attr(func, "sym_name", name);
        }
    }
}

/// Whether functions are to be taken out of an operation.
fn holds_functions(ir: &Ir, op: OpId) -> bool {
    let outer = [Opcode::HalExecutable, Opcode::HalExecutableSource, Opcode::HalExecutableVariant];
    let is_outer = outer.contains(&ir.opcode(op)) || ir.opcode(op) == Opcode::BuiltinModule;
    let is_func = |&inner: &OpId| ir.opcode(inner) == Opcode::FuncFunc && ir.body(inner, 0).is_some();
    is_outer && ir.walk(op).iter().any(is_func)
}

/// Whether an operation is a `util.func` that computes: nothing in its signature belongs to another dialect, but for what
/// stands for tensors.
fn is_program(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::UtilFunc
        && ir.body(op, 0).is_some()
        && (has_plain_types(ir, op) || boundary::is_boundary(ir, op))
}

fn has_plain_types(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    inputs.iter().chain(results).all(|&ty| !matches!(ir[ty], Type::Dialect(_)))
}

/// The same function as `func.func`.
fn make_func(ir: &mut Ir, old: OpId) {
    let is_plain = has_plain_types(ir, old);
    let kept = ["sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"];
    let attrs: Vec<(&str, AttrId)> = kept.iter().filter_map(|&name| Some((name, ir.attr_id(old, name)?))).collect();
    let mut builder = Builder::before(ir, old);
    let func = builder.op(Opcode::FuncFunc, &[], &[], &attrs);
    builder.copy_regions(old, func, &mut ValueMap::default());
    for op in ir.walk(func) {
        let operands = ir.operands(op).to_vec();
        match (ir.opcode(op), ir.attr_id(op, "callee")) {
            (Opcode::UtilReturn, _) if ir.parent_op(op) == Some(func) => {
                Builder::before(ir, op).op(Opcode::FuncReturn, &operands, &[], &[]);
            }
            // In whose memory a result lies does not change its value.
            (Opcode::UtilCall, Some(callee)) => {
                let results: Vec<TypeId> = ir.results(op).map(|result| ir.type_of(result)).collect();
                let call = Builder::before(ir, op).op(Opcode::FuncCall, &operands, &results, &[("callee", callee)]);
                for (old, new) in ir.results(op).zip(ir.results(call)).collect::<Vec<_>>() {
                    ir.replace_uses(old, new);
                }
            }
            _ => continue,
        }
        ir.erase(op);
    }
    if is_plain {
        reads_inside::keep_all(ir, func);
    } else {
        boundary::take_tensors(ir, func);
    }
    ir.erase(old);
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
