//! Devices behind one trait. The emulator needs nothing and is the default.

use raddle_emu::{Launch, Options, Outcome, Tensor};
use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Ir, OpId};

/// Something that runs a function.
pub trait Device {
    /// As users type it.
    fn name(&self) -> &'static str;

    /// What it is, in one sentence.
    fn sentence(&self) -> &'static str;

    /// Runs a function on the given arguments, in the order of the function's: a tensor for each tensor and memref, and one
    /// without extents for each number.
    ///
    /// # Errors
    ///
    /// `E0801` where the device cannot execute an operation, `E0802` where a limit of `options` is reached, `E0803` for a
    /// launch that it has not, `E0811` to `E0819` for what the program does wrong, `E0821` and `E0822` for what is wrong with
    /// the device.
    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag>;

    /// Seconds that one run takes, in each of several samples.
    ///
    /// # Errors
    ///
    /// `E0703` for a device whose time says nothing of the program's; else as for [`Device::run`].
    fn time(&self, ir: &Ir, func: OpId, _: &[Tensor], _: &Launch, _: &Repeat) -> Result<Vec<f64>, Diag> {
        let message = format!("the time that `{}` takes says nothing of the kernel's", self.name());
        Err(Diag::error(Code::CannotExecute, ir.span(func), message)
            .help("time it on `--device=cuda` or `--device=cpu`; `raddle bench --device=emu` counts what it costs"))
    }
}

/// How often something is done to be timed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Repeat {
    /// Samples, at least one.
    pub samples: u32,
    /// Seconds of one sample, at least: as many runs as it takes.
    pub sample_s: f64,
    /// Seconds of runs in front of the first sample.
    pub warm_up_s: f64,
    /// Threads of this machine that share workgroups.
    pub threads: usize,
}

impl Repeat {
    /// How many runs are one sample, if one run takes so many seconds.
    pub fn runs(&self, seconds: f64) -> u32 {
        // NaN becomes 0 runs, and then one.
        ((self.sample_s / seconds.max(1e-9)).ceil() as u32).clamp(1, 100_000)
    }
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
        let options = Options { in_place: Interface::in_place_args(ir, func)?, ..options.clone() };
        raddle_emu::run(ir, func, args, launch, &options)
    }
}

#[cfg(test)]
mod tests {
    use super::Repeat;

    /// A sample has at least one run, whatever was asked for.
    #[test]
    fn samples_have_runs() {
        let runs = |sample_s, seconds| Repeat { samples: 1, sample_s, warm_up_s: 0.0, threads: 1 }.runs(seconds);
        assert_eq!((runs(0.01, 0.001), runs(0.001, 1.0), runs(f64::INFINITY, 1.0)), (10, 1, 100_000));
        assert_eq!((runs(f64::NAN, 1.0), runs(-1.0, 1.0), runs(1.0, 0.0)), (1, 1, 100_000));
    }
}
