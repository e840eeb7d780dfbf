//! Windows apart: sums of windows do not share a kernel with a reduction along another of their loops where that costs more.
//!
//! Before: one kernel of a convolution of each channel by itself, with channels first, and of the sums of a layer norm along
//!         the channels
//! After, on a GPU: the convolution, and the norm
//!
//! What another reduction needs is whole in a workgroup: all channels of a few places of an image. That leaves few workgroups,
//! each of as many threads as there may be, and a thread goes from channel to channel, each of which has weights of its own.
//! The convolution alone has workgroups for all processors, and a thread has several places of a channel, which share the
//! weights. Large windows are worth the memory in between.

use raddle_ir::{DYNAMIC, Ir};

use super::again::{BYTES, LAUNCH, bytes, known};
use crate::configure::group::{Group, Member};
use crate::configure::{depthwise, stream};
use crate::facts::Facts;
use crate::structured::windows;

/// Elements of windows whose sums take a microsecond longer in such a kernel than in one of their own. An H100 summed 0.3 to
/// 1.35 million in a microsecond where all channels were in a workgroup, and 1.4 to 1.9 where they were not.
const SLOWER: f64 = 3e6;
/// Elements that all processors sum in a microsecond in a kernel of their own, and clocks in which a processor sums one for
/// each lane of a subgroup where all channels are in a workgroup: the same figures, of workgroups for all processors.
const APART: f64 = 1.65e6;
pub(super) const STEP_CLOCKS: f64 = 7.0;

/// Whether a kernel of these operations had better be two.
pub(super) fn costs_more(ir: &Ir, group: &Group, facts: &Facts) -> bool {
    facts.chip.native.is_none()
        && group.members.iter().any(|sums| {
            has_windows(ir, sums)
                && group.members.iter().any(|other| other.reduces_results_of(sums))
                && is_worth(ir, group, sums, facts)
        })
}

/// Whether an operation reduces along windows of what it reads.
fn has_windows(ir: &Ir, member: &Member) -> bool {
    let linalg = &member.linalg;
    let places =
        |operand: usize| (0..linalg.reduction.len()).filter(move |&d| !linalg.reduction[d]).map(move |d| (operand, d));
    (0..linalg.inputs.len())
        .flat_map(places)
        .any(|(operand, d)| windows::window_about(ir, linalg, operand, d).is_some())
}

/// Whether sums of windows are worth a kernel of their own, whose results go through memory.
fn is_worth(ir: &Ir, group: &Group, sums: &Member, facts: &Facts) -> bool {
    let extents = sums.linalg.extents(ir);
    let elements = extents.iter().fold(1, |n: i64, &extent| n.saturating_mul(known(extent))) as f64;
    let moved: i64 = ir.results(sums.op).map(|value| 2 * bytes(ir, value)).sum();
    let is_root = group.members[group.root].op == sums.op && group.passes.is_none();
    let streams = is_root && !extents.contains(&DYNAMIC) && stream::takes(ir, sums.op, &sums.linalg, &extents);
    // A thread may have several places in such a kernel, too, where it has whole images.
    if streams && depthwise::config(ir, sums.op, &sums.linalg, Some(group), &extents, facts).is_some() {
        return false;
    }
    // Few workgroups leave processors without any.
    let longer = match facts.chip.processors.filter(|_| streams) {
        Some(processors) => {
            let steps = stream::steps_of_processor(ir, group, i64::from(processors.count), facts);
            (STEP_CLOCKS * steps / f64::from(processors.clock_mhz) - elements / APART).max(elements / SLOWER)
        }
        None => elements / SLOWER,
    };
    longer > LAUNCH + moved as f64 / BYTES
}
