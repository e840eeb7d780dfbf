//! Devices behind one trait. The emulator needs nothing and is the default.

use raddle_emu::{Launch, Options, Outcome, Tensor};
use raddle_ir::{Diag, Ir, OpId};

/// Something that runs a function.
pub trait Device {
    /// As users type it.
    fn name(&self) -> &'static str;

    /// What it is, in one sentence.
    fn sentence(&self) -> &'static str;

    /// Runs a function on the given arguments.
    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag>;
}

/// The SIMT emulator.
pub struct Emulator;

impl Device for Emulator {
    fn name(&self) -> &'static str {
        "emu"
    }

    fn sentence(&self) -> &'static str {
        "the built-in emulator: every workgroup, subgroup and lane, on the CPU"
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        raddle_emu::run(ir, func, args, launch, options)
    }
}
