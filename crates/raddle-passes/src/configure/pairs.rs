//! Pairs: configurations of sums over what is computed of each two rows, as the distances of points, where that is no
//! product that the steps for products know.
//!
//! A thread has some rows of either side: each element that it reads is used for all of the other ones. Lanes and subgroups
//! share both sides, so that a workgroup reads what it has of them from near caches again.

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, OpId};

use super::stream::{Access, PROCESSORS};
use crate::config::Config;
use crate::configure::group::Group;
use crate::facts::Facts;
use crate::structured::body;

/// Rows of either side, for which it is worth to share what is read.
const ROWS_MIN: i64 = 8;
/// Rows of a thread, of either side, and what it computes of them at a time.
const ROWS: i64 = 4;
const ELEMENTS: i64 = 64;
/// Subgroups of a workgroup, and the lanes and subgroups along the right side.
const SUBGROUPS: i64 = 8;
const RIGHT: i64 = 4;
/// Bits of the widest access.
const ACCESS_BITS: i64 = 128;

/// The loops along the rows of either side of a reduction that reads rows of two tensors, each of them again for every row of
/// the other one.
pub(super) fn sides(linalg: &Linalg, reads: &[&Access], extents: &[i64]) -> Option<[usize; 2]> {
    let is_row = |of: &&[usize]| (0..extents.len()).all(|d| !linalg.reduction[d] || extents[d] == 1 || of.contains(&d));
    let rows: Vec<&[usize]> = reads.iter().map(|read| &read.loops[..]).filter(is_row).collect();
    // The longest loop that the one has, and the other one has not.
    let side = |of: &[usize], other: &[usize]| {
        let own = of.iter().copied().filter(|d| !linalg.reduction[*d] && !other.contains(d));
        own.max_by_key(|&d| extents[d]).filter(|&d| extents[d] >= ROWS_MIN)
    };
    let pairs = (0..rows.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
    let mut sides =
        pairs.filter_map(|(left, right)| Some([side(rows[left], rows[right])?, side(rows[right], rows[left])?]));
    // What is reduced of rows along both sides is read once.
    sides.next().filter(|sides| !rows.iter().any(|row| sides.iter().all(|d| row.contains(d))))
}

/// The configuration of such a reduction.
pub(super) fn config(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    reads: &[&Access],
    group: Option<&Group>,
    extents: &[i64],
    facts: &Facts,
) -> Option<Config> {
    if facts.chip.native.is_some() || body::is_contraction(ir, op) {
        return None;
    }
    let rank = extents.len();
    let [left, right] = sides(linalg, reads, extents)?;
    let along = (0..rank).rev().find(|&d| linalg.reduction[d] && extents[d] > 1)?;
    let is_whole = |d: usize| group.is_some_and(|group| !group.dims[group.members[group.root].dims[d]].shared);
    if (0..rank).any(|d| !linalg.reduction[d] && is_whole(d)) {
        return None;
    }

    let ones = || vec![1; rank];
    let mut config = Config { subgroup: ones(), lane: ones(), thread: ones(), ..Config::default() };
    let power = |n: i64| n.clamp(1, 1 << 31).cast_unsigned().next_power_of_two().cast_signed();
    let rounds = |n: i64, of: i64| (n - 1) / of + 1;
    let [m, n] = [left, right].map(|d| extents[d]);
    let lanes = i64::from(facts.chip.subgroup_size);
    config.lane[right] = power(n).min(RIGHT).max(lanes / power(m)).min(lanes);
    config.lane[left] = lanes / config.lane[right];
    let left_of = |d: usize, lanes: i64| power(rounds(extents[d], lanes));
    config.subgroup[right] = left_of(right, config.lane[right]).min(RIGHT);
    config.subgroup[left] = left_of(left, config.lane[left]).min(SUBGROUPS / config.subgroup[right]);
    let mut own = [left, right].map(|d| left_of(d, config.lane[d] * config.subgroup[d]).min(ROWS));
    let size = |config: &Config, d: usize, own: i64| config.lane[d] * config.subgroup[d] * own;
    let others = (0..rank).filter(|&d| !linalg.reduction[d] && d != left && d != right);
    let others = others.fold(1i64, |all, d| all.saturating_mul(extents[d]));
    let processors = facts.chip.processors.map_or(PROCESSORS, |processors| processors.count.into());
    let workgroups = |config: &Config, own: [i64; 2]| {
        let of = |at: usize, d: usize| rounds(extents[d], size(config, d, own[at]));
        others.saturating_mul(of(0, left)).saturating_mul(of(1, right))
    };
    while own != [1, 1] && workgroups(&config, own) < processors {
        let larger = usize::from(own[1] > own[0]);
        own[larger] /= 2;
    }
    (config.thread[left], config.thread[right]) = (own[0], own[1]);
    let widest = ACCESS_BITS / reads.iter().map(|read| read.bits).max()?.max(8);
    config.thread[along] = super::power_of_two(extents[along], widest.min(ELEMENTS / (own[0] * own[1])));
    config.reduction = (0..rank).map(|d| if linalg.reduction[d] { config.thread[d] } else { 0 }).collect();
    config.workgroup = (0..rank)
        .map(|d| match d {
            _ if linalg.reduction[d] => 0,
            _ if d == left => size(&config, d, own[0]),
            _ if d == right => size(&config, d, own[1]),
            _ => 1,
        })
        .collect();
    Some(config)
}
