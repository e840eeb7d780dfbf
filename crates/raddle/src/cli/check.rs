//! `raddle check`: parse and verify.

use raddle::Report;
use serde_json::json;

use super::{Answer, Outcome, files, status};

/// Flags of `raddle check`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print the diagnostics as JSON
    #[arg(long)]
    pub json: bool,
}

/// Checks each file; one bad file does not hide the next.
pub fn check(args: &Args, color: bool) -> Outcome {
    let reports: Vec<Report> = args.files.iter().filter_map(|path| check_file(path).err()).collect();
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

fn check_file(path: &str) -> Result<(), Report> {
    let (name, text) = files::read_text(path)?;
    let diags = raddle_ir::parse(&text).map_or_else(|diags| diags, |ir| raddle_ir::verify::warnings(&ir));
    if diags.is_empty() { Ok(()) } else { Err(Report::new(diags, &name, &text)) }
}
