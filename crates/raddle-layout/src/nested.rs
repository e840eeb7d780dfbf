//! The nested layout: seven numbers for each dimension, and everything that can be asked of them.

mod error;
mod owners;
mod recognise;
mod reshape;
mod spread;

use std::fmt;

pub use error::{Level, NestedError, ReshapeFault};
pub(crate) use owners::delinearize;
pub use owners::{Basis, ThreadDigits};
pub use spread::Spread;

/// A nested layout, `#iree_vector_ext.nested_layout<…>`.
///
/// Dimension `d` of the vector has extent `S·B·O·T·E` (subgroup, batch, outer, thread, element tiles) and is viewed
/// as the row-major coordinate `(s, b, o, t, e)`. The element is held by every thread with
/// `s = (subgroup / subgroup_stride) mod S` and `t = (lane / thread_stride) mod T`; a stride of 0 means that the
/// dimension is not distributed on that level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

impl Nested {
    /// Builds a layout from its seven lists; strides of unit tiles become 0, so that equal layouts compare equal.
    ///
    /// Tiles must be positive, strides must not be negative, and every product must fit an `i64`. Whether the lanes
    /// and subgroups are enough and do not overlap is [`Nested::check`].
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
        let layout = Nested {
            subgroup_tile,
            batch_tile,
            outer_tile,
            thread_tile,
            element_tile,
            subgroup_strides,
            thread_strides,
        };
        layout.check_numbers()?;
        Ok(layout)
    }

    /// A layout in which one thread holds everything.
    pub fn whole(shape: &[i64]) -> Result<Nested, NestedError> {
        let ones = vec![1; shape.len()];
        let zeros = vec![0; shape.len()];
        Nested::new(ones.clone(), ones.clone(), ones.clone(), ones, shape.to_vec(), zeros.clone(), zeros)
    }

    /// The layout for a coalesced copy: innermost dimensions first, threads take one element tile each until all
    /// `n_threads` are placed; what is left repeats as batches.
    ///
    /// The threads count over the whole workgroup: [`Nested::n_lanes`] of the result may exceed a subgroup.
    pub fn coalesced(n_threads: i64, shape: &[i64], element_tile: &[i64]) -> Result<Nested, NestedError> {
        let layout = Nested::dealt(n_threads, shape, element_tile)?;
        let mut threads = n_threads;
        for (d, (extent, tile)) in shape.iter().zip(element_tile).enumerate().rev() {
            let tiles = extent / tile;
            if threads % tiles != 0 && tiles % threads != 0 {
                return Err(NestedError::NotDivisible { dim: d, tiles, threads });
            }
            threads /= layout.thread_tile[d];
        }
        Ok(layout)
    }

    /// The same for any number of tiles: a dimension has as many threads as divide both, the tiles and those that are
    /// left. Threads that no dimension takes have nothing.
    pub fn dealt(n_threads: i64, shape: &[i64], element_tile: &[i64]) -> Result<Nested, NestedError> {
        if shape.len() != element_tile.len() {
            return Err(NestedError::WrongRank { vector: shape.len(), layout: element_tile.len() });
        }
        let rank = shape.len();
        let (mut batch, mut thread, mut strides) = (vec![1; rank], vec![1; rank], vec![0; rank]);
        let (mut threads, mut stride) = (n_threads, 1);
        for d in (0..rank).rev() {
            let (extent, tile) = (shape[d], element_tile[d]);
            if extent < 1 || tile < 1 || extent % tile != 0 {
                return Err(NestedError::NotDivisible { dim: d, tiles: extent, threads: tile });
            }
            let tiles = extent / tile;
            if threads < 1 {
                return Err(NestedError::NotDivisible { dim: d, tiles, threads });
            }
            let block = gcd(threads, tiles);
            (thread[d], strides[d], batch[d]) = (block, stride, tiles / block);
            // Bounded by n_threads, since threads·stride stays the same.
            stride *= block;
            threads /= block;
        }
        let ones = vec![1; rank];
        Nested::new(ones.clone(), batch, ones, thread, element_tile.to_vec(), vec![0; rank], strides)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.batch_tile.len()
    }

    /// The tiles of a level.
    pub fn tile(&self, level: Level) -> &[i64] {
        match level {
            Level::Element => &self.element_tile,
            Level::Thread => &self.thread_tile,
            Level::Outer => &self.outer_tile,
            Level::Batch => &self.batch_tile,
            Level::Subgroup => &self.subgroup_tile,
        }
    }

    /// The shape of the whole workgroup's vector: `[S·B·O·T·E]`.
    pub fn undistributed_shape(&self) -> Vec<i64> {
        (0..self.rank()).map(|d| Level::ALL.iter().map(|&level| self.tile(level)[d]).product()).collect()
    }

    /// The shape of the whole workgroup's vector with every tile an own dimension: `S ++ B ++ O ++ T ++ E`.
    pub fn packed_shape(&self) -> Vec<i64> {
        [&self.subgroup_tile[..], &self.batch_tile, &self.outer_tile, &self.thread_tile, &self.element_tile].concat()
    }

    /// The shape of one thread's vector: all batch extents, then all outer extents, then all element extents.
    pub fn distributed_shape(&self) -> Vec<i64> {
        [&self.batch_tile[..], &self.outer_tile, &self.element_tile].concat()
    }

    /// The shape of one thread's vector with one extent for each dimension: `[B·O·E]`.
    pub fn distributed_unpacked_shape(&self) -> Vec<i64> {
        (0..self.rank()).map(|d| self.batch_tile[d] * self.outer_tile[d] * self.element_tile[d]).collect()
    }

    /// How many elements one thread holds.
    pub fn n_slots(&self) -> i64 {
        self.distributed_shape().iter().product()
    }

    /// Whether each lane and subgroup is asked for by one tile only, and each tile has an owner.
    pub fn check(&self) -> Result<(), NestedError> {
        owners::stacked(Level::Thread, &self.thread_tile, &self.thread_strides)?;
        owners::stacked(Level::Subgroup, &self.subgroup_tile, &self.subgroup_strides)?;
        Ok(())
    }

    /// Whether this is a layout for a vector of this shape. Negative extents stand for unknown ones and always fit.
    pub fn verify(&self, shape: &[i64]) -> Result<(), NestedError> {
        if shape.len() != self.rank() {
            return Err(NestedError::WrongRank { vector: shape.len(), layout: self.rank() });
        }
        for (dim, (&actual, expected)) in shape.iter().zip(self.undistributed_shape()).enumerate() {
            if actual >= 0 && actual != expected {
                let (shape, layout) = (shape.to_vec(), Box::new(self.clone()));
                return Err(NestedError::WrongExtent { shape, layout, dim, expected, actual });
            }
        }
        Ok(())
    }

    /// Whether both layouts give each thread the same elements up to the order of its slots for structural reasons:
    /// they differ in batch and outer tiles only, so that a conversion touches nothing but registers.
    ///
    /// The converse does not hold: layouts that fail this test may still agree.
    pub fn same_threads(&self, other: &Nested) -> bool {
        self.subgroup_tile == other.subgroup_tile
            && self.thread_tile == other.thread_tile
            && self.element_tile == other.element_tile
            && self.subgroup_strides == other.subgroup_strides
            && self.thread_strides == other.thread_strides
    }

    /// The layout of the transposed vector: dimension `i` of the result is dimension `perm[i]` of this one.
    pub fn permute(&self, perm: &[usize]) -> Nested {
        self.apply(&perm.iter().map(|&d| Some(d)).collect::<Vec<_>>())
    }

    /// The layout without the dimensions that `dropped` marks; the threads along them become replicas.
    pub fn project(&self, dropped: &[bool]) -> Nested {
        assert_eq!(dropped.len(), self.rank(), "one mark for each dimension");
        self.apply(&(0..self.rank()).filter(|&d| !dropped[d]).map(Some).collect::<Vec<_>>())
    }

    /// The layout of a value whose dimension `i` is dimension `map[i]` of this one, or a unit dimension for `None`.
    pub fn apply(&self, map: &[Option<usize>]) -> Nested {
        let pick = |list: &[i64], unit: i64| map.iter().map(|d| d.map_or(unit, |d| list[d])).collect::<Vec<i64>>();
        Nested {
            subgroup_tile: pick(&self.subgroup_tile, 1),
            batch_tile: pick(&self.batch_tile, 1),
            outer_tile: pick(&self.outer_tile, 1),
            thread_tile: pick(&self.thread_tile, 1),
            element_tile: pick(&self.element_tile, 1),
            subgroup_strides: pick(&self.subgroup_strides, 0),
            thread_strides: pick(&self.thread_strides, 0),
        }
    }

    /// This layout's dimensions followed by those of `inner`.
    pub fn append(&self, inner: &Nested) -> Result<Nested, NestedError> {
        let join = |a: &[i64], b: &[i64]| [a, b].concat();
        Nested::new(
            join(&self.subgroup_tile, &inner.subgroup_tile),
            join(&self.batch_tile, &inner.batch_tile),
            join(&self.outer_tile, &inner.outer_tile),
            join(&self.thread_tile, &inner.thread_tile),
            join(&self.element_tile, &inner.element_tile),
            join(&self.subgroup_strides, &inner.subgroup_strides),
            join(&self.thread_strides, &inner.thread_strides),
        )
    }

    /// The layout of a value over the iteration dimensions `result`, from operands that each lie over some of them.
    ///
    /// Each operand comes with its map: dimension `i` of the operand is iteration dimension `map[i]`.
    pub fn recombine(operands: &[(&Nested, &[usize])], result: &[usize]) -> Result<Nested, NestedError> {
        let mut columns: Vec<(usize, Nested)> = Vec::with_capacity(result.len());
        for &dim in result {
            let mut found: Option<(usize, Nested)> = None;
            for (index, (layout, map)) in operands.iter().enumerate() {
                assert_eq!(map.len(), layout.rank(), "one iteration dimension for each dimension of the operand");
                for d in (0..map.len()).filter(|&d| map[d] == dim) {
                    let column = layout.permute(&[d]);
                    match &found {
                        Some((first, other)) if *other != column => {
                            return Err(NestedError::Conflict { dim, first: *first, second: index });
                        }
                        Some(_) => {}
                        None => found = Some((index, column)),
                    }
                }
            }
            columns.push(found.ok_or(NestedError::Uncovered { dim })?);
        }
        columns.iter().try_fold(Nested::whole(&[])?, |layout, (_, column)| layout.append(column))
    }

    fn check_numbers(&self) -> Result<(), NestedError> {
        let lists: [(&'static str, &[i64], i64); 7] = [
            ("subgroup_tile", &self.subgroup_tile, 1),
            ("batch_tile", &self.batch_tile, 1),
            ("outer_tile", &self.outer_tile, 1),
            ("thread_tile", &self.thread_tile, 1),
            ("element_tile", &self.element_tile, 1),
            ("subgroup_strides", &self.subgroup_strides, 0),
            ("thread_strides", &self.thread_strides, 0),
        ];
        for (list, values, least) in lists {
            if let Some(dim) = values.iter().position(|&value| value < least) {
                return Err(NestedError::NotPositive { list, dim, value: values[dim] });
            }
        }
        let product = |values: &[i64]| values.iter().try_fold(1i64, |product, &value| product.checked_mul(value));
        product(&self.packed_shape()).ok_or(NestedError::TooLarge)?;
        for d in 0..self.rank() {
            product(&[self.thread_tile[d], self.thread_strides[d]]).ok_or(NestedError::TooLarge)?;
            product(&[self.subgroup_tile[d], self.subgroup_strides[d]]).ok_or(NestedError::TooLarge)?;
        }
        Ok(())
    }
}

impl fmt::Display for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "nested_layout<subgroup_tile = {:?}, batch_tile = {:?}, outer_tile = {:?}, thread_tile = {:?}, \
             element_tile = {:?}, subgroup_strides = {:?}, thread_strides = {:?}>",
            self.subgroup_tile,
            self.batch_tile,
            self.outer_tile,
            self.thread_tile,
            self.element_tile,
            self.subgroup_strides,
            self.thread_strides
        )
    }
}
/// The greatest common divisor of two positive numbers.
fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
