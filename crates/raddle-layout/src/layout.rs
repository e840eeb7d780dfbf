//! The core that every spelling of a layout becomes: digits of the hardware's numbers, each with a weight.
//!
//! A subgroup's, a lane's and a slot's number is taken apart into digits, least significant first. Each digit moves the
//! coordinate by its value times its weights, and the element held is at the sum:
//!
//! ```text
//! coordinate(subgroup, lane, slot) = sum over all digits of digit · weights
//! ```
//!
//! A swizzle, where there is one, permutes the coordinates after that: an invertible map over F2 of their bits. A
//! layout of memory has digits of an offset instead.
//!
//! Digits that do not move the coordinate say what the copies are: replicas, parts of a sum, or nothing at all.

mod algebra;
mod bits;
mod error;
mod points;
mod vector;

use crate::f2::{F2Error, Matrix};
use crate::nested::{Basis, Nested, NestedError};

pub(crate) use algebra::strides;
pub use bits::{BitForm, Column, OddDigit};
pub use error::{LayoutError, Place};

/// One of the numbers that name a register of the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hardware {
    /// An element of a lane's registers.
    Slot,
    /// A lane of a subgroup.
    Lane,
    /// A subgroup of the workgroup.
    Subgroup,
    /// A place in memory, counted in elements.
    Offset,
}

impl Hardware {
    /// Those that name a register, fastest first.
    pub const ALL: [Hardware; 3] = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup];

    /// The name that users read.
    pub fn name(self) -> &'static str {
        match self {
            Hardware::Slot => "slot",
            Hardware::Lane => "lane",
            Hardware::Subgroup => "subgroup",
            Hardware::Offset => "offset",
        }
    }
}

/// All of them, in the order of their declaration.
const EVERY: [Hardware; 4] = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset];

/// What the values of a digit mean for the elements held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Each value holds other elements.
    Shard,
    /// All values hold the same elements.
    Replicate,
    /// Only value 0 holds anything.
    Unused,
    /// Each value holds a part of the same element's sum.
    Partial,
}

/// A digit of a hardware number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Digit {
    /// How many values it has.
    pub extent: i64,
    /// How far each step moves the coordinate, for each dimension; all zero unless the kind is [`Kind::Shard`].
    pub weights: Vec<i64>,
    /// What its values mean.
    pub kind: Kind,
}

/// Which element each slot of each lane of each subgroup holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    shape: Vec<i64>,
    digits: [Vec<Digit>; 4],
    swizzle: Option<Matrix>,
}

/// A slot and the element in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Owner {
    /// The subgroup.
    pub subgroup: i64,
    /// The lane.
    pub lane: i64,
    /// The slot.
    pub slot: i64,
    /// The element's coordinate.
    pub coord: Vec<i64>,
}

impl Digit {
    /// A digit each of whose values holds other elements, `weight` apart along `dim`.
    pub fn shard(extent: i64, rank: usize, dim: usize, weight: i64) -> Digit {
        let mut weights = vec![0; rank];
        weights[dim] = weight;
        Digit { extent, weights, kind: Kind::Shard }
    }

    /// A digit that does not move the coordinate.
    pub fn still(extent: i64, rank: usize, kind: Kind) -> Digit {
        Digit { extent, weights: vec![0; rank], kind }
    }
}

impl Layout {
    /// A layout from its digits, least significant first.
    pub fn new(
        shape: Vec<i64>,
        slots: Vec<Digit>,
        lanes: Vec<Digit>,
        subgroups: Vec<Digit>,
    ) -> Result<Layout, LayoutError> {
        Layout::of_digits(shape, [slots, lanes, subgroups, vec![]])
    }

    /// A layout of memory from the digits of its offset, least significant first.
    pub fn memory(shape: Vec<i64>, offsets: Vec<Digit>) -> Result<Layout, LayoutError> {
        Layout::of_digits(shape, [vec![], vec![], vec![], offsets])
    }

    /// The row-major layout of memory.
    pub fn row_major(shape: &[i64]) -> Result<Layout, LayoutError> {
        let digit = |dim: usize| Digit::shard(shape[dim], shape.len(), dim, 1);
        Layout::memory(shape.to_vec(), (0..shape.len()).rev().map(digit).collect())
    }

