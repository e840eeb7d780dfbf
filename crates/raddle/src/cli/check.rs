//! `raddle check`: parse and verify.

use raddle::Report;
use raddle_ir::{Diag, Ir, ParseOptions, verify};
use serde_json::json;

use super::opt::{MARKER, split};
use super::{Answer, Outcome, files, status};

/// Flags of `raddle check`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Treat the parts between lines that consist of this as files of their own
    #[arg(long, value_name = "LINE", num_args = 0..=1, require_equals = true, default_missing_value = MARKER)]
    split_input_file: Option<String>,
    /// Keep operations that are not in the table, in generic form
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Print the diagnostics as JSON
    #[arg(long)]
    pub json: bool,
}

/// Checks each file; one bad file does not hide the next.
pub fn check(args: &Args, color: bool) -> Outcome {
    let reports: Vec<Report> = args.files.iter().flat_map(|path| check_file(path, args)).collect();
    let status = reports.iter().map(|report| status(&report.diags)).max().unwrap_or(0);
    if args.json {
        let diagnostics: Vec<_> = reports.iter().flat_map(Report::json).collect();
        return Ok(Answer::json(&json!({ "ok": status == 0, "diagnostics": diagnostics }), status));
    }
    let shown: Vec<String> = reports.iter().map(|report| report.render(color) + "\n").collect();
    let mut err = shown.join("\n");
    let n_errors: usize = reports.iter().map(|report| report.diags.len()).sum();
    if n_errors > 1 {
        err.push_str(&format!("\n{n_errors} diagnostics\n"));
    }
    Ok(Answer { err, status, ..Answer::default() })
}

/// What is found in each part of a file.
fn check_file(path: &str, args: &Args) -> Vec<Report> {
    let (name, text) = match files::read_program(path) {
        Ok(read) => read,
        Err(report) => return vec![report],
    };
    let parts = match &args.split_input_file {
        Some(marker) => split(&text, marker),
        None => vec![(1, text.as_str())],
    };
    let options = ParseOptions { allow_unregistered: args.allow_unregistered_dialect };
    let reports = parts.into_iter().map(|(first_line, part)| {
        let diags = raddle_ir::text::parse_with(part, options).map_or_else(|diags| diags, |ir| findings(&ir));
        Report { first_line, ..Report::new(diags, &name, part) }
    });
    reports.filter(|report| !report.diags.is_empty()).collect()
}

/// What is wrong with a program that could be read, or else what looks wrong.
fn findings(ir: &Ir) -> Vec<Diag> {
    let errors = verify(ir);
    if errors.is_empty() { [verify::warnings(ir), verify::undefined_sums(ir)].concat() } else { errors }
}
