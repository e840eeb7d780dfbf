//! Devices, and the data that goes in and comes out: `.npy` files, input spellings, random tensors, comparisons.
//!
//! Nothing here opens a file: bytes in, bytes out.
//!
//! ```
//! use raddle_run::compare::{Tolerance, compare};
//! use raddle_run::spec::Spec;
//! use raddle_run::{Device, Emulator, Launch, Options, npy};
//!
//! let ir = raddle_ir::parse(
//!     "func.func @sum(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
//!        %0 = arith.addf %a, %b : tensor<2x2xf32>
//!        return %0 : tensor<2x2xf32>
//!      }",
//! )
//! .map_err(|diags| diags[0].clone())?;
//! let func = ir.funcs()[0];
//! // Inputs as the command line spells them.
//! let a = Spec::parse("2x2xf32=1 2 3 4")?.tensor(&[], None)?;
//! let b = Spec::parse("2x2xf32=10")?.tensor(&[], None)?;
//! let outcome = Emulator.run(&ir, func, &[a, b], &Launch::of(&ir, func)?, &Options::default())?;
//! let expected = Spec::parse("2x2xf32=11 12 13 14")?.tensor(&[], None)?;
//! assert!(compare(&outcome.results[0], &expected, Tolerance { abs: 0.0, rel: 0.0 }).is_correct());
//! // The bytes of a file that NumPy loads.
//! assert!(npy::write(&outcome.results[0]).starts_with(b"\x93NUMPY"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compare;
pub mod cpu;
pub mod cuda;
mod device;
pub mod host;
pub mod llvm;
pub mod npy;
pub mod random;
pub mod spec;

pub use device::{Device, Emulator, Repeat};
pub use raddle_emu::{
    AsyncMode, Cost, Counters, Launch, Mode, Needs, Options, Outcome, Precision, Print, Progress, Stop, Tally, Tensor,
    Traffic, Writer, evaluate, needs, ptx, with_extents,
};
