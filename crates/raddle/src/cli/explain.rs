//! `raddle explain`: what a diagnostic means.

use raddle::{Report, street};
use raddle_ir::Code;

use super::{Answer, Outcome};

/// Flags of `raddle explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The number of a diagnostic, as in E0101; without one, all of them are listed
    code: Option<String>,
}

/// Prints the title and the explanation of a code, or the list.
pub fn explain(args: &Args) -> Outcome {
    let Some(word) = &args.code else {
        let lines: Vec<String> = Code::ALL.iter().map(|code| format!("{code}  {}\n", code.title())).collect();
        return Ok(Answer::good(lines.concat()));
    };
    let code = Code::ALL.iter().find(|code| code.number().eq_ignore_ascii_case(word)).ok_or_else(|| {
        Report::nowhere(street::unknown("diagnostic", word, Code::ALL.iter().map(|code| code.number())))
    })?;
    Ok(Answer::good(format!("{code}: {}\n\n{}\n", code.title(), code.explanation())))
}
