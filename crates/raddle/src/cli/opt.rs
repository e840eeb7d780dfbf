//! `raddle opt`: run passes and print IR, with the flags of `mlir-opt` and `iree-opt`.
//!
//! The text is cut into parts where that is asked for; each part is read, verified, taken through the passes and
//! printed on its own, and an error in one does not hide those in the others.

use std::fmt::Write;
use std::time::Instant;

use clap::ValueEnum;
use raddle::{Report, pipeline};
use raddle_ir::{Code, Diag, Ir, Opcode, ParseOptions, PrintOptions, Severity};
use raddle_passes::{F32Products, Facts, PASSES};
use raddle_target::Stage;

use self::observe::{Log, Observe};
use self::pass_pipeline::Step;
use self::reproducer::Reproduce;
use super::{Answer, Diagnostics, Outcome, files};

mod drive;
mod expected;
pub mod flags;
mod observe;
mod pass_pipeline;
mod reproducer;

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
    /// Run the pipeline that a reproducer carries
    #[arg(long, conflicts_with_all = ["to", "pass_pipeline"])]
    run_reproducer: bool,
    /// Print the pipeline that is run, on standard error
    #[arg(long)]
    dump_pass_pipeline: bool,
    /// The chip to compile for (`raddle targets` lists them)
    #[arg(long, visible_alias = "iree-gpu-test-target", aliases = ["iree-cuda-target", "iree-hip-target", "iree-rocm-target"], default_value = raddle::DEFAULT_TARGET)]
    target: String,
    /// What products of f32 become, as `build --f32-products` says
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = super::f32_products())]
    f32_products: F32Products,
    /// Where to write; standard output if missing or `-`
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    print: Print,
    #[command(flatten)]
    observe: Observe,
    #[command(flatten)]
    reproduce: Reproduce,
    #[command(flatten)]
    check: Check,
    /// How diagnostics are written on standard error: for people, or one JSON object in each line
    #[arg(long, value_enum, default_value_t)]
    diagnostics: Diagnostics,
    /// Print each decision of the passes and why, on standard error
    #[arg(long)]
    remarks: bool,
    /// Treat the parts between lines that consist of this as files of their own
    #[arg(long, value_name = "LINE", num_args = 0..=1, require_equals = true, default_missing_value = MARKER)]
    split_input_file: Option<String>,
    /// The line between printed parts
    #[arg(long, value_name = "LINE", default_value = MARKER)]
    output_split_marker: String,
    /// Print the names of all passes with what they do, and nothing else
    #[arg(long)]
    list_passes: bool,
    /// Print the names of all dialects, and nothing else
    #[arg(long)]
    show_dialects: bool,
}

/// The line that parts a file.
pub const MARKER: &str = "// -----";

/// How IR is printed.
#[derive(clap::Args)]
struct Print {
    /// Print every operation in MLIR's generic form
    #[arg(long = "mlir-print-op-generic")]
    generic: bool,
    /// Print attributes where they are used, without aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Leave out elements of constants that have more than so many; the text then cannot be read back
    #[arg(long = "mlir-elide-elementsattrs-if-larger", value_name = "COUNT")]
    elide_larger: Option<u64>,
    /// Print constants that have more elements than this as hexadecimal digits of their bytes; -1 for none
    #[arg(long = "mlir-print-elementsattrs-with-hex-if-larger", value_name = "COUNT", allow_negative_numbers = true)]
    hex_larger: Option<i64>,
    /// Leave out what the metadata of the file carries where its text is longer than so many bytes; the text then
    /// cannot be read back
    #[arg(long = "mlir-elide-resource-strings-if-larger", value_name = "COUNT")]
    elide_resources: Option<u64>,
    /// Print where each operation comes from
    #[arg(long = "mlir-print-debuginfo")]
    locations: bool,
    /// Print operations without what is in their regions; the text then cannot be read back
    #[arg(long = "mlir-print-skip-regions")]
    skip_regions: bool,
    /// Number values so that no two in nested or neighbouring regions share a number
    #[arg(long = "mlir-print-unique-ssa-ids")]
    unique_numbers: bool,
    /// Name values after the names of their locations
    #[arg(long = "mlir-use-nameloc-as-prefix")]
    names_from_locations: bool,
    /// Print in comments which operations use each value
    #[arg(long = "mlir-print-value-users")]
    users: bool,
}

