//! Tried: what a kernel of several operations, which is taken to compile, must not turn out to be.

use raddle_ir::{Code, Diag, Ir, OpId, Opcode, Severity};
use raddle_target::Lowered;

use super::Step;
use crate::configure::attention;
use crate::facts::Facts;
use crate::scalar_loops;
use crate::structured::body;

/// A kernel of several operations that is taken to compile.
pub struct Tried {
    /// Whether it sums products, whose tiles decide how long its code is.
    multiplies: bool,
    /// Whether it scatters, which vectors refuse in any company.
    scatters: bool,
}

/// Operations of a kernel's code, about, of which each is an instruction of 16 bytes: what is longer does not stay in the
/// processors' memory for code, and takes assemblers long.
const LONG: usize = 8192;

impl Tried {
    /// In front of the first step.
    pub fn of(ir: &Ir, kernel: OpId) -> Tried {
        let is_product = |&op: &OpId| attention::is_attention(ir, op) || body::is_contraction(ir, op);
        let is_scatter = |&op: &OpId| ir.opcode(op) == Opcode::IreeLinalgExtScatter;
        let ops = ir.walk(kernel);
        Tried { multiplies: ops.iter().any(is_product), scatters: ops.iter().any(is_scatter) }
    }

    /// Refuses, behind a step, scalar loops: they are worth nothing where part of a kernel could have vectors.
    pub fn check(&self, ir: &Ir, kernel: OpId, facts: &Facts) -> Result<(), Diag> {
        if self.scatters || !scalar_loops::is_chosen(ir, kernel) {
            return Ok(());
        }
        let why = facts.remarks.borrow().last().and_then(|remark| remark.notes.last().cloned());
        let message = why.unwrap_or_else(|| "scalar loops compute one operation".to_owned());
        Err(Diag::error(Code::CannotConfigure, ir.span(kernel), message))
    }

    /// Refuses, behind the last step, what emitters do not take, and code so long that several kernels are better.
    pub fn check_lowered(&self, ir: &Ir, kernel: OpId, facts: &Facts) -> Result<(), Diag> {
        Lowered::check(ir, kernel, facts.chip)?;
        let length = ir.walk(kernel).len();
        if length > LONG && !self.multiplies && facts.chip.native.is_none() {
            let message = format!("its code would have {length} operations, more than {LONG}");
            return Err(Diag::error(Code::CannotConfigure, ir.span(kernel), message));
        }
        Ok(())
    }
}

/// Carries out the steps that compile a kernel.
pub(super) fn try_steps(trial: &mut Ir, kernel: OpId, facts: &Facts, steps: &[Step]) -> Result<(), Diag> {
    let facts = facts.for_chip(facts.chip);
    let tried = Tried::of(trial, kernel);
    for step in steps {
        step(trial, kernel, &facts)?;
        tried.check(trial, kernel, &facts)?;
    }
    match raddle_ir::verify_op(trial, kernel).into_iter().find(|diag| diag.severity == Severity::Error) {
        Some(diag) => Err(diag),
        None => tried.check_lowered(trial, kernel, &facts),
    }
}
