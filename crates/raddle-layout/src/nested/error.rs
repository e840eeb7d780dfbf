//! What can be wrong with a nested layout, each with its witness.

use std::fmt;

use super::Nested;

/// A level of the machine that shares out a dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Consecutive elements of one lane.
    Element,
    /// Lanes of a subgroup.
    Thread,
    /// Repetitions of the grid of lanes inside an instruction's tile.
    Outer,
    /// Repetitions of an instruction's tile.
    Batch,
    /// Subgroups of a workgroup.
    Subgroup,
}

impl Level {
    /// Every level, from the innermost outwards.
    pub const ALL: [Level; 5] = [Level::Element, Level::Thread, Level::Outer, Level::Batch, Level::Subgroup];

    /// The name of the level's list in text.
    pub fn tile_name(self) -> &'static str {
        match self {
            Level::Element => "element_tile",
            Level::Thread => "thread_tile",
            Level::Outer => "outer_tile",
            Level::Batch => "batch_tile",
            Level::Subgroup => "subgroup_tile",
        }
    }

    /// What one unit of the level is called.
    fn unit(self) -> &'static str {
        match self {
            Level::Element | Level::Outer | Level::Batch => "slot",
            Level::Thread => "lane",
            Level::Subgroup => "subgroup",
        }
    }
}

/// Why a nested layout is not one, does not fit a vector, or cannot be transformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NestedError {
    /// The lists differ in length.
    RankMismatch,
    /// A tile is zero or negative, or a stride is negative.
    NotPositive {
        /// The list.
        list: &'static str,
        /// The dimension.
        dim: usize,
        /// The number that stands there.
        value: i64,
    },
    /// The extents multiply to more than 2^63 - 1.
    TooLarge,
    /// The vector's rank is another one.
    WrongRank {
        /// The vector's rank.
        vector: usize,
        /// The layout's rank.
        layout: usize,
    },
    /// The vector's extent is another one.
    WrongExtent {
        /// The vector's shape.
        shape: Vec<i64>,
        /// The layout.
        layout: Box<Nested>,
        /// The first dimension that differs.
        dim: usize,
        /// What the layout says.
        expected: i64,
        /// What the vector says.
        actual: i64,
    },
    /// Two tiles of the grid ask for the same lane or subgroup.
    Overlap {
        /// Which grid.
        level: Level,
        /// The first tile, in row-major order of the grid, that finds its owner taken …
        second: Vec<i64>,
        /// … and the tile that took it.
        first: Vec<i64>,
        /// The lane or subgroup that both ask for.
        owner: i64,
    },
    /// A stride is not a multiple of the lanes or subgroups that the smaller strides use up.
    Misaligned {
        /// Which grid.
        level: Level,
        /// The dimension whose stride it is.
        dim: usize,
        /// The stride.
        stride: i64,
        /// What it must be a multiple of.
        unit: i64,
    },
    /// A dimension is tiled, but its stride is 0: all its tiles but the first have no owner.
    NoStride {
        /// Which grid.
        level: Level,
        /// The dimension.
        dim: usize,
    },
    /// The lanes that the layout uses neither divide a subgroup nor cover whole subgroups.
    Spill {
        /// How many lanes the layout uses.
        lanes: i64,
        /// How many lanes a subgroup has.
        subgroup_size: i64,
    },
    /// The shape has another number of elements.
    WrongSize {
        /// The new shape.
        shape: Vec<i64>,
        /// How many elements the layout has.
        expected: i64,
    },
    /// A reshape would split or merge tiles in a way that no nested layout has.
    NotReshapable {
        /// The layout's dimension.
        source: usize,
        /// The new dimension.
        target: usize,
        /// The level at which it fails.
        level: Level,
        /// Why.
        why: ReshapeFault,
    },
    /// Two operands give one dimension of the result different tiles.
    Conflict {
        /// The dimension of the iteration space.
        dim: usize,
        /// Which operand came first …
        first: usize,
        /// … and which one contradicts it.
        second: usize,
    },
    /// No operand says how a dimension of the result is tiled.
    Uncovered {
        /// The dimension of the iteration space.
        dim: usize,
    },
    /// A mapping of a basis names a position that has no count, or one that another dimension has.
    Mapping {
        /// The dimension.
        dim: usize,
        /// The position that it names.
        position: usize,
        /// How many counts there are.
        counts: usize,
    },
    /// The threads can neither be spread over a dimension nor be filled by it.
    NotDivisible {
        /// The dimension.
        dim: usize,
        /// How many tiles it has left to give.
        tiles: i64,
        /// How many threads want one.
        threads: i64,
    },
}

