//! Which subgroup, lane and register holds which element: the mathematics of GPU layouts.
//!
//! Integers in, integers out: nothing here knows IR text, a chip, or a file.
//!
//! ```
//! use raddle_layout::picture::{Options, View, draw};
//! use raddle_layout::{Layout, Nested};
//!
//! // A 4x4 value on eight lanes: a 2x4 grid of lanes, each with two rows of its column.
//! let nested = Nested::new(
//!     vec![1, 1], // subgroups
//!     vec![1, 1], // batches
//!     vec![1, 1], // outer
//!     vec![2, 4], // lanes
//!     vec![2, 1], // elements
//!     vec![0, 0], // strides between subgroups
//!     vec![4, 1], // strides between lanes
//! )?;
//! nested.verify(&[4, 4])?;
//! assert_eq!(nested.coord(0, 5, 1), [3, 1]);
//! assert_eq!(nested.owners(&[3, 1], 1, 8), [(0, 5, 1)]);
//!
//! let layout = Layout::from_nested(&nested, 1, 8)?;
//! let view = View { title: "example".to_string(), names: vec![], notes: vec![], tile: vec![], layout };
//! assert!(draw(&view, &Options::default())?.ends_with("0 1 2 3\n0 1 2 3\n4 5 6 7\n4 5 6 7\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A layout is its digits and, where it needs one, an invertible map over F2 ([`Layout`]). [`Nested`], [`cute::Cute`]
//! and [`linear::Linear`] are spellings of it, each with its own algebra. [`plan::plan`] finds the cheapest way from
//! one layout of a value to another one, as data that can be printed and run:
//!
//! ```
//! use raddle_layout::plan::{Machine, plan};
//! use raddle_layout::{Layout, cute::{Cute, Order}};
//!
//! // 64 elements on 32 lanes: two neighbours each, and two halves each.
//! let pairs = "(32,2):(2,1)".parse::<Cute>()?.to_layout(&[64], Order::RowMajor)?;
//! let halves = Layout::from_bases(&[64], [&[32], &[1, 2, 4, 8, 16], &[], &[]])?;
//! let plan = plan(&pairs, &halves, 32, &Machine::plain())?;
//! assert_eq!((plan.way, plan.cost.shuffles), ("shuffle", 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Bases of lowering configurations become layouts by [`Spread`]:
//!
//! ```
//! use raddle_layout::{Nested, Spread};
//!
//! // `lane_basis = [[4, 8], [1, 0]]`: dimension 0 uses the eight lanes that are neighbours, dimension 1 the other four.
//! let lanes = Spread::new(&[4, 8], &[1, 0])?;
//! let layout = Nested::spread(&[16, 32], &Spread::identity(&[1, 1])?, &lanes, &[1, 8])?;
//! assert_eq!((layout.thread_tile, layout.thread_strides), (vec![8, 4], vec![1, 8]));
//! assert_eq!(layout.batch_tile, [2, 1]);
//! # Ok::<(), raddle_layout::NestedError>(())
//! ```
//!
//! What shared and global memory make of an access is counted in [`access`]; [`swizzle`] chooses how arrays lie in
//! memory for accesses that are given.

pub mod access;
pub mod cute;
pub mod f2;
mod layout;
pub mod linear;
mod nested;
pub mod picture;
pub mod plan;
pub mod sort;
pub mod swizzle;

pub use layout::{BitForm, Column, Digit, Hardware, Kind, Layout, LayoutError, OddDigit, Owner, Place};
pub use nested::{Basis, Level, Nested, NestedError, ReshapeFault, Spread, ThreadDigits};
