//! `raddle bench`: how long a program takes on a device, with the compiler's own configuration or with several.
//!
//! Data are random; each kernel is warmed up, then timed in samples of several launches over buffers that together are
//! larger than the device's cache. The results are compared first, where the emulator can compute the reference within
//! the limits. The emulator has no time to tell: on it, a program's cost is counted, and a roofline says what the chip
//! takes at least.

mod roofline;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use raddle::pipeline::Program;
use raddle::{Report, pipeline};
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Class, Code, DYNAMIC, Diag, Ir, OpId, Opcode};
use raddle_layout::sort::sort_by;
use raddle_passes::{F32Products, Facts};
use raddle_run::compare::{AsWritten, Tolerance, compare_with};
use raddle_run::{Device, Emulator, Launch, Options, Precision, Repeat, Tensor};
use raddle_target::Chip;
use serde_json::{Value, json};

use self::roofline::Roofline;
use super::run::arguments::Signature;
use super::run::chosen;
use super::run::limits::Limits;
use super::run::parameters::Parameters;
use super::run::progress::Bar;
use super::run::{chip, device, passed, program};
use super::{Answer, Outcome, files};

/// Flags of `raddle bench`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    file: String,
    /// The function to time; needed if there are several
    #[arg(long)]
    function: Option<String>,
    /// An argument of the function, in order, as for `run`; random normal data if missing
    #[arg(long = "input", value_name = "SPEC")]
    inputs: Vec<String>,
    /// Where to run: `cuda`, `cuda:1`, `cpu`; on `emu`, costs are counted, and times are a model's
    #[arg(long, default_value = "cuda")]
    device: String,
    /// The chip to compile for; that of the device if missing
    #[arg(long)]
    target: Option<String>,
    /// Configurations to try, one in a line: `#iree_gpu.lowering_config<…>` or `#iree_codegen.compilation_info<…>`; the
    /// compiler's own choice is tried, too
    #[arg(long, value_name = "FILE")]
    configs: Option<String>,
    /// Approximate functions, as `build --fast-math` does
    #[arg(long)]
    fast_math: bool,
    /// What products of f32 become, as `build --f32-products` says
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = super::f32_products())]
    f32_products: F32Products,
    /// Check each access that is not surely inside of its buffer, on CPUs, as `build --bounds-checks` does
    #[arg(long)]
    bounds_checks: bool,
    /// Samples of which the median is told
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
    /// Seconds of one sample, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 0.005)]
    sample_time: f64,
    /// Seconds of launches in front of the first sample
    #[arg(long, value_name = "SECONDS", default_value_t = 0.05)]
    warm_up: f64,
    /// A file with the weights that the program names, `.irpa` or `.safetensors`, and the scope in which it names them.
    /// Without files: random normal data
    #[arg(long, value_name = "[SCOPE=]FILE")]
    parameters: Vec<String>,
    /// The seed of random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: Limits,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// One configuration, and what became of it.
struct Row {
    config: String,
    outcome: Result<Timed, Diag>,
}

/// How long a program takes.
enum Time {
    /// Seconds of all kernels together, in order of size, and the name and the median of each, in order of launches.
    Measured(Vec<f64>, Vec<(String, f64)>),
    /// The rooflines of its launches.
    Modelled(Vec<Roofline>),
}

/// What one configuration takes.
struct Timed {
    time: Time,
    /// Kernels that were launched.
    kernels: usize,
    /// How many elements differ from the reference by more than rounding; `None` where there is no reference.
    wrong: Option<usize>,
}

impl Timed {
    /// The median, or the sum of the model's times; `None` where the chip's speed is not known.
    fn seconds(&self) -> Option<f64> {
        match &self.time {
            Time::Measured(seconds, _) => Some(median(seconds)),
            Time::Modelled(launches) => launches.iter().map(|launch| Some(launch.bound()?.1)).sum(),
        }
    }

    /// What takes longest in the launch that takes longest.
    fn bound(&self) -> Option<&'static str> {
        let Time::Modelled(launches) = &self.time else { return None };
        let longest = launches.iter().filter_map(Roofline::bound).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(longest.0)
    }
}

/// The one in the middle of numbers in order of size, of which there is one.
fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

