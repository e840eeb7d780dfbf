//! Target code from lowered IR: PTX and LLVM IR as text.
//!
//! ```
//! use raddle_target::{Lowered, chip};
//!
//! let ir = raddle_ir::parse(
//!     "func.func @halves(%m: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<
//!          pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>,
//!          gpu.known_grid_size = array<i32: 1, 1, 1>} {
//!        %t = gpu.thread_id x
//!        %x = memref.load %m[%t] : memref<64xf32>
//!        %half = arith.constant 0.5 : f32
//!        %y = arith.mulf %x, %half : f32
//!        memref.store %y, %m[%t] : memref<64xf32>
//!        return
//!      }",
//! )
//! .map_err(|diags| diags[0].clone())?;
//! // Emitters take what a check of the last stage has made, and nothing else.
//! let lowered = Lowered::check(&ir, ir.funcs()[0], chip("sm_80").ok_or("a chip's name")?)?;
//! let ptx = raddle_emit::ptx::emit(&ir, &lowered)?;
//! assert!(ptx.contains(".entry halves") && ptx.contains("mul.rn.f32"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kernel;
pub mod llvm;
mod parameter;
pub mod ptx;
pub mod sequence;

use raddle_ir::{Diag, Ir};
use raddle_target::Lowered;

pub use kernel::{is_read, is_written};
pub use parameter::Parameter;
pub use sequence::Sequence;

/// The name of the entry for a function of this name, in every language.
pub fn entry_name(function: &str) -> String {
    kernel::entry_name(function)
}

/// The numbers of workgroups along x, y and z as expressions of the entry's parameters; `None` where the kernel does not
/// state such.
///
/// Sums, products, `floordiv`, `ceildiv` and `mod` of parameters and numbers, as MLIR spells them.
pub fn grid(ir: &Ir, lowered: &Lowered) -> Result<Option<Vec<String>>, Diag> {
    kernel::grid_of(ir, lowered.func())
}
