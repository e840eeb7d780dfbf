//! The cases of `tests/cases`: MLIR files that say which commands to run on them, and what these print.
//!
//! A file begins with lines such as `// RUN: raddle opt %s --to=tiled`, as a user would type them: `%s` is the file,
//! and `| grep TEXT`, `| grep -v TEXT` and `| grep -c TEXT` behind a command keep, leave out, or count the lines of its
//! standard output that contain the text, or one of several as in `-e ONE -e OTHER`; `| grep -vxFf %s` leaves out those
//! that the program has, too. With `2>&1` in front of it standard error is searched as well. At the end of the file
//! stands for each command what it printed: the command behind `// $`, standard output, standard error, and an exit
//! status that is not 0, all as comments. `RADDLE_BLESS=1 cargo test -p raddle --bin raddle cases` writes that part;
//! what changed is read in the diff.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use crate::cli;
use crate::cli::MARKER;

/// What stands in front of a command in the part that is written.
const COMMAND: &str = "// $ ";

/// Each command prints what its file says. `RADDLE_CASES=TEXT` asks only files whose path contains the text.
#[test]
fn programs_give_what_their_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    // Diagnostics name files relative to the folder, whoever runs the test.
    std::env::set_current_dir(&folder).unwrap();
    let wanted = std::env::var("RADDLE_CASES").unwrap_or_default();
    let mut files = Vec::new();
    find(Path::new("."), &mut files);
    files.retain(|file| file.to_str().unwrap().contains(&wanted));
    files.sort();
    assert!(!files.is_empty(), "no case has a path that contains `{wanted}`");
    let bless = std::env::var_os("RADDLE_BLESS").is_some();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(failure) = check(file, bless) {
                failures.lock().unwrap().push(failure);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            // Deep programs are read on a stack as large as that of a main thread.
            thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} of {} cases fail:\n\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            files.push(path.strip_prefix(".").unwrap().to_owned());
        }
    }
}

/// Runs the commands of a file; what is wrong with what it says.
fn check(file: &Path, bless: bool) -> Option<String> {
    let name = file.to_str().unwrap();
    let text = fs::read_to_string(file).unwrap();
    let program = &text[..text.find(&format!("\n{COMMAND}")).map_or(text.len(), |at| at + 1)];
    let commands: Vec<&str> = program.lines().filter_map(|line| line.strip_prefix("// RUN: ")).collect();
    if commands.is_empty() {
        return Some(format!("{name}: no line begins with `// RUN: `\n"));
    }
    let mut new = format!("{}\n", program.trim_end());
    for command in commands {
        match run(command, name, program) {
            Ok(said) => {
                let _ = write!(new, "\n{COMMAND}{command}\n{said}");
            }
            Err(why) => return Some(format!("{name}: `{command}`: {why}\n")),
        }
    }
    if new == text {
        return None;
    }
    if bless {
        fs::write(file, new).unwrap();
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut message = format!("{name}:{}: something else is printed\n", same + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        for line in lines.iter().skip(same).take(12) {
            let _ = writeln!(message, "{sign}{line}");
        }
    }
    Some(message)
}

/// What a command prints, as comments.
fn run(command: &str, file: &str, program: &str) -> Result<String, String> {
    let mut stages = command.split(" | ");
    let command = stages.next().unwrap_or_default();
    let (command, together) = command.strip_suffix(" 2>&1").map_or((command, false), |command| (command, true));
    let words: Vec<OsString> = command.split_whitespace().map(|word| word.replace("%s", file).into()).collect();
    if words.first().is_none_or(|word| word != "raddle") {
        return Err("a command begins with `raddle`".to_owned());
    }
    let mut answer = cli::answer(words, false);
    let mut out = String::from_utf8(answer.out).map_err(|error| error.to_string())?;
    if together {
        out += &std::mem::take(&mut answer.err);
    }
    for stage in stages {
        out = grep(stage, &out, program)?;
    }
    let mut said = String::new();
    for line in out.lines().chain(answer.err.lines()) {
        // A line that parts files must not part this one.
        let line = if line == MARKER { "" } else { line };
        let _ = writeln!(said, "{}", format!("// {line}").trim_end());
    }
    if answer.status != 0 {
        let _ = writeln!(said, "// [exit status {}]", answer.status);
    }
    Ok(said)
}

/// The lines that `grep` keeps, or how many there are.
fn grep(stage: &str, text: &str, program: &str) -> Result<String, String> {
    let Some(rest) = stage.strip_prefix("grep ") else {
        return Err(format!("`{stage}` is not `grep`"));
    };
    let (flag, rest) = rest.split_once(' ').filter(|(flag, _)| flag.starts_with('-')).unwrap_or(("", rest));
    let patterns: Vec<&str> = rest.split(" -e ").map(|pattern| pattern.trim_matches('\'')).collect();
    let matches = |line: &&str| patterns.iter().any(|pattern| line.contains(pattern));
    let lines: Vec<&str> = match flag {
        "" | "-e" | "-c" => text.lines().filter(matches).collect(),
        "-v" => text.lines().filter(|line| !matches(line)).collect(),
        "-vxFf" => text.lines().filter(|line| !program.lines().any(|other| other == *line)).collect(),
        _ => return Err(format!("`{flag}` is not a flag of `grep` here")),
    };
    Ok(if flag == "-c" { lines.len().to_string() } else { lines.join("\n") })
}