/// What is timed.
struct Task<'a> {
    args: &'a Args,
    text: &'a str,
    parameters: &'a Parameters,
    chip: &'static Chip,
    device: &'a dyn Device,
    signature: Signature,
    data: Vec<Tensor>,
    /// The exact results, those of the program's own types, and what is accepted.
    reference: Option<(Vec<Tensor>, Vec<Tensor>, Vec<Tolerance>)>,
}

/// Times a function.
pub fn bench(args: &Args) -> Outcome {
    let nowhere = Report::nowhere;
    let chip = chip(args.target.as_deref(), &args.device).map_err(nowhere)?;
    let device = device(&args.device, chip, args.fast_math).map_err(nowhere)?;
    let (name, text) = files::read_program(&args.file)?;
    let report = |diag: Diag| Report::new(vec![diag], &name, &text);
    let configs = match &args.configs {
        Some(path) => configurations(path)?,
        None => Vec::new(),
    };
    let parameters = Parameters::read(&args.parameters, args.seed, args.limits.memory).map_err(nowhere)?;
    let mut ir = parameters.open(&text, chip).map_err(|diags| Report::new(diags, &name, &text))?;
    let func = pipeline::function(&ir, args.function.as_deref()).map_err(report)?;
    passed::state_types(&mut ir, func, &args.inputs).map_err(report)?;
    pipeline::admit(&mut ir, func, &Facts::new(chip)).map_err(report)?;
    let signature = Signature::of(&ir, func).map_err(report)?;
    let chosen = chosen::choose(&ir, func).map_err(report)?;
    let (data, _) = signature.arguments(&args.inputs, args.seed, &chosen).map_err(report)?;
    let mut task = Task {
        args,
        text: &text,
        parameters: &parameters,
        chip,
        device: device.as_ref(),
        signature,
        data,
        reference: None,
    };
    let compared = task.compute_reference(&ir, func).map_err(report)?;
    let (flops, bytes) = (flops(&ir, func), task.signature.data_bytes());
    let choices = std::iter::once(None).chain(configs.iter().map(Some));
    let mut rows: Vec<Row> = choices
        .map(|config| Row {
            config: config.map_or_else(|| "the compiler's own".to_owned(), Clone::clone),
            outcome: task.time(config.map(String::as_str)),
        })
        .collect();
    let seconds = |row: &Row| row.outcome.as_ref().ok().and_then(Timed::seconds).unwrap_or(f64::INFINITY);
    sort_by(&mut rows, |a, b| seconds(a).total_cmp(&seconds(b)));
    let all_failed = rows.iter().all(|row| row.outcome.is_err());
    if let [Row { outcome: Err(diag), .. }] = &rows[..] {
        return Err(report(diag.clone()));
    }
    let is_wrong = rows.iter().any(|row| row.outcome.as_ref().is_ok_and(|timed| timed.wrong.is_some_and(|n| n > 0)));
    let status = u8::from(is_wrong || all_failed);
    if args.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        let value = json!({
            "ok": status == 0,
            "function": ir.symbol_name(func),
            "device": args.device,
            "threads": (args.device == "cpu").then(|| task.options(Precision::Exact).threads),
            "target": chip.name,
            "modelled": task.is_modelled(),
            "flops": flops,
            "bytes": bytes,
            "compared": compared.is_none(),
            "configurations": rows,
        });
        return Ok(Answer::json(&value, status));
    }
    let mut out = String::new();
    let function = ir.symbol_name(func).unwrap_or_default();
    let _ = writeln!(out, "{function} on device `{}`, compiled for {}", args.device, chip.name);
    if let Some(why) = compared {
        let _ = writeln!(out, "results are not compared: {why}");
    }
    let _ = if task.is_modelled() {
        let why = if chip.processors.is_some() { "what the chip takes at least" } else { "not known for this chip" };
        let _ = writeln!(out, "costs are counted, nothing is measured; times are {why}");
        writeln!(out, "{:>12} {:>10} {:>10} {:>20}  configuration", "model's us", "TFLOP/s", "GB/s", "bound by")
    } else {
        writeln!(
            out,
            "{:>12} {:>12} {:>12} {:>10} {:>10}  configuration",
            "median us", "least", "most", "TFLOP/s", "GB/s"
        )
    };
    for row in &rows {
        row.show(&mut out, flops, bytes);
    }
    Ok(Answer { out: out.into_bytes(), err: String::new(), status })
}