/// What is checked on the way.
#[derive(clap::Args)]
struct Check {
    /// Compare diagnostics with the `expected-error` comments of the file, and its like for other kinds
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    verify_diagnostics: Option<Compare>,
    /// Verify the program behind each pass
    #[arg(long, num_args = 0..=1, require_equals = true, default_value = "true", default_missing_value = "true")]
    #[arg(action = clap::ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    verify_each: bool,
    /// Print what was read in both forms, read that again, and fail if the program is another one then
    #[arg(long)]
    verify_roundtrip: bool,
    /// Keep operations that are not in the table, in generic form
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Refuse a file that is not one operation, and print that operation without a module around it
    #[arg(long)]
    no_implicit_module: bool,
}

/// Which diagnostics are compared with comments.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Compare {
    /// Every one
    All,
    /// Those that a comment expects; others do not matter
    OnlyExpected,
}

fn stage_names() -> Vec<&'static str> {
    Stage::ALL.iter().map(|row| row.1).collect()
}

/// What to run.
enum Plan {
    To(Stage),
    Steps(Vec<Step>),
    /// What each part says itself.
    Reproducer,
}

impl Args {
    fn plan(&self, flags: Result<Vec<Step>, Diag>) -> Result<Plan, Diag> {
        match (&self.to, &self.pass_pipeline) {
            (Some(_), Some(_)) => Err(Diag::nowhere(Code::BadInput, "`--to` and `--pass-pipeline` exclude each other")),
            (Some(stage), None) => pipeline::stage(stage).map(Plan::To),
            (None, Some(text)) => pass_pipeline::read(text).map(Plan::Steps),
            (None, None) if self.run_reproducer => Ok(Plan::Reproducer),
            (None, None) => flags.map(Plan::Steps),
        }
    }

    fn options(&self) -> PrintOptions {
        PrintOptions {
            generic: self.print.generic,
            local_scope: self.print.local_scope,
            elide_larger: self.print.elide_larger,
            hex_larger: self.print.hex_larger.map(|count| u64::try_from(count).unwrap_or(u64::MAX)),
            elide_resources: self.print.elide_resources,
            locations: self.print.locations,
            skip_regions: self.print.skip_regions,
            unique_numbers: self.print.unique_numbers,
            names_from_locations: self.print.names_from_locations,
            users: self.print.users,
        }
    }

    fn render(&self, report: &Report, color: bool) -> String {
        self.diagnostics.render(report, color)
    }
}

/// Runs the passes on each function of each part of the file, and prints the result.
pub fn opt(args: &Args, flags: Result<Vec<Step>, Diag>, color: bool) -> Outcome {
    // A file that cannot be read or written is said as everything else is.
    transform_file(args, flags, color).or_else(|report| Ok(args.diagnostics.failure(&report, color)))
}

