//! `raddle opt`: run passes and print IR, with the flags of `mlir-opt` and `iree-opt`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use raddle::{Report, street};
use raddle_ir::{Code, Diag, Ir, OpId, ParseOptions, PrintOptions};
use raddle_passes::{Facts, Options, Pass};
use raddle_target::Stage;

use self::pipeline::Step;
use super::{Answer, Outcome, files};

mod expected;
pub mod flags;
mod pipeline;

/// Flags of `raddle opt`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    #[arg(default_value = "-")]
    file: String,
    /// Run all passes up to this stage
    #[arg(long, value_name = "STAGE", value_parser = clap::builder::PossibleValuesParser::new(stage_names()))]
    to: Option<String>,
    /// Run these passes, as in `builtin.module(func.func(a,b{x=1}))`
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Print the pipeline that is run, on standard error
    #[arg(long)]
    dump_pass_pipeline: bool,
    /// The chip to compile for (`raddle targets` lists them)
    #[arg(long, visible_alias = "iree-gpu-test-target", default_value = raddle::DEFAULT_TARGET)]
    target: String,
    /// Where to write; standard output if missing or `-`
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// Print every operation in MLIR's generic form
    #[arg(long = "mlir-print-op-generic")]
    generic: bool,
    /// Print attributes where they are used, without aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Print the program behind each pass, on standard error
    #[arg(long = "mlir-print-ir-after-all")]
    after_all: bool,
    /// Print the program in front of each pass, on standard error
    #[arg(long = "mlir-print-ir-before-all")]
    before_all: bool,
    /// Print the program behind each pass that changed it, on standard error
    #[arg(long = "mlir-print-ir-after-change")]
    after_change: bool,
    /// Print the program that a pass left behind when it failed, on standard error
    #[arg(long = "mlir-print-ir-after-failure")]
    after_failure: bool,
    /// Compare diagnostics with the `expected-error` comments of the file, and its like for other kinds
    #[arg(long)]
    verify_diagnostics: bool,
    /// Print what each pass took, on standard error
    #[arg(long = "mlir-timing")]
    timing: bool,
    /// Print each decision of the passes and why, on standard error
    #[arg(long)]
    remarks: bool,
    /// Treat the parts between `// -----` lines as files of their own
    #[arg(long)]
    split_input_file: bool,
    /// Keep operations that are not in the table, in generic form
    #[arg(long)]
    allow_unregistered_dialect: bool,
}

fn stage_names() -> Vec<&'static str> {
    Stage::ALL.iter().map(|row| row.1).collect()
}

/// What to run.
enum Plan {
    To(Stage),
    Steps(Vec<Step>),
}

/// Runs the passes on each function of each part of the file, and prints the result.
pub fn opt(args: &Args, flags: Result<Vec<Step>, Diag>, color: bool) -> Outcome {
    let chip = street::chip(&args.target).map_err(Report::nowhere)?;
    let plan = match (&args.to, &args.pass_pipeline) {
        (Some(_), Some(_)) => {
            let diag = Diag::nowhere(Code::BadInput, "`--to` and `--pass-pipeline` exclude each other");
            return Err(Report::nowhere(diag));
        }
        (Some(stage), None) => Plan::To(street::stage(stage).map_err(Report::nowhere)?),
        (None, Some(text)) => Plan::Steps(pipeline::read(text).map_err(Report::nowhere)?),
        (None, None) => Plan::Steps(flags.map_err(Report::nowhere)?),
    };
    let (name, text) = files::read_text(&args.file)?;
    let parts = if args.split_input_file { split(&text) } else { vec![(1, text.as_str())] };

    let mut log = Log { args, err: String::new(), timings: Vec::new(), before: None };
    if args.dump_pass_pipeline
        && let Plan::Steps(steps) = &plan
    {
        let _ = writeln!(log.err, "builtin.module({})", pipeline::print(pipeline::unwrap(steps)));
    }
    let (mut printed, mut status) = (Vec::new(), 0);
    for (first_line, part) in parts {
        let facts = Facts::new(chip);
        let result = transform(part, &facts, &plan, &mut log);
        // What a pass was run to say is always said.
        let mut remarks = facts.remarks.into_inner();
        remarks.retain(|remark| args.remarks || remark.code == Code::LayoutReport);
        if args.verify_diagnostics {
            let errors = result.as_ref().err().into_iter().flatten().cloned();
            let found: Vec<Diag> = remarks.into_iter().chain(errors).collect();
            let mismatches = expected::mismatches(part, &found);
            for (line, message) in &mismatches {
                let _ = writeln!(log.err, "{name}:{}: error: {message}", first_line + line - 1);
            }
            status = status.max(u8::from(!mismatches.is_empty()));
            printed.extend(result.ok());
            continue;
        }
        if !remarks.is_empty() {
            let report = Report { first_line, ..Report::new(remarks, &name, part) };
            log.err.push_str(&(report.render(color) + "\n"));
        }
        match result {
            Ok(text) => printed.push(text),
            Err(diags) => {
                // The other parts are still worth seeing.
                let report = Report { first_line, ..Report::new(diags, &name, part) };
                status = super::status(&report.diags).max(status);
                log.err.push_str(&(report.render(color) + "\n"));
            }
        }
    }
    if args.timing {
        log.print_timings();
    }
    let out = printed.join("// -----\n");
    match args.output.as_deref() {
        None | Some("-") => Ok(Answer { out: out.into_bytes(), err: log.err, status }),
        Some(_) if status != 0 => Ok(Answer { out: Vec::new(), err: log.err, status }),
        Some(path) => {
            files::write(path, out.as_bytes()).map_err(Report::nowhere)?;
            Ok(Answer { out: Vec::new(), err: log.err, status })
        }
    }
}