    /// A layout from the digits of slots, lanes, subgroups and offsets, in the order of [`Hardware`].
    pub fn of_digits(shape: Vec<i64>, digits: [Vec<Digit>; 4]) -> Result<Layout, LayoutError> {
        let layout = Layout { shape, digits, swizzle: None };
        let mut last = vec![0i64; layout.shape.len()];
        let mut places = 1i64;
        for hardware in EVERY {
            for (index, digit) in layout.digits(hardware).iter().enumerate() {
                let moves = digit.weights.iter().any(|&weight| weight != 0);
                if digit.extent < 1
                    || digit.weights.len() != layout.shape.len()
                    || digit.weights.iter().any(|&weight| weight < 0)
                    || moves && digit.kind != Kind::Shard
                {
                    return Err(LayoutError::BadDigit { hardware, index });
                }
                places = places.checked_mul(digit.extent).ok_or(LayoutError::TooLarge)?;
                for (last, weight) in last.iter_mut().zip(&digit.weights) {
                    let step = weight.checked_mul(digit.extent - 1).ok_or(LayoutError::TooLarge)?;
                    *last = last.checked_add(step).ok_or(LayoutError::TooLarge)?;
                }
            }
        }
        for (dim, (&coord, &extent)) in last.iter().zip(&layout.shape).enumerate() {
            if coord >= extent {
                return Err(LayoutError::Outside { dim, coord, extent });
            }
        }
        Ok(layout)
    }

    /// This layout with the coordinates permuted by `swizzle`.
    ///
    /// The map acts on the low bits of each coordinate, as many as its extent has factors of two; the last dimension
    /// has the lowest bits.
    pub fn with_swizzle(&self, swizzle: &Matrix) -> Result<Layout, LayoutError> {
        let bits = self.n_bits();
        if swizzle.n_rows() != bits || swizzle.columns().len() != bits {
            return Err(F2Error::Mismatch { columns: swizzle.columns().len(), rows: bits }.into());
        }
        swizzle.invert()?;
        let swizzle = match &self.swizzle {
            Some(inner) => swizzle.compose(inner)?,
            None => swizzle.clone(),
        };
        Ok(Layout { swizzle: Some(swizzle).filter(|map| !map.is_identity()), ..self.clone() })
    }

    /// The permutation of coordinates that comes after the digits.
    pub fn swizzle(&self) -> Option<&Matrix> {
        self.swizzle.as_ref()
    }

    /// A nested layout on a machine with this many subgroups of this many lanes; slots count row-major through
    /// [`Nested::distributed_shape`].
    ///
    /// A layout that uses more lanes than a subgroup has goes on counting in the next subgroup.
    pub fn from_nested(nested: &Nested, n_subgroups: i64, n_lanes: i64) -> Result<Layout, LayoutError> {
        let order: Vec<usize> = (0..3 * nested.rank()).collect();
        Layout::from_nested_ordered(nested, &order, n_subgroups, n_lanes)
    }

