//! `raddle run`: compile, execute, and compare with a reference.
//!
//! The reference is the user's `--expected_output`, or else the program as it was written, executed in double precision:
//! no pass has touched it.

mod all;
pub mod arguments;
pub mod chosen;
pub mod cpu;
pub mod cpu_c;
pub mod cuda;
mod indices;
pub mod limits;
pub mod parameters;
pub mod passed;
pub mod program;
pub mod progress;
pub mod ptx_emu;
mod report;

pub use report::traffic_json;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raddle::pipeline::{Host, Program};
use raddle::{Report, pipeline};
use raddle_ir::extents::Sizes;
use raddle_ir::{Code, Diag, Ir, OpId};
use raddle_passes::{F32Products, Facts};
use raddle_run::compare::{AsWritten, Comparison, Tolerance, compare, compare_with, movements};
use raddle_run::{
    AsyncMode, Cost, Counters, Device, Emulator, Launch, Needs, Options, Outcome as Ran, Precision, Tensor, Writer, npy,
};
use raddle_target::{Chip, Stage, stage};

use super::{Answer, Outcome, files};
use arguments::Signature;
use cpu::Cpu;
use cpu_c::CpuC;
use cuda::CudaGpu;
use limits::Limits;
use parameters::Parameters;
use progress::Bar;
use ptx_emu::PtxEmulator;
use report::Layouts;

/// Flags of `raddle run`.
#[derive(Clone, clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    file: String,
    /// The function to run; needed if there are several
    #[arg(long, conflicts_with = "all")]
    function: Option<String>,
    /// Run every function: those that hold their data and state what comes out, as tests do, and others on random data
    #[arg(long, conflicts_with_all = ["inputs", "outputs", "expected", "compare", "at", "validate", "stats"])]
    all: bool,
    /// An argument of the function, in order: `512x128xf16=@a.npy`, `2x3xf32=1 2 3 4 5 6`, `4xf32=0`, `f32=1.5`,
    /// `@a.npy`, `+a.npy` for the next array in that file, `1.5`, `37x8xf32=random`, `random`. Without inputs: random
    /// normal data, and a choice of open extents
    #[arg(long = "input", value_name = "SPEC")]
    inputs: Vec<String>,
    /// A file with the weights that the program names, `.irpa` or `.safetensors`, and the scope in which it names them.
    /// Without files: random normal data
    #[arg(long, value_name = "[SCOPE=]FILE")]
    parameters: Vec<String>,
    /// Where a result goes, in order: `@c.npy`, `+c.npy` behind what the file holds, or `-` to print it; `arg2=@c.npy` for the third argument of a kernel
    #[arg(long = "output", value_name = "@FILE")]
    outputs: Vec<String>,
    /// What a result should be, in order, spelled like an input; `(ignored)` leaves one out; `arg2=64xf32=@c.npy` for the
    /// third argument of a kernel
    #[arg(long = "expected_output", alias = "expected-output", value_name = "SPEC")]
    expected: Vec<String>,
    /// Where to run (`raddle devices` lists what there is)
    #[arg(long, default_value = "emu")]
    device: String,
    /// The chip to compile for (`raddle targets` lists them); that of the device if missing, and
    /// sm_80 for devices that execute programs for every chip
    #[arg(long, aliases = ["iree-cuda-target", "iree-hip-target", "iree-rocm-target"])]
    target: Option<String>,
    /// The seed of random inputs and of the order in which subgroups run
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Run the program as it is at these stages, and compare each with the reference and with the first
    #[arg(long, value_name = "STAGE,STAGE", value_delimiter = ',', conflicts_with = "at")]
    compare: Vec<String>,
    /// Run the program as it is at this stage; `lowered` if missing
    #[arg(long, value_name = "STAGE")]
    at: Option<String>,
    /// Workgroups along x, y, z, for kernels that do not say it themselves
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',')]
    grid: Vec<u32>,
    /// Absolute difference that is accepted
    #[arg(long = "expected_atol", alias = "expected-atol", value_name = "NUMBER", value_parser = tolerance_of)]
    atol: Option<f64>,
    /// Relative difference that is accepted
    #[arg(long = "expected_rtol", alias = "expected-rtol", value_name = "NUMBER", value_parser = tolerance_of)]
    rtol: Option<f64>,
    /// Absolute difference that is accepted in f16 and bf16 results
    #[arg(long = "expected_f16_threshold", alias = "expected-f16-threshold", value_name = "NUMBER", value_parser = tolerance_of)]
    f16_threshold: Option<f64>,
    /// Absolute difference that is accepted in f32 results
    #[arg(long = "expected_f32_threshold", alias = "expected-f32-threshold", value_name = "NUMBER", value_parser = tolerance_of)]
    f32_threshold: Option<f64>,
    /// Absolute difference that is accepted in f64 results
    #[arg(long = "expected_f64_threshold", alias = "expected-f64-threshold", value_name = "NUMBER", value_parser = tolerance_of)]
    f64_threshold: Option<f64>,
    /// When asynchronous copies happen: where they are issued, or as late as the program allows
    #[arg(long = "async", value_name = "WHEN", default_value = "lazy", value_parser = ["eager", "lazy"])]
    copies: String,
    #[command(flatten)]
    limits: Limits,
    /// Behind every pass, run the program as it then is and compare it with the program as written
    #[arg(long)]
    validate: bool,
    /// What products of f32 become, as `build --f32-products` says
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = super::f32_products())]
    f32_products: F32Products,
    /// Check each access that is not surely inside of its buffer, on CPUs, where an index outside is undefined otherwise
    #[arg(long)]
    bounds_checks: bool,
    /// Do not look for races and for reads of what nobody wrote
    #[arg(long)]
    no_sanitize: bool,
    /// Count what each operation costs: wavefronts, sectors, barriers, lanes that are off
    #[arg(long)]
    stats: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Print the verdict only
    #[arg(long)]
    quiet: bool,
}

