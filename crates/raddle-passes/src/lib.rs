//! The compiler: configure, tile, vectorize, lay out, distribute, lower, and clean in between.

mod table;

pub use table::{Facts, PASSES, Pass};
