//! LLVM IR as text, for AMD chips and for CPUs.
//!
//! Before: a function that [`Lowered`] vouches for: scalars, linear addresses, matrix operations of one chip.
//! After: a module that LLVM 19 and newer verify and compile, one kernel for each function.
//!
//! The printer is neutral: it writes arithmetic, memory and control flow in LLVM's own instructions. What only a machine
//! has (thread numbers, barriers, moves between lanes, matrix instructions, address spaces) it takes from a
//! `dialect::Dialect`, a table of that machine's intrinsics.
//!
//! Values are LLVM's: every value has one name, blocks pass values on by phis. Vectors stay vectors from load to matrix
//! instruction, and elements are extracted where somebody computes with one. A loop that carries the elements of one
//! vector carries the vector, so that accumulators keep one tuple of registers.
//!
//! It moves no code and allocates nothing: LLVM does. Floating-point operations have no flags, so that LLVM neither
//! contracts nor reorders them, and results do not depend on it.
//!
//! Pointers must be aligned to 16 bytes, and a buffer that the kernel writes must not overlap another one.

mod amdgcn;
mod arith;
mod convert;
mod cpu;
mod dialect;
mod flow;
mod gpu;
mod masks;
mod matrix;
mod memory;
mod module;
mod order;
mod sequence;
mod tile;
mod value;

use raddle_ir::{Code, Diag, Ir, OpId};
use raddle_target::{Chip, Language, Lowered, Vendor};

pub use self::amdgcn::{in_order, without_accumulation};
pub use self::sequence::{Callee, initialize_name, sequence, workspace_name};
use crate::kernel;

/// What the writer of a program chooses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Functions that the machine only approximates are written with its instructions; without this they are refused.
    pub fast_math: bool,
    /// LLVM leaves loops as they are written.
    pub keep_loops: bool,
    /// Buffers may overlap.
    pub overlap: bool,
    /// Kernels for CPUs take the address of what an index outside of a buffer leaves, whether they check indices or not;
    /// those that do always take it.
    pub bounds_checks: bool,
    /// The text of the program, so that an index outside is told with its line; without it, with the position of a byte.
    pub source: Option<String>,
}

/// What LLVM has to be told about the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The target triple.
    pub triple: &'static str,
    /// The processor.
    pub cpu: &'static str,
    /// The oldest LLVM that knows the processor.
    pub version_min: u32,
}

/// What LLVM has to be told about a chip.
pub fn machine(chip: &'static Chip) -> Machine {
    let (cpu, version_min) = match chip.vendor {
        Vendor::Amd => (chip.name, amdgcn::version_min(chip)),
        Vendor::Cpu | Vendor::Nvidia => (cpu::processor(chip), 19),
    };
    Machine { triple: dialect(chip).triple, cpu, version_min }
}

fn dialect(chip: &'static Chip) -> &'static dialect::Dialect {
    match chip.vendor {
        Vendor::Amd => &amdgcn::DIALECT,
        Vendor::Cpu if chip.name == "aarch64" => &cpu::ARM,
        Vendor::Cpu | Vendor::Nvidia => &cpu::DIALECT,
    }
}

/// The name of the function that takes the arguments of a kernel for a CPU by one array: of the address of each buffer,
/// and of each scalar.
pub fn packed_name(entry: &str) -> String {
    format!("{entry}$packed")
}

/// The name of the function that lets the caller's threads compute a kernel, or a function of several, for a CPU.
pub fn parallel_name(entry: &str) -> String {
    format!("{entry}_parallel")
}

/// The name of the entry for a function of this name. On a CPU, where programs in C call it and link it with libraries,
/// none of the names that C keeps for itself, and none that another one's `NAME_parallel` and the like may have.
pub fn entry_name(chip: &'static Chip, function: &str) -> String {
    let name = kernel::entry_name(function);
    if chip.native.is_none() {
        name
    } else if cpu::is_beside(&name) {
        format!("k$${name}")
    } else if cpu::is_taken(&name) {
        format!("k${name}")
    } else {
        name
    }
}

/// Whether a kernel for a CPU takes the address of what an index outside of a buffer leaves, whatever the options are.
pub fn checks_indices(ir: &Ir, func: OpId) -> bool {
    cpu::checks_indices(ir, func)
}

/// The LLVM IR of one kernel.
pub fn emit(ir: &Ir, lowered: &Lowered) -> Result<String, Diag> {
    emit_all(ir, std::slice::from_ref(lowered), &Options::default())
}

/// The LLVM IR of several kernels, which are for one chip, as one module.
pub fn emit_all(ir: &Ir, kernels: &[Lowered], options: &Options) -> Result<String, Diag> {
    for lowered in kernels {
        let chip = lowered.chip();
        if chip.language != Language::Llvm {
            let message = format!("LLVM IR is written for AMD chips and CPUs, and {} is neither", chip.name);
            return Err(
                Diag::error(Code::CannotEmit, ir.span(lowered.func()), message).help("choose a target such as gfx942")
            );
        }
    }
    module::emit(ir, kernels, options)
}