/// A difference that is accepted.
pub fn tolerance_of(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| number >= 0.0).ok_or_else(|| "it is a number from 0 on".to_owned())
}

impl Args {
    /// The chip to compile for.
    fn chip(&self) -> Result<&'static Chip, Diag> {
        chip(self.target.as_deref(), &self.device)
    }

    /// What passes may know.
    fn facts(&self, chip: &'static Chip) -> Facts {
        let mut facts = Facts::new(chip).with_f32_products(self.f32_products);
        facts.bounds_checks = self.bounds_checks;
        facts
    }
}

/// The chip to compile for: the one that is named, or else that of the device.
pub fn chip(target: Option<&str>, device: &str) -> Result<&'static Chip, Diag> {
    match (target, cuda::number(device)) {
        (Some(name), _) => pipeline::chip(name),
        (None, Some(number)) => cuda::chip(number),
        (None, None) if [cpu::NAME, cpu_c::NAME].contains(&device) => pipeline::chip(pipeline::HOST),
        (None, None) => pipeline::chip(raddle::DEFAULT_TARGET),
    }
}

/// One execution of the program at one stage.
struct Execution {
    stage: Stage,
    /// What each step took, in order.
    times: Vec<(&'static str, Duration)>,
    /// How each kernel is started, with its name.
    launches: Vec<(String, Launch)>,
    counters: Counters,
    /// What each operation cost, with `--stats`.
    cost: Option<Cost>,
    /// What the emulator took.
    took: Duration,
    layouts: Layouts,
    /// Why `build` would refuse the program.
    refusal: Option<Diag>,
    /// The results, in the shapes of the function as it was written.
    results: Vec<Tensor>,
    /// Who wrote each element of each result.
    writers: Vec<Vec<Option<Writer>>>,
    /// Where the writers' operations stand in the source.
    ir: Ir,
}

/// How the program behaves behind one pass.
struct Validated {
    pass: &'static str,
    /// The comparison of each result with the reference, or what the emulator found.
    found: Result<Vec<Comparison>, Diag>,
}

impl Validated {
    fn is_correct(&self) -> bool {
        self.found.as_ref().is_ok_and(|results| results.iter().all(Comparison::is_correct))
    }
}

/// How a result of one execution compares with another tensor.
struct Verdict {
    /// Which execution, by position.
    execution: usize,
    /// Which result.
    result: usize,
    /// What it was compared with, in words.
    against: String,
    comparison: Comparison,
}

/// Everything that was found out; [`report`] shows it.
struct Finding<'a> {
    args: &'a Args,
    /// The source, to name lines, and what looks wrong in it.
    source: Report,
    chip: &'static Chip,
    function: String,
    signature: Signature,
    /// Where each argument's data comes from, in words.
    origins: Vec<String>,
    /// How many weights are random, since neither the text nor a file has them.
    n_invented: usize,
    /// Which result goes where.
    outputs: Vec<(usize, &'a str)>,
    executions: Vec<Execution>,
    validated: Vec<Validated>,
    verdicts: Vec<Verdict>,
}

impl Finding<'_> {
    fn is_correct(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.comparison.is_correct())
            && self.validated.iter().all(Validated::is_correct)
    }
}

