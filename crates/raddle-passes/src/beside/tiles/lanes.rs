//! Loops over lanes become lanes: a `scf.forall` over the lanes of a subgroup that writes memory is its body, once.
//!
//! Before: `scf.forall (%lane) in (64) { … } {mapping = [#iree_gpu.lane_id<0>]}`
//! After:  `%lane = gpu.lane_id upper_bound 64`, the body, and `gpu.barrier`, since others may read what lanes wrote
//!
//! Loops that give tensors stay: their results are first to be put into memory.

use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, ValueMap, parse_attr};

/// Takes loops over lanes inside a function apart.
pub fn to_lanes(ir: &mut Ir, func: OpId) {
    let Ok(mapping) = parse_attr("#iree_gpu.lane_id<0>", ir) else { return };
    let mapping = ir.intern(Attr::Array(vec![mapping]));
    for op in ir.walk(func) {
        // What was nested in a loop is a copy now.
        if ir.parent_block(op).is_none() || ir.opcode(op) != Opcode::ScfForall || ir.results(op).len() > 0 {
            continue;
        }
        let Forall { lower, upper, step, .. } = Forall::of(ir, op);
        if let (&[Mixed::Static(0)], &[Mixed::Static(n)], &[Mixed::Static(1)]) = (&lower[..], &upper[..], &step[..])
            && ir.attr_id(op, "mapping") == Some(mapping)
        {
            take_apart(ir, op, n);
        }
    }
}

fn take_apart(ir: &mut Ir, op: OpId, n: i64) {
    let body = ir.entry(op);
    let (lane, ops) = (ir.args(body)[0], ir.ops_of(body));
    let mut builder = Builder::before(ir, op);
    let index = builder.ir.index_type();
    let bound = builder.ir.intern(Attr::Int { value: n.into(), ty: index });
    let own = builder.value(Opcode::GpuLaneId, &[], index, &[("upper_bound", bound)]);
    let mut map = ValueMap::default();
    map.set(lane, own);
    for inner in ops {
        if builder.ir.opcode(inner) != Opcode::ScfForallInParallel {
            builder.copy(inner, &mut map);
        }
    }
    builder.barrier();
    ir.erase(op);
}