/// What the user wants to see of the way.
struct Log<'a> {
    args: &'a Args,
    err: String,
    timings: Vec<(&'static str, Duration)>,
    /// The program in front of the pass that runs, where that is asked for.
    before: Option<String>,
}

impl Log<'_> {
    fn options(&self) -> PrintOptions {
        PrintOptions { generic: self.args.generic, local_scope: self.args.local_scope }
    }

    fn took(&mut self, step: &'static str, took: Duration) {
        match self.timings.iter_mut().find(|row| row.0 == step) {
            Some(row) => row.1 += took,
            None => self.timings.push((step, took)),
        }
    }

    fn dump(&mut self, title: &str, text: &str) {
        let _ = writeln!(self.err, "// -----// IR Dump {title} //----- //\n{text}");
    }

    fn in_front(&mut self, pass: &'static str, ir: &Ir) {
        if self.args.before_all || self.args.after_change {
            let text = raddle_ir::print(ir, &self.options());
            if self.args.before_all {
                self.dump(&format!("Before {pass}"), &text);
            }
            self.before = Some(text);
        }
    }

    fn behind(&mut self, pass: &'static str, took: Duration, ir: &Ir) {
        self.took(pass, took);
        if self.args.after_all || self.args.after_change {
            let text = raddle_ir::print(ir, &self.options());
            let changed = self.before.take().is_none_or(|before| before != text);
            if self.args.after_all || changed {
                self.dump(&format!("After {pass}"), &text);
            }
        }
    }

    fn failed(&mut self, pass: &'static str, ir: &Ir) {
        if self.args.after_failure || self.args.after_all {
            let text = raddle_ir::print(ir, &self.options());
            self.dump(&format!("After {pass} Failed"), &text);
        }
    }

    fn print_timings(&mut self) {
        let total: Duration = self.timings.iter().map(|row| row.1).sum();
        self.err.push_str("  time (ms)      %  pass\n");
        for (name, took) in self.timings.iter().copied().chain([("total", total)]) {
            let percent = 100.0 * took.as_secs_f64() / total.as_secs_f64().max(1e-12);
            let _ = writeln!(self.err, "{:11.3}  {percent:5.1}  {name}", took.as_secs_f64() * 1e3);
        }
    }
}

fn transform(text: &str, facts: &Facts, plan: &Plan, log: &mut Log<'_>) -> Result<String, Vec<Diag>> {
    let start = Instant::now();
    let options = ParseOptions { allow_unregistered: log.args.allow_unregistered_dialect };
    let mut ir = raddle_ir::text::parse_with(text, options)?;
    let diags = raddle_ir::verify(&ir);
    if !diags.is_empty() {
        return Err(diags);
    }
    log.took("parse", start.elapsed());
    match plan {
        Plan::To(stage) => {
            for func in street::functions(&ir) {
                let mut start = Instant::now();
                let behind = |pass: &'static Pass, ir: &Ir| {
                    log.behind(pass.name, start.elapsed(), ir);
                    start = Instant::now();
                };
                street::advance(&mut ir, func, facts, *stage, behind).map_err(|diag| vec![diag])?;
            }
        }
        Plan::Steps(steps) => {
            let module = ir.module();
            run(&mut ir, pipeline::unwrap(steps), &[module], facts, log)?;
        }
    }
    Ok(raddle_ir::print(&ir, &log.options()))
}

/// Runs steps on operations, one step after the other; an error in one function does not hide those in others.
fn run(ir: &mut Ir, steps: &[Step], ops: &[OpId], facts: &Facts, log: &mut Log<'_>) -> Result<(), Vec<Diag>> {
    for step in steps {
        // A pass may have removed what it found empty.
        let ops = ops.iter().copied().filter(|&op| op == ir.module() || ir.parent_block(op).is_some());
        let ops: Vec<OpId> = ops.collect();
        match step {
            Step::Pass(pass, options) => run_pass(ir, pass, options, &ops, facts, log)?,
            Step::Nest(anchor, steps) => {
                let inner: Vec<OpId> = ops.iter().flat_map(|&op| pipeline::nested(ir, op, anchor)).collect();
                run(ir, steps, &inner, facts, log)?;
            }
        }
    }
    Ok(())
}

fn run_pass(
    ir: &mut Ir,
    pass: &'static Pass,
    options: &Options,
    ops: &[OpId],
    facts: &Facts,
    log: &mut Log<'_>,
) -> Result<(), Vec<Diag>> {
    let mut diags = Vec::new();
    for &op in ops {
        for target in pipeline::scope(ir, pass, op).map_err(|diag| vec![diag])? {
            log.in_front(pass.name, ir);
            let start = Instant::now();
            match pass.apply(ir, target, facts, options) {
                Ok(()) => log.behind(pass.name, start.elapsed(), ir),
                Err(diag) => {
                    log.failed(pass.name, ir);
                    diags.push(diag);
                }
            }
        }
    }
    if diags.is_empty() {
        diags.extend(street::verify_behind(ir, pass).err());
    }
    if diags.is_empty() { Ok(()) } else { Err(diags) }
}

/// The parts of a text between `// -----` lines, each with the number of its first line.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut part, mut first_line, mut line, mut at) = (0, 1, 1, 0);
    for row in text.split_inclusive('\n') {
        at += row.len();
        line += 1;
        if row.trim_end() == "// -----" {
            parts.push((first_line, &text[part..at - row.len()]));
            (part, first_line) = (at, line);
        }
    }
    parts.push((first_line, &text[part..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_first_line() {
        assert_eq!(split("a\nb\n// -----\nc"), [(1, "a\nb\n"), (4, "c")]);
        assert_eq!(split(""), [(1, "")]);
    }
}
