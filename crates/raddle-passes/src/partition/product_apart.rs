//! Product apart: a product does not share a kernel with a norm of its rows where that costs more.
//!
//! Before: one kernel of a product with 384 columns and of the layer norm of its rows
//! After, on a GPU: the product, and the norm
//!
//! What the norm needs is whole in a workgroup: all columns of a few rows. Few workgroups have long rows, and each reads all
//! of the second factor. Where tiles of the product alone take so much less time that this is worth the memory in between
//! and one more kernel, it is alone. The estimate is the one that chooses tiles, or, without matrix instructions, parts. Of a product with a vector, which has no
//! such tiles, it is how many points a processor computes one after the other: with the softmax of its result, it is the
//! work of one. Distances of points are like products here.

use raddle_ir::{DYNAMIC, Ir};
use raddle_target::Processors;

use super::again::{BYTES, LAUNCH, elements, known};
use super::windows_apart::STEP_CLOCKS;
use crate::configure::group::{Group, Member};
use crate::configure::{clocks_of_product, stream};
use crate::facts::Facts;
use crate::structured::body;

/// Bytes of an element that goes through memory, about.
const ELEMENT: i64 = 2;

/// Microseconds that the norm takes as a kernel of its own, beside its memory. Measured on an H200, where 14 products of 96 to
/// 768 columns and their norms take as long in one kernel as in two if this is between 0.5 and 1.3.
const NORM: f64 = 1.0;

/// What a product takes longer in tiles of whole rows that are none of those whose time is estimated, about.
const WITHOUT_ESTIMATE: f64 = 2.0;

/// Sums of what is computed of two elements, in the microsecond that they take longer in tiles of whole rows, about.
const PAIRS: f64 = 250e3;

/// Whether a kernel of these operations had better be two.
pub(super) fn costs_more(ir: &Ir, group: &Group, facts: &Facts) -> bool {
    let Some(processors) = facts.chip.processors else { return false };
    let root = &group.members[group.root];
    if !group.members.iter().any(|other| other.reduces_results_of(root)) {
        return false;
    }
    let moved: i64 = ir.results(root.op).map(|value| elements(ir, value).saturating_mul(2 * ELEMENT)).sum();
    if !body::is_contraction(ir, root.op) {
        let pairs = root.linalg.extents(ir).into_iter().map(known).fold(1i64, i64::saturating_mul);
        return stream::reduces_pairs(ir, group) && pairs as f64 / PAIRS > LAUNCH + moved as f64 / BYTES;
    }
    let Some((alone, together)) = clocks_of_product(ir, root.op, group, facts) else {
        let saved = clocks_saved(ir, group, root, processors, facts);
        return saved > (LAUNCH + moved as f64 / BYTES) * f64::from(processors.clock_mhz);
    };
    let apart = alone + (NORM + moved as f64 / BYTES) * f64::from(processors.clock_mhz);
    together.unwrap_or(alone * WITHOUT_ESTIMATE) > apart
}

/// Clocks that a product with a vector takes less where it has workgroups of its own for all processors.
fn clocks_saved(ir: &Ir, group: &Group, root: &Member, processors: Processors, facts: &Facts) -> f64 {
    let extents = root.linalg.extents(ir);
    if extents.contains(&DYNAMIC) || !stream::takes(ir, root.op, &root.linalg, &extents) {
        return 0.0;
    }
    let Ok(alone) = Group::of(ir, &[root.op], &|_| true, facts) else { return 0.0 };
    let clocks = |group| STEP_CLOCKS * stream::steps_of_processor(ir, group, i64::from(processors.count), facts);
    clocks(group) - clocks(&alone)
}