/// Runs a function and says whether its results are right.
pub fn run(args: &Args) -> Outcome {
    if args.all {
        return all::run(args);
    }
    let nowhere = Report::nowhere;
    let start = Instant::now();
    let chip = args.chip().map_err(nowhere)?;
    let device = device(&args.device, chip, false).map_err(nowhere)?;
    let stages = stages(args).map_err(nowhere)?;
    let grid = grid(args).map_err(nowhere)?;
    let (name, text) = files::read_program(&args.file)?;
    let report = |diag: Diag| Report::new(vec![diag], &name, &text);

    let parameters = Parameters::read(&args.parameters, args.seed, args.limits.memory).map_err(nowhere)?;
    let opened = parameters.open_counted(&text, chip);
    let (mut entry, n_invented) = opened.map_err(|diags| Report::new(diags, &name, &text))?;
    let warnings = raddle_ir::verify::undefined_sums(&entry);
    let func = pipeline::function(&entry, args.function.as_deref()).map_err(report)?;
    passed::state_types(&mut entry, func, &args.inputs).map_err(report)?;
    let written = entry.clone();
    pipeline::admit(&mut entry, func, &Facts::new(chip)).map_err(report)?;
    let signature = Signature::of(&entry, func).map_err(report)?;
    let limited = |diag: Diag| match needed(args, &text, chip, grid, &signature, &stages) {
        Some(needs) => report(diag.help(format!("run it with `{}`", args.limits.flags_for(needs)))),
        None => report(diag),
    };
    signature.check_memory(args.limits.memory).map_err(limited)?;
    let chosen = chosen::choose(&entry, func).map_err(report)?;
    if program::is_reference(&written, &entry, func) {
        entry = written;
    }
    let (arguments, origins) = signature.arguments(&args.inputs, args.seed, &chosen).map_err(report)?;
    let expected = signature.expected(&args.expected).map_err(report)?;
    let outputs = signature.targets("output", &args.outputs).map_err(report)?;
    distinct(&outputs).map_err(nowhere)?;

    let task = Task {
        args,
        start,
        bar: Arc::new(Bar::new(!args.quiet && !args.json)),
        text: &text,
        parameters: &parameters,
        name: &name,
        chip,
        device: device.as_ref(),
        grid,
        signature: &signature,
        arguments: &arguments,
        stages: &stages,
    };
    let validated = if args.validate { task.validate(&entry, func, &stages)? } else { Vec::new() };
    let executions = stages.iter().map(|&stage| task.execute(stage)).collect::<Result<Vec<_>, _>>()?;
    let (expected, against) = match expected {
        Some(expected) => (expected, "the expected output"),
        None => {
            let (reference, against) = task.reference(&entry, func)?;
            (reference.into_iter().map(Some).collect(), against)
        }
    };
    for &(index, spelling) in &outputs {
        let result = &executions[0].results[index];
        let array = if signature.results[index].is_complex { npy::write_complex(result) } else { npy::write(result) };
        if let Some(path) = spelling.strip_prefix('@') {
            files::write(path, &array).map_err(nowhere)?;
        } else if let Some(path) = spelling.strip_prefix('+') {
            let before = files::read_tensor(path).map_err(nowhere)?;
            files::write(path, &[before, array].concat()).map_err(nowhere)?;
        } else if spelling != "-" {
            let diag = Diag::nowhere(Code::BadInput, format!("`--output={spelling}` does not name a file"));
            return Err(nowhere(
                diag.help("write it as `--output=@c.npy`, `--output=+c.npy` to append, or `--output=-` to print it"),
            ));
        }
    }
    let mut verdicts = verdicts(args, &entry, func, &executions, &expected, None, against);
    if args.expected.is_empty() && verdicts.iter().any(|verdict| !verdict.comparison.is_correct()) {
        // The exact result is not what the program's types can hold, perhaps.
        let (own, _) = task.written(&entry, func, Precision::Exact)?;
        let none = vec![Vec::new(); own.len()];
        verdicts = self::verdicts(args, &entry, func, &executions, &expected, Some((&own, &none)), against);
        if verdicts.iter().any(|verdict| !verdict.comparison.is_correct()) {
            // Or rounding moves it far.
            let exact: Vec<Tensor> = expected.iter().flatten().cloned().collect();
            let moved = movements(&entry, func, &arguments, &exact, |arguments| {
                let task = Task { arguments, bar: task.bar.clone(), ..task };
                task.written(&entry, func, Precision::Wide).map(|(results, _)| results)
            })?;
            verdicts = self::verdicts(args, &entry, func, &executions, &expected, Some((&own, &moved)), against);
        }
    }
    let finding = Finding {
        args,
        source: Report::new(warnings, &name, &text),
        chip,
        function: entry.symbol_name(func).unwrap_or_default().to_owned(),
        signature,
        origins,
        n_invented,
        outputs,
        executions,
        validated,
        verdicts,
    };
    let status = u8::from(!finding.is_correct());
    if args.json {
        return Ok(Answer::json(&report::json(&finding), status));
    }
    Ok(Answer { out: report::text(&finding).into_bytes(), err: String::new(), status })
}

