//! `raddle opt`: run passes and print IR, with the flags of `mlir-opt` and `iree-opt`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use raddle::{Report, street};
use raddle_ir::{Code, Diag, Ir, OpId, Opcode, ParseOptions, PrintOptions};
use raddle_passes::{Facts, PASSES, Pass};
use raddle_target::Stage;

use super::{Answer, Outcome, files};

mod expected;

/// Flags of `raddle opt`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    #[arg(default_value = "-")]
    file: String,
    /// Run all passes up to this stage
    #[arg(long, value_name = "STAGE", value_parser = clap::builder::PossibleValuesParser::new(stage_names()))]
    to: Option<String>,
    /// Run these passes, as in `builtin.module(func.func(a,b))`
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// The chip to compile for (`raddle targets` lists them)
    #[arg(long, default_value = raddle::DEFAULT_TARGET)]
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

/// Adds a flag for each pass, with its aliases.
pub fn with_pass_flags(command: Command) -> Command {
    let flags = PASSES.iter().map(|pass| {
        Arg::new(pass.name)
            .long(pass.name)
            .visible_aliases(pass.aliases.iter().copied())
            .help(pass.sentence)
            .help_heading("Passes, run in the order given")
            .action(ArgAction::SetTrue)
            // A flag that may be repeated has no place of its own in the matches.
            .overrides_with(pass.name)
    });
    let names: Vec<&'static str> = PASSES.iter().map(|pass| pass.name).collect();
    let command = command.args(flags);
    if names.is_empty() {
        return command;
    }
    command.group(ArgGroup::new("passes").args(names).multiple(true).conflicts_with_all(["to", "pass_pipeline"]))
}

/// The passes whose flags were given, in that order.
pub fn pass_flags(matches: &ArgMatches) -> Vec<&'static Pass> {
    let mut found: Vec<(usize, &'static Pass)> = PASSES
        .iter()
        .filter(|pass| matches.get_flag(pass.name))
        .filter_map(|pass| Some((matches.index_of(pass.name)?, pass)))
        .collect();
    found.sort_by_key(|entry| entry.0);
    found.into_iter().map(|entry| entry.1).collect()
}

/// What to run.
enum Plan {
    To(Stage),
    Passes(Vec<&'static Pass>),
}

/// Runs the passes on each function of each part of the file, and prints the result.
pub fn opt(args: &Args, flags: &[&'static Pass], color: bool) -> Outcome {
    let chip = street::chip(&args.target).map_err(Report::nowhere)?;
    let plan = match (&args.to, &args.pass_pipeline) {
        (Some(_), Some(_)) => {
            let diag = Diag::nowhere(Code::BadInput, "`--to` and `--pass-pipeline` exclude each other");
            return Err(Report::nowhere(diag));
        }
        (Some(stage), None) => Plan::To(street::stage(stage).map_err(Report::nowhere)?),
        (None, Some(text)) => Plan::Passes(pipeline(text).map_err(Report::nowhere)?),
        (None, None) => Plan::Passes(flags.to_vec()),
    };
    let (name, text) = files::read_text(&args.file)?;
    let parts = if args.split_input_file { split(&text) } else { vec![(1, text.as_str())] };

    let mut log = Log { args, err: String::new(), timings: Vec::new(), before: None };
    let (mut printed, mut status) = (Vec::new(), 0);
    for (first_line, part) in parts {
        let facts = Facts::new(chip);
        let result = transform(part, &facts, &plan, &mut log);
        let remarks = if args.remarks { facts.remarks.into_inner() } else { Vec::new() };
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
        PrintOptions { generic: self.args.generic, local_scope: self.args.local_scope, ..PrintOptions::default() }
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
    for func in street::functions(&ir) {
        run_plan(&mut ir, func, facts, plan, log).map_err(|diag| vec![diag])?;
    }
    Ok(raddle_ir::print(&ir, &log.options()))
}

fn run_plan(ir: &mut Ir, func: OpId, facts: &Facts, plan: &Plan, log: &mut Log<'_>) -> Result<(), Diag> {
    let mut start = Instant::now();
    match plan {
        Plan::To(stage) => street::advance(ir, func, facts, *stage, |pass, ir| {
            log.behind(pass.name, start.elapsed(), ir);
            start = Instant::now();
        }),
        Plan::Passes(passes) => {
            for pass in passes {
                log.in_front(pass.name, ir);
                let start = Instant::now();
                if let Err(diag) = street::step(ir, func, facts, pass) {
                    log.failed(pass.name, ir);
                    return Err(diag);
                }
                log.behind(pass.name, start.elapsed(), ir);
            }
            Ok(())
        }
    }
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

/// The passes of `builtin.module(func.func(a,b))`, in order; operations that passes nest under may be left out.
fn pipeline(text: &str) -> Result<Vec<&'static Pass>, Diag> {
    let bad = |what: &str| {
        Diag::nowhere(Code::BadInput, format!("`{text}` is not a pass pipeline: {what}"))
            .help("write it as `builtin.module(func.func(first-pass,second-pass))`")
    };
    let mut passes = Vec::new();
    let mut depth = 0usize;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(['(', ')', ',', '{', '}']).unwrap_or(rest.len());
        let name = rest[..end].trim();
        let next = rest[end..].chars().next();
        match next {
            // Passes act on functions, whatever they are nested under.
            Some('(') if name == "any" || Opcode::from_name(name).is_some_and(Opcode::is_isolated) => {
                depth += 1;
            }
            Some('(') => return Err(bad(&format!("nothing nests under `{name}`"))),
            Some('{') => return Err(bad(&format!("`{name}` has no options"))),
            Some('}') => return Err(bad("a brace is closed that was not opened")),
            Some(')') if depth == 0 => return Err(bad("a parenthesis is closed that was not opened")),
            // `a),b`: nothing stands between the parenthesis and the comma.
            _ if name.is_empty() => {}
            _ => passes.push(street::pass(name)?),
        }
        if next == Some(')') {
            depth -= 1;
        }
        rest = rest.get(end + 1..).unwrap_or("").trim_start();
    }
    if depth > 0 { Err(bad("a parenthesis is not closed")) } else { Ok(passes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_first_line() {
        assert_eq!(split("a\nb\n// -----\nc"), [(1, "a\nb\n"), (4, "c")]);
        assert_eq!(split(""), [(1, "")]);
    }

    #[test]
    fn pipelines_are_flat_in_the_end() {
        assert!(pipeline("builtin.module(func.func())").is_ok_and(|passes| passes.is_empty()));
        for bad in ["builtin.module(", "func.func(a))", "x(y)", "func.func(a{b=1})", "}"] {
            assert!(pipeline(bad).is_err(), "{bad}");
        }
    }
}