/// Why a level cannot be cut for a reshape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReshapeFault {
    /// The tile and what is left of the new dimension do not divide one another.
    Split {
        /// The tile.
        tile: i64,
        /// What is left of the new dimension.
        rest: i64,
    },
    /// The lanes or subgroups that would merge are not evenly spaced.
    Stride,
    /// An inner level would have to lie outside an outer one.
    Order,
}

impl fmt::Display for NestedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NestedError::RankMismatch => write!(f, "all fields must have the same rank as the layout"),
            NestedError::NotPositive { list, dim, value } => {
                let least = if list.ends_with("_tile") { 1 } else { 0 };
                write!(f, "{list} has {value} at dim {dim}, which must be at least {least}")
            }
            NestedError::TooLarge => write!(f, "the layout has more than 2^63 - 1 elements"),
            NestedError::WrongRank { vector, layout } => {
                write!(f, "Rank of vector ({vector}) does not match rank of layout ({layout}).")
            }
            NestedError::WrongExtent { shape, layout, dim, expected, actual } => write!(
                f,
                "Vector shape: {shape:?} does not match the layout ({layout}) at dim {dim}. \
                 Dimension expected by layout: {expected} actual: {actual}"
            ),
            NestedError::Overlap { level, first, second, owner } => write!(
                f,
                "{} have overlapping strides: tiles {first:?} and {second:?} both ask for {} {owner}",
                tiles(*level),
                level.unit()
            ),
            NestedError::Misaligned { level, dim, stride, unit } => write!(
                f,
                "{} have overlapping strides: stride {stride} at dim {dim} is not a multiple of the {unit} {}s \
                 that smaller strides use",
                tiles(*level),
                level.unit()
            ),
            NestedError::NoStride { level, dim } => {
                write!(f, "dim {dim} is spread over {}s, but its stride is 0", level.unit())
            }
            NestedError::Spill { lanes, subgroup_size } => {
                write!(f, "the layout uses {lanes} lanes, which do not fit subgroups of {subgroup_size}")
            }
            NestedError::WrongSize { shape, expected } => {
                write!(f, "shape {shape:?} does not have the layout's {expected} elements")
            }
            NestedError::NotReshapable { source, target, level, why } => {
                let name = level.tile_name();
                write!(f, "{name} of dim {source} cannot become part of new dim {target}: ")?;
                match why {
                    ReshapeFault::Split { tile, rest } => write!(f, "{tile} and {rest} do not divide one another"),
                    ReshapeFault::Stride => write!(f, "the {}s are not evenly spaced", level.unit()),
                    ReshapeFault::Order => write!(f, "an outer level already lies inside it"),
                }
            }
            NestedError::Conflict { dim, first, second } => {
                write!(f, "operands {first} and {second} tile iteration dim {dim} differently")
            }
            NestedError::Uncovered { dim } => write!(f, "no operand tiles iteration dim {dim}"),
            NestedError::Mapping { dim, position, counts } if position >= counts => {
                write!(f, "dim {dim} uses position {position} of a basis of {counts} counts")
            }
            NestedError::Mapping { dim, position, .. } => {
                write!(f, "dim {dim} uses position {position} of the basis, which another dim uses already")
            }
            NestedError::NotDivisible { dim, tiles, threads } => {
                write!(f, "{threads} threads and the {tiles} tiles of dim {dim} do not divide one another")
            }
        }
    }
}

fn tiles(level: Level) -> &'static str {
    if level == Level::Subgroup { "subgroup tiles" } else { "thread tiles" }
}

impl std::error::Error for NestedError {}
