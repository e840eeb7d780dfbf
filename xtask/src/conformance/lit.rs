//! RUN lines of lit tests, on one case: the programs of a line run one behind the other, the last one is `FileCheck`.
//!
//! A program that says yes to everything must not pass. So a case whose line compares diagnostics is run once more with
//! every expected text spoiled, and a case that only has to be read, once more with a line that is not MLIR; both must
//! then fail. A line that has nothing to check in the case says nothing about it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the programs of RUN lines are here.
pub struct Tools {
    /// The binary that stands for `iree-opt` and `mlir-opt`, as `raddle opt`.
    pub raddle: PathBuf,
    /// `FileCheck`, of LLVM.
    pub file_check: PathBuf,
    /// A folder for cases and what programs print.
    pub scratch: PathBuf,
}

/// What the RUN lines of a file say about a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every line holds, and one of them checks something.
    Pass,
    /// No line checks anything.
    Unchecked,
    /// A line does not hold: the line, and the first words about it.
    Fail(String),
}

/// The RUN lines of a test file; a line that ends in a backslash goes on in the next one.
pub fn run_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((_, line)) = line.split_once("RUN:") else { continue };
        let (line, goes_on) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line.trim_end(), false),
        };
        match lines.last_mut().filter(|_| open) {
            Some(last) => *last = format!("{} {}", last.trim_end(), line.trim_start()),
            None => lines.push(line.trim_start().to_owned()),
        }
        open = goes_on;
    }
    lines
}

/// Runs each line on a case.
pub fn verdict(tools: &Tools, lines: &[String], case: &str) -> Verdict {
    let mut verdict = Verdict::Unchecked;
    for line in lines {
        match line_verdict(tools, line, case) {
            Verdict::Pass => verdict = Verdict::Pass,
            Verdict::Unchecked => {}
            Verdict::Fail(why) => return Verdict::Fail(format!("{line}\n    {why}")),
        }
    }
    verdict
}

fn line_verdict(tools: &Tools, line: &str, case: &str) -> Verdict {
    let good = match run(tools, line, case) {
        Ok(good) => good,
        Err(why) => return Verdict::Fail(why),
    };
    let spoiled = if line.contains("verify-diagnostics") && case.contains("expected-") {
        case.replace("{{", "{{@@ no such words @@")
    } else if !line.contains("FileCheck") {
        format!("{case}\n)( this is not MLIR )(\n")
    } else {
        return if good == Ran::Unchecked { Verdict::Unchecked } else { Verdict::Pass };
    };
    match run(tools, line, &spoiled) {
        Ok(_) => Verdict::Fail("a spoiled case passes as well".to_owned()),
        Err(_) => Verdict::Pass,
    }
}

#[derive(PartialEq)]
enum Ran {
    Checked,
    /// `FileCheck` found nothing to look for in this case.
    Unchecked,
}

/// Runs the programs of a line, each reading what the one in front of it printed.
fn run(tools: &Tools, line: &str, case: &str) -> Result<Ran, String> {
    let fault = |what: &str, error: std::io::Error| format!("{what}: {error}");
    let file = tools.scratch.join("case.mlir");
    fs::write(&file, case).map_err(|error| fault("cannot write the case", error))?;
    let mut input: Option<PathBuf> = None;
    for (at, words) in commands(line).into_iter().enumerate() {
        let Some((program, arguments)) = words.split_first() else { return Err("an empty command".to_owned()) };
        let mut command = match program.as_str() {
            "iree-opt" | "mlir-opt" => Command::new(&tools.raddle),
            "FileCheck" => Command::new(&tools.file_check),
            other => return Err(format!("the program `{other}` is not known here")),
        };
        let checks = program == "FileCheck";
        command.arg(if checks { "--allow-unused-prefixes" } else { "opt" });
        command.args(arguments.iter().map(|word| word.replace("%s", &file.to_string_lossy())));
        let output = tools.scratch.join(format!("out{at}"));
        let create = |path: &Path| File::create(path).map_err(|error| fault("cannot write", error));
        command.stdin(match &input {
            Some(path) => Stdio::from(File::open(path).map_err(|error| fault("cannot read", error))?),
            None => Stdio::null(),
        });
        command.stdout(create(&output)?);
        let result = command.stderr(Stdio::piped()).output().map_err(|error| fault(program, error))?;
        if !result.status.success() {
            let words = String::from_utf8_lossy(&result.stderr);
            if checks && words.contains("no check strings found") {
                return Ok(Ran::Unchecked);
            }
            let first = words.lines().find(|line| line.contains("error")).or(words.lines().next());
            let first = first.unwrap_or("fails without a word");
            return Err(first.replace(&*tools.scratch.to_string_lossy(), "").trim().to_owned());
        }
        input = Some(output);
    }
    Ok(Ran::Checked)
}

/// The commands of a line and their words: `|` parts commands, spaces part words, quotes hold a word together.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let (mut word, mut has_word, mut quote) = (String::new(), false, None);
    for c in line.chars().chain([' ']) {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.push(c),
            ('\'' | '"', None) => (quote, has_word) = (Some(c), true),
            (c, None) if c == '|' || c.is_whitespace() => {
                if has_word && let Some(command) = commands.last_mut() {
                    command.push(std::mem::take(&mut word));
                }
                has_word = false;
                if c == '|' {
                    commands.push(Vec::new());
                }
            }
            (c, None) => {
                word.push(c);
                has_word = true;
            }
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_taken_apart() {
        let text = "// RUN: iree-opt %s --a='b c' \\\n// RUN:   | FileCheck %s\n//RUN: iree-opt \"%s\"\n";
        let lines = run_lines(text);
        assert_eq!(lines, ["iree-opt %s --a='b c' | FileCheck %s", "iree-opt \"%s\""]);
        assert_eq!(commands(&lines[0]), [vec!["iree-opt", "%s", "--a=b c"], vec!["FileCheck", "%s"]]);
        assert_eq!(commands(&lines[1]), [["iree-opt", "%s"]]);
    }
}