    /// The same with the slots in another order: `order` lists the axes of [`Nested::distributed_shape`], slowest
    /// first.
    pub fn from_nested_ordered(
        nested: &Nested,
        order: &[usize],
        n_subgroups: i64,
        n_lanes: i64,
    ) -> Result<Layout, LayoutError> {
        let rank = nested.rank();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..3 * rank), "each axis of the distributed shape once");
        // The distance between neighbours on each level, from the elements out.
        let lane_weight = |d: usize| nested.element_tile[d];
        let outer_weight = |d: usize| lane_weight(d) * nested.thread_tile[d];
        let batch_weight = |d: usize| outer_weight(d) * nested.outer_tile[d];
        let subgroup_weight = |d: usize| batch_weight(d) * nested.batch_tile[d];

        let extents = nested.distributed_shape();
        let slots = order.iter().rev().filter(|&&axis| extents[axis] > 1).map(|&axis| {
            let d = axis % rank;
            let weight = [batch_weight(d), outer_weight(d), 1][axis / rank];
            Digit::shard(extents[axis], rank, d, weight)
        });
        let thread_digits = stack(&nested.thread_basis()?, rank, lane_weight);
        let subgroup_digits = stack(&nested.subgroup_basis()?, rank, subgroup_weight);

        let (mut lanes, spilled, capacity) = fill(thread_digits, n_lanes).ok_or(LayoutError::Uneven {
            hardware: Hardware::Lane,
            used: nested.n_lanes(),
            have: n_lanes,
        })?;
        if capacity > 1 {
            lanes.push(Digit::still(capacity, rank, Kind::Replicate));
        }
        // A subgroup's number cannot name a subgroup tile and a thread tile at once.
        if !spilled.is_empty() && !subgroup_digits.is_empty() {
            return Err(NestedError::Spill { lanes: nested.n_lanes(), subgroup_size: n_lanes }.into());
        }
        let subgroup_digits = if spilled.is_empty() { subgroup_digits } else { spilled };
        let used = subgroup_digits.iter().map(|digit| digit.extent).product();
        let uneven = LayoutError::Uneven { hardware: Hardware::Subgroup, used, have: n_subgroups };
        let (mut subgroups, rest, capacity) = fill(subgroup_digits, n_subgroups).ok_or(uneven.clone())?;
        if !rest.is_empty() {
            return Err(uneven);
        }
        if capacity > 1 {
            subgroups.push(Digit::still(capacity, rank, Kind::Replicate));
        }
        Layout::new(nested.undistributed_shape(), slots.collect(), lanes, subgroups)
    }

    /// The extents of the value.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The digits of one number, least significant first.
    pub fn digits(&self, hardware: Hardware) -> &[Digit] {
        &self.digits[hardware as usize]
    }

    /// How many slots, lanes or subgroups there are.
    pub fn count(&self, hardware: Hardware) -> i64 {
        self.digits(hardware).iter().map(|digit| digit.extent).product()
    }

    /// How many places hold each element, where all elements have the same number of owners.
    pub fn replication(&self) -> i64 {
        let replicas = self.digits.iter().flatten().filter(|digit| digit.kind == Kind::Replicate);
        replicas.map(|digit| digit.extent).product()
    }

    /// The coordinate of the element in a slot, or `None` where the slot holds nothing.
    pub fn coord(&self, subgroup: i64, lane: i64, slot: i64) -> Option<Vec<i64>> {
        self.at([slot, lane, subgroup, 0])
    }

    /// The coordinate of the element at an offset of memory, or `None` where there is none.
    pub fn coord_at(&self, offset: i64) -> Option<Vec<i64>> {
        self.at([0, 0, 0, offset])
    }

    /// The coordinate at a slot, lane, subgroup and offset.
    fn at(&self, numbers: [i64; 4]) -> Option<Vec<i64>> {
        let mut coord = vec![0; self.rank()];
        for (hardware, number) in EVERY.into_iter().zip(numbers) {
            let mut rest = number;
            for digit in self.digits(hardware) {
                let value = rest % digit.extent;
                rest /= digit.extent;
                if digit.kind == Kind::Unused && value != 0 {
                    return None;
                }
                for (coord, weight) in coord.iter_mut().zip(&digit.weights) {
                    *coord += value * weight;
                }
            }
            assert_eq!(rest, 0, "there is no such {}", hardware.name());
        }
        if let Some(swizzle) = &self.swizzle {
            self.unpack(swizzle.apply(self.pack(&coord)), &mut coord);
        }
        Some(coord)
    }

    /// Every slot that holds something, sorted by subgroup, lane and slot.
    pub fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        let [n_slots, n_lanes, n_subgroups] = Hardware::ALL.map(|hardware| self.count(hardware));
        (0..n_subgroups * n_lanes * n_slots).filter_map(move |place| {
            let (subgroup, lane, slot) = (place / n_slots / n_lanes, place / n_slots % n_lanes, place % n_slots);
            Some(Owner { subgroup, lane, slot, coord: self.coord(subgroup, lane, slot)? })
        })
    }

    /// Every slot that holds the element at `coord`, sorted.
    pub fn owners_of<'a>(&'a self, coord: &'a [i64]) -> impl Iterator<Item = Owner> + 'a {
        self.owners().filter(move |owner| owner.coord == coord)
    }
}

/// The digits of a basis, least significant first; digits that no dimension uses are replicas.
fn stack(basis: &Basis, rank: usize, weight: impl Fn(usize) -> i64) -> Vec<Digit> {
    let dim_of = |result: usize| basis.place.iter().position(|&place| place == Some(result));
    let digit = |(index, &extent): (usize, &i64)| match dim_of(index + 1) {
        Some(dim) => Digit::shard(extent, rank, dim, weight(dim)),
        None => Digit::still(extent, rank, Kind::Replicate),
    };
    basis.extents.iter().enumerate().map(digit).rev().collect()
}

/// Puts digits into `capacity` values, cutting the one that does not fit: what fits, what does not, and the capacity left.
/// `None` where a cut is not even.
fn fill(digits: Vec<Digit>, mut capacity: i64) -> Option<(Vec<Digit>, Vec<Digit>, i64)> {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for digit in digits {
        if capacity % digit.extent == 0 {
            capacity /= digit.extent;
            inside.push(digit);
        } else if digit.extent % capacity == 0 {
            let weights = digit.weights.iter().map(|weight| weight * capacity).collect();
            outside.push(Digit { extent: digit.extent / capacity, weights, kind: digit.kind });
            if capacity > 1 {
                inside.push(Digit { extent: capacity, ..digit });
            }
            capacity = 1;
        } else {
            return None;
        }
    }
    Some((inside, outside, capacity))
}
