//! `raddle explain`: what a diagnostic means.

use raddle::{Report, street};
use raddle_ir::Code;
use serde_json::{Value, json};

use self::examples::{Attempt, Example};
use super::{Answer, Outcome};

mod examples;

/// Flags of `raddle explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The number of a diagnostic, as in E0101; without one, all of them are listed
    code: Option<String>,
    /// Print what is known of each code as JSON: number, title, explanation, and the examples with their commands
    #[arg(long)]
    json: bool,
}

/// Prints the title and the explanation of a code, or the list.
pub fn explain(args: &Args) -> Outcome {
    let Some(word) = &args.code else {
        if args.json {
            let all: Vec<Value> = Code::ALL.iter().map(|&code| to_json(code)).collect();
            return Ok(Answer::json(&all.into(), 0));
        }
        let lines: Vec<String> = Code::ALL.iter().map(|code| format!("{code}  {}\n", code.title())).collect();
        return Ok(Answer::good(lines.concat()));
    };
    let code = Code::ALL.iter().find(|code| code.number().eq_ignore_ascii_case(word)).ok_or_else(|| {
        Report::nowhere(street::unknown("diagnostic", word, Code::ALL.iter().map(|code| code.number())))
    })?;
    if args.json {
        return Ok(Answer::json(&to_json(*code), 0));
    }
    let examples = examples::of(*code).map(shown).unwrap_or_default();
    Ok(Answer::good(format!("{code}: {}\n\n{}\n{examples}", code.title(), code.explanation())))
}

fn shown(example: &Example) -> String {
    let attempt = |title: &str, attempt: &Attempt| {
        let lines: String = attempt.text.lines().map(|line| format!("    {line}\n")).collect();
        let gap = if lines.is_empty() { "" } else { "\n" };
        format!("\n{title}\n\n    $ raddle {}\n{gap}{lines}", attempt.command)
    };
    attempt("It is given here:", &example.fails) + &attempt("And not here:", &example.works)
}

fn to_json(code: Code) -> Value {
    let attempt = |attempt: &Attempt| json!({ "command": attempt.command, "stdin": attempt.text });
    let example = examples::of(code);
    json!({
        "code": code.number(),
        "title": code.title(),
        "explanation": code.explanation(),
        "fails": example.map(|example| attempt(&example.fails)),
        "works": example.map(|example| attempt(&example.works)),
    })
}