fn transform_file(args: &Args, flags: Result<Vec<Step>, Diag>, color: bool) -> Outcome {
    if args.list_passes {
        return Ok(Answer::good(list_passes()));
    }
    if args.show_dialects {
        return Ok(Answer::good(show_dialects()));
    }
    let chip = pipeline::chip(arch(&args.target)).map_err(Report::nowhere)?;
    let plan = args.plan(flags).map_err(Report::nowhere)?;
    let (name, text) = files::read_program(&args.file)?;
    let parts = match &args.split_input_file {
        Some(marker) => split(&text, marker),
        None => vec![(1, text.as_str())],
    };
    let mut log = Log::new(&args.observe, args.options());
    if args.dump_pass_pipeline
        && let Plan::Steps(steps) = &plan
    {
        let _ = writeln!(log.err, "builtin.module({})", pass_pipeline::print(pass_pipeline::unwrap(steps)));
    }
    let (mut printed, mut status) = (Vec::new(), 0);
    for (first_line, part) in parts {
        let facts = Facts::new(chip).with_f32_products(args.f32_products);
        let result = transform((&name, part), args, &facts, &plan, &mut log);
        // What a pass was run to say is always said.
        let mut remarks = facts.remarks.into_inner();
        let always = |said: &Diag| {
            said.severity == Severity::Warning || matches!(said.code, Code::LayoutReport | Code::ScriptSays)
        };
        remarks.retain(|remark| args.remarks || always(remark));
        if let Some(compare) = args.check.verify_diagnostics {
            let errors = result.as_ref().err().into_iter().flatten().cloned();
            let found: Vec<Diag> = remarks.into_iter().chain(errors).collect();
            let mismatches = expected::mismatches(part, &found, compare == Compare::All);
            for (line, message) in &mismatches {
                let _ = writeln!(log.err, "{name}:{}: error: {message}", first_line + line - 1);
            }
            status = status.max(u8::from(!mismatches.is_empty()));
            printed.push(result.unwrap_or_default());
            continue;
        }
        if !remarks.is_empty() {
            let report = Report { first_line, ..Report::new(remarks, &name, part) };
            log.err.push_str(&args.render(&report, color));
        }
        match result {
            Ok(text) => printed.push(text),
            Err(diags) => {
                // The other parts are still worth seeing, each in its place.
                printed.push(String::new());
                let report = Report { first_line, ..Report::new(diags, &name, part) };
                status = super::status(&report.diags).max(status);
                log.err.push_str(&args.render(&report, color));
            }
        }
    }
    log.finish().map_err(Report::nowhere)?;
    let out = printed.join(&format!("{}\n", args.output_split_marker));
    match args.output.as_deref() {
        None | Some("-") => Ok(Answer { out: out.into_bytes(), err: log.err, status }),
        Some(_) if status != 0 => Ok(Answer { out: Vec::new(), err: log.err, status }),
        Some(path) => {
            files::write(path, out.as_bytes()).map_err(Report::nowhere)?;
            Ok(Answer { out: Vec::new(), err: log.err, status })
        }
    }
}

/// `gfx942@rev,wave64`, as IREE writes a target with features: the chip alone.
fn arch(target: &str) -> &str {
    target.split('@').next().unwrap_or(target)
}

fn transform(
    (name, text): (&str, &str),
    args: &Args,
    facts: &Facts,
    plan: &Plan,
    log: &mut Log<'_>,
) -> Result<String, Vec<Diag>> {
    let start = Instant::now();
    let options = ParseOptions { allow_unregistered: args.check.allow_unregistered_dialect };
    let mut ir = raddle_ir::text::parse_with(text, options)?;
    let diags = raddle_ir::verify(&ir);
    if !diags.is_empty() {
        return Err(diags);
    }
    facts.remarks.borrow_mut().extend(raddle_ir::verify::warnings(&ir));
    if args.print.locations {
        raddle_ir::text::locate(&mut ir, name, text);
    }
    log.took("Parser", start.elapsed());
    if args.check.no_implicit_module {
        lone_op(&ir).map_err(|diag| vec![diag])?;
    }
    if args.check.verify_roundtrip {
        round_trip(&ir, options).map_err(|diag| vec![diag])?;
    }
    match plan {
        // A part between two marks may be a comment.
        Plan::To(_) if args.split_input_file.is_some() && ir.ops_of(ir.module_block()).is_empty() => {}
        Plan::To(stage) => drive::advance(&mut ir, *stage, facts, log)?,
        Plan::Steps(steps) => drive::run(&mut ir, steps, facts, args, log)?,
        Plan::Reproducer => {
            let steps = reproducer::take_pipeline(&mut ir).map_err(|diag| vec![diag])?;
            drive::run(&mut ir, &steps, facts, args, log)?;
        }
    }
    let start = Instant::now();
    let printed = match lone_op(&ir) {
        Ok(op) if args.check.no_implicit_module => raddle_ir::text::print_one(&ir, op, &log.options),
        _ => raddle_ir::print(&ir, &log.options),
    };
    log.took("Output", start.elapsed());
    Ok(printed)
}

