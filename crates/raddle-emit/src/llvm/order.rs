//! Which barriers have global memory to order.
//!
//! A barrier that orders shared memory alone leaves loads and stores of global memory on their way. That is all a kernel
//! needs that reads its inputs, computes, and writes results that nobody reads: no access in front of such a barrier has
//! to be seen by one behind it.

use std::collections::BTreeSet;

use raddle_ir::{Ir, OpId, Opcode, Type, ValueId};

use crate::kernel::is_written;

/// The barriers of a kernel that are for shared memory alone, by their attribute or because no other access needs them.
pub(super) fn shared_barriers(ir: &Ir, func: OpId, overlap: bool) -> BTreeSet<OpId> {
    let ops = ir.walk(func);
    let stated = |op: OpId| match ir.attr(op, "address_spaces") {
        Some(raddle_ir::Attr::Array(spaces)) => {
            !spaces.is_empty() && spaces.iter().all(|&space| ir.keyword(space) == Some("workgroup"))
        }
        _ => false,
    };
    let barriers = ops.iter().copied().filter(|&op| ir.opcode(op) == Opcode::GpuBarrier);
    let args = ir.body(func, 0).map(|block| ir.args(block).to_vec()).unwrap_or_default();
    let is_buffer = |arg: &ValueId| matches!(ir.ty(*arg), Type::MemRef { .. });
    let buffers: Vec<ValueId> = args.into_iter().filter(is_buffer).collect();
    // Blocks that jump have no order that the text shows.
    let jumps = ops.iter().any(|&op| ir.regions(op).iter().any(|&region| ir.blocks(region).len() > 1));
    let mixed = |&buffer: &ValueId| is_written(ir, buffer) && ir.uses(buffer).any(|(user, at)| !stores(ir, user, at));
    if jumps || overlap || buffers.iter().any(mixed) {
        return barriers.filter(|&op| stated(op)).collect();
    }
    let writers: BTreeSet<OpId> = buffers
        .iter()
        .filter(|&&buffer| is_written(ir, buffer))
        .flat_map(|&buffer| ir.uses(buffer))
        .map(|use_| use_.0)
        .collect();
    let around = |op: OpId| std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    // Loops that write: of a barrier inside, the writes of an earlier iteration are in front.
    let loops: BTreeSet<OpId> = writers
        .iter()
        .flat_map(|&op| around(op))
        .filter(|&op| matches!(ir.opcode(op), Opcode::ScfFor | Opcode::ScfWhile))
        .collect();
    let first = ops.iter().position(|op| writers.contains(op)).unwrap_or(ops.len());
    let in_front: BTreeSet<OpId> = ops[..first].iter().copied().collect();
    let unneeded = |op: OpId| in_front.contains(&op) && !around(op).any(|op| loops.contains(&op));
    barriers.filter(|&op| stated(op) || unneeded(op)).collect()
}

/// Whether a use of a memref stores to it.
fn stores(ir: &Ir, user: OpId, operand: usize) -> bool {
    matches!(ir.opcode(user), Opcode::MemrefStore | Opcode::VectorStore) && operand == 1
}