/// The lines of a file that state configurations.
fn configurations(path: &str) -> Result<Vec<String>, Report> {
    let (_, text) = files::read_text(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    Ok(lines.map(str::to_owned).collect())
}

impl Row {
    fn json(&self) -> Value {
        let Timed { time, kernels, wrong } = match &self.outcome {
            Ok(timed) => timed,
            Err(diag) => {
                return json!({ "configuration": self.config, "error": diag.message, "code": diag.code.number() });
            }
        };
        let (config, seconds) = (&self.config, self.outcome.as_ref().ok().and_then(Timed::seconds));
        match time {
            Time::Measured(all, launches) => json!({
                "configuration": config,
                "median_s": seconds,
                "min_s": all.first(),
                "max_s": all.last(),
                "kernels": kernels,
                "wrong_elements": wrong,
                "launches": launches
                    .iter()
                    .map(|(kernel, seconds)| json!({ "kernel": kernel, "median_s": seconds }))
                    .collect::<Vec<Value>>(),
            }),
            Time::Modelled(launches) => json!({
                "configuration": config,
                "modelled_s": seconds,
                "bound": self.outcome.as_ref().ok().and_then(Timed::bound),
                "kernels": kernels,
                "wrong_elements": wrong,
                "launches": launches.iter().map(Roofline::json).collect::<Vec<Value>>(),
            }),
        }
    }

    fn show(&self, out: &mut String, flops: Option<f64>, bytes: usize) {
        let timed = match &self.outcome {
            Ok(timed) => timed,
            Err(diag) => {
                let _ = writeln!(out, "{:>60}  {}: {}", "refused", self.config, diag.message);
                return;
            }
        };
        let seconds = timed.seconds();
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let time = number(seconds.map(|seconds| seconds * 1e6), 2);
        let rate = number(flops.zip(seconds).map(|(flops, seconds)| flops / seconds / 1e12), 4);
        let moved = number(seconds.map(|seconds| bytes as f64 / seconds / 1e9), 1);
        let wrong = match timed.wrong {
            Some(n) if n > 0 => format!("  WRONG: {n} elements"),
            _ => String::new(),
        };
        let kernels = if timed.kernels == 1 { String::new() } else { format!(", {} kernels", timed.kernels) };
        let config = &self.config;
        match &timed.time {
            Time::Measured(all, launches) => {
                let [least, most] = [all.first(), all.last()].map(|s| s.copied().unwrap_or(0.0) * 1e6);
                let _ = writeln!(
                    out,
                    "{time:>12} {least:>12.2} {most:>12.2} {rate:>10} {moved:>10}  {config}{kernels}{wrong}"
                );
                if launches.len() > 1 {
                    for (kernel, seconds) in launches {
                        let _ = writeln!(out, "{:>12.2}  {kernel}", seconds * 1e6);
                    }
                }
            }
            Time::Modelled(launches) => {
                let bound = timed.bound().unwrap_or("-");
                let _ = writeln!(out, "{time:>12} {rate:>10} {moved:>10} {bound:>20}  {config}{kernels}{wrong}");
                launches.iter().for_each(|launch| launch.show(out));
            }
        }
    }
}

impl Task<'_> {
    /// Whether times are the model's: the device has none.
    fn is_modelled(&self) -> bool {
        self.device.name() == Emulator.name()
    }

    fn options(&self, precision: Precision) -> Options {
        let limits = self.args.limits.options(Instant::now(), Arc::new(Bar::new(false)));
        Options { precision, seed: self.args.seed, sanitize: false, ..limits }
    }

    /// Computes what the results should be; the answer is why it could not be within the limits.
    fn compute_reference(&mut self, ir: &Ir, func: OpId) -> Result<Option<String>, Diag> {
        let (arguments, uninitialised_args) = self.signature.arguments_at(ir, func, &self.data)?;
        let launch = Launch::for_args(ir, func, &arguments)?;
        let run = |precision| {
            let options = Options { uninitialised_args: uninitialised_args.clone(), ..self.options(precision) };
            let sizes: Vec<_> = arguments.iter().map(|arg| (arg.elem, arg.n_elements())).collect();
            // What depends on open extents is known when it has run.
            let needs = raddle_run::needs(ir, func, &sizes, &launch, &options);
            if needs.is_ok_and(|needs| needs.fuel > options.fuel) {
                let message = format!("the reference takes more work than the limit of {}", options.fuel);
                return Err(Diag::nowhere(Code::LimitHit, message));
            }
            let ran = Emulator.run(ir, func, &arguments, &launch, &options)?;
            Ok(self.signature.results_of(ir, func, ran).0)
        };
        match run(Precision::Wide).and_then(|wide| Ok((wide, run(Precision::Exact)?))) {
            Ok((wide, own)) => {
                let pairs = wide.iter().zip(&own);
                let off = self.args.f32_products.error();
                let of = |(wide, own): (&Tensor, &Tensor)| Tolerance::of_products(ir, func, wide, own.elem, off);
                let accepted = pairs.map(of).collect();
                self.reference = Some((wide, own, accepted));
                Ok(None)
            }
            Err(diag) if matches!(diag.code, Code::LimitHit | Code::TooLarge) => {
                Ok(Some(format!("{} (`--fuel`, `--memory` and `--time` raise the limits)", diag.message)))
            }
            Err(diag) => Err(diag),
        }
    }

    /// Compiles with a configuration, runs, compares and times.
    fn time(&self, config: Option<&str>) -> Result<Timed, Diag> {
        let mut ir = self.parameters.open(self.text, self.chip).map_err(|mut diags| diags.remove(0))?;
        let func = pipeline::function(&ir, self.args.function.as_deref())?;
        passed::state_types(&mut ir, func, &self.args.inputs)?;
        let mut facts = Facts::new(self.chip).with_f32_products(self.args.f32_products);
        facts.fast_math = self.args.fast_math;
        facts.bounds_checks = self.args.bounds_checks;
        pipeline::admit(&mut ir, func, &facts)?;
        if let Some(config) = config {
            configure(&mut ir, func, config)?;
        }
        let mut program = Program::compile(ir, func, &facts, |_, _, _| {})?;
        let Program { ir, kernels, host } = &mut program;
        for &kernel in &*kernels {
            pipeline::finish(ir, kernel, &facts)?;
        }
        let repeat = Repeat {
            samples: self.args.samples,
            sample_s: self.args.sample_time,
            warm_up_s: self.args.warm_up,
            threads: self.options(Precision::Exact).threads,
        };
        let no_time = if self.is_modelled() {
            Time::Modelled(Vec::new())
        } else {
            Time::Measured(vec![0.0; self.args.samples as usize], Vec::new())
        };
        let total = std::cell::RefCell::new((no_time, 0));
        let start = |kernel: OpId, arguments: &[Tensor], uninitialised_args: Vec<usize>, initializes: bool| {
            let banks = self.is_modelled().then_some(self.chip.shared_banks);
            let load_groups = self.chip.load_groups;
            let options = Options { uninitialised_args, banks, load_groups, ..self.options(Precision::Exact) };
            let launch = Launch::for_args(ir, kernel, arguments)?;
            let mut ran = self.device.run(ir, kernel, arguments, &launch, &options)?;
            // The initializer runs once for all calls and is not a part of a call.
            if initializes {
                return Ok(ran);
            }
            let (time, launches) = &mut *total.borrow_mut();
            *launches += 1;
            match time {
                Time::Measured(all, launches) => {
                    let mut took = self.device.time(ir, kernel, arguments, &launch, &repeat)?;
                    sort_by(&mut took, f64::total_cmp);
                    launches.push((ir.symbol_name(kernel).unwrap_or_default().to_owned(), median(&took)));
                    all.iter_mut().zip(took).for_each(|(all, took)| *all += took);
                }
                Time::Modelled(all) => {
                    let cost = ran.cost.take().unwrap_or_default();
                    all.push(Roofline::of(ir, kernel, &launch, arguments, cost, self.chip));
                }
            }
            Ok(ran)
        };
        let results = match host {
            Some(host) => program::carry_out(host, ir, kernels, &self.data, &start)?.0,
            None => {
                let (arguments, unwritten) = self.signature.arguments_at(ir, kernels[0], &self.data)?;
                let ran = start(kernels[0], &arguments, unwritten, false)?;
                self.signature.results_of(ir, kernels[0], ran).0
            }
        };
        let wrong = self.reference.as_ref().map(|(wide, own, accepted)| {
            let all = results.iter().zip(wide).zip(own).zip(accepted);
            all.map(|(((got, wide), own), &accepted)| {
                compare_with(got, wide, Some(AsWritten { own, moved: &[] }), accepted).n_wrong
            })
            .sum()
        });
        let (time, kernels) = total.into_inner();
        Ok(Timed { time, kernels, wrong })
    }
}

