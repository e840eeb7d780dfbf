//! The compiler: configure, tile, vectorize, lay out, distribute, lower, and clean in between.
//!
//! ```
//! use raddle_passes::{Facts, Options, PASSES};
//! use raddle_target::{Stage, chip, stage};
//!
//! let mut ir = raddle_ir::parse(
//!     "func.func @twice(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
//!        %0 = linalg.add ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%b : tensor<64x64xf32>) -> tensor<64x64xf32>
//!        return %0 : tensor<64x64xf32>
//!      }",
//! )
//! .map_err(|diags| diags[0].clone())?;
//! let func = ir.funcs()[0];
//! let facts = Facts::new(chip("sm_80").ok_or("a chip's name")?);
//! // The passes that lead from one stage to the next, in the order of the table.
//! for pass in PASSES.iter().filter(|pass| pass.stage.is_some_and(|stage| stage <= Stage::LaidOut)) {
//!     pass.apply(&mut ir, func, &facts, &Options::of(pass.options))?;
//! }
//! assert_eq!(stage::of(&ir, func), Stage::LaidOut);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod admit;
mod anchor_tensors;
mod barriers;
mod body;
mod cache_blocks;
pub mod clean;
mod config;
mod configure;
mod cut;
mod distribute;
mod edges;
mod expand;
mod expand_dims;
mod expand_math;
mod generalize;
mod group;
mod in_place;
mod inline;
mod instruction;
mod keep_results;
mod keep_rows;
mod kernel;
mod lay_out;
pub mod lower;
mod lower_vectors;
mod matrices;
mod normalize;
mod options;
pub mod outline;
mod overlap;
mod pack_reductions;
pub mod partition;
mod promote;
mod promote_operands;
mod scalar_loops;
mod scans;
mod shared;
mod software_pipeline;
pub mod split_complex;
mod split_contractions;
mod split_rows;
pub mod symbols;
mod table;
mod tile;
mod tiles;
mod transform;
mod unroll;
mod vectorize;
mod vectorize_tensors;
mod windows;

pub use config::{Config, KEYS, Key, Launch, OPTIONS};
pub use configure::tensor_core::{RULES, Rule};
pub use expand_math::{FUNCTIONS, Function};
pub use options::{OptionKind, Options, PassOption};
pub use scalar_loops::Spare;
pub use table::{Facts, On, PASSES, Pass};
