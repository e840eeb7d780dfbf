//! Programs: what the one that a user wrote means, and how one of several kernels runs, whose host function is carried
//! out while each kernel that it calls runs on a device.

use raddle::pipeline::Host;
use raddle_ir::views::Linalg;
use raddle_ir::{Diag, Ir, OpId, Type, ValueId};
use raddle_passes::{admit, in_place};
use raddle_run::{Counters, Outcome, Tensor};

use super::arguments::Signature;

/// Whether the emulator says what a program on memrefs means as it is `written`, and not as it is `admitted`: operations
/// without a region it executes on tensors only, and only what is admitted returns what arguments hold beside results.
pub fn is_reference(written: &Ir, admitted: &Ir, func: OpId) -> bool {
    let is_memref = |value: &ValueId| matches!(written.ty(*value), Type::MemRef { .. });
    let is_known = |op: OpId| {
        let is_structured = ["linalg.", "iree_linalg_ext."].iter().any(|dialect| written.name(op).starts_with(dialect));
        !is_structured || Linalg::operands(written, op).is_some() || !written.operands(op).iter().any(is_memref)
    };
    let places = in_place::stated(admitted, func);
    let is_program = admit::is_on_buffers(written, func) && !places.is_empty() && places.iter().all(Option::is_some);
    admit::is_on_loops(written, func) || is_program && written.walk(func).into_iter().all(is_known)
}

/// Runs a kernel on buffers, of which those at some positions are unwritten; is told whether an initializer calls it.
type Start<'a> = &'a dyn Fn(OpId, &[Tensor], Vec<usize>, bool) -> Result<Outcome, Diag>;

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
    let mut call = |name: &str, args: &[Tensor], initializes: bool| {
        let at = find(name).expect("the host calls kernels by their names");
        let signature = Signature::of(&host.ir, host.kernels[at])?;
        let (arguments, unwritten) = signature.arguments_at(ir, kernels[at], args)?;
        let ran = start(kernels[at], &arguments, unwritten, initializes)?;
        let (results, _, counted) = signature.results_of(ir, kernels[at], ran);
        counters.add(&counted);
        Ok(results)
    };
    let is_kernel = |name: &str| find(name).is_some();
    let results = raddle_run::host::run(&host.ir, host.func, arguments, &is_kernel, &mut call)?;
    Ok((results, counters))
}
