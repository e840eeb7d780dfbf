//! Steps on shared memory: asynchronous copies, padding, pipelines.

use raddle_ir::{Attr, Code, Diag, Ir, OpId, Opcode};

use super::{Done, Payload, Script, Stop, hard};
use crate::beside::shared_memory::{copies, pad, prefetch, reuse, spread, stages};

/// The targets of a step, which are all of the kind that it works on.
fn targets(ir: &Ir, script: &Script<'_>, op: OpId, kind: &[Opcode]) -> Result<Vec<OpId>, Stop> {
    let targets = script.ops(ir, op, 0)?;
    match targets.iter().find(|&&target| !kind.contains(&ir.opcode(target)) || ir.body(target, 0).is_none()) {
        Some(&other) => {
            let diag = Diag::error(Code::BadScript, ir.span(op), "transform applied to the wrong op kind");
            let names: Vec<String> = kind.iter().map(|opcode| format!("`{}`", opcode.name())).collect();
            Err(Stop::Quiet(
                diag.related(ir.span(other), "when applied to this op")
                    .help(format!("give it a handle to {} with a body", names.join(" or "))),
            ))
        }
        None => Ok(targets),
    }
}

/// What rows get longer by where the step does not say it.
const PADDING_BITS: i64 = 64;

const FUNCTIONS: &[Opcode] = &[Opcode::FuncFunc, Opcode::UtilFunc];

/// `iree.create_async_groups`
pub(super) fn create_async_groups(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let bypass = ir.attr_id(op, "use_mma_sync").is_some();
    for func in targets(ir, script, op, FUNCTIONS)? {
        copies::make_asynchronous(ir, func, bypass);
    }
    Ok(())
}

/// `iree.reduce_shared_memory_bank_conflicts`
pub(super) fn reduce_bank_conflicts(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let bits = ir.attr(op, "padding_size_bits").and_then(Attr::as_i64);
    let bits = bits.unwrap_or(PADDING_BITS);
    if bits < 0 {
        return Err(hard(ir, op, format!("rows cannot get {bits} bits longer")));
    }
    for func in targets(ir, script, op, FUNCTIONS)? {
        pad::pad(ir, func, bits);
    }
    Ok(())
}

/// `iree.pipeline_shared_memory_copies`: the result stands for the new loops, or for those that stay as they are.
pub(super) fn pipeline_copies(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let depth = ir.attr(op, "depth").and_then(Attr::as_i64);
    let depth = depth.ok_or_else(|| hard(ir, op, "it does not say its depth"))?;
    let depth = stages::depth(depth).map_err(|why| hard(ir, op, why))?;
    let strategy =
        if ir.attr_id(op, "use_mma_sync").is_some() { stages::Strategy::Matrices } else { stages::Strategy::Reads };
    let peels = ir.attr_id(op, "peel_epilogue").is_some();
    let loops = targets(ir, script, op, &[Opcode::ScfFor])?;
    let new =
        loops.into_iter().map(|loop_op| stages::pipeline_loop(ir, loop_op, strategy, depth, peels).unwrap_or(loop_op));
    let new = Payload::Ops(new.collect());
    script.set(ir, op, 0, new)
}

/// `iree.prefetch_shared_memory_copies`
pub(super) fn prefetch_copies(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let loops = targets(ir, script, op, &[Opcode::ScfFor])?;
    let new = loops.into_iter().map(|loop_op| prefetch::prefetch_in(ir, loop_op, 2).unwrap_or(loop_op));
    let new = Payload::Ops(new.collect());
    script.set(ir, op, 0, new)
}

/// `iree.gpu_distribute_shared_memory_copy`
pub(super) fn spread_copies(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    for func in targets(ir, script, op, FUNCTIONS)? {
        spread::spread_copies(ir, func).map_err(Stop::Hard)?;
    }
    Ok(())
}

/// `iree.hoist_static_alloc`
pub(super) fn hoist_allocations(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    for func in targets(ir, script, op, FUNCTIONS)? {
        reuse::hoist(ir, func, script.facts).map_err(Stop::Hard)?;
    }
    Ok(())
}