/// The device that `--device` names, for programs that are compiled for a chip.
pub fn device(name: &str, chip: &'static Chip, fast_math: bool) -> Result<Box<dyn Device>, Diag> {
    if let Some(number) = cuda::number(name) {
        return Ok(Box::new(CudaGpu::new(number, chip, fast_math)?));
    }
    match name {
        _ if name == Emulator.name() => Ok(Box::new(Emulator)),
        ptx_emu::NAME => Ok(Box::new(PtxEmulator(chip))),
        cpu::NAME => Ok(Box::new(Cpu::new(chip))),
        cpu_c::NAME => Ok(Box::new(CpuC::new(chip)?)),
        _ => {
            let names = [Emulator.name(), ptx_emu::NAME, cpu::NAME, cpu_c::NAME, cuda::NAME];
            Err(pipeline::unknown("device", name, names))
        }
    }
}

/// No result replaces another one in its file.
fn distinct(outputs: &[(usize, &str)]) -> Result<(), Diag> {
    for (at, (_, later)) in outputs.iter().enumerate() {
        let Some(path) = later.strip_prefix('@') else { continue };
        let before = outputs[..at].iter().filter_map(|(_, text)| text.strip_prefix(['@', '+']));
        if before.into_iter().any(|other| files::is_same(path, other)) {
            let message = format!("`--output=@{path}` would replace the result that was written to the same file");
            return Err(Diag::nowhere(Code::BadInput, message)
                .help(format!("name another file, or append with `--output=+{path}`")));
        }
    }
    Ok(())
}

/// The stages to execute.
fn stages(args: &Args) -> Result<Vec<Stage>, Diag> {
    if args.compare.len() == 1 {
        return Err(Diag::nowhere(Code::BadInput, "`--compare` needs two stages or more")
            .help("write it as `--compare=vector,distributed`"));
    }
    if args.compare.is_empty() {
        return Ok(vec![pipeline::stage(args.at.as_deref().unwrap_or("lowered"))?]);
    }
    args.compare.iter().map(|name| pipeline::stage(name)).collect()
}

/// The grid that the user states.
fn grid(args: &Args) -> Result<Option<[u32; 3]>, Diag> {
    let bad = || {
        Diag::nowhere(Code::BadInput, "`--grid` takes one to three positive numbers")
            .help("write it as `--grid=8,4` for 8 workgroups along x and 4 along y")
    };
    let mut grid = [1; 3];
    match args.grid.len() {
        0 => return Ok(None),
        n @ 1..=3 => grid[..n].copy_from_slice(&args.grid),
        _ => return Err(bad()),
    }
    if grid.contains(&0) { Err(bad()) } else { Ok(Some(grid)) }
}

