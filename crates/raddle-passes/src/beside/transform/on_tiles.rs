//! Steps about matrix instructions on tiles, and loops over the lanes that execute them.

use raddle_ir::{Ir, OpId};

use super::{Done, Payload, Script, Stop, hard, stop};
use crate::beside::tiles;

/// `iree.convert_to_multi_mma`: each contraction becomes an `iree_codegen.inner_tiled` of a kind.
pub fn convert(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let kind = ir.attr_id(op, "intrinsic_kind").ok_or_else(|| hard(ir, op, "it does not say which kind"))?;
    let mut made = Vec::new();
    for target in script.ops(ir, op, 0)? {
        let at = ir.span(target);
        let new = tiles::convert(ir, target, kind)
            .map_err(|why| Stop::Hard(stop(ir, op, why).related(at, "this operation")))?;
        made.push(new);
    }
    script.set(ir, op, 0, Payload::Ops(made))
}

/// `iree.distribute_inner_tiled`: each operation's tiles are dealt to the threads of a loop.
pub fn deal(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let mut loops = Vec::new();
    for target in script.ops(ir, op, 0)? {
        if ir.name(target) != "iree_codegen.inner_tiled" {
            let diag = stop(ir, op, "only `iree_codegen.inner_tiled` is dealt to threads");
            return Err(Stop::Hard(diag.related(ir.span(target), "this operation")));
        }
        let asked = ir.span(op);
        loops.push(tiles::deal(ir, target).map_err(|diag| Stop::Hard(diag.related(asked, "asked for by this step")))?);
    }
    script.set(ir, op, 0, Payload::Ops(loops))
}

/// `iree.forall_to_lanes`: loops over lanes become lanes.
pub fn to_lanes(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    for target in script.ops(ir, op, 0)? {
        tiles::to_lanes(ir, target);
    }
    Ok(())
}
