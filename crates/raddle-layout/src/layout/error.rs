//! What can be wrong with a layout, each with its witness.

use std::fmt;

use super::{Hardware, Kind};
use crate::f2::F2Error;
use crate::nested::NestedError;

/// Why digits are not a layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LayoutError {
    /// The nested layout has no owners for some elements, or two for one place.
    Nested(NestedError),
    /// A digit has no values, a negative weight, another rank, or moves the coordinate though it is not a shard.
    BadDigit {
        /// Of which number.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
    },
    /// Some element lies outside the shape.
    Outside {
        /// The dimension.
        dim: usize,
        /// The largest coordinate that is held.
        coord: i64,
        /// The extent.
        extent: i64,
    },
    /// More places than can be counted.
    TooLarge,
    /// Adding two steps carries, so that the layout is not linear over F2.
    Carry {
        /// One place whose coordinate shares a bit
        first: Place,
        /// with that of another one.
        second: Place,
    },
    /// A digit whose extent is not a power of two steps inside the part of a dimension that is one.
    Odd {
        /// Of which number.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
    },
    /// A basis whose vectors are not independent: places that together do not move the coordinate.
    Dependent {
        /// The places.
        places: Vec<Place>,
    },
    /// A map that is not a permutation of bits, or of other bits.
    Swizzle(F2Error),
    /// The spelling asked for has no word for a digit's kind.
    Unspeakable {
        /// Of which number.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
        /// The kind.
        kind: Kind,
    },
    /// A digit steps over the border of a dimension unevenly.
    Straddles {
        /// Of which number.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
        /// The dimension whose border it is, in the new shape.
        dim: usize,
    },
    /// The sizes of two values differ.
    Sizes {
        /// One.
        first: Vec<i64>,
        /// The other.
        second: Vec<i64>,
    },
    /// No place holds this element.
    Missing {
        /// Its row-major number.
        element: i64,
    },
    /// Two places hold the same element.
    Shared {
        /// One.
        first: Place,
        /// The other.
        second: Place,
    },
    /// The tile is not the fast part of the layout.
    NoTile {
        /// The first place where they differ.
        place: Place,
    },
    /// Along this dimension the digits are not elements, lanes, slots and subgroups in this order.
    NotNested {
        /// The number whose digit is out of order.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
        /// The dimension.
        dim: usize,
    },
    /// A table of points that no digits give: a place holds something else than the steps that lead there.
    NotDigits {
        /// The subgroup.
        subgroup: i64,
        /// The lane.
        lane: i64,
        /// The slot.
        slot: i64,
        /// What digits found elsewhere would hold there.
        expected: Option<Vec<i64>>,
        /// What the table holds there.
        found: Option<Vec<i64>>,
    },
    /// A dimension whose parts should lie in each place is spread over places.
    Apart {
        /// Of which number.
        hardware: Hardware,
        /// Which digit, from the least significant.
        index: usize,
        /// The dimension.
        dim: usize,
    },
    /// There is no dimension to split.
    NoDimension,
    /// Two operands place one dimension of the iteration space differently.
    Disagree {
        /// The dimension.
        dim: usize,
        /// Which operand came first …
        first: usize,
        /// … and which one contradicts it.
        second: usize,
    },
    /// No operand lies along a dimension of the result.
    Uncovered {
        /// The dimension of the iteration space.
        dim: usize,
    },
    /// The swizzle has no place in the result.
    Swizzled,
    /// The machine has another number of lanes or subgroups than digits can express: too few, or not a multiple.
    Uneven {
        /// Of what.
        hardware: Hardware,
        /// How many the layout uses.
        used: i64,
        /// How many there are.
        have: i64,
    },
}

/// One register or offset, named by its digit that is not zero: `(hardware, number)`.
pub type Place = (Hardware, i64);

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Nested(error) => error.fmt(f),
            LayoutError::BadDigit { hardware, index } => {
                write!(f, "{} digit {index} is not a digit of this shape", hardware.name())
            }
            LayoutError::Outside { dim, coord, extent } => {
                write!(f, "coordinate {coord} lies outside extent {extent} of dim {dim}")
            }
            LayoutError::TooLarge => write!(f, "the layout has more places than can be counted"),
            LayoutError::Carry { first, second } => {
                let (a, b) = (place(first), place(second));
                write!(f, "the steps of {a} and {b} share a bit: adding them carries, which is not linear over F2")
            }
            LayoutError::Odd { hardware, index } => {
                let name = hardware.name();
                write!(f, "{name} digit {index} is not a power of two and steps inside one")
            }
            LayoutError::Dependent { places } => {
                let names: Vec<String> = places.iter().map(place).collect();
                write!(f, "the steps of {} cancel each other", names.join(", "))
            }
            LayoutError::Swizzle(error) => write!(f, "not a swizzle of this shape: {error}"),
            LayoutError::Unspeakable { hardware, index, kind } => {
                let name = hardware.name();
                let kind = format!("{kind:?}").to_lowercase();
                write!(f, "{name} digit {index} is of kind {kind}, for which this spelling has no word")
            }
            LayoutError::Straddles { hardware, index, dim } => {
                let name = hardware.name();
                write!(f, "{name} digit {index} steps unevenly over the border of dim {dim}")
            }
            LayoutError::Sizes { first, second } => write!(f, "shapes {first:?} and {second:?} differ in size"),
            LayoutError::Missing { element } => write!(f, "nothing holds element {element}"),
            LayoutError::Shared { first, second } => {
                write!(f, "{} and {} hold the same element", place(first), place(second))
            }
            LayoutError::NoTile { place: at } => write!(f, "the tile does not divide the layout at {}", place(at)),
            LayoutError::NotNested { hardware, index, dim } => {
                let name = hardware.name();
                write!(f, "no nested layout: {name} digit {index} is out of order along dim {dim}")
            }
            LayoutError::NotDigits { subgroup, lane, slot, expected, found } => {
                let text = |coord: &Option<Vec<i64>>| coord.as_ref().map_or("nothing".into(), |c| format!("{c:?}"));
                let (expected, found) = (text(expected), text(found));
                write!(f, "subgroup {subgroup}, lane {lane}, slot {slot} holds {found}, and digits give {expected}")
            }
            LayoutError::Apart { hardware, index, dim } => {
                write!(f, "dim {dim} lies in {} digit {index}: no place holds all of it", hardware.name())
            }
            LayoutError::NoDimension => write!(f, "there is no dimension to split"),
            LayoutError::Disagree { dim, first, second } => {
                write!(f, "operands {first} and {second} place iteration dim {dim} differently")
            }
            LayoutError::Uncovered { dim } => write!(f, "no operand lies along iteration dim {dim}"),
            LayoutError::Swizzled => write!(f, "the swizzle acts on bits that the result does not have"),
            LayoutError::Uneven { hardware, used, have } => {
                let name = hardware.name();
                write!(f, "the layout uses {used} {name}s, and {have} {name}s are not a multiple of that")
            }
        }
    }
}

impl std::error::Error for LayoutError {}

fn place((hardware, number): &Place) -> String {
    format!("{} {number}", hardware.name())
}

impl From<F2Error> for LayoutError {
    fn from(error: F2Error) -> LayoutError {
        LayoutError::Swizzle(error)
    }
}

impl From<NestedError> for LayoutError {
    fn from(error: NestedError) -> LayoutError {
        LayoutError::Nested(error)
    }
}
