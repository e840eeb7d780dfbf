//! The compiler: configure, tile, vectorize, lay out, distribute, lower, and clean in between.

mod anchor_tensors;
mod barriers;
mod body;
pub mod clean;
mod config;
mod configure;
mod distribute;
mod edges;
mod expand;
mod generalize;
mod inline;
mod instruction;
mod kernel;
mod lay_out;
pub mod lower;
mod lower_vectors;
mod matrices;
mod options;
mod pack_reductions;
mod pipeline;
mod promote;
mod promote_operands;
mod shared;
mod split_contractions;
mod split_rows;
mod table;
mod tile;
mod tiles;
mod transform;
mod unroll;
mod vectorize;
mod vectorize_tensors;

pub use config::{Config, Launch};
pub use options::{OptionKind, Options, PassOption};
pub use table::{Facts, On, PASSES, Pass};