/// Puts a configuration on the operation that decides the tiling: a contraction if there is one.
fn configure(ir: &mut Ir, func: OpId, text: &str) -> Result<(), Diag> {
    let attr = raddle_ir::parse_attr(text, ir)?;
    let ops: Vec<OpId> = ir.walk(func);
    let rank = |&op: &OpId| match ir.opcode(op) {
        Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention => Some(3),
        _ => structured(ir, op).map(|linalg| match linalg.reduction.contains(&true) {
            true if linalg.inputs.len() > 1 => 2,
            true => 1,
            false => 0,
        }),
    };
    // The first of equals.
    let Some(op) = ops.into_iter().rev().filter(|op| rank(op).is_some()).max_by_key(|op| rank(op)) else {
        return Err(pipeline::nothing_to_do(ir));
    };
    let is_both = matches!(ir[attr], Attr::Dialect { name, .. } if ir[name] == *"iree_codegen.compilation_info");
    ir.set_attr(op, if is_both { "compilation_info" } else { "lowering_config" }, attr);
    Ok(())
}

/// The loops of an operation that computes in loops.
fn structured(ir: &Ir, op: OpId) -> Option<Linalg> {
    let is_loops = matches!(ir.class(op), Class::Structured | Class::Opaque) && ir.opcode(op) != Opcode::LinalgFill;
    Linalg::try_of(ir, op).filter(|_| is_loops)
}

