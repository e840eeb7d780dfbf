//! `raddle layout`: draw layouts, ask them, check them, plan conversions, and count bank conflicts.

mod bits;
mod check;
mod conflicts;
mod convert;
mod list;
mod show;
mod spell;

use raddle::Report;
use raddle_ir::{Code, Diag};
use serde_json::Value;

use super::{Answer, Outcome, files};

/// What can be done with layouts.
#[derive(clap::Subcommand)]
pub enum Verb {
    /// Draw a layout, or the operands of a matrix instruction; or ask who owns what
    Show(show::Args),
    /// List the matrix instructions, all or those that a word names
    List(list::Args),
    /// Plan the cheapest conversion between two layouts of a value
    Convert(convert::Args),
    /// Check that a layout gives each element of a value an owner
    Check(check::Args),
    /// Count bank conflicts and memory segments of an access
    Conflicts(conflicts::Args),
}

impl Verb {
    /// Whether failures are JSON, too.
    pub fn json(&self) -> bool {
        match self {
            Verb::Show(args) => args.json,
            Verb::List(args) => args.json,
            Verb::Convert(args) => args.json,
            Verb::Check(args) => args.json,
            Verb::Conflicts(args) => args.json,
        }
    }
}

/// Answers one of the verbs.
pub fn layout(verb: &Verb) -> Outcome {
    match verb {
        Verb::Show(args) => show::show(args),
        Verb::List(args) => list::list(args),
        Verb::Convert(args) => convert::convert(args),
        Verb::Check(args) => check::check(args),
        Verb::Conflicts(args) => conflicts::conflicts(args),
    }
}

/// Onto standard output, or whole into a file.
fn deliver(path: Option<&str>, bytes: Vec<u8>) -> Outcome {
    match path {
        None | Some("-") => Ok(Answer::good(bytes)),
        Some(path) => {
            files::write(path, &bytes).map_err(Report::nowhere)?;
            Ok(Answer::default())
        }
    }
}

/// The same for JSON.
fn deliver_json(path: Option<&str>, value: &Value) -> Outcome {
    deliver(path, format!("{value}\n").into_bytes())
}

/// The command is wrong.
fn bad(message: impl Into<String>) -> Report {
    Report::nowhere(Diag::nowhere(Code::BadInput, message))
}

/// The layout is wrong.
fn misfit(message: impl Into<String>) -> Report {
    Report::nowhere(Diag::nowhere(Code::LayoutMisfit, message))
}

fn too_large(message: impl Into<String>) -> Report {
    Report::nowhere(Diag::nowhere(Code::TooLarge, message))
}

/// `8 lanes`
fn plural(count: i64, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}
