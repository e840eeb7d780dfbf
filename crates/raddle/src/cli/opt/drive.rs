//! Running passes on a module: step by step, looked at, verified, and with a reproducer for the one that fails.

use std::time::Instant;

use raddle::pipeline;
use raddle_ir::{Code, Diag, Ir, OpId, Severity};
use raddle_passes::{Facts, Options, Pass};
use raddle_target::Stage;

use super::Args;
use super::observe::Log;
use super::pass_pipeline::{self, Step};
use super::reproducer::Recipe;

/// Takes each function of the module to a stage. One that is several kernels becomes these, and who calls them goes: a
/// call on tensors cannot stand beside kernels on buffers.
pub fn advance(ir: &mut Ir, stage: Stage, facts: &Facts, log: &mut Log<'_>) -> Result<(), Vec<Diag>> {
    pipeline::hoist(ir, facts).map_err(|diag| vec![diag])?;
    let funcs = pipeline::functions(ir);
    if funcs.is_empty() {
        return Err(vec![pipeline::nothing_to_do(ir)]);
    }
    let mut diags = Vec::new();
    let mut kernels: Vec<OpId> = Vec::new();
    // Nothing is printed of these.
    let mut gone: Vec<Diag> = Vec::new();
    for func in funcs {
        if ir.parent_block(func).is_none() || kernels.contains(&func) {
            continue;
        }
        let name = ir.symbol_name(func).unwrap_or_default().to_owned();
        match if stage == Stage::Tensor { Ok((vec![func], None)) } else { pipeline::divide(ir, func, facts) } {
            Ok((found, _)) => {
                gone.extend(found.is_empty().then(|| pipeline::no_kernel(&name)));
                kernels.extend(found.into_iter().filter(|func| !kernels.contains(func)).collect::<Vec<_>>());
            }
            Err(diag) => diags.push(diag),
        }
    }
    if kernels.is_empty() {
        diags.append(&mut gone);
    }
    facts.remarks.borrow_mut().extend(gone.into_iter().map(|diag| Diag { severity: Severity::Warning, ..diag }));
    for func in kernels {
        let mut start = Instant::now();
        let behind = |pass: &'static Pass, ir: &Ir| {
            log.behind(pass, start.elapsed(), ir, func);
            start = Instant::now();
        };
        diags.extend(pipeline::advance_function(ir, func, facts, stage, behind).err());
    }
    if diags.is_empty() {
        diags.extend(pipeline::verify_module(ir).err());
    }
    if diags.is_empty() { Ok(()) } else { Err(diags) }
}

/// Runs a pipeline on the module.
pub fn run(ir: &mut Ir, steps: &[Step], facts: &Facts, args: &Args, log: &mut Log<'_>) -> Result<(), Vec<Diag>> {
    log.check().map_err(|diag| vec![diag])?;
    let steps = pass_pipeline::unwrap(steps);
    let recipe = Recipe::new(&args.reproduce, facts.chip.name, ir, steps);
    let mut driver = Driver {
        facts,
        verify: args.check.verify_each,
        warn: args.check.verify_diagnostics.is_none(),
        log,
        recipe,
        anchors: Vec::new(),
    };
    let module = ir.module();
    driver.steps(ir, steps, &[module])?;
    driver.recipe.written(false).map_err(|diag| vec![diag])
}

struct Driver<'a, 'log> {
    facts: &'a Facts,
    verify: bool,
    /// Whether to say which passes had nothing to do.
    warn: bool,
    log: &'a mut Log<'log>,
    recipe: Recipe,
    /// What the steps that run nest under.
    anchors: Vec<String>,
}

impl Driver<'_, '_> {
    /// Runs steps on operations, one step after the other; an error in one function does not hide those in others.
    fn steps(&mut self, ir: &mut Ir, steps: &[Step], ops: &[OpId]) -> Result<(), Vec<Diag>> {
        for step in steps {
            // A pass may have removed what it found empty.
            let ops = ops.iter().copied().filter(|&op| op == ir.module() || ir.parent_block(op).is_some());
            let ops: Vec<OpId> = ops.collect();
            match step {
                Step::Pass(pass, options) => self.pass(ir, pass, options, &ops)?,
                Step::Nest(anchor, steps) => {
                    let inner: Vec<OpId> = ops.iter().flat_map(|&op| pass_pipeline::nested(ir, op, anchor)).collect();
                    self.anchors.push(anchor.clone());
                    self.steps(ir, steps, &inner)?;
                    self.anchors.pop();
                }
            }
        }
        Ok(())
    }

    fn pass(&mut self, ir: &mut Ir, pass: &'static Pass, options: &Options, ops: &[OpId]) -> Result<(), Vec<Diag>> {
        let mut targets = Vec::new();
        for &op in ops {
            targets.extend(pass_pipeline::scope(ir, pass, op).map_err(|diag| vec![diag])?);
        }
        if targets.is_empty() && self.warn && !ir.ops_of(ir.module_block()).is_empty() {
            let message = format!("`{}` found nothing to run on", pass.name);
            let diag = Diag { severity: Severity::Warning, ..Diag::nowhere(Code::NothingToDo, message) };
            self.facts.remarks.borrow_mut().push(diag);
        }
        let step = Step::Pass(pass, options.clone());
        self.recipe.in_front(ir, &self.anchors, step);
        let mut diags = Vec::new();
        for target in targets {
            self.log.in_front(pass, ir, target);
            let start = Instant::now();
            match pass.apply(ir, target, self.facts, options) {
                Ok(()) => self.log.behind(pass, start.elapsed(), ir, target),
                Err(diag) => {
                    self.log.failed(pass, ir, target);
                    diags.push(diag);
                }
            }
        }
        if diags.is_empty() && self.verify {
            diags.extend(pipeline::verify_behind(ir, pass).err());
        }
        if diags.is_empty() {
            return Ok(());
        }
        match self.recipe.written(true) {
            Ok(()) => {}
            Err(diag) => diags.push(diag),
        }
        if let Some(path) = self.recipe.path() {
            let last = diags.pop().map(|diag| diag.note(format!("a reproducer was written to `{path}`")));
            diags.extend(last);
        }
        Err(diags)
    }
}