/// The multiplications and additions, and other arithmetic, of a program on tensors; `None` where extents are open.
fn flops(ir: &Ir, func: OpId) -> Option<f64> {
    let of = |op: OpId| {
        if matches!(ir.opcode(op), Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention) {
            return attention_flops(ir, op);
        }
        let Some(linalg) = structured(ir, op) else { return Some(0.0) };
        let points = product(linalg.extents(ir))?;
        let body = ir.body(op, 0).map(|block| {
            let counts = |inner: &OpId| ir.class(*inner) == Class::Elementwise && !is_conversion(ir.opcode(*inner));
            ir.block_ops(block).filter(counts).count()
        });
        let named = if linalg.reduction.contains(&true) && linalg.inputs.len() > 1 { 2 } else { 1 };
        Some(points * body.unwrap_or(named) as f64)
    };
    ir.walk(func).into_iter().map(of).sum()
}

fn product(extents: impl IntoIterator<Item = i64>) -> Option<f64> {
    extents.into_iter().try_fold(1.0, |n, extent| (extent != DYNAMIC).then_some(n * extent as f64))
}

fn is_conversion(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::ArithExtf
            | Opcode::ArithTruncf
            | Opcode::ArithExtsi
            | Opcode::ArithExtui
            | Opcode::ArithTrunci
            | Opcode::ArithSitofp
            | Opcode::ArithUitofp
            | Opcode::ArithBitcast
    )
}

/// Both products: of queries and keys, over all but the columns of the value, and with the value, over all but depth.
fn attention_flops(ir: &Ir, op: OpId) -> Option<f64> {
    let maps = ir.maps(op, "indexing_maps")?;
    let mut extents = vec![1; maps.first()?.dims as usize];
    let dims: Vec<Vec<usize>> = maps.iter().map(|map| map.as_dims().unwrap_or_default()).collect();
    for (&operand, dims) in ir.operands(op).iter().zip(&dims) {
        for (&d, &extent) in dims.iter().zip(ir.ty(operand).shape().unwrap_or_default()) {
            extents[d] = extent;
        }
    }
    let over = |of: [usize; 2]| {
        let loops = (0..extents.len()).filter(|d| of.iter().any(|&operand| dims[operand].contains(d)));
        product(loops.map(|d| extents[d]))
    };
    // Values lack the rows, which queries have, and queries the columns.
    let (query, key, value) = (0, 1, 2);
    let scores = over([query, key])?;
    let rows = (0..extents.len()).filter(|d| dims[query].contains(d) && !dims[key].contains(d));
    Some(2.0 * scores + 2.0 * over([value, value])? * product(rows.map(|d| extents[d]))?)
}
