//! Remove what nobody uses: pure operations, reads, shuffles, and loops and branches that hold nothing else.

use raddle_ir::{BlockId, Class, Ir, OpId, Opcode, Type, ValueId};

use super::blocks_of;

/// Removes unused operations of the function; says whether there were any.
pub fn remove(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for block in blocks_of(ir, func) {
        remove_in(ir, block, &mut changed);
    }
    changed
}

/// Walks a block backwards: users go before what they use.
fn remove_in(ir: &mut Ir, block: BlockId, changed: &mut bool) {
    let mut next = ir.terminator(block);
    while let Some(op) = next {
        next = ir.prev_op(op);
        if ir.all_unused(op) && is_removable(ir, op) {
            ir.erase(op);
            *changed = true;
            continue;
        }
        if ir.regions(op).is_empty() || ir.class(op) == Class::Structured {
            continue;
        }
        for block in blocks_of(ir, op) {
            remove_in(ir, block, changed);
        }
        // Emptied by the walk through its body.
        if ir.all_unused(op) && is_removable(ir, op) {
            ir.erase(op);
            *changed = true;
        }
    }
}

/// Whether an operation without users may go.
fn is_removable(ir: &Ir, op: OpId) -> bool {
    let info = ir.opcode(op).info();
    match ir.class(op) {
        Class::Constant
        | Class::Elementwise
        | Class::Broadcast
        | Class::Transpose
        | Class::Reshape
        | Class::Reduce
        | Class::Contract
        | Class::Read
        | Class::Slice
        | Class::Mask
        | Class::Empty
        | Class::Alloc
        | Class::View
        | Class::Layout
        | Class::Index
        | Class::Id
        | Class::Matrix => info.only_gives_results(),
        // A shuffle changes nothing; where it would have failed, nobody asked for its answer.
        Class::Shuffle => true,
        Class::Loop => ir.opcode(op) == Opcode::ScfFor && is_hollow(ir, op),
        Class::Branch => is_hollow(ir, op),
        // On tensors it changes nothing but gives new ones.
        Class::Structured | Class::Write => gives_tensors(ir, op),
        Class::Opaque => {
            let is_structured = ["linalg.", "iree_linalg_ext."].iter().any(|dialect| ir.name(op).starts_with(dialect))
                || matches!(ir.opcode(op), Opcode::IreeCodegenUkernelGeneric | Opcode::TensorPad);
            (info.only_gives_results() && ir.regions(op).is_empty()) || (is_structured && gives_tensors(ir, op))
        }
        Class::Module | Class::Function | Class::Yield | Class::Barrier | Class::Call => false,
    }
}

/// Whether an operation has results and touches no buffer.
fn gives_tensors(ir: &Ir, op: OpId) -> bool {
    let is_buffer = |value: ValueId| matches!(ir.ty(value), Type::MemRef { .. } | Type::UnrankedMemRef { .. });
    ir.results(op).len() > 0 && !ir.operands(op).iter().any(|&operand| is_buffer(operand))
}

/// Whether the regions hold a terminator and nothing else: the walk has removed what nobody uses, but values that a
/// terminator yields to an unused result keep their operations, which then may go with it.
fn is_hollow(ir: &Ir, op: OpId) -> bool {
    ir.regions(op).iter().all(|&region| {
        ir.blocks(region)
            .iter()
            .all(|&block| ir.block_ops(block).all(|op| ir.opcode(op) == Opcode::ScfYield || is_removable(ir, op)))
    })
}
