//! Bases of lowering configurations, `[[counts…], [mapping…]]`, as layouts.
//!
//! `mapping[i]` is the position in `counts` that iteration dimension `i` uses; the other convention, in which it is the
//! dimension that count `i` goes to, agrees only where the mapping is its own inverse. Counts that no dimension uses
//! are lanes (or subgroups) that hold the same as others.

use super::{Nested, NestedError};

/// How lanes, or subgroups, are spread over the dimensions of an iteration space.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spread {
    counts: Vec<i64>,
    mapping: Vec<usize>,
}

impl Spread {
    /// A basis: counts must be positive, and each position of the mapping be one of theirs, none twice.
    ///
    /// ```
    /// use raddle_layout::Spread;
    ///
    /// // Dimension 0 uses the count at position 2, and so on.
    /// let spread = Spread::new(&[2, 3, 4], &[2, 0, 1])?;
    /// assert_eq!((spread.tiles(), spread.strides()), (vec![4, 2, 3], vec![1, 12, 4]));
    /// # Ok::<(), raddle_layout::NestedError>(())
    /// ```
    pub fn new(counts: &[i64], mapping: &[usize]) -> Result<Spread, NestedError> {
        if let Some(dim) = counts.iter().position(|&count| count < 1) {
            return Err(NestedError::NotPositive { list: "counts", dim, value: counts[dim] });
        }
        counts.iter().try_fold(1i64, |n, &count| n.checked_mul(count)).ok_or(NestedError::TooLarge)?;
        for (dim, &position) in mapping.iter().enumerate() {
            if position >= counts.len() || mapping[..dim].contains(&position) {
                return Err(NestedError::Mapping { dim, position, counts: counts.len() });
            }
        }
        Ok(Spread { counts: counts.to_vec(), mapping: mapping.to_vec() })
    }

    /// The basis in which dimension `i` has count `i`, the last one fastest.
    pub fn identity(counts: &[i64]) -> Result<Spread, NestedError> {
        Spread::new(counts, &(0..counts.len()).collect::<Vec<usize>>())
    }

    /// How many lanes or subgroups there are in all.
    pub fn size(&self) -> i64 {
        self.counts.iter().product()
    }

    /// Dimensions of the iteration space.
    pub fn rank(&self) -> usize {
        self.mapping.len()
    }

    /// How many share each dimension.
    pub fn tiles(&self) -> Vec<i64> {
        self.mapping.iter().map(|&position| self.counts[position]).collect()
    }

    /// The distance between neighbours along each dimension: counts number lanes row-major.
    pub fn strides(&self) -> Vec<i64> {
        self.mapping.iter().map(|&position| self.counts[position + 1..].iter().product()).collect()
    }
}

impl Nested {
    /// The layout of an iteration space: subgroups and lanes are spread over it by their bases, each lane takes
    /// `thread` consecutive elements along each dimension (0 stands for 1), and what is left repeats as batches.
    ///
    /// Each level takes the part of the extents that it needs, rounded up: the layout may describe a larger space than
    /// `extents`, of which the rest is masked.
    pub fn spread(extents: &[i64], subgroup: &Spread, lane: &Spread, thread: &[i64]) -> Result<Nested, NestedError> {
        let rank = extents.len();
        for layout in [subgroup.rank(), lane.rank(), thread.len()] {
            if layout != rank {
                return Err(NestedError::WrongRank { vector: rank, layout });
            }
        }
        let element: Vec<i64> = thread.iter().map(|&size| if size == 0 { 1 } else { size }).collect();
        let tile = Nested::new(
            vec![1; rank],
            vec![1; rank],
            vec![1; rank],
            lane.tiles(),
            element,
            vec![0; rank],
            lane.strides(),
        )?;
        tile.repeat(extents, subgroup)
    }

    /// The layout of an iteration space of which this one is a tile: subgroups are spread over it by their basis, and
    /// what is left repeats as batches, rounded up. This one must not use subgroups itself.
    pub fn repeat(&self, extents: &[i64], subgroup: &Spread) -> Result<Nested, NestedError> {
        let rank = extents.len();
        if subgroup.rank() != rank || self.rank() != rank {
            let layout = if self.rank() == rank { subgroup.rank() } else { self.rank() };
            return Err(NestedError::WrongRank { vector: rank, layout });
        }
        if let Some(dim) = extents.iter().position(|&extent| extent < 1) {
            return Err(NestedError::NotPositive { list: "extents", dim, value: extents[dim] });
        }
        let tiles = subgroup.tiles();
        let tile = self.undistributed_shape();
        let batch = (0..rank).map(|d| ceil(ceil(extents[d], tiles[d]), tile[d]) * self.batch_tile[d]);
        Nested::new(
            tiles.clone(),
            batch.collect(),
            self.outer_tile.clone(),
            self.thread_tile.clone(),
            self.element_tile.clone(),
            subgroup.strides(),
            self.thread_strides.clone(),
        )
    }
}

/// A quotient of positive numbers, rounded up.
fn ceil(number: i64, by: i64) -> i64 {
    number / by + i64::from(number % by != 0)
}
