//! Programs of several kernels: the host function is carried out, and each kernel that it calls runs on a device.

use raddle::pipeline::Host;
use raddle_ir::{Diag, Ir, OpId};
use raddle_run::{Counters, Outcome, Tensor};

use super::arguments::Signature;

/// Runs a kernel on buffers, of which those at some positions are unwritten.
type Start<'a> = &'a dyn Fn(OpId, &[Tensor], Vec<usize>) -> Result<Outcome, Diag>;

/// Carries out a host function; `start` runs a kernel on buffers, and is told which of them nobody has written yet.
pub fn carry_out(
    host: &Host,
    ir: &Ir,
    kernels: &[OpId],
    arguments: &[Tensor],
    start: Start<'_>,
) -> Result<(Vec<Tensor>, Counters), Diag> {
    let mut counters = Counters::default();
    let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
    let mut call = |name: &str, args: &[Tensor]| {
        let at = find(name).expect("the host calls kernels by their names");
        let signature = Signature::of(&host.ir, host.kernels[at])?;
        let (arguments, unwritten) = signature.arguments_at(ir, kernels[at], args)?;
        let ran = start(kernels[at], &arguments, unwritten)?;
        let (results, _, counted) = signature.results_of(ir, kernels[at], ran);
        counters.add(&counted);
        Ok(results)
    };
    let is_kernel = |name: &str| find(name).is_some();
    let results = raddle_run::host::run(&host.ir, host.func, arguments, &is_kernel, &mut call)?;
    Ok((results, counters))
}
