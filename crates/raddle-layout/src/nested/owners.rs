//! Which thread holds which element of a nested layout, both ways.

use std::collections::BTreeMap;

use super::{Level, Nested, NestedError};

/// A mixed-radix number system that takes a thread's (or subgroup's) number apart into one digit per dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// Extents of the digits, slowest first: the basis of `affine.delinearize_index` without an outer bound.
    pub extents: Vec<i64>,
    /// For each dimension of the layout the result of that operation which is its digit; result 0 is the overflow.
    /// `None` where the dimension has one tile: its digit is always 0.
    pub place: Vec<Option<usize>>,
}

/// How a thread's number in the workgroup splits into its tile of every dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadDigits {
    /// Takes the thread's number to subgroup tiles; the fastest digit, which no dimension uses, is the lane.
    pub subgroup: Basis,
    /// Takes the thread's number to thread tiles.
    pub thread: Basis,
}

impl Basis {
    /// How many numbers the basis tells apart.
    pub fn size(&self) -> i64 {
        self.extents.iter().product()
    }

    /// The digits of `number`, one per dimension of the layout.
    pub fn digits(&self, number: i64) -> Vec<i64> {
        let mut rest = number;
        let mut results = vec![0; self.extents.len() + 1];
        for (index, extent) in self.extents.iter().enumerate().rev() {
            results[index + 1] = rest % extent;
            rest /= extent;
        }
        self.place.iter().map(|place| place.map_or(0, |place| results[place])).collect()
    }
}

/// Grids above this size get no witness for an overlap: no machine has as many lanes.
const WITNESS_MAX: i64 = 1 << 16;

impl Nested {
    /// How many subgroups the layout needs for every element to have an owner; more hold replicas.
    pub fn n_subgroups(&self) -> i64 {
        reach(&self.subgroup_tile, &self.subgroup_strides)
    }

    /// How many lanes the layout needs for every element to have an owner; more hold replicas. Layouts over a whole
    /// workgroup's threads may need more lanes than a subgroup has.
    pub fn n_lanes(&self) -> i64 {
        reach(&self.thread_tile, &self.thread_strides)
    }

    /// How many threads hold each element, with this many subgroups of this many lanes.
    pub fn replication(&self, n_subgroups: i64, n_lanes: i64) -> i64 {
        let tiles: i64 = self.subgroup_tile.iter().chain(&self.thread_tile).product();
        n_subgroups * n_lanes / tiles
    }

    /// Both bases for subgroups of this size.
    ///
    /// The thread basis takes the number in the workgroup, not the lane: the same when it divides the subgroup, and
    /// what layouts need that go over all threads of a workgroup.
    pub fn thread_digits(&self, subgroup_size: i64) -> Result<ThreadDigits, NestedError> {
        let mut subgroup = self.subgroup_basis()?;
        subgroup.extents.push(subgroup_size);
        Ok(ThreadDigits { subgroup, thread: self.thread_basis()? })
    }

    /// The basis that takes a lane's number to its tile in every dimension.
    pub fn thread_basis(&self) -> Result<Basis, NestedError> {
        basis(Level::Thread, &self.thread_tile, &self.thread_strides)
    }

    /// The basis that takes a subgroup's number to its tile in every dimension.
    pub fn subgroup_basis(&self) -> Result<Basis, NestedError> {
        basis(Level::Subgroup, &self.subgroup_tile, &self.subgroup_strides)
    }

    /// The coordinate in the vector of one thread's slot. Slots count row-major through
    /// [`Nested::distributed_shape`].
    ///
    /// For a layout over a whole workgroup's threads, ask with subgroup 0 and the thread's number as lane.
    pub fn coord(&self, subgroup: i64, lane: i64, slot: i64) -> Vec<i64> {
        let rank = self.rank();
        let mut coord: Vec<i64> =
            (0..rank).map(|d| digit(subgroup, self.subgroup_strides[d], self.subgroup_tile[d])).collect();
        // The digits of the slot, slowest first, are those of all batches, outers, and elements; the lane's stand between
        // the last two.
        let tiles = [&self.batch_tile, &self.outer_tile, &self.element_tile];
        let mut unit: i64 = tiles.into_iter().flatten().product();
        let mut rest = slot % unit;
        for (level, tile) in tiles.into_iter().enumerate() {
            for d in 0..rank {
                if level == 2 {
                    let digit = digit(lane, self.thread_strides[d], self.thread_tile[d]);
                    coord[d] = coord[d] * self.thread_tile[d] + digit;
                }
                unit /= tile[d];
                coord[d] = coord[d] * tile[d] + rest / unit;
                rest %= unit;
            }
        }
        coord
    }

