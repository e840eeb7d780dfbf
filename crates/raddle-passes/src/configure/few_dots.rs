//! Products of few rows without matrix instructions: lanes go along the sums, as in a product with a vector.
//!
//! Before: 8 x 2048 by 1000 x 2048, of f32
//! After:  `workgroup = [8, 8, 0], reduction = [0, 0, 128], thread = [8, 2, 4], lane_basis = [[1, 1, 32], …],
//!          subgroup_basis = [[1, 4, 1], …]`
//!
//! Such a product takes as long as memory gives its larger factor, if its rows lie along the sums: a subgroup reads 128 bits
//! for each lane of one or two of them, and multiplies them by all of the few rows. Lanes add up once, behind the loop.
//! Where there are too few rows for the processors, subgroups share sums, too.

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, Scalar};

use super::{Config, SUBGROUPS_MAX, TILES_MIN, power_of_two};
use crate::facts::Facts;
use crate::structured::body;

/// Rows that are few.
const ROWS_MAX: i64 = 16;
/// Sums of a thread, at most, and rows of the larger factor that it reads at once.
const SUMS_MAX: i64 = 32;
const READ_AT_ONCE: i64 = 2;
/// Bytes of the widest access.
const ACCESS_BYTES: i64 = 16;

pub(super) fn config(ir: &Ir, linalg: &Linalg, extents: &[i64], facts: &Facts, subgroups_max: i64) -> Option<Config> {
    let loops = body::contraction_loops(&linalg.maps)?;
    let points = |loops: &[usize]| loops.iter().fold(1i64, |n, &d| n.saturating_mul(extents[d]));
    let sides = [&loops.m, &loops.n];
    let larger = usize::from(points(sides[1]) >= points(sides[0]));
    let (many, few) = (sides[larger], sides[1 - larger]);
    let (row, k) = (*many.iter().rfind(|&&d| extents[d] > 1)?, *loops.k.iter().rfind(|&&d| extents[d] > 1)?);
    let lies_along = linalg.maps[larger].as_dims()?.iter().rfind(|&&d| extents[d] > 1) == Some(&k);
    let bytes = i64::from(Scalar::of(&ir[ir.elem_of(linalg.inputs[larger])])?.bits().div_ceil(8));
    let lanes = i64::from(facts.chip.subgroup_size);
    let width = power_of_two(extents[k], (ACCESS_BYTES / bytes).min(extents[k] / lanes));
    let n_few = points(few);
    if !lies_along || n_few > ROWS_MAX || extents[k] < width * lanes {
        return None;
    }
    // Fewer rows in a workgroup until there is one for each processor.
    let others = points(many) / extents[row];
    let batch = (0..extents.len()).filter(|d| !linalg.reduction[*d] && !many.contains(d) && !few.contains(d));
    let others = batch.fold(others, |n, d| n.saturating_mul(extents[d]));
    let is_enough = |rows: i64| others.saturating_mul((extents[row] - 1) / rows + 1) >= TILES_MIN;
    let (mut rows, mut subgroups) = (READ_AT_ONCE.min(SUMS_MAX / n_few).min(extents[row]), [1, 1]);
    subgroups[0] = power_of_two(SUBGROUPS_MAX, subgroups_max);
    if !is_enough(rows * subgroups[0]) {
        rows = 1;
    }
    while subgroups[0] > 1 && !is_enough(rows * subgroups[0]) && extents[k] > width * lanes * subgroups[1] {
        subgroups = [subgroups[0] / 2, subgroups[1] * 2];
    }
    let rank = extents.len();
    let one = |reduces: bool| linalg.reduction.iter().map(|&other| i64::from(other == reduces)).collect();
    let mut config = Config { workgroup: one(false), reduction: one(true), ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    for &d in few {
        (config.thread[d], config.workgroup[d]) = (extents[d], extents[d]);
    }
    (config.thread[row], config.subgroup[row]) = (rows, subgroups[0]);
    config.workgroup[row] = rows * subgroups[0];
    (config.thread[k], config.lane[k], config.subgroup[k]) = (width, lanes, subgroups[1]);
    config.reduction[k] = width * lanes * subgroups[1];
    Some(config)
}
