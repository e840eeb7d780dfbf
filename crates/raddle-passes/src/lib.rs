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

// Modules stand in the order in which data goes through them: each names only those above it. The test `folders` holds
// this, and has the exceptions.

// What every step may use.

mod options;

mod facts;

mod code;

mod structured;

mod config;

pub mod clean;

// The steps of the pipeline, and the two that take the place of steps: `scalar_loops` that of all behind it, where vectors
// refuse, and `unroll` on CPUs.

pub mod admit;

mod normalize;

mod scalar_loops;

pub mod partition;

mod configure;

mod tile;

mod vectorize;

mod lay_out;

mod overlap;

mod distribute;

mod unroll;

pub mod lower;

// Passes for the names of other tools.

mod beside;

// All passes, for those who run them.

mod table;

pub use admit::outline;
pub use config::{Config, KEYS, Key, Launch, OPTIONS};
pub use configure::tensor_core::{RULES, Rule};
pub use facts::{F32Products, Facts};
pub use lower::expand_math::{FUNCTIONS, Function};
pub use normalize::split_complex;
pub use options::{OptionKind, Options, PassOption};
pub use scalar_loops::Spare;
pub use structured::{in_place, symbols};
pub use table::{On, PASSES, Pass, trial_steps};
