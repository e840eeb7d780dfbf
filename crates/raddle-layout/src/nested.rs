//! The nested layout: seven numbers for each dimension, and everything that can be asked of them.

use std::fmt;

/// A nested layout, `#iree_vector_ext.nested_layout<…>`.
///
/// Dimension `d` of the vector has extent `S·B·O·T·E` (subgroup, batch, outer, thread, element tiles) and is viewed
/// as the row-major coordinate `(s, b, o, t, e)`. The element is held by every thread with
/// `s = (subgroup / subgroup_stride) mod S` and `t = (lane / thread_stride) mod T`; a stride of 0 means that the
/// dimension is not distributed on that level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nested {
    /// How many subgroups share each dimension.
    pub subgroup_tile: Vec<i64>,
    /// How many times the instruction tile repeats.
    pub batch_tile: Vec<i64>,
    /// How many times the thread grid repeats inside one instruction tile.
    pub outer_tile: Vec<i64>,
    /// How many lanes share each dimension.
    pub thread_tile: Vec<i64>,
    /// How many consecutive elements one lane holds.
    pub element_tile: Vec<i64>,
    /// The distance, in subgroups, between neighbours along each dimension.
    pub subgroup_strides: Vec<i64>,
    /// The distance, in lanes, between neighbours along each dimension.
    pub thread_strides: Vec<i64>,
}

/// Why seven lists are not a nested layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NestedError {
    /// The lists differ in length.
    RankMismatch,
}

impl fmt::Display for NestedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NestedError::RankMismatch => write!(f, "all fields must have the same rank as the layout"),
        }
    }
}

impl std::error::Error for NestedError {}

impl Nested {
    /// Builds a layout from its seven lists; strides of unit tiles become 0, so that equal layouts compare equal.
    pub fn new(
        subgroup_tile: Vec<i64>,
        batch_tile: Vec<i64>,
        outer_tile: Vec<i64>,
        thread_tile: Vec<i64>,
        element_tile: Vec<i64>,
        mut subgroup_strides: Vec<i64>,
        mut thread_strides: Vec<i64>,
    ) -> Result<Nested, NestedError> {
        let rank = batch_tile.len();
        let lists = [&subgroup_tile, &outer_tile, &thread_tile, &element_tile, &subgroup_strides, &thread_strides];
        if lists.iter().any(|list| list.len() != rank) {
            return Err(NestedError::RankMismatch);
        }
        for d in 0..rank {
            if subgroup_tile[d] == 1 {
                subgroup_strides[d] = 0;
            }
            if thread_tile[d] == 1 {
                thread_strides[d] = 0;
            }
        }
        Ok(Nested {
            subgroup_tile,
            batch_tile,
            outer_tile,
            thread_tile,
            element_tile,
            subgroup_strides,
            thread_strides,
        })
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.batch_tile.len()
    }

    /// The shape of the whole workgroup's vector: `[S·B·O·T·E]`.
    pub fn undistributed_shape(&self) -> Vec<i64> {
        (0..self.rank())
            .map(|d| {
                self.subgroup_tile[d]
                    * self.batch_tile[d]
                    * self.outer_tile[d]
                    * self.thread_tile[d]
                    * self.element_tile[d]
            })
            .collect()
    }

    /// The shape of one thread's vector: all batch extents, then all outer extents, then all element extents.
    pub fn distributed_shape(&self) -> Vec<i64> {
        [&self.batch_tile[..], &self.outer_tile, &self.element_tile].concat()
    }

    /// The layout of the transposed vector: dimension `i` of the result is dimension `perm[i]` of this one.
    pub fn permute(&self, perm: &[usize]) -> Nested {
        self.select(perm)
    }

    /// The layout without the dimensions that `dropped` marks.
    pub fn project(&self, dropped: &[bool]) -> Nested {
        assert_eq!(dropped.len(), self.rank(), "one mark for each dimension");
        let kept: Vec<usize> = (0..self.rank()).filter(|&d| !dropped[d]).collect();
        self.select(&kept)
    }

    fn select(&self, dims: &[usize]) -> Nested {
        let pick = |list: &[i64]| dims.iter().map(|&d| list[d]).collect::<Vec<i64>>();
        Nested {
            subgroup_tile: pick(&self.subgroup_tile),
            batch_tile: pick(&self.batch_tile),
            outer_tile: pick(&self.outer_tile),
            thread_tile: pick(&self.thread_tile),
            element_tile: pick(&self.element_tile),
            subgroup_strides: pick(&self.subgroup_strides),
            thread_strides: pick(&self.thread_strides),
        }
    }
}
