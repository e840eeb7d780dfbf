//! Driving a function along the pipeline: the passes in order, the program verified behind each.
//!
//! Where a function of this module says nothing else, its error is the refusal of a pass, at the operation that it refuses,
//! or `E0905`: a pass has left a program that breaks the rules, which is a bug.

use std::collections::BTreeSet;

use raddle_ir::{Attr, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, Severity, Type, TypeId, ValueId};
use raddle_passes::partition::{Trials, Tried, has_constants, hoisted, is_host, is_tried, partition, text_of};
use raddle_passes::{Facts, Options, PASSES, Pass, Spare, admit, split_complex, trial_steps};
use raddle_target::{CHIPS, Chip, Language, Lowered, Stage, stage};

use crate::nearest::{LISTED_MAX, did_you_mean};

/// Reads a file. Functions inside of executables and inner modules come to its top level.
pub fn open(text: &str, chip: &'static Chip) -> Result<Ir, Vec<Diag>> {
    #[cfg(feature = "dialects")]
    raddle_dialects::load();
    let mut ir = raddle_ir::parse(text)?;
    hoist(&mut ir, &Facts::new(chip)).map_err(|diag| vec![diag])?;
    Ok(ir)
}

/// Takes functions out of executables and inner modules.
pub fn hoist(ir: &mut Ir, facts: &Facts) -> Result<(), Diag> {
    let module = ir.module();
    if admit::is_nested(ir, module) { step(ir, module, facts, pass("hoist-dispatches")?) } else { Ok(()) }
}

/// Refuses tensors and buffers whose bits, as all passes count them, are more than a number holds.
fn countable(ir: &Ir, func: OpId) -> Result<(), Diag> {
    const BITS_MAX: i64 = 1 << 62;
    let is_countable = |value: ValueId| {
        let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(64, |elem| i64::from(elem.bits()).max(8));
        let known = ir.shape_of(value).iter().filter(|&&extent| extent != DYNAMIC);
        let all = known.fold(bits, |all, &extent| all.saturating_mul(extent.max(1)));
        ir.ty(value).shape().is_none() || all <= BITS_MAX
    };
    let arguments = ir.body(func, 0).map(|entry| ir.args(entry).to_vec()).unwrap_or_default();
    let arguments = arguments.into_iter().map(|value| (func, value));
    let results = ir.walk(func).into_iter().flat_map(|op| ir.results(op).map(move |value| (op, value)));
    match arguments.chain(results).find(|&(_, value)| !is_countable(value)) {
        None => Ok(()),
        Some((op, _)) => Err(Diag::error(Code::TooLarge, ir.span(op), "a tensor has more than 2^59 bytes")
            .help("make it smaller: no memory holds it")),
    }
}

/// Refuses sparse tensors: what is compiled reads elements one behind another.
fn dense(ir: &Ir, func: OpId) -> Result<(), Diag> {
    let (inputs, results) = ir.signature(func);
    let is_sparse = |&&ty: &&TypeId| match &ir[ty] {
        Type::Tensor { encoding: Some(encoding), .. } => {
            raddle_ir::print_attr(ir, *encoding).starts_with("#sparse_tensor.")
        }
        _ => false,
    };
    match inputs.iter().chain(results).find(is_sparse) {
        None => Ok(()),
        Some(&ty) => {
            let message = format!("`{}` is a sparse tensor", raddle_ir::print_type(ir, ty));
            Err(Diag::error(Code::DynamicBuffer, ir.span(func), message)
                .note("kernels take tensors whose elements lie one behind another")
                .help("write it with tensors of its values and of their places"))
        }
    }
}

/// Writes complex numbers as pairs of floats.
fn split(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    if split_complex::is_needed(ir, func) { step(ir, func, facts, pass("split-complex")?) } else { Ok(()) }
}

/// Makes a dispatch a function on tensors; any other function stays.
pub fn admit(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    if admit::is_needed(ir, func) { step(ir, func, facts, pass("admit")?) } else { Ok(()) }
}

