//! What depends on weights alone is computed once: such calls go into an initializer, which leaves what others need in
//! globals.
//!
//! Before: `%w = util.global.load @w`, `%t = call @f_kernel_0(%w)`, `%r = call @f_kernel_1(%x, %t)`
//! After:
//!
//! ```mlir
//! util.global private mutable @f_hoisted_0 : tensor<64x3x3x64xf16>
//! util.initializer {
//!   %w = util.global.load @w : tensor<64x64x3x3xf16>
//!   %t = func.call @f_kernel_0(%w) : (tensor<64x64x3x3xf16>) -> tensor<64x3x3x64xf16>
//!   util.global.store %t, @f_hoisted_0 : tensor<64x3x3x64xf16>
//!   util.return
//! }
//! ```
//!
//! and in the function `%t = util.global.load @f_hoisted_0`, `%r = call @f_kernel_1(%x, %t)`.
//!
//! Does not touch what would take more memory than before by a megabyte, as weights of few bits that are widened.

use raddle_ir::{Attr, BlockId, Builder, Class, DYNAMIC, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::fresh_name;

/// Bytes that the results of a call may be larger than what it is given, as in IREE.
const GROWS_MAX: i64 = 1 << 20;

/// Moves calls of these kernels; says how many.
pub(super) fn hoist(ir: &mut Ir, func: OpId, kernels: &[OpId]) -> usize {
    let mut known: FxHashSet<ValueId> = FxHashSet::default();
    let (mut calls, mut loads) = (Vec::new(), Vec::new());
    for op in ir.ops_of(ir.entry(func)) {
        let is_known = ir.operands(op).iter().all(|value| known.contains(value));
        let is_call = is_call_of(ir, op, kernels);
        let may_move = is_source(ir, op) || is_view(ir, op) || is_call && is_worth(ir, op);
        if !is_known || !may_move {
            continue;
        }
        known.extend(ir.results(op));
        calls.extend(is_call.then_some(op));
        loads.extend((ir.opcode(op) == Opcode::UtilGlobalLoad).then_some(op));
    }
    if calls.is_empty() {
        return 0;
    }
    let (empty, span) = (ir.intern_type(Type::Function { inputs: Vec::new(), results: Vec::new() }), ir.span(func));
    let ty = ir.intern(Attr::Type(empty));
    let initializer = Builder::before(ir, func).op(Opcode::UtilInitializer, &[], &[], &[("function_type", ty)]);
    let region = ir.add_region(initializer);
    let block = ir.add_block(region, &[]);
    let mut map = ValueMap::default();
    for &call in &calls {
        copy_into(ir, block, call, &mut map);
    }
    let end = Builder::at_end(ir, block, span).op(Opcode::UtilReturn, &[], &[], &[]);
    let base = ir.symbol_name(func).unwrap_or("main").to_owned();
    // From the last one on, so that those that only others of them need are unused by then.
    let (mut globals, mut stores) = (initializer, end);
    for (at, &call) in calls.iter().enumerate().rev() {
        for result in ir.results(call).collect::<Vec<_>>().into_iter().rev() {
            remove_unused_views(ir, result);
            if ir.is_unused(result) {
                continue;
            }
            let ty = ir.type_of(result);
            let name = fresh_name(ir, &format!("{base}_hoisted_{at}"));
            globals = declare(ir, globals, &name, ty);
            let symbol = ir.intern_str(&name);
            let global = ir.intern(Attr::Symbol(vec![symbol]));
            let loaded = Builder::before(ir, call).value(Opcode::UtilGlobalLoad, &[], ty, &[("global", global)]);
            ir.replace_uses(result, loaded);
            let stored = map.get(result);
            stores = Builder::before(ir, stores).op(Opcode::UtilGlobalStore, &[stored], &[], &[("global", global)]);
        }
        ir.erase(call);
    }
    for load in loads {
        let loaded = ir.result(load, 0);
        remove_unused_views(ir, loaded);
        if ir.is_unused(loaded) {
            ir.erase(load);
        }
    }
    calls.len()
}

/// The initializers that call one of these kernels, and the globals that they write to.
pub fn of_kernels(ir: &Ir, kernels: &[OpId]) -> Vec<OpId> {
    let top: Vec<OpId> = ir.ops_of(ir.module_block());
    let mut found = Vec::new();
    for &op in top.iter().filter(|&&op| ir.opcode(op) == Opcode::UtilInitializer) {
        let inside = ir.walk(op);
        if !inside.iter().any(|&op| is_call_of(ir, op, kernels)) {
            continue;
        }
        let stores = inside.into_iter().filter(|&op| ir.opcode(op) == Opcode::UtilGlobalStore);
        let names: Vec<&str> = stores.filter_map(|store| symbol(ir, store, "global")).collect();
        let is_written = |&global: &OpId| {
            ir.opcode(global) == Opcode::UtilGlobal && ir.symbol_name(global).is_some_and(|name| names.contains(&name))
        };
        found.extend(top.iter().copied().filter(is_written));
        found.push(op);
    }
    found
}

/// A global in front of an operation.
fn declare(ir: &mut Ir, behind: OpId, name: &str, ty: TypeId) -> OpId {
    let (text, private) = (ir.str_attr(name), ir.str_attr("private"));
    let (ty, unit) = (ir.intern(Attr::Type(ty)), ir.intern(Attr::Unit));
    let attrs = [("sym_visibility", private), ("sym_name", text), ("type", ty), ("is_mutable", unit)];
    Builder::before(ir, behind).op(Opcode::UtilGlobal, &[], &[], &attrs)
}

/// Copies an operation to the end of a block, behind those that it needs.
fn copy_into(ir: &mut Ir, block: BlockId, op: OpId, map: &mut ValueMap) {
    for operand in ir.operands(op).to_vec() {
        if map.get(operand) == operand
            && let Some(maker) = ir.def_op(operand)
        {
            copy_into(ir, block, maker, map);
        }
    }
    let span = ir.span(op);
    Builder::at_end(ir, block, span).copy(op, map);
}

/// Removes the views of a value that nobody uses.
fn remove_unused_views(ir: &mut Ir, value: ValueId) {
    let users: FxHashSet<OpId> = ir.uses(value).map(|(user, _)| user).collect();
    for user in users.into_iter().filter(|&user| is_view(ir, user)).collect::<Vec<_>>() {
        let result = ir.result(user, 0);
        remove_unused_views(ir, result);
        if ir.is_unused(result) {
            ir.erase(user);
        }
    }
}

/// Whether an operation gives what nothing changes.
fn is_source(ir: &Ir, op: OpId) -> bool {
    ir.class(op) == Class::Constant || ir.opcode(op) == Opcode::UtilGlobalLoad && is_immutable(ir, op)
}

fn is_immutable(ir: &Ir, load: OpId) -> bool {
    let Some(name) = symbol(ir, load, "global") else { return false };
    let mut ops = ir.block_ops(ir.module_block());
    let global = ops.find(|&op| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(name));
    global.is_some_and(|global| ir.attr_id(global, "is_mutable").is_none())
}

/// Whether an operation only sees a tensor in another shape.
fn is_view(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape | Opcode::TensorCast)
        && !ir.shape_of(ir.result(op, 0)).contains(&DYNAMIC)
}

