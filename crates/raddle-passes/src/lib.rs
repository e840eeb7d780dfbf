//! The compiler: configure, tile, vectorize, lay out, distribute, lower, and clean in between.

pub mod clean;
pub mod lower;
mod table;

pub use table::{Facts, PASSES, Pass};