/// Runs the passes between the function's stage and `goal`, and verifies the module; `behind` is called behind each of
/// the passes.
pub fn advance(
    ir: &mut Ir,
    func: OpId,
    facts: &Facts,
    goal: Stage,
    behind: impl FnMut(&'static Pass, &Ir),
) -> Result<(), Diag> {
    advance_function(ir, func, facts, goal, behind)?;
    verify_module(ir)
}

/// The same, where the module is verified once all its functions are there.
pub fn advance_function(
    ir: &mut Ir,
    func: OpId,
    facts: &Facts,
    goal: Stage,
    mut behind: impl FnMut(&'static Pass, &Ir),
) -> Result<(), Diag> {
    if admit::is_needed(ir, func) {
        let pass = pass("admit")?;
        step(ir, func, facts, pass)?;
        behind(pass, ir);
    }
    if goal > Stage::Tensor {
        countable(ir, func)?;
        dense(ir, func)?;
        split(ir, func, facts)?;
    }
    let start = stage::of(ir, func);
    if start > goal {
        let name = ir.symbol_name(func).unwrap_or_default();
        let message = format!("`@{name}` is at stage `{}`, behind `{}`", start.name(), goal.name());
        return Err(Diag::error(Code::NotAtStage, ir.span(func), message)
            .note("the stages follow each other in this order: tensor, configured, tiled, vector, laid_out, pipelined, distributed, lowered"));
    }
    let (inputs, results) = ir.signature(func);
    let has_vector = inputs.iter().chain(results).any(|&ty| ir[ty].is_vector());
    if has_vector && start <= Stage::LaidOut && Stage::LaidOut < goal {
        // What runs thread by thread is launched, and whoever launches has no vectors of a workgroup.
        let pass = pass("make-kernel")?;
        step(ir, func, facts, pass)?;
        behind(pass, ir);
    }
    let mut fallback = if start == Stage::Tensor { Fallback::of(ir, func) } else { Fallback::Refuse };
    for pass in PASSES {
        if pass.stage.is_some_and(|stage| start < stage && stage <= goal) {
            strategic_step(ir, func, facts, pass, &mut fallback)?;
            behind(pass, ir);
        }
    }
    fallback.drop(ir);
    Ok(())
}

/// What becomes of a function that a pass refuses.
enum Fallback {
    /// It is compiled to scalar loops.
    ScalarLoops(Spare),
    /// Its strategy is not ours to choose.
    Refuse,
    /// It was taken to compile to vectors. Scalar loops are a refusal, too.
    DivideAgain(Tried),
}

impl Fallback {
    fn of(ir: &mut Ir, func: OpId) -> Fallback {
        Spare::of(ir, func).map_or(Fallback::Refuse, Fallback::ScalarLoops)
    }

    /// The function works: nobody needs the copy.
    fn drop(self, ir: &mut Ir) {
        if let Fallback::ScalarLoops(spare) = self {
            spare.drop(ir);
        }
    }
}

/// Runs a pass of the pipeline. Where it refuses a function whose strategy was ours to choose, the function is compiled
/// to scalar loops instead.
fn strategic_step(
    ir: &mut Ir,
    func: OpId,
    facts: &Facts,
    pass: &'static Pass,
    fallback: &mut Fallback,
) -> Result<(), Diag> {
    if let Fallback::DivideAgain(tried) = fallback {
        if pass.stage == Some(Stage::Lowered) {
            // The module is verified behind this pass.
            pass.run(ir, func, facts)?;
            return tried.check_lowered(ir, func, facts);
        }
        step(ir, func, facts, pass)?;
        return tried.check(ir, func, facts);
    }
    let Err(refusal) = step(ir, func, facts, pass) else { return Ok(()) };
    let ours = refusal.code == Code::BrokenPass || pass.stage == Some(Stage::Configured);
    if ours {
        return Err(refusal);
    }
    let Fallback::ScalarLoops(spare) = std::mem::replace(fallback, Fallback::Refuse) else { return Err(refusal) };
    spare.use_scalar_loops(ir, func, &refusal, facts)?;
    let passes = PASSES.iter().filter(|other| other.stage.is_some_and(|stage| Some(stage) <= pass.stage));
    passes.filter(|other| other.stage > Some(Stage::Configured)).try_for_each(|pass| step(ir, func, facts, pass))
}

/// A function as kernels, and who calls them.
pub struct Program {
    /// The module of the kernels.
    pub ir: Ir,
    /// The kernels, in the order in which they are first called.
    pub kernels: Vec<OpId>,
    /// Who calls them; `None` for a function that is a kernel itself.
    pub host: Option<Host>,
}

/// A function that calls kernels.
pub struct Host {
    /// Its module, in which the kernels still work on tensors.
    pub ir: Ir,
    /// The function.
    pub func: OpId,
    /// Each kernel as it was before any pass, in the order of [`Program::kernels`].
    pub kernels: Vec<OpId>,
}

impl Program {
    /// Divides a function on tensors into kernels; one at a later stage is a kernel as it is.
    pub fn of(ir: Ir, func: OpId, facts: &Facts) -> Result<Program, Diag> {
        Program::divided(ir, func, facts, &mut Trials::by(trial_steps()))
    }

    fn divided(mut ir: Ir, func: OpId, facts: &Facts, trials: &mut Trials) -> Result<Program, Diag> {
        let (kernels, host) = divide_with(&mut ir, func, facts, trials)?;
        Ok(Program { ir, kernels, host })
    }

    /// Divides a function and compiles its kernels: what [`Program::of`] and [`Program::advance`] give, in half the time,
    /// since a kernel of several operations is not compiled on trial before. `behind` is called with the kernels once they
    /// are there, and behind each pass. Where a kernel is refused, all begins anew, with trials of what is not known yet.
    pub fn compile(
        ir: Ir,
        func: OpId,
        facts: &Facts,
        mut behind: impl FnMut(Option<&'static Pass>, &Ir, &[OpId]),
    ) -> Result<Program, Diag> {
        let n_remarks = facts.remarks.borrow().len();
        let mut trials = Trials::default();
        let mut compiled = |ir: Ir, trials: &mut Trials, advance: Advance| {
            let mut program = Program::divided(ir, func, facts, trials)?;
            let kernels = program.kernels.clone();
            behind(None, &program.ir, &kernels);
            advance(&mut program, facts, trials, &mut |pass, ir| behind(Some(pass), ir, &kernels))?;
            Ok(program)
        };
        compiled(ir.clone(), &mut trials, Program::advance_taken).or_else(|_: Diag| {
            facts.remarks.borrow_mut().truncate(n_remarks);
            trials.steps = trial_steps();
            compiled(ir, &mut trials, |program, facts, _, behind| program.advance(facts, Stage::Lowered, behind))
        })
    }

    /// Takes every kernel to a stage; `behind` is called when all of them have passed a pass.
    pub fn advance(
        &mut self,
        facts: &Facts,
        goal: Stage,
        mut behind: impl FnMut(&'static Pass, &Ir),
    ) -> Result<(), Diag> {
        if let [kernel] = self.kernels[..] {
            return advance(&mut self.ir, kernel, facts, goal, behind);
        }
        let mut fallbacks: Vec<Fallback> =
            self.kernels.iter().map(|&kernel| Fallback::of(&mut self.ir, kernel)).collect();
        let starts = self.stages();
        for pass in PASSES.iter().filter(|pass| pass.stage.is_some_and(|stage| stage <= goal)) {
            for ((&kernel, fallback), &start) in self.kernels.iter().zip(&mut fallbacks).zip(&starts) {
                if pass.stage > Some(start) {
                    strategic_step(&mut self.ir, kernel, facts, pass, fallback)?;
                }
            }
            behind(pass, &self.ir);
        }
        for fallback in fallbacks {
            fallback.drop(&mut self.ir);
        }
        verify_module(&self.ir)
    }

    /// Where each kernel begins: a configuration that the user wrote may have put it further down already. On the way it may
    /// look like a later stage than it is at, as scalars on memory do.
    fn stages(&self) -> Vec<Stage> {
        self.kernels.iter().map(|&kernel| stage::of(&self.ir, kernel)).collect()
    }

    /// Takes every kernel to the last stage, where those of several operations are taken to compile: notes which do, and
    /// is refused where one does not.
    fn advance_taken(&mut self, facts: &Facts, trials: &mut Trials, behind: Behind<'_>) -> Result<(), Diag> {
        let taken: Vec<Option<String>> =
            self.kernels.iter().map(|&kernel| is_tried(&self.ir, kernel).then(|| text_of(&self.ir, kernel))).collect();
        if taken.iter().all(Option::is_none) {
            return self.advance(facts, Stage::Lowered, behind);
        }
        let mut fallbacks: Vec<Fallback> = Vec::new();
        for (&kernel, taken) in self.kernels.iter().zip(&taken) {
            fallbacks.push(match taken {
                Some(_) => Fallback::DivideAgain(Tried::of(&self.ir, kernel)),
                None => Fallback::of(&mut self.ir, kernel),
            });
        }
        let mut refusals: Vec<Option<Diag>> = vec![None; self.kernels.len()];
        let starts = self.stages();
        for pass in PASSES.iter().filter(|pass| pass.stage.is_some()) {
            for (k, fallback) in fallbacks.iter_mut().enumerate() {
                let kernel = self.kernels[k];
                if refusals[k].is_none() && pass.stage > Some(starts[k]) {
                    let refusal = strategic_step(&mut self.ir, kernel, facts, pass, fallback).err();
                    // What else is refused is so in any case.
                    if let Some(diag) = refusal.as_ref().filter(|_| taken[k].is_none()) {
                        return Err(diag.clone());
                    }
                    refusals[k] = refusal;
                }
            }
            if refusals.iter().all(Option::is_none) {
                behind(pass, &self.ir);
            }
        }
        for fallback in fallbacks {
            fallback.drop(&mut self.ir);
        }
        let Some(first) = refusals.iter().flatten().next().cloned() else { return verify_module(&self.ir) };
        for ((&kernel, text), refusal) in self.kernels.iter().zip(taken).zip(refusals) {
            let result =
                || refusal.map_or_else(|| well_formed(raddle_ir::verify_op(&self.ir, kernel), "the pipeline"), Err);
            trials.known.extend(text.map(|text| (text, result())));
        }
        Err(first)
    }
}

/// What is told of each pass.
type Behind<'a> = &'a mut dyn FnMut(&'static Pass, &Ir);

/// A way in which the kernels of a program are compiled.
type Advance = fn(&mut Program, &Facts, &mut Trials, Behind<'_>) -> Result<(), Diag>;

/// Puts the kernels of a function on tensors in its place; says which they are, and who calls them, if not the function
/// itself is the kernel.
pub fn divide(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(Vec<OpId>, Option<Host>), Diag> {
    divide_with(ir, func, facts, &mut Trials::by(trial_steps()))
}

fn divide_with(ir: &mut Ir, func: OpId, facts: &Facts, trials: &mut Trials) -> Result<(Vec<OpId>, Option<Host>), Diag> {
    admit(ir, func, facts)?;
    countable(ir, func)?;
    dense(ir, func)?;
    split(ir, func, facts)?;
    if stage::of(ir, func) == Stage::Configured {
        // Configurations may turn out to be those of others.
        step(ir, func, facts, pass("normalize")?)?;
    }
    match stage::of(ir, func) {
        Stage::Tensor => {}
        // One kernel, as its configuration says, whose host hands constants to it.
        Stage::Configured if has_constants(ir, func) => {}
        Stage::Configured => return Ok((vec![func], None)),
        _ if is_host(ir, func) => {}
        _ => return Ok((vec![func], None)),
    }
    // The functions that it calls are carried out by the host, too.
    let (mut hosts, mut kernels, mut waiting) = (Vec::new(), Vec::new(), vec![func]);
    while let Some(next) = waiting.pop() {
        let before = ir.funcs();
        admit(ir, next, facts)?;
        split(ir, next, facts)?;
        step(ir, next, facts, pass("normalize")?)?;
        partition(ir, next, facts, trials)?;
        well_formed(raddle_ir::verify_op(ir, next), "pass `partition`")?;
        let made: Vec<OpId> = ir.funcs().into_iter().filter(|func| !before.contains(func)).collect();
        let called: Vec<OpId> = callees(ir, next).into_iter().filter(|func| !made.contains(func)).collect();
        if made.is_empty() && called.is_empty() && !is_host(ir, next) {
            kernels.push(next);
            continue;
        }
        hosts.push(next);
        kernels.extend(made);
        for callee in called.into_iter().rev() {
            if !hosts.contains(&callee) && !waiting.contains(&callee) && !kernels.contains(&callee) {
                waiting.push(callee);
            }
        }
    }
    if hosts.is_empty() {
        return Ok((kernels, None));
    }
    let host = Host { ir: ir.clone(), func, kernels: kernels.clone() };
    // Who calls kernels on tensors has no place beside kernels on buffers, and neither has who calls such a function.
    let mut gone = hosts;
    let calls = |ir: &Ir, func: OpId, gone: &[OpId]| {
        callees(ir, func).iter().any(|callee| gone.contains(callee) || kernels.contains(callee))
    };
    while let Some(caller) = ir.funcs().into_iter().find(|&func| !gone.contains(&func) && calls(ir, func, &gone)) {
        gone.push(caller);
    }
    gone.extend(hoisted::of_kernels(ir, &kernels));
    for op in gone {
        ir.erase(op);
    }
    Ok((kernels, Some(host)))
}

/// The functions of the module that a function calls, each once; not those that are only declared, which the caller's
/// own program has.
fn callees(ir: &Ir, func: OpId) -> Vec<OpId> {
    let mut found = Vec::new();
    for op in ir.walk(func) {
        let name = match ir.attr(op, "callee") {
            Some(Attr::Symbol(path)) if ir.opcode(op) == Opcode::FuncCall => path.last().map(|&name| &ir[name]),
            _ => None,
        };
        let callee = name.and_then(|name| ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(name)));
        found.extend(callee.filter(|&callee| ir.body(callee, 0).is_some() && !found.contains(&callee)));
    }
    found
}

/// Brings a lowered program to what emitters take: one that was written so has not been through lowering.
pub fn finish(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let (n_ops, pass) = (ir.n_ops(), pass("expand-math")?);
    pass.run(ir, func, facts)?;
    // Lowering has written all that is to be written, and was verified.
    if ir.n_ops() == n_ops {
        return Ok(());
    }
    well_formed(raddle_ir::verify_op(ir, func), &format!("pass `{}`", pass.name))
}

/// Why there is no code for a lowered program, on a chip that code is written for.
pub fn refusal(ir: &Ir, func: OpId, chip: &'static Chip) -> Option<Diag> {
    let emit = match chip.language {
        Language::None => return None,
        Language::Ptx => raddle_emit::ptx::emit,
        Language::Llvm => raddle_emit::llvm::emit,
    };
    Lowered::check(ir, func, chip).and_then(|lowered| emit(ir, &lowered)).err()
}

/// Runs one pass on a function or module with the pass's default options, and verifies.
pub fn step(ir: &mut Ir, op: OpId, facts: &Facts, pass: &Pass) -> Result<(), Diag> {
    step_with(ir, op, facts, pass, &Options::of(pass.options))
}

/// Runs one pass on a function or module, and verifies what it ran on.
pub fn step_with(ir: &mut Ir, op: OpId, facts: &Facts, pass: &Pass, options: &Options) -> Result<(), Diag> {
    pass.apply(ir, op, facts, options)?;
    if op == ir.module() {
        return verify_behind(ir, pass);
    }
    // What stands elsewhere in the module is as it was.
    well_formed(raddle_ir::verify_op(ir, op), &format!("pass `{}`", pass.name))
}

/// Whether a pass left a good program.
pub fn verify_behind(ir: &Ir, pass: &Pass) -> Result<(), Diag> {
    well_formed(raddle_ir::verify(ir), &format!("pass `{}`", pass.name))
}

/// Whether the functions of a module still fit each other.
pub fn verify_module(ir: &Ir) -> Result<(), Diag> {
    well_formed(raddle_ir::verify(ir), "the pipeline")
}

fn well_formed(diags: Vec<Diag>, who: &str) -> Result<(), Diag> {
    match diags.into_iter().find(|diag| diag.severity == Severity::Error) {
        None => Ok(()),
        Some(diag) => {
            let message = format!("{who} left a program that breaks the rules: {}", diag.message);
            Err(Diag { code: Code::BrokenPass, message, ..diag }
                .note("this is a bug in raddle, not in the program; please report it with the input"))
        }
    }
}

/// The pass with this name or alias.
///
/// # Errors
///
/// `E0903` if there is none.
pub fn pass(name: &str) -> Result<&'static Pass, Diag> {
    PASSES.iter().find(|pass| pass.name == name || pass.aliases.contains(&name)).ok_or_else(|| {
        let names = PASSES.iter().flat_map(|pass| [pass.name].into_iter().chain(pass.aliases.iter().copied()));
        let diag = unknown("pass", name, names);
        if diag.help.is_some() { diag } else { diag.help("`raddle opt --list-passes` lists the passes") }
    })
}

/// The name of the chip that this machine is.
pub const HOST: &str = "host";

/// The chip with this name, or with that of a product; `host` is this machine.
///
/// # Errors
///
/// `E0903` if there is none, `E0821` if this machine is no CPU of the table.
pub fn chip(name: &str) -> Result<&'static Chip, Diag> {
    let name = match name {
        HOST => raddle_run::cpu::host().ok_or_else(|| {
            Diag::nowhere(Code::NoDevice, "this machine is no CPU of the table: x86-64 with AVX2 and FMA, or aarch64")
        })?,
        name => name,
    };
    raddle_target::chip(name).ok_or_else(|| {
        let names = CHIPS.iter().flat_map(|chip| [chip.name].into_iter().chain(chip.products.iter().copied()));
        let diag = unknown("target", name, names);
        let help = "a chip is meant, such as `sm_90`, `gfx942` or `x86-64-v3`, or `host`; `raddle targets` lists them";
        if diag.help.is_some() { diag } else { diag.help(help) }
    })
}

/// The stage with this name.
///
/// # Errors
///
/// `E0903` if there is none.
pub fn stage(name: &str) -> Result<Stage, Diag> {
    Stage::from_name(name).ok_or_else(|| unknown("stage", name, Stage::ALL.iter().map(|row| row.1)))
}

/// The function with this name; without a name, the only one that has a body and is there for others than the module's own
/// functions.
///
/// # Errors
///
/// `E0903` if there is none of this name, or several and no name, `E0908` if the module has none that has a body.
pub fn function(ir: &Ir, name: Option<&str>) -> Result<OpId, Diag> {
    let funcs: Vec<OpId> = ir.funcs().into_iter().filter(|&func| ir.body(func, 0).is_some()).collect();
    let names = || funcs.iter().filter_map(|&func| ir.symbol_name(func));
    match name {
        Some(name) => {
            let name = name.trim_start_matches('@');
            let found = funcs.iter().copied().find(|&func| ir.symbol_name(func) == Some(name));
            found.ok_or_else(|| if funcs.is_empty() { nothing_to_do(ir) } else { unknown("function", name, names()) })
        }
        None => {
            let called = called(ir);
            let is_entry = |func: &OpId| {
                let is_private =
                    matches!(ir.attr(*func, "sym_visibility"), Some(Attr::Str(word)) if &ir[*word] == "private");
                !is_private && !ir.symbol_name(*func).is_some_and(|name| called.contains(name))
            };
            let entries: Vec<OpId> = funcs.iter().copied().filter(is_entry).collect();
            match (&entries[..], &funcs[..]) {
                (&[func], _) | (_, &[func]) => Ok(func),
                (_, []) => Err(nothing_to_do(ir)),
                _ => {
                    let choices = names().take(LISTED_MAX).map(|name| format!("--function={name}"));
                    let list = choices.collect::<Vec<_>>().join(" or ");
                    let rest = if funcs.len() > LISTED_MAX { " or another one" } else { "" };
                    Err(Diag::nowhere(Code::UnknownName, format!("the module has {} functions", funcs.len()))
                        .help(format!("say which one: {list}{rest}")))
                }
            }
        }
    }
}

/// The functions of a module that have a body.
pub fn functions(ir: &Ir) -> Vec<OpId> {
    ir.funcs().into_iter().filter(|&func| ir.opcode(func) == Opcode::FuncFunc && ir.body(func, 0).is_some()).collect()
}

/// The names of the functions that others call.
pub fn called(ir: &Ir) -> BTreeSet<String> {
    let callee = |op: OpId| match ir.attr(op, "callee") {
        Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_owned()),
        _ => None,
    };
    ir.walk(ir.module()).into_iter().filter_map(callee).collect()
}

/// A function that the host carries out alone.
pub fn no_kernel(function: &str) -> Diag {
    Diag::nowhere(Code::NoKernel, format!("`@{function}` has nothing for a kernel"))
        .note("it moves tensors about, or computes with numbers: that is done by whoever calls kernels")
        .help("`raddle run` carries it out")
}

/// A file without functions that could be compiled or run.
pub fn nothing_to_do(ir: &Ir) -> Diag {
    let diag = Diag::nowhere(Code::NothingToDo, "the module has no function with a body")
        .note("functions are `func.func`, at the top level, in inner modules and in `hal.executable`");
    let all = ir.walk(ir.module());
    if !all.iter().any(|&op| ir.opcode(op) == Opcode::UtilFunc && ir.body(op, 0).is_some()) {
        return diag;
    }
    let diag = diag.note("a `util.func` is one if all that it does with its buffers is to import and to export them");
    let is_demoted = |&op: &OpId| {
        let (encoding, tensor) = match ir.opcode(op) {
            Opcode::HalTensorImport => ("target_encoding", ir.result(op, 0)),
            Opcode::HalTensorExport => ("source_encoding", ir.operand(op, 0)),
            _ => return false,
        };
        matches!(ir.attr(op, encoding), Some(Attr::Type(passed)) if ir[*passed].elem() != ir[ir.type_of(tensor)].elem())
    };
    if all.iter().any(is_demoted) {
        diag.help(
            "a buffer is passed as elements of another type: `iree-compile --iree-input-demote-f64-to-f32=false` keeps \
             `f64` as it is",
        )
    } else {
        diag
    }
}

/// There is no `kind` called `name`.
pub fn unknown<'a>(kind: &str, name: &str, names: impl IntoIterator<Item = &'a str>) -> Diag {
    let diag = Diag::nowhere(Code::UnknownName, format!("there is no {kind} `{name}`"));
    match did_you_mean(name, names) {
        Some(help) => diag.help(help),
        None => diag,
    }
}
