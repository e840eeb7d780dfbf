//! Scans: choose how a workgroup computes lines of partial results.
//!
//! Before: `iree_linalg_ext.scan dimension(1) ins(…) outs(…)`
//! After:  the same with `#iree_gpu.lowering_config<{workgroup = [4, 0], reduction = [0, 512], …}>`
//!
//! Workgroups share the lines; along a line go the lanes of a subgroup, and subgroups, too, if lines are long. What a
//! workgroup does not hold at once it goes through in steps, and carries the last partial result from one to the next.
//!
//! On CPUs, vectors are elements of neighbouring lines; those that lie along rows of memory are loops.

use raddle_ir::{Code, Diag, Ir, OpId};

use super::{LONG, check, lengths, native, power_of_two, stream};
use crate::config::{Config, Launch};
use crate::facts::Facts;
use crate::structured::scans::Scan;

/// Gives a scan its configuration.
pub(super) fn configure(ir: &mut Ir, func: OpId, op: OpId, facts: &Facts) -> Result<(), Diag> {
    let refuse = |why: &str| {
        let message = format!("`{}` cannot be computed on vectors: {why}", ir.name(op));
        Diag::error(Code::CannotConfigure, ir.span(op), message)
    };
    let scan = Scan::of(ir, op).ok_or_else(|| refuse("its body is not one operation that combines two elements"))?;
    let extents = lengths(ir, &scan.linalg);
    let across = facts.chip.native.map(|vectors| native::of_scan(&scan.linalg, &extents, vectors));
    if let Some(None) = across {
        return Err(refuse("CPUs have no vectors along its lines"));
    }
    if scan.linalg.extents(ir).contains(&0) {
        return Err(refuse("it has no elements"));
    }
    let launch = Launch::stated(ir, func)?;
    let is_stated = ir.attr(op, "lowering_config").is_some();
    let config = if is_stated {
        Config::read(ir, op)?
    } else {
        let stated = launch.map(|launch| launch.workgroup_size / launch.subgroup_size);
        let subgroups_max = stated.map_or(LONG, |subgroups| power_of_two(subgroups, subgroups));
        let shared = || stream::of_scan(ir, op, &scan.linalg, &extents, facts, subgroups_max);
        across.flatten().unwrap_or_else(shared)
    };
    let checked = check(ir, op, config, launch, facts)?;
    if !is_stated {
        checked.config.write(ir, op);
    }
    if launch.is_none() {
        let subgroup_size = i64::from(facts.chip.subgroup_size);
        Launch::along_x(checked.config.n_subgroups() * subgroup_size, subgroup_size).write(ir, func);
    }
    Ok(())
}