    /// Every `(subgroup, lane, slot)` that holds the element at `coord`, sorted, with this many subgroups and lanes.
    ///
    /// A layout that needs more lanes than a subgroup has counts them through the whole workgroup.
    pub fn owners(&self, coord: &[i64], n_subgroups: i64, n_lanes: i64) -> Vec<(i64, i64, i64)> {
        let rank = self.rank();
        assert_eq!(coord.len(), rank, "one coordinate for each dimension");
        let (mut subgroup, mut thread, mut slots) = (vec![0; rank], vec![0; rank], vec![0; 3 * rank]);
        for d in 0..rank {
            let mut rest = coord[d];
            [slots[2 * rank + d], thread[d], slots[rank + d], slots[d], subgroup[d]] = Level::ALL.map(|level| {
                let extent = self.tile(level)[d];
                let digit = rest % extent;
                rest /= extent;
                digit
            });
            assert_eq!(rest, 0, "the coordinate is outside the vector");
        }
        let slot = self.distributed_shape().iter().zip(&slots).fold(0, |slot, (extent, digit)| slot * extent + digit);
        let holds = |number: i64, strides: &[i64], tiles: &[i64], want: &[i64]| {
            (0..rank).all(|d| digit(number, strides[d], tiles[d]) == want[d])
        };
        let spills = self.n_lanes() > n_lanes;
        let mut owners = Vec::new();
        for s in 0..n_subgroups {
            if !holds(s, &self.subgroup_strides, &self.subgroup_tile, &subgroup) {
                continue;
            }
            for lane in 0..n_lanes {
                let number = if spills { s * n_lanes + lane } else { lane };
                if holds(number, &self.thread_strides, &self.thread_tile, &thread) {
                    owners.push((s, lane, slot));
                }
            }
        }
        owners
    }
}

/// The coordinate of position `index` in a row-major array of this shape.
pub(crate) fn delinearize(index: i64, shape: &[i64]) -> Vec<i64> {
    let mut rest = index;
    let mut coord = vec![0; shape.len()];
    for d in (0..shape.len()).rev() {
        coord[d] = rest % shape[d];
        rest /= shape[d];
    }
    coord
}

fn digit(number: i64, stride: i64, tile: i64) -> i64 {
    if stride == 0 { 0 } else { number / stride % tile }
}

fn reach(tiles: &[i64], strides: &[i64]) -> i64 {
    tiles.iter().zip(strides).map(|(tile, stride)| tile * stride).fold(1, i64::max)
}

/// Stacks the tiles of the dimensions from the fastest digit up, with digits that no dimension uses where a stride leaves
/// a gap.
fn basis(level: Level, tiles: &[i64], strides: &[i64]) -> Result<Basis, NestedError> {
    let mut stack: Vec<(i64, Option<usize>)> = Vec::new();
    let mut unit = 1;
    for (stride, tile, dim) in stacked(level, tiles, strides)? {
        if stride != unit {
            stack.push((stride / unit, None));
        }
        stack.push((tile, Some(dim)));
        unit = stride * tile;
    }
    let mut place = vec![None; tiles.len()];
    for (position, &(_, dim)) in stack.iter().enumerate() {
        if let Some(dim) = dim {
            place[dim] = Some(stack.len() - position);
        }
    }
    Ok(Basis { extents: stack.iter().rev().map(|&(extent, _)| extent).collect(), place })
}

/// Stride, tile and number of the dimensions of several tiles, sorted by stride. A stride that does not continue the ones
/// below it would give two tiles the same digit.
pub(super) fn stacked(level: Level, tiles: &[i64], strides: &[i64]) -> Result<Vec<(i64, i64, usize)>, NestedError> {
    let mut terms: Vec<(i64, i64, usize)> = Vec::new();
    for (dim, (&tile, &stride)) in tiles.iter().zip(strides).enumerate() {
        match (tile, stride) {
            (1, _) => {}
            (_, 0) => return Err(NestedError::NoStride { level, dim }),
            _ => terms.push((stride, tile, dim)),
        }
    }
    terms.sort_unstable();
    let mut unit = 1;
    for &(stride, tile, dim) in &terms {
        if stride % unit != 0 {
            return Err(overlap(level, tiles, strides).unwrap_or(NestedError::Misaligned { level, dim, stride, unit }));
        }
        unit = stride * tile;
    }
    Ok(terms)
}

/// The first tile in row-major order whose owner another one has taken.
fn overlap(level: Level, tiles: &[i64], strides: &[i64]) -> Option<NestedError> {
    let n_tiles = tiles.iter().try_fold(1i64, |n, &tile| n.checked_mul(tile))?;
    let mut taken = BTreeMap::new();
    for index in 0..n_tiles.min(WITNESS_MAX) {
        let second = delinearize(index, tiles);
        let owner = second.iter().zip(strides).try_fold(0i64, |sum, (&t, &stride)| sum.checked_add(t * stride))?;
        if let Some(first) = taken.insert(owner, second.clone()) {
            return Some(NestedError::Overlap { level, first, second, owner });
        }
    }
    None
}
