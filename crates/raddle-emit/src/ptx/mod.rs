//! PTX text for NVIDIA chips.
//!
//! Before: a function that [`Lowered`] vouches for: scalars, linear addresses, matrix operations of one chip.
//! After: one `.entry` that `ptxas` accepts, one instruction on each line.
//!
//! The function is walked once, in order, and every operation writes its instructions at once; the registers are
//! declared from counts when the body is known. What keeps the text short is that values are *not* always registers
//! (see `value.rs`): constants are immediates, halves of a loaded word stay halves until somebody needs one alone, and
//! the constant part of an index is the immediate of the access.
//!
//! It does not allocate registers, schedule, or move code, except for address computations that a loop does not change:
//! `ptxas` does the rest, and does it well. Arithmetic is spelled with its rounding (`add.rn.f32`), which keeps `ptxas`
//! from contracting it, so that results do not depend on the assembler.
//!
//! Pointers must be aligned to 16 bytes, and a buffer that the kernel writes must not overlap another one.

mod arith;
mod atomic;
mod convert;
mod float;
mod flow;
mod gpu;
mod int;
mod interface;
mod jumps;
mod math;
mod matrix;
mod memory;
mod module;
mod value;

use raddle_ir::{Code, Diag, Ir};
use raddle_target::{Language, Lowered};

/// What the writer of a program chooses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Functions that PTX only approximates are written with its instructions; without this they are refused.
    pub fast_math: bool,
    /// Assemblers leave loops as they are written, and unroll none (`.pragma "nounroll"`).
    pub keep_loops: bool,
    /// The text that the program was read from: instructions say which line they come from, and quote it.
    pub source: Option<Source>,
}

/// A program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its file's name.
    pub name: String,
    /// The text, whose bytes the spans of operations count.
    pub text: String,
}

/// Bytes of shared memory that a kernel declares as its own, at most. CUDA C++ Programming Guide, "Shared Memory": what
/// is more is one array without an extent, and its size an attribute of the function and a parameter of the launch.
pub const STATIC_SHARED_BYTES_MAX: u64 = 48 * 1024;

/// Bytes of shared memory that a launch of the kernel asks for.
pub fn dynamic_shared_bytes(lowered: &Lowered) -> u32 {
    let bytes = lowered.shared_bytes();
    if u64::from(bytes) > STATIC_SHARED_BYTES_MAX { bytes } else { 0 }
}

/// The PTX text of one kernel.
pub fn emit(ir: &Ir, lowered: &Lowered) -> Result<String, Diag> {
    emit_with(ir, lowered, &Options::default())
}

/// The same, with choices.
pub fn emit_with(ir: &Ir, lowered: &Lowered, options: &Options) -> Result<String, Diag> {
    emit_all(ir, std::slice::from_ref(lowered), options)
}

/// The PTX text of several kernels, which are for one chip, as one module.
pub fn emit_all(ir: &Ir, kernels: &[Lowered], options: &Options) -> Result<String, Diag> {
    for lowered in kernels {
        let chip = lowered.chip();
        if chip.language != Language::Ptx {
            let message = format!("PTX is for NVIDIA chips from sm_80 on, and {} is not one", chip.name);
            return Err(
                Diag::error(Code::CannotEmit, ir.span(lowered.func()), message).help("choose a target such as sm_80")
            );
        }
    }
    module::emit(ir, kernels, options)
}