/// What all executions share.
struct Task<'a> {
    args: &'a Args,
    /// When the command began.
    start: Instant,
    /// How far it is.
    bar: Arc<Bar>,
    text: &'a str,
    parameters: &'a Parameters,
    name: &'a str,
    chip: &'static Chip,
    device: &'a dyn Device,
    grid: Option<[u32; 3]>,
    signature: &'a Signature,
    arguments: &'a [Tensor],
    stages: &'a [Stage],
}

impl Task<'_> {
    fn report(&self, diag: Diag) -> Report {
        Report::new(vec![diag], self.name, self.text)
    }

    /// Reads the program again.
    fn open(&self) -> Result<(Ir, OpId), Report> {
        let opened = self.parameters.open(self.text, self.chip);
        let mut ir = opened.map_err(|diags| Report::new(diags, self.name, self.text))?;
        let func = pipeline::function(&ir, self.args.function.as_deref()).map_err(|diag| self.report(diag))?;
        passed::state_types(&mut ir, func, &self.args.inputs).map_err(|diag| self.report(diag))?;
        Ok((ir, func))
    }

    /// Compiles up to a stage and executes.
    fn execute(&self, goal: Stage) -> Result<Execution, Report> {
        let mut times = Vec::new();
        let mut start = Instant::now();
        let mut lap = |name: &'static str, times: &mut Vec<(&'static str, Duration)>| {
            times.push((name, start.elapsed()));
            start = Instant::now();
        };
        let (ir, func) = self.open()?;
        lap("parse", &mut times);
        let mut layouts = Layouts::default();
        let facts = self.args.facts(self.chip);
        let mut program = self.program(ir, func, &facts, goal)?;
        let kernels = program.kernels.clone();
        program
            .advance(&facts, goal, |pass, ir| {
                lap(pass.name, &mut times);
                if pass.stage == Some(Stage::LaidOut) {
                    layouts = Layouts::of(ir, &kernels);
                }
            })
            .map_err(|diag| self.report(diag))?;
        let mut refusal = None;
        if goal == Stage::Lowered {
            for &kernel in &kernels {
                pipeline::finish(&mut program.ir, kernel, &facts).map_err(|diag| self.report(diag))?;
                refusal = refusal.or_else(|| pipeline::refusal(&program.ir, kernel, self.chip));
            }
        }
        let mut options = self.options(Precision::Exact);
        options.banks = self.args.stats.then_some(self.chip.shared_banks);
        options.load_groups = self.chip.load_groups;
        let Program { ir, host, .. } = program;
        let start = Instant::now();
        let launches: RefCell<Vec<(OpId, Launch)>> = RefCell::default();
        let whole = match &host {
            Some(host) if goal == Stage::Lowered => {
                cpu_c::run_whole((self.device, self.chip), host, &ir, &kernels, self.arguments)
                    .map_err(|diag| self.report(diag))?
            }
            _ => None,
        };
        let (results, writers, counters, cost) = match (&host, whole) {
            (_, Some(results)) => (results, Vec::new(), Counters::default(), None),
            (None, None) => {
                let launch = self.own_launch(&ir, kernels[0]).map_err(|diag| self.report(diag))?;
                launches.borrow_mut().push((kernels[0], launch.clone()));
                let mut ran = self.run(&ir, kernels[0], &launch, &options)?;
                let cost = ran.cost.take();
                let (results, writers, counters) = self.signature.results_of(&ir, kernels[0], ran);
                (results, writers, counters, cost)
            }
            (Some(host), None) => {
                let cost: RefCell<Option<Cost>> = RefCell::default();
                let ran = self.run_host(host, &ir, &kernels, &options, &|kernel, launch, ran| {
                    let entry = (kernel, launch.clone());
                    if !launches.borrow().contains(&entry) {
                        launches.borrow_mut().push(entry);
                    }
                    if let Some(own) = &ran.cost {
                        cost.borrow_mut().get_or_insert_default().add(own);
                    }
                });
                let (results, counters) = ran.map_err(|diag| self.report(diag))?;
                (results, Vec::new(), counters, cost.into_inner())
            }
        };
        let took = start.elapsed();
        let named = |(kernel, launch)| (ir.symbol_name(kernel).unwrap_or_default().to_owned(), launch);
        let launches = launches.into_inner().into_iter().map(named).collect();
        times.push(("execute", took));
        let reached = kernels.iter().map(|&kernel| stage::of(&ir, kernel)).min();
        Ok(Execution {
            stage: reached.map_or(goal, |stage| stage.max(goal)),
            times,
            launches,
            counters,
            cost,
            took,
            layouts,
            refusal,
            results,
            writers,
            ir,
        })
    }

    /// Compiles to the last of the stages, and compares the program behind each pass with the program as written.
    fn validate(&self, entry: &Ir, func: OpId, stages: &[Stage]) -> Result<Vec<Validated>, Report> {
        let (reference, _) = self.reference(entry, func)?;
        let (own, _) = self.written(entry, func, Precision::Exact)?;
        let (ir, func) = self.open()?;
        let goal = stages.iter().copied().max().unwrap_or(Stage::Lowered);
        let mut validated = Vec::new();
        let facts = self.args.facts(self.chip);
        let mut program = self.program(ir, func, &facts, goal)?;
        let (kernels, host) = (program.kernels.clone(), program.host.take());
        program
            .advance(&facts, goal, |pass, ir| {
                let options = self.options(Precision::Exact);
                let found = match &host {
                    None => self
                        .own_launch(ir, kernels[0])
                        .and_then(|launch| self.try_run(ir, kernels[0], &launch, &options))
                        .map(|ran| self.signature.results_of(ir, kernels[0], ran).0),
                    Some(host) => {
                        self.run_host(host, ir, &kernels, &options, &|_, _, _| {}).map(|(results, _)| results)
                    }
                };
                let found = found.map(|results| {
                    let pairs = results.iter().zip(&reference).zip(&own);
                    pairs
                        .map(|((got, want), own)| {
                            let written = AsWritten { own, moved: &[] };
                            compare_with(got, want, Some(written), tolerance(self.args, entry, func, got, want))
                        })
                        .collect()
                });
                validated.push(Validated { pass: pass.name, found });
            })
            .map_err(|diag| self.report(diag))?;
        Ok(validated)
    }

    /// The kernels of the function, and who calls them; what stays at the first stage is not divided.
    fn program(&self, ir: Ir, func: OpId, facts: &Facts, goal: Stage) -> Result<Program, Report> {
        if goal == Stage::Tensor {
            return Ok(Program { ir, kernels: vec![func], host: None });
        }
        Program::of(ir, func, facts).map_err(|diag| self.report(diag))
    }

    /// Carries out a host function; `seen` is told of each kernel that ran.
    fn run_host(
        &self,
        host: &Host,
        ir: &Ir,
        kernels: &[OpId],
        options: &Options,
        seen: &dyn Fn(OpId, &Launch, &Ran),
    ) -> Result<(Vec<Tensor>, Counters), Diag> {
        self.carry_out(self.device, host, ir, kernels, options, seen)
    }

    /// The same, with kernels on some device.
    fn carry_out(
        &self,
        device: &dyn Device,
        host: &Host,
        ir: &Ir,
        kernels: &[OpId],
        options: &Options,
        seen: &dyn Fn(OpId, &Launch, &Ran),
    ) -> Result<(Vec<Tensor>, Counters), Diag> {
        let ran = program::carry_out(host, ir, kernels, self.arguments, &|kernel, arguments, uninitialised_args, _| {
            let options = Options { uninitialised_args, ..options.clone() };
            let launch = self.launch(ir, kernel, arguments)?;
            let ran = device.run(ir, kernel, arguments, &launch, &options).map_err(|diag| self.with_flags(diag))?;
            seen(kernel, &launch, &ran);
            Ok(ran)
        });
        self.bar.clear();
        ran
    }

    /// What the program as written gives in double precision, and what to call it. Races and the like are found by the
    /// executions.
    fn reference(&self, ir: &Ir, func: OpId) -> Result<(Vec<Tensor>, &'static str), Report> {
        self.written(ir, func, Precision::Wide)
    }

    /// What the program as written gives. Where it has extents that depend on data, which the emulator does not execute at
    /// once, the host carries it out, and the emulator what is in its kernels, as it is written.
    fn written(&self, ir: &Ir, func: OpId, precision: Precision) -> Result<(Vec<Tensor>, &'static str), Report> {
        let launch = self.own_launch(ir, func).map_err(|diag| self.report(diag))?;
        let options = Options { sanitize: false, ..self.options(precision) };
        // No other device has a part in what the program means.
        let diag = match self.run_on(&Emulator, ir, func, &launch, &options) {
            Ok(ran) => return Ok((self.signature.results_of(ir, func, ran).0, "the reference")),
            Err(diag) => diag,
        };
        if diag.code != Code::CannotExecute {
            return Err(self.report(diag));
        }
        let (ir, func) = self.open()?;
        let divided = self.program(ir, func, &self.args.facts(self.chip), Stage::Lowered)?;
        let Program { ir, kernels, host } = &divided;
        let ran = host.as_ref().map(|host| self.carry_out(&Emulator, host, ir, kernels, &options, &|_, _, _| {}));
        match ran {
            Some(Ok((results, _))) => Ok((results, "the reference, kernel by kernel,")),
            Some(Err(found)) if found.code != Code::CannotExecute => Err(self.report(found)),
            _ if diag.help.is_some() || !self.args.expected.is_empty() => Err(self.report(diag)),
            _ => Err(self.report(diag.help(OTHER_REFERENCE))),
        }
    }

    fn options(&self, precision: Precision) -> Options {
        let sanitize = !self.args.no_sanitize;
        let copies = if self.args.copies == "eager" { AsyncMode::Eager } else { AsyncMode::Lazy };
        let limits = self.args.limits.options(self.start, self.bar.clone());
        let shared_bytes_max = Some(self.chip.shared_bytes_max.into());
        Options { precision, seed: self.args.seed, copies, sanitize, shared_bytes_max, ..limits }
    }

    /// How a kernel is started with the arguments of the function.
    fn own_launch(&self, ir: &Ir, func: OpId) -> Result<Launch, Diag> {
        if Sizes::grid(ir, func)?.is_none() {
            return self.launch(ir, func, &[]);
        }
        let (arguments, _) = self.signature.arguments_at(ir, func, self.arguments)?;
        self.launch(ir, func, &arguments)
    }

    fn launch(&self, ir: &Ir, func: OpId, arguments: &[Tensor]) -> Result<Launch, Diag> {
        let launch = Launch::for_args(ir, func, arguments)?;
        let Some(grid) = self.grid else { return Ok(launch) };
        let is_stated = ir.attr_id(func, "gpu.known_grid_size").is_some() || Sizes::grid(ir, func)?.is_some();
        if is_stated && grid != launch.grid {
            let [x, y, z] = launch.grid;
            let message = format!("the kernel has a grid of its own, {x},{y},{z}, which `--grid` does not change");
            return Err(Diag::error(Code::BadInput, ir.span(func), message).help("leave out `--grid`"));
        }
        Ok(Launch { grid, ..launch })
    }

    fn run(&self, ir: &Ir, func: OpId, launch: &Launch, options: &Options) -> Result<Ran, Report> {
        self.try_run(ir, func, launch, options).map_err(|diag| self.report(diag))
    }

    fn try_run(&self, ir: &Ir, func: OpId, launch: &Launch, options: &Options) -> Result<Ran, Diag> {
        self.run_on(self.device, ir, func, launch, options)
    }

    fn run_on(
        &self,
        device: &dyn Device,
        ir: &Ir,
        func: OpId,
        launch: &Launch,
        options: &Options,
    ) -> Result<Ran, Diag> {
        let (arguments, uninitialised_args) = self.signature.arguments_at(ir, func, self.arguments)?;
        let options = Options { uninitialised_args, ..options.clone() };
        let ran = device.run(ir, func, &arguments, launch, &options);
        self.bar.clear();
        ran.map_err(|diag| self.with_flags(diag))
    }

    /// Says with which flags a run that met a limit would go on.
    fn with_flags(&self, diag: Diag) -> Diag {
        let limits = &self.args.limits;
        if diag.code != Code::LimitHit {
            return diag;
        }
        if limits.is_late(self.start) {
            return diag.help(format!("run it with `{}`, or a smaller launch", limits.time_for(self.bar.last())));
        }
        match needed(self.args, self.text, self.chip, self.grid, self.signature, self.stages) {
            Some(needs) => diag.help(format!(
                "run it with `{}`, or look for a grid, a bound or a loop that is wrong",
                limits.flags_for(needs)
            )),
            None => diag,
        }
    }
}

