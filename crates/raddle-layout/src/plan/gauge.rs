//! Contractions do not care for the order of k: A·B is the same under any permutation of k applied to both factors.
//!
//! A value that becomes one factor may therefore keep its place under another numbering of k, as long as the other
//! factor is read with the same numbering. That holds for plain products only: scales that belong to blocks of k fix
//! its order.

use super::{Machine, Plan, PlanError, plan};
use crate::f2::{Matrix, Space, low_bits};
use crate::layout::{Hardware, Layout, LayoutError};

/// A numbering of k, and the conversion that is left under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gauge {
    /// The new number of each k, as a map of its bits. The other factor must be read with the same numbering.
    pub k: Matrix,
    /// The conversion of the value whose k is numbered anew.
    pub plan: Plan,
}

/// The conversion to a factor of a product whose summed dimension is `dim`, with k numbered so that no element leaves
/// its lane, where that is possible; the numbering changes nothing where none is needed.
///
/// For a first product that may be computed transposed, ask again with `source.permute(&[1, 0])`.
pub fn contraction(
    source: &Layout,
    target: &Layout,
    dim: usize,
    element_bits: i64,
    machine: &Machine,
) -> Result<Option<Gauge>, PlanError> {
    let direct = plan(source, target, element_bits, machine)?;
    let bits = source.shape().get(dim).map_or(0, |extent| extent.trailing_zeros() as usize);
    if in_lanes(&direct) {
        return Ok(Some(Gauge { k: Matrix::identity(bits), plan: direct }));
    }
    let Some(k) = numbering(source, target, dim) else { return Ok(None) };
    let first: usize = source.shape()[dim + 1..].iter().map(|extent| extent.trailing_zeros() as usize).sum();
    let n = source.n_bits();
    let lifted = |bit: usize| match bit.checked_sub(first).filter(|&bit| bit < bits) {
        Some(bit) => k.columns()[bit] << first,
        None => 1 << bit,
    };
    let lifted = Matrix::new(n, (0..n).map(lifted).collect()).map_err(LayoutError::from)?;
    let plan = plan(&source.with_swizzle(&lifted)?, target, element_bits, machine)?;
    Ok(in_lanes(&plan).then_some(Gauge { k, plan }))
}

fn in_lanes(plan: &Plan) -> bool {
    matches!(plan.way, "nothing" | "slots")
}

/// A map of k's bits under which both layouts' lanes hold the same elements.
fn numbering(source: &Layout, target: &Layout, dim: usize) -> Option<Matrix> {
    let (ours, theirs) = (source.to_f2().ok()?, target.to_f2().ok()?);
    if ours.odd != theirs.odd || dim >= source.rank() {
        return None;
    }
    let bits = source.shape()[dim].trailing_zeros() as usize;
    let first: usize = source.shape()[dim + 1..].iter().map(|extent| extent.trailing_zeros() as usize).sum();
    let split = |image: u64| {
        let k = image >> first & low_bits(bits);
        (k, image ^ k << first)
    };
    // What must become what: lanes and subgroups one by one, slots as a whole.
    let mut pairs: Vec<(u64, u64)> = Vec::new();
    for hardware in [Hardware::Lane, Hardware::Subgroup] {
        if ours.of(hardware).count() != theirs.of(hardware).count() {
            return None;
        }
        for (a, b) in ours.of(hardware).zip(theirs.of(hardware)) {
            let ((ours, rest), (theirs, other)) = (split(a.image), split(b.image));
            if rest != other {
                return None;
            }
            pairs.push((ours, theirs));
        }
    }
    let slots = |form: &crate::BitForm| {
        let images: Vec<(u64, u64)> = form.of(Hardware::Slot).map(|column| split(column.image)).collect();
        let pure = images.iter().all(|(k, rest)| *k == 0 || *rest == 0);
        let k: Vec<u64> = images.iter().map(|image| image.0).filter(|&k| k != 0).collect();
        pure.then_some(k)
    };
    let (our_slots, their_slots) = (slots(&ours)?, slots(&theirs)?);
    if our_slots.len() != their_slots.len() {
        return None;
    }
    pairs.extend(our_slots.into_iter().zip(their_slots));
    // The map is given on independent vectors; where it says nothing, any completion does.
    let (mut from, mut to) = (Space::default(), Space::default());
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for (a, b) in pairs {
        match (from.insert(a), to.insert(b)) {
            (true, true) => (sources, targets) = (with(sources, a), with(targets, b)),
            (false, false) => {}
            _ => return None,
        }
    }
    sources.extend(from.complement(bits));
    targets.extend(to.complement(bits));
    let back = Matrix::new(bits, sources).ok()?.invert().ok()?;
    Matrix::new(bits, targets).ok()?.compose(&back).ok()
}

fn with(mut list: Vec<u64>, vector: u64) -> Vec<u64> {
    list.push(vector);
    list
}
