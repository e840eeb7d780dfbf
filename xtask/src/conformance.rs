//! `cargo xtask conformance --iree CHECKOUT [--iree-opt PROGRAM]`: IREE's test files, case by case.
//!
//! The cases are pieces of lit tests of a pinned commit, named in `conformance.txt`; the texts are read from a checkout
//! that lies outside the project. A case that carries `expected-error` comments must fail as they say; any other case
//! must be read and verified, and its generic form must be what `iree-opt` prints, where that program is given and
//! reads the case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const CASES: &str = include_str!("conformance.txt");

/// What a group letter stands for.
const GROUPS: [(&str, &str); 9] = [
    ("A", "dialects"),
    ("B", "layout analysis"),
    ("C", "distribution"),
    ("D", "configuration and tiling"),
    ("E", "strategy selection"),
    ("F", "pipelines"),
    ("G", "matrix passes"),
    ("H", "inner tiles"),
    ("I", "vector lowering"),
];

#[derive(Default)]
struct Counts {
    cases: usize,
    read: usize,
    compared: usize,
    equal: usize,
    errors: usize,
    errors_met: usize,
}

/// Runs all cases and prints counts for each group, and what does not hold.
pub fn conformance(arguments: &[&str]) -> bool {
    let (mut iree, mut iree_opt) = (None, None);
    for pair in arguments.chunks(2) {
        match pair {
            ["--iree", path] => iree = Some(PathBuf::from(path)),
            ["--iree-opt", path] => iree_opt = Some(PathBuf::from(path)),
            _ => return usage(),
        }
    }
    let Some(iree) = iree else { return usage() };
    if !crate::cargo(&["build", "--release", "--package", "raddle"]) {
        return false;
    }
    let raddle = crate::root().join("target").join("release").join("raddle");
    let scratch = std::env::temp_dir().join(format!("raddle-conformance-{}.mlir", std::process::id()));
    let mut lines = CASES.lines();
    let root = lines.next().and_then(|line| line.split(' ').nth(2)).unwrap_or_default();
    let mut groups: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut failures = Vec::new();
    for line in lines {
        let [group, path, indices] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        let file = iree.join(root).join(path);
        let Ok(text) = std::fs::read_to_string(&file) else {
            eprintln!("cannot read {}", file.display());
            return false;
        };
        let pieces = pieces(&text);
        for index in numbers(indices) {
            let counts = groups.entry(group).or_default();
            counts.cases += 1;
            let Some(piece) = pieces.get(index) else {
                failures.push(format!("{path} {index}: there is no such case"));
                continue;
            };
            if std::fs::write(&scratch, piece).is_err() {
                eprintln!("cannot write {}", scratch.display());
                return false;
            }
            if let Err(why) = case(&raddle, iree_opt.as_deref(), &scratch, piece, counts) {
                failures.push(format!("{path} {index}: {why}"));
            }
        }
    }
    let _ = std::fs::remove_file(&scratch);
    report(&groups, &failures);
    true
}

fn usage() -> bool {
    eprintln!("usage: cargo xtask conformance --iree CHECKOUT [--iree-opt PROGRAM]");
    false
}

/// One case; an error says what does not hold.
fn case(raddle: &Path, iree_opt: Option<&Path>, file: &Path, text: &str, counts: &mut Counts) -> Result<(), String> {
    if text.contains("expected-error") {
        counts.errors += 1;
        return match run(raddle, &["opt", "--verify-diagnostics"], file) {
            Ok(_) => {
                counts.errors_met += 1;
                Ok(())
            }
            Err(message) => Err(message),
        };
    }
    const GENERIC: [&str; 2] = ["--mlir-print-op-generic", "--mlir-print-local-scope"];
    let ours = run(raddle, &["opt", GENERIC[0], GENERIC[1]], file)?;
    counts.read += 1;
    let Some(iree_opt) = iree_opt else { return Ok(()) };
    // Releases differ in what they read; only what this one reads is compared.
    let Ok(theirs) = run(iree_opt, &GENERIC, file) else { return Ok(()) };
    counts.compared += 1;
    if ours.trim_end() == theirs.trim_end() {
        counts.equal += 1;
        return Ok(());
    }
    let differs = ours.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
    let (ours, theirs) = differs.unwrap_or(("", "the texts have different lengths"));
    Err(format!("prints\n    {}\n  where iree-opt prints\n    {}", ours.trim(), theirs.trim()))
}

/// Standard output, or the first line of standard error where the program fails.
fn run(program: &Path, arguments: &[&str], file: &Path) -> Result<String, String> {
    let output = Command::new(program).args(arguments).arg(file).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(error.lines().next().unwrap_or("fails without a word").to_owned())
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "// -----" {
            pieces.push(String::new());
        } else if let Some(piece) = pieces.last_mut() {
            piece.push_str(line);
        }
    }
    pieces
}

/// `0-2,5` is 0, 1, 2, 5.
fn numbers(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let bounds = first.parse::<usize>().ok().zip(last.parse::<usize>().ok());
        bounds.map_or(0..0, |(first, last)| first..last + 1)
    };
    text.split(',').flat_map(range).collect()
}

fn report(groups: &BTreeMap<&str, Counts>, failures: &[String]) {
    println!("\ngroup                         cases   read   equal to iree-opt   expected errors");
    let mut total = Counts::default();
    let row = |name: &str, c: &Counts| {
        println!(
            "{name:<28} {:>6} {:>6}   {:>7} of {:<7}   {:>6} of {}",
            c.cases, c.read, c.equal, c.compared, c.errors_met, c.errors
        );
    };
    for (letter, counts) in groups {
        let title = GROUPS.iter().find(|row| row.0 == *letter).map_or("", |row| row.1);
        row(&format!("{letter} {title}"), counts);
        total.cases += counts.cases;
        total.read += counts.read;
        total.compared += counts.compared;
        total.equal += counts.equal;
        total.errors += counts.errors;
        total.errors_met += counts.errors_met;
    }
    row("total", &total);
    for failure in failures {
        println!("\n{failure}");
    }
}