/// What to do where the program as written is not executed.
const OTHER_REFERENCE: &str = "the program as written is the reference: `--expected_output=@0.npy` for each result compares \
                               with another one, and `'--expected_output=(ignored)'` with none";

/// What the reference and the program at each of the stages need at least; `None` where something else is wrong first.
fn needed(
    args: &Args,
    text: &str,
    chip: &'static Chip,
    grid: Option<[u32; 3]>,
    signature: &Signature,
    stages: &[Stage],
) -> Option<Needs> {
    let exact = Options { sanitize: !args.no_sanitize, ..Options::default() };
    let wide = Options { sanitize: false, precision: Precision::Wide, ..Options::default() };
    let reference = (args.expected.is_empty() || args.validate).then_some((None, wide));
    let mut needs = Needs { fuel: 0, memory: signature.bytes() };
    for (goal, options) in stages.iter().map(|&stage| (Some(stage), exact.clone())).chain(reference) {
        let mut ir = pipeline::open(text, chip).ok()?;
        let func = pipeline::function(&ir, args.function.as_deref()).ok()?;
        if let Some(goal) = goal {
            pipeline::advance(&mut ir, func, &Facts::new(chip), goal, |_, _| {}).ok()?;
        }
        let launch = Launch::of(&ir, func).ok()?;
        let launch = Launch { grid: grid.unwrap_or(launch.grid), ..launch };
        let (sizes, uninitialised_args) = signature.sizes_at(&ir, func);
        let options = Options { uninitialised_args, ..options };
        let found = raddle_run::needs(&ir, func, &sizes, &launch, &options).ok()?;
        needs = Needs { fuel: needs.fuel.max(found.fuel), memory: needs.memory.max(found.memory) };
    }
    // Copies on their way, and what else is allocated while a program runs, are not counted in advance.
    Some(Needs { memory: needs.memory.saturating_mul(4), ..needs })
}