/// The only operation of a file: its module, if it spells one.
fn lone_op(ir: &Ir) -> Result<raddle_ir::OpId, Diag> {
    let module = ir.module();
    if ir.span(module) != raddle_ir::Span::default() {
        return Ok(module);
    }
    match ir.ops_of(ir.module_block())[..] {
        [only] => Ok(only),
        ref ops => {
            let message = format!("the file has {} operations at its top level, not one", ops.len());
            Err(Diag::nowhere(Code::BadInput, message)
                .help("drop --no-implicit-module, and a module is put around them"))
        }
    }
}

/// Whether both forms of the text are read back as the same program.
fn round_trip(ir: &Ir, options: ParseOptions) -> Result<(), Diag> {
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let expected = raddle_ir::print(ir, &generic);
    for form in [PrintOptions::default(), generic.clone()] {
        let text = raddle_ir::print(ir, &form);
        let which = if form.generic { "generic" } else { "custom" };
        let failed = |why: String| {
            let message = format!("the {which} form of the program is not read back as the same program");
            Err(Diag::nowhere(Code::BrokenPass, message).note(why))
        };
        match raddle_ir::text::parse_with(&text, options) {
            Err(diags) => return failed(diags.first().map(ToString::to_string).unwrap_or_default()),
            Ok(again) => {
                let found = raddle_ir::print(&again, &generic);
                let differs = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
                if let Some((a, b)) = differs {
                    return failed(format!("`{}` became `{}`", a.trim(), b.trim()));
                }
                if expected != found {
                    return failed("one text is longer than the other".to_owned());
                }
            }
        }
    }
    Ok(())
}

/// The parts of a text between lines with the marker, each with the number of its first line.
///
/// As in `mlir-opt`, the marker may stand anywhere in its line; what stands in front of it belongs to the part before.
pub fn split<'a>(text: &'a str, marker: &str) -> Vec<(usize, &'a str)> {
    let mut parts = Vec::new();
    let (mut part, mut first_line, mut line, mut at) = (0, 1, 1, 0);
    for row in text.split_inclusive('\n') {
        line += 1;
        if let Some(column) = row.find(marker).filter(|_| !marker.is_empty()) {
            parts.push((first_line, &text[part..at + column]));
            (part, first_line) = (at + row.len(), line);
        }
        at += row.len();
    }
    parts.push((first_line, &text[part..]));
    parts
}

fn list_passes() -> String {
    let mut out = String::new();
    for pass in PASSES {
        let _ = writeln!(out, "{}: {}", pass.name, pass.sentence);
        for alias in pass.aliases {
            let _ = writeln!(out, "    also {alias}");
        }
        for option in pass.options {
            let _ = writeln!(out, "    {{{}}}: {}", option.name, option.sentence);
        }
    }
    out
}

fn show_dialects() -> String {
    let names = Opcode::all().filter_map(|opcode| opcode.name().split_once('.'));
    let names: std::collections::BTreeSet<&str> = names.map(|(dialect, _)| dialect).collect();
    names.into_iter().map(|name| format!("{name}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_first_line() {
        assert_eq!(split("a\nb\n// -----\nc", MARKER), [(1, "a\nb\n"), (4, "c")]);
        assert_eq!(split("a\n//+\nc", "//+"), [(1, "a\n"), (3, "c")]);
        assert_eq!(split("a // ----- the next\nc", MARKER), [(1, "a "), (2, "c")]);
        assert_eq!(split("a\nb", ""), [(1, "a\nb")]);
        assert_eq!(split("", MARKER), [(1, "")]);
    }
}
