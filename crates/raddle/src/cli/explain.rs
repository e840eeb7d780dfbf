//! `raddle explain`: what a diagnostic means, and what the op table says of an operation.

use raddle::{Report, pipeline};
use raddle_ir::ops::{Division, Neutral, Trait};
use raddle_ir::{Code, Opcode};
use serde_json::{Value, json};

use self::examples::{Attempt, Example};
use super::{Answer, Outcome};

mod examples;

/// Flags of `raddle explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The number of a diagnostic, as in E0101 or 101, or an operation, as in arith.addf; without one, all diagnostics
    /// are listed
    #[arg(value_name = "CODE|OPERATION")]
    code: Option<String>,
    /// Print JSON: of a code the number, title, explanation and examples with their commands, of an operation its row
    #[arg(long)]
    pub json: bool,
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
    if word.contains('.') {
        return operation(word, args.json);
    }
    // The letter and the zeros in front may be left out.
    let digits = word.trim_start_matches(['E', 'e']);
    let number =
        if digits.bytes().all(|digit| digit.is_ascii_digit()) { format!("E{digits:0>4}") } else { word.clone() };
    let code = Code::ALL.iter().find(|code| code.number().eq_ignore_ascii_case(&number)).ok_or_else(|| {
        let diag = pipeline::unknown("diagnostic", word, Code::ALL.iter().map(|code| code.number()));
        let help = "a diagnostic is named as `E0401`, and an operation with its dialect, as `arith.addf`";
        Report::nowhere(if diag.help.is_some() { diag } else { diag.help(help) })
    })?;
    if args.json {
        return Ok(Answer::json(&to_json(*code), 0));
    }
    let examples = examples::of(*code).map(shown).unwrap_or_default();
    Ok(Answer::good(format!("{code}: {}\n\n{}\n{examples}", code.title(), code.explanation())))
}

/// The row of an operation.
fn operation(name: &str, as_json: bool) -> Outcome {
    let opcode = Opcode::from_name(name)
        .ok_or_else(|| Report::nowhere(pipeline::unknown("operation", name, Opcode::all().map(Opcode::name))))?;
    let row = opcode.info();
    let (form, class) = (&row.form, format!("{:?}", row.class).to_lowercase());
    let speculated = row.may_be_speculated().then(|| "may be speculated".to_owned());
    let traits: Vec<String> = row.traits.iter().map(described).chain(speculated).collect();
    if as_json {
        let value = json!({
            "operation": row.name,
            "doc": row.doc(),
            "class": class,
            "traits": traits,
            "signature": form.signature,
            "attributes": form.attrs,
            "assembly": form.format,
        });
        return Ok(Answer::json(&value, 0));
    }
    let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
    let rows = [
        ("class", class),
        ("traits", or(&traits.join(", "), "none")),
        ("signature", form.signature.to_owned()),
        ("attributes", or(form.attrs, "none of its own")),
        ("assembly", or(form.format, "written by hand, in `raddle-ir/src/text/custom`")),
    ];
    let rows: String = rows.iter().map(|(what, text)| format!("  {what:11} {text}\n")).collect();
    let doc = or(row.doc(), "Read, checked and printed, not compiled.");
    Ok(Answer::good(format!("{}\n\n{doc}\n\n{rows}", row.name)))
}

/// One trait in words.
fn described(of: &Trait) -> String {
    match of {
        Trait::Pure => "pure".to_owned(),
        Trait::Commutative => "commutative".to_owned(),
        Trait::Combines(kind, neutral) => {
            let neutral = match neutral {
                Neutral::Float(value) => format!("{value:?}"),
                Neutral::Int(value) => value.to_string(),
                Neutral::LeastFloat | Neutral::Least => "the least element".to_owned(),
                Neutral::GreatestFloat | Neutral::Greatest => "the greatest element".to_owned(),
            };
            format!("combines by `{kind}` from {neutral} on")
        }
        Trait::Divides(Division::Signed) => "divides signed integers".to_owned(),
        Trait::Divides(Division::Unsigned) => "divides unsigned integers".to_owned(),
        Trait::Reads(operand) => format!("reads `{operand}`"),
        Trait::Writes(operand) => format!("writes `{operand}`"),
        Trait::Into(operand) => format!("computes its results into `{operand}`"),
        Trait::Allocates => "allocates memory".to_owned(),
        Trait::Waits => "waits for other threads or for copies".to_owned(),
        Trait::Isolated => "sees no values from outside".to_owned(),
        Trait::Symbols => "has names inside".to_owned(),
        Trait::Stops => "nothing comes behind it".to_owned(),
    }
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
