//! Verbs, flags, and what becomes of an answer. Each verb is a function from its flags to an [`Answer`].

mod assemble;
mod bench;
mod build;
mod check;
mod devices;
mod exec;
mod explain;
pub mod files;
mod foreign;
mod layout;
mod opt;
mod ptxas;
mod run;
mod targets;

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ContextKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use raddle::Report;
use raddle_ir::{Code, Diag, Severity};
use raddle_passes::F32Products;
use serde_json::{Value, json};

#[cfg(test)]
pub use self::opt::MARKER;

/// What the process leaves behind.
#[derive(Default)]
pub struct Answer {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
    /// Exit status: 0 good, 1 the program is wrong, 2 the command is wrong or asks for what is not there, 3 a limit was
    /// hit.
    pub status: u8,
}

impl Answer {
    /// Success, with this on standard output.
    fn good(out: impl Into<Vec<u8>>) -> Answer {
        Answer { out: out.into(), ..Answer::default() }
    }

    /// JSON on standard output.
    fn json(value: &Value, status: u8) -> Answer {
        Answer { out: format!("{value}\n").into_bytes(), err: String::new(), status }
    }

    /// Diagnostics, as the last word.
    fn failure(report: &Report, color: bool, as_json: bool) -> Answer {
        let status = status(&report.diags);
        if as_json {
            return Answer::json(&json!({ "ok": false, "diagnostics": report.json() }), status);
        }
        Answer { err: format!("{}\n", report.render(color)), status, ..Answer::default() }
    }
}

/// Reads what products of f32 become.
fn f32_products() -> impl TypedValueParser<Value = F32Products> {
    let words = F32Products::ALL.map(|(word, _)| word);
    let of = |word: String| F32Products::ALL.into_iter().find(|row| row.0 == word).map(|row| row.1);
    PossibleValuesParser::new(words).map(move |word| of(word).expect("it is one of them"))
}

/// The exit status that diagnostics call for: the highest that one of them asks for.
pub fn status(diags: &[Diag]) -> u8 {
    let errors = diags.iter().filter(|diag| diag.severity == Severity::Error);
    let status = |diag: &Diag| match diag.code {
        Code::BadInput | Code::BadFile | Code::UnknownName | Code::NothingToDo => 2,
        Code::NoDevice | Code::NoLlvm | Code::NoPtxas => 2,
        Code::TooDeep | Code::UnrollsTooFar | Code::LimitHit | Code::TooLarge => 3,
        Code::BrokenPass => 101,
        _ => 1,
    };
    errors.map(status).max().unwrap_or(0)
}

/// How diagnostics are written where the standard output is for what a command makes.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Diagnostics {
    /// With the marked source lines
    #[default]
    Text,
    /// One JSON object in each line
    Json,
}

impl Diagnostics {
    /// Diagnostics for standard error.
    fn render(self, report: &Report, color: bool) -> String {
        match self {
            Diagnostics::Text => report.render(color) + "\n",
            Diagnostics::Json => report.json().iter().map(|diag| format!("{diag}\n")).collect(),
        }
    }

    /// Diagnostics, as the last word.
    fn failure(self, report: &Report, color: bool) -> Answer {
        Answer { err: self.render(report, color), status: status(&report.diags), ..Answer::default() }
    }
}

/// Every verb either answers or reports.
type Outcome = Result<Answer, Report>;

const AFTER_HELP: &str = "\
Exit status: 0 good, 1 the program is wrong (diagnostic, mismatch), 2 the command is wrong or asks
for what is not there (a file, a device, an assembler), 3 a limit was hit, 101 a bug in raddle.";

/// A layout-aware vector compiler for GPUs: MLIR text in, checked results and PTX out
#[derive(Parser)]
#[command(name = "raddle", version, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Parse and verify
    Check(check::Args),
    /// Draw who owns what
    #[command(subcommand)]
    Layout(layout::Verb),
    /// Run passes and print IR
    Opt(opt::Args),
    /// Compile to target code
    Build(build::Args),
    /// Compile, execute, compare with a reference
    Run(run::Args),
    /// Time a program on a device, with one configuration or several
    Bench(bench::Args),
    /// Execute a kernel of a PTX text
    Exec(exec::Args),
    /// List the devices of this machine
    Devices(devices::Args),
    /// List chips and their matrix instructions
    Targets(targets::Args),
    /// Say what a diagnostic means
    Explain(explain::Args),
}

/// Answers a command line.
pub fn answer(args: impl IntoIterator<Item = OsString>, color: bool) -> Answer {
    raddle_dialects::load();
    // Each pass is also a flag of `opt`; they come from the table of passes.
    let command = Cli::command().mut_subcommand("opt", opt::flags::with_passes);
    let args: Vec<OsString> = args.into_iter().collect();
    // Also where the other arguments cannot be understood.
    let as_json = args.iter().any(|arg| arg == "--json");
    let args = match foreign::with_flag_files(args) {
        Ok(args) => opt::flags::with_two_dashes(&command, args),
        Err(report) => return Answer::failure(&report, color, as_json),
    };
    let verb = args.get(1).and_then(|verb| verb.to_str()).map(str::to_owned);
    let parsed = command.try_get_matches_from(args).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage(error, verb.as_deref(), color, as_json),
    };
    let (outcome, as_json) = match cli.verb {
        Verb::Check(args) => (check::check(&args, color), args.json),
        Verb::Layout(verb) => (layout::layout(&verb), verb.json()),
        Verb::Opt(args) => {
            let flags = matches.subcommand_matches("opt").map_or_else(|| Ok(Vec::new()), opt::flags::steps);
            (opt::opt(&args, flags, color), false)
        }
        Verb::Build(args) => (build::build(&args, color), false),
        Verb::Run(args) => (run::run(&args), args.json),
        Verb::Bench(args) => (bench::bench(&args), args.json),
        Verb::Exec(args) => (exec::exec(&args), args.json),
        Verb::Devices(args) => (devices::devices(&args), args.json),
        Verb::Targets(args) => (targets::targets(&args), args.json),
        Verb::Explain(args) => (explain::explain(&args), args.json),
    };
    outcome.unwrap_or_else(|report| Answer::failure(&report, color, as_json))
}

/// Help goes to standard output; a command that cannot be understood, to standard error with status 2.
fn usage(mut error: clap::Error, verb: Option<&str>, color: bool, as_json: bool) -> Answer {
    if let Some(report) = foreign::explain(&error, verb) {
        return Answer::failure(&report, color, as_json);
    }
    // That an unknown flag could be a value behind `--` is never what was meant.
    error.remove(ContextKind::Suggested);
    let plain = error.render().to_string();
    if !error.use_stderr() {
        return Answer::good(plain);
    }
    if as_json {
        let (message, rest) = plain.split_once("\n\n").unwrap_or((&plain, ""));
        let diag = Diag::nowhere(Code::BadInput, message.trim_start_matches("error: ").trim_end());
        let tip = rest.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        let help = tip.unwrap_or("`--help` says what the command takes");
        return Answer::failure(&Report::nowhere(diag.help(help)), color, true);
    }
    let text = if color { error.render().ansi().to_string() } else { plain };
    Answer { err: text, status: 2, ..Answer::default() }
}
