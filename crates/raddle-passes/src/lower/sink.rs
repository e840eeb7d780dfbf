//! Sink loads of matrices to their first product, so that registers are held no longer than they must.
//!
//! A change of layout loads all fragments at once, and the products take them one after the other. An assembler keeps
//! much of the text's order when it decides how many registers to use. A load moves down to the first operation that
//! wants an element of it, and not past anything that may write or wait.

use raddle_ir::{BlockId, Class, Ir, OpId, Opcode};

/// Sinks the loads of a function.
pub(super) fn sink(ir: &mut Ir, func: OpId) {
    let mut blocks: Vec<BlockId> = Vec::new();
    for op in ir.walk(func) {
        if let (Opcode::NvgpuLdmatrix, Some(block)) = (ir.opcode(op), ir.parent_block(op))
            && blocks.last() != Some(&block)
        {
            blocks.push(block);
        }
    }
    for block in blocks {
        sink_in(ir, block);
    }
}

fn sink_in(ir: &mut Ir, block: BlockId) {
    let ops = ir.ops_of(block);
    let mut place = vec![usize::MAX; ir.n_ops()];
    for (at, op) in ops.iter().enumerate() {
        place[op.index()] = at;
    }
    for (at, &load) in ops.iter().enumerate() {
        if ir.opcode(load) != Opcode::NvgpuLdmatrix {
            continue;
        }
        // The load's vector goes straight to its elements.
        let users: Vec<OpId> = ir.uses(ir.result(load, 0)).map(|(user, _)| user).collect();
        let &[split] = &users[..] else { continue };
        if ir.opcode(split) != Opcode::VectorToElements || ir.parent_block(split) != Some(block) {
            continue;
        }
        // What the next round of a loop uses is loaded ahead on purpose.
        let is_yielded = |user: OpId| {
            let word = ir.opcode(user) == Opcode::VectorFromElements;
            word && ir.uses(ir.result(user, 0)).any(|(end, _)| ir.opcode(end) == Opcode::ScfYield)
        };
        // A user inside of a loop or branch is behind something that may wait, which ends the way anyhow.
        let (mut first, mut is_ahead) = (usize::MAX, false);
        for element in ir.results(split) {
            for (user, _) in ir.uses(element) {
                first = first.min(place[user.index()]);
                is_ahead |= is_yielded(user);
            }
        }
        if is_ahead {
            continue;
        }
        let end = (at + 1..ops.len()).find(|&next| next == first || !is_quiet(ir, ops[next]));
        let Some(end) = end.filter(|&end| end > place[split.index()] + 1) else { continue };
        for op in [load, split] {
            ir.detach(op);
            ir.insert_before(ops[end], op);
        }
    }
}

/// Whether a load may move past an operation.
fn is_quiet(ir: &Ir, op: OpId) -> bool {
    let loads = matches!(ir.class(op), Class::Read) || ir.opcode(op) == Opcode::NvgpuLdmatrix;
    loads || ir.opcode(op).info().is_pure() && ir.regions(op).is_empty()
}
