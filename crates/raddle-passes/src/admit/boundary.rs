//! Boundary: a function that IREE calls from outside takes tensors where it took handles of buffers.
//!
//! Before: `util.func @f$async(%a: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view`, which
//!         imports its arguments as tensors and exports its results, and `util.func @f(%a: !hal.buffer_view)`, which
//!         calls it and waits
//! After:  `func.func @f(%a: tensor<…>) -> tensor<…>`
//!
//! `iree-compile --compile-to=input` writes this for programs of PyTorch, and `--compile-to=abi` for all others. A tensor
//! that is written into the storage of an argument is a result behind the others, a handle that is returned as it came the
//! argument itself. An argument that nothing imports is bytes, of which only the caller knows how many, if it is returned,
//! and has no elements if it is not. A function that does more with its handles is the host's side and stays.

use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId};

const BUFFER: &str = "hal.buffer_view";
const FENCE: &str = "hal.fence";

/// Whether all that a function does with handles is to import, to export, and to wait.
pub(super) fn is_boundary(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    let fences = inputs.iter().rev().take_while(|&&ty| is(ir, ty, FENCE)).count();
    let is_handle = |&&ty: &&TypeId| matches!(ir[ty], Type::Dialect(_));
    let handles = inputs.iter().filter(is_handle).count();
    let buffers = inputs.iter().filter(|&&ty| is(ir, ty, BUFFER)).count();
    let entry = ir.entry(func);
    let moves = [Opcode::HalTensorImport, Opcode::HalTensorExport, Opcode::HalTensorAlias];
    // One block returns, so that what is exported there is what comes out.
    ir.blocks(ir.regions(func)[0]).len() == 1
        && handles == buffers + fences
        && (ir.attr(func, "iree.abi.stub").is_some()
            || ir.walk(func).into_iter().any(|op| moves.contains(&ir.opcode(op))))
        && results.iter().filter(is_handle).all(|&ty| is(ir, ty, BUFFER))
        && ir.args(entry).iter().all(|&arg| is_convertible(ir, arg))
        && ir.walk(func).into_iter().all(|op| ir.opcode(op) != Opcode::HalTensorExport || is_returned(ir, func, op))
        && ir.terminator(entry).is_some_and(|end| {
            ir.operands(end).iter().all(|&value| {
                // A returned argument is one that `is_convertible` has seen.
                !is(ir, ir.type_of(value), BUFFER)
                    || ir.def_op(value).is_none_or(|op| ir.opcode(op) == Opcode::HalTensorExport)
            })
        })
}

fn is(ir: &Ir, ty: TypeId, name: &str) -> bool {
    matches!(ir[ty], Type::Dialect(text) if ir[text] == *name)
}

/// Whether an argument is used as a tensor, or to wait for one.
fn is_convertible(ir: &Ir, arg: ValueId) -> bool {
    let ty = ir.type_of(arg);
    if is(ir, ty, FENCE) {
        let waits = [Opcode::HalTensorImport, Opcode::HalTensorAlias, Opcode::HalTensorBarrier, Opcode::HalFenceSignal];
        return ir.uses(arg).all(|(op, _)| waits.contains(&ir.opcode(op)));
    }
    if !is(ir, ty, BUFFER) {
        return true;
    }
    let imports: Vec<OpId> = imports(ir, arg).collect();
    // Bytes that are read as other elements than they are passed as, or from some byte on, are not an argument.
    let same = imports.iter().all(|&op| {
        let imported = ir.type_of(ir.result(op, 0));
        imported == ir.type_of(ir.result(imports[0], 0))
            && is_plain(ir, op, "target_encoding", imported)
            && ir.group(op, "byte_offset").is_empty()
    });
    let is_written = ir.uses(arg).any(|(op, _)| ir.opcode(op) == Opcode::HalTensorAlias);
    same && ir.uses(arg).all(|(op, at)| match ir.opcode(op) {
        Opcode::HalTensorImport => at == 0,
        Opcode::HalBufferViewDim => !imports.is_empty(),
        Opcode::HalTensorAlias => at > 0,
        // What is written to an argument is another value than what the caller gets back.
        Opcode::UtilReturn => !is_written,
        _ => false,
    })
}

fn imports(ir: &Ir, arg: ValueId) -> impl Iterator<Item = OpId> + '_ {
    ir.uses(arg).map(|(op, _)| op).filter(|&op| ir.opcode(op) == Opcode::HalTensorImport)
}

/// Whether a tensor is passed as the elements that it has.
fn is_plain(ir: &Ir, op: OpId, encoding: &str, tensor: TypeId) -> bool {
    matches!(ir.attr(op, encoding), Some(Attr::Type(ty)) if *ty == tensor) || ir.attr(op, encoding).is_none()
}

/// Whether an exported tensor is what the function returns, and nothing else.
fn is_returned(ir: &Ir, func: OpId, export: OpId) -> bool {
    let (tensor, handle) = (ir.type_of(ir.operand(export, 0)), ir.result(export, 0));
    let end = ir.terminator(ir.entry(func));
    ir.uses(handle).all(|(op, _)| Some(op) == end) && is_plain(ir, export, "source_encoding", tensor)
}

/// Rewrites such a function, which is a `func.func` already.
pub(super) fn take_tensors(ir: &mut Ir, func: OpId) {
    let entry = ir.entry(func);
    let mut written = Vec::new();
    for arg in ir.args(entry).to_vec() {
        if !is(ir, ir.type_of(arg), BUFFER) {
            continue;
        }
        let imported = imports(ir, arg).next().map(|op| ir.type_of(ir.result(op, 0)));
        let ty = imported.unwrap_or_else(|| {
            let is_returned = ir.uses(arg).any(|(op, _)| ir.opcode(op) == Opcode::FuncReturn);
            let byte = ir.int_type(8);
            ir.tensor_type(&[if is_returned { DYNAMIC } else { 0 }], byte)
        });
        ir.set_type(arg, ty);
    }
    for op in ir.walk(func) {
        let source = ir.operands(op).first().copied();
        match (ir.opcode(op), source) {
            (Opcode::HalTensorImport | Opcode::HalTensorAlias | Opcode::HalTensorExport, Some(source)) => {
                if ir.opcode(op) == Opcode::HalTensorAlias {
                    written.push(source);
                }
                ir.replace_uses(ir.result(op, 0), source);
            }
            (Opcode::HalTensorBarrier, _) => {
                for (result, source) in ir.results(op).zip(ir.operands(op).to_vec()).collect::<Vec<_>>() {
                    ir.replace_uses(result, source);
                }
            }
            (Opcode::HalBufferViewDim, Some(source)) => {
                let at = ir.attr(op, "index").and_then(Attr::as_i64).unwrap_or_default();
                let mut builder = Builder::before(ir, op);
                let at = builder.index(at);
                let index = builder.ir.index_type();
                let extent = builder.value(Opcode::TensorDim, &[source, at], index, &[]);
                ir.replace_uses(ir.result(op, 0), extent);
            }
            (Opcode::HalFenceSignal, _) => {}
            _ => continue,
        }
        ir.erase(op);
    }
    while ir.args(entry).last().is_some_and(|&arg| is(ir, ir.type_of(arg), FENCE)) {
        ir.pop_block_arg(entry);
    }
    let Some(end) = ir.terminator(entry) else { return };
    let returned: Vec<ValueId> = ir.operands(end).iter().copied().chain(written).collect();
    ir.set_operands(end, &returned);
    let types = |ir: &Ir, values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<_>>();
    let (inputs, results) = (types(ir, ir.args(entry)), types(ir, &returned));
    ir.set_signature(func, &inputs, &results);
}
