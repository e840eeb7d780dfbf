//! Few workgroups: an operation does not join a kernel whose workgroups are then so few that this costs more than one more
//! kernel.
//!
//! Before: one kernel, and one workgroup, of the sums of rows, the sums of columns, and what stands around both; or of a
//!         tensor with a result that lies along its columns alone
//! After, on a GPU: the sums of rows with what stands around them, and the sums of columns
//!
//! What one operation reduces, or a result does not lie along, is whole in a workgroup for all. Where all reduce the same,
//! as in a norm, workgroups share what is left, and a kernel for each operation would have no more of them. Where the loops
//! of one are those that another one reduces, nothing is left.
//!
//! An estimate decides: how long the operations take on as many processors as there are workgroups, and on as many as there
//! would be.

use raddle_ir::{DYNAMIC, Ir, Opcode, ValueId};

use super::again::{self, BYTES, LAUNCH, bytes};
use crate::configure::group::{Group, Member};
use crate::facts::Facts;
use crate::structured::body;

/// Operations that a processor does in a clock.
const OPERATIONS: f64 = 128.0;
/// Operations as which an element that is read or written counts, with its address.
const ACCESS: f64 = 4.0;
/// Elements along the last loop that a workgroup has at least: what memory gives at once.
const NEIGHBOURS: i64 = 8;

/// Whether a kernel of these operations had better be two.
pub(super) fn costs_more(ir: &Ir, group: &Group, facts: &Facts) -> bool {
    let Some(processors) = facts.chip.processors else { return false };
    let is_product = |member: &Member| member.reduces() && body::is_contraction(ir, member.op);
    if group.passes.is_some()
        || group.members.iter().any(is_product)
        || group.dims.iter().any(|dim| dim.extent == DYNAMIC)
    {
        return false;
    }
    let extent = |dim: usize| group.dims[dim].extent.max(1);
    let points = |member: &Member| member.dims.iter().fold(1i64, |n, &dim| n.saturating_mul(extent(dim)));
    let Some(largest) = group.members.iter().max_by_key(|member| points(member)) else { return false };
    // Workgroups that share some dimensions of the largest operation.
    let workgroups = |shared: &dyn Fn(usize) -> bool| {
        let pieces = |(at, &dim): (usize, &usize)| match shared(dim) {
            true if at + 1 == largest.dims.len() => (extent(dim) - 1) / NEIGHBOURS + 1,
            true => extent(dim),
            false => 1,
        };
        largest.dims.iter().enumerate().map(pieces).fold(1, i64::saturating_mul)
    };
    let beside = |reducing: &Member| workgroups(&|dim| !reducing.reduced().any(|reduced| reduced == dim));
    let now = workgroups(&|dim| group.dims[dim].shared);
    let reducing = group.members.iter().filter(|member| member.reduces());
    let apart = reducing.map(beside).max().unwrap_or_else(|| workgroups(&|_| true));
    if apart <= now {
        return false;
    }
    let is_made = |value: ValueId| group.members.iter().any(|member| ir.def_op(value) == Some(member.op));
    let read = |member: &Member| {
        let taken = ir.walk(member.op).iter().filter(|&&op| ir.opcode(op) == Opcode::TensorExtract).count();
        taken + member.linalg.inputs.iter().filter(|&&input| !is_made(input)).count()
    };
    let work = |member: &Member| {
        points(member) as f64 * (again::operations(ir, member.op, facts) + ACCESS * read(member) as f64)
    };
    let clocks = group.members.iter().map(work).sum::<f64>() / OPERATIONS;
    let share = |workgroups: i64| 1.0 / workgroups.min(i64::from(processors.count)) as f64;
    let saved = clocks * (share(now) - share(apart)) / f64::from(processors.clock_mhz);
    // What the last one reads goes through memory then, or is read once more.
    let Some((last, others)) = group.members.split_last() else { return false };
    let moved = |&input: &ValueId| {
        let is_read = others.iter().any(|member| member.linalg.inputs.contains(&input));
        match (is_made(input), is_read) {
            (true, _) => 2.0,
            (false, true) => 1.0,
            (false, false) => 0.0,
        }
    };
    let between: f64 = last.linalg.inputs.iter().map(|input| moved(input) * bytes(ir, *input) as f64).sum();
    saved > LAUNCH + between / BYTES
}