/// Compares every execution with what is expected, and every further execution with the first.
fn verdicts(
    args: &Args,
    ir: &Ir,
    func: OpId,
    executions: &[Execution],
    expected: &[Option<Tensor>],
    written: Option<(&[Tensor], &[Vec<f64>])>,
    against: &str,
) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for (execution, Execution { results, .. }) in executions.iter().enumerate() {
        for (result, (got, expected)) in results.iter().zip(expected).enumerate() {
            if let Some(expected) = expected {
                let written = written.map(|(own, moved)| AsWritten { own: &own[result], moved: &moved[result] });
                let comparison = compare_with(got, expected, written, tolerance(args, ir, func, got, expected));
                verdicts.push(Verdict { execution, result, against: against.to_owned(), comparison });
            }
        }
        let first = &executions[0];
        for (result, (got, other)) in results.iter().zip(&first.results).enumerate().filter(|_| execution > 0) {
            let against = format!("stage `{}`", first.stage.name());
            let comparison = compare(got, other, tolerance(args, ir, func, got, other));
            verdicts.push(Verdict { execution, result, against, comparison });
        }
    }
    verdicts
}

/// What the user accepts, else what the program's own rounding may do.
fn tolerance(args: &Args, ir: &Ir, func: OpId, got: &Tensor, expected: &Tensor) -> Tolerance {
    let threshold = match got.elem.to_string().as_str() {
        "f16" | "bf16" => args.f16_threshold,
        "f32" => args.f32_threshold,
        "f64" => args.f64_threshold,
        _ => None,
    };
    match (args.atol.or(threshold), args.rtol) {
        (None, None) => Tolerance::of_products(ir, func, expected, got.elem, args.f32_products.error()),
        (abs, rel) => Tolerance { abs: abs.unwrap_or(0.0), rel: rel.unwrap_or(0.0) },
    }
}
