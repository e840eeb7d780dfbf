//! Which subgroup, lane and register holds which element: the mathematics of GPU layouts.
//!
//! Integers in, integers out: nothing here knows IR text, a chip, or a file.

mod layout;
mod nested;
pub mod picture;

pub use layout::{Digit, Hardware, Kind, Layout, LayoutError, Owner};
pub use nested::{Basis, Level, Nested, NestedError, ReshapeFault, ThreadDigits};