/// Whether an operation calls one of these kernels, which says nothing to the user.
fn is_call_of(ir: &Ir, op: OpId, kernels: &[OpId]) -> bool {
    let Some(name) = symbol(ir, op, "callee").filter(|_| ir.opcode(op) == Opcode::FuncCall) else { return false };
    let says = |op: OpId| matches!(ir.opcode(op), Opcode::GpuPrintf | Opcode::CfAssert);
    let callee = kernels.iter().find(|&&kernel| ir.symbol_name(kernel) == Some(name));
    callee.is_some_and(|&callee| !ir.walk(callee).into_iter().any(says))
}

/// Whether the results of a call are of a known size that is not much larger than what it is given.
fn is_worth(ir: &Ir, call: OpId) -> bool {
    let all = |values: &[ValueId]| values.iter().try_fold(0i64, |sum, &value| sum.checked_add(bytes(ir, value)?));
    let results: Vec<ValueId> = ir.results(call).collect();
    match (all(ir.operands(call)), all(&results)) {
        (Some(given), Some(made)) => made <= given.saturating_add(GROWS_MAX),
        _ => false,
    }
}

fn bytes(ir: &Ir, value: ValueId) -> Option<i64> {
    let shape = ir.shape_of(value);
    let bits = Scalar::of(&ir[ir.elem_of(value)])?.bits() as i64;
    let n = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent))?;
    (!shape.contains(&DYNAMIC)).then_some(n.checked_mul(bits)? / 8)
}

fn symbol<'a>(ir: &'a Ir, op: OpId, attr: &str) -> Option<&'a str> {
    match ir.attr(op, attr) {
        Some(Attr::Symbol(path)) => path.last().map(|&name| &ir[name]),
        _ => None,
    }
}
