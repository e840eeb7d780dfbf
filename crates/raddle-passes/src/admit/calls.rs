//! Calls: a program on memrefs takes in what it calls, and so does the body of a structured operation.
//!
//! Before: `call @scale(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()`, of a function with structured operations or loops
//! After:  the operations of `@scale`, with `%a` and `%b` for its arguments
//!
//! What a buffer holds is a value of one function, and what it calls may write it. Private functions that nobody calls any
//! more go. Calls inside of kernels stay.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, BlockId, Builder, Code, Diag, Ir, OpId, Opcode, Type, ValueId, ValueMap};

use super::{affine, buffers, loops};

/// Calls that one function may take in: more is recursion.
const CALLS_MAX: usize = 256;
/// Calls inside of calls that are followed to a program.
const DEPTH_MAX: usize = 4;

/// Whether a function has such calls.
pub(super) fn is_needed(ir: &Ir, func: OpId) -> bool {
    next(ir, func, DEPTH_MAX).is_some()
}

/// The first such call of a function, and what it calls; what that calls is looked at so many calls deep.
fn next(ir: &Ir, func: OpId, depth: usize) -> Option<(OpId, OpId)> {
    if ir.opcode(func) != Opcode::FuncFunc || ir.attr_id(func, "translation_info").is_some() {
        return None;
    }
    ir.walk(func).into_iter().find_map(|call| Some((call, callee(ir, call, depth)?)))
}

/// The function on memrefs that an operation calls, or the one that the body of a structured operation calls.
fn callee(ir: &Ir, call: OpId, depth: usize) -> Option<OpId> {
    let in_memory = ir.operands(call).iter().any(|&value| matches!(ir.ty(value), Type::MemRef { .. }));
    let is_call = ir.opcode(call) == Opcode::FuncCall;
    let mut around = std::iter::successors(ir.parent_op(call).filter(|_| is_call), |&op| ir.parent_op(op));
    let in_body = around.any(|op| Linalg::operands(ir, op).is_some());
    let Some(Attr::Symbol(path)) = ir.attr(call, "callee").filter(|_| is_call && (in_memory || in_body)) else {
        return None;
    };
    let name = &ir[*path.last()?];
    let callee = ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(name))?;
    let is_whole = ir.body(callee, 0).is_some() && ir.blocks(ir.regions(callee)[0]).len() == 1;
    let is_program =
        || buffers::is_on_buffers(ir, callee) || affine::is_needed(ir, callee) || loops::is_needed(ir, callee);
    (is_whole
        && ir.attr_id(callee, "translation_info").is_none()
        && (in_body || is_program() || depth > 0 && next(ir, callee, depth - 1).is_some()))
    .then_some(callee)
}

/// Takes in what the functions of a block call.
pub(super) fn inline(ir: &mut Ir, top: BlockId) -> Result<(), Diag> {
    let mut taken = Vec::new();
    for func in ir.ops_of(top) {
        for n in 0.. {
            let Some((call, callee)) = next(ir, func, DEPTH_MAX) else { break };
            if n == CALLS_MAX || callee == func {
                let name = ir.symbol_name(func).unwrap_or_default();
                let message = format!("`@{name}` cannot take in what it calls");
                return Err(Diag::error(Code::CannotAdmit, ir.span(call), message).note(format!(
                    "it calls itself, or there are more than {CALLS_MAX} calls of functions on memrefs, or in bodies"
                )));
            }
            let body = ir.entry(callee);
            let mut map = ValueMap::default();
            for (&arg, &value) in ir.args(body).iter().zip(ir.operands(call)) {
                map.set(arg, value);
            }
            let b = &mut Builder::before(ir, call);
            let ops = b.ir.ops_of(body);
            let (&end, ops) = ops.split_last().expect("a verified block has a terminator");
            for &op in ops {
                b.copy(op, &mut map);
            }
            let values: Vec<ValueId> = ir.operands(end).iter().map(|&value| map.get(value)).collect();
            for (old, new) in ir.results(call).zip(values).collect::<Vec<_>>() {
                ir.replace_uses(old, new);
            }
            ir.erase(call);
            if !taken.contains(&callee) {
                taken.push(callee);
            }
        }
    }
    for callee in taken {
        let name = ir.symbol_name(callee).unwrap_or_default().to_owned();
        let calls = |&op: &OpId| {
            let path = ir.attr(op, "callee");
            matches!(path, Some(Attr::Symbol(path)) if path.last().is_some_and(|&last| ir[last] == *name))
        };
        let is_private = ir.attr(callee, "sym_visibility").is_some();
        if is_private && !ir.walk(ir.module()).iter().any(calls) {
            ir.erase(callee);
        }
    }
    Ok(())
}
