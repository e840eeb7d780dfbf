//! `cargo xtask conformance --iree CHECKOUT [--iree-opt PROGRAM]`: IREE's test files, case by case.
//!
//! The cases are pieces of lit tests of a pinned commit, named in `conformance.txt`; the texts are read from a checkout
//! that lies outside the project. A case that carries `expected-error` comments must fail as they say; any other case
//! must be read and verified, and its generic form must be what `iree-opt` prints, where that program is given and
//! reads the case. Then the RUN lines of the file are run on each of its cases, with `raddle opt` in the place of
//! `iree-opt`, if there is a `FileCheck` to compare with. Cases that pin what we do otherwise on purpose are named in
//! `differs.txt`, each with its reason and the test that shows that ours means the same.
//!
//! With `--tree FOLDER`, all pieces of all MLIR files of a folder are compared with `iree-opt` instead.

mod lit;
mod tree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::lit::{Tools, Verdict};

const CASES: &str = include_str!("conformance.txt");

const DIFFERS: &str = include_str!("conformance/differs.txt");

/// A case that pins what we do otherwise.
struct Differs {
    path: &'static str,
    index: usize,
    /// `file::test` in the tests of some crate, or a file of `crates/raddle/tests/cases`.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test looks it up"))]
    test: &'static str,
    reason: &'static str,
}

/// The lines of `differs.txt`.
fn differs() -> Vec<Differs> {
    let lines = DIFFERS.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut words = line.splitn(4, ' ');
            let (path, index) = (words.next()?, words.next()?.parse().ok()?);
            Some(Differs { path, index, test: words.next()?, reason: words.next()? })
        })
        .collect()
}

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
    /// RUN lines: cases that hold, and cases that say nothing.
    passed: usize,
    unchecked: usize,
}

/// What is asked for.
#[derive(Default)]
struct Request {
    iree: PathBuf,
    tree: Option<PathBuf>,
    iree_opt: Option<PathBuf>,
    raddle: Option<PathBuf>,
    file_check: Option<PathBuf>,
    groups: Vec<String>,
    only: Vec<String>,
}

impl Request {
    fn read(arguments: &[&str]) -> Option<Request> {
        let mut request = Request::default();
        for pair in arguments.chunks(2) {
            match *pair {
                ["--iree", path] => request.iree = PathBuf::from(path),
                ["--tree", path] => request.tree = Some(PathBuf::from(path)),
                ["--iree-opt", path] => request.iree_opt = Some(PathBuf::from(path)),
                ["--raddle", path] => request.raddle = Some(PathBuf::from(path)),
                ["--filecheck", path] => request.file_check = Some(PathBuf::from(path)),
                ["--group", letter] => request.groups.push(letter.to_owned()),
                ["--only", text] => request.only.push(text.to_owned()),
                _ => return None,
            }
        }
        let is_whole = match request.tree {
            Some(_) => request.iree_opt.is_some(),
            None => request.iree != Path::new(""),
        };
        is_whole.then_some(request)
    }

    fn wants(&self, group: &str, path: &str) -> bool {
        (self.groups.is_empty() || self.groups.iter().any(|letter| letter == group)) && self.wants_file(path)
    }

    fn wants_file(&self, path: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| path.contains(text.as_str()))
    }

    /// The binary to test: what was named, or a release build.
    fn raddle(&self) -> Option<PathBuf> {
        if let Some(path) = &self.raddle {
            return Some(path.clone());
        }
        let built = crate::cargo(&["build", "--release", "--package", "raddle"]);
        built.then(|| crate::root().join("target").join("release").join("raddle"))
    }

    /// `FileCheck`: what was named, or what is installed.
    fn file_check(&self) -> Option<PathBuf> {
        let runs = |path: &PathBuf| Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success());
        let names = ["FileCheck", "FileCheck-20", "FileCheck-19", "FileCheck-18"].map(PathBuf::from);
        self.file_check.iter().cloned().chain(names).find(runs)
    }
}

/// Runs all cases and prints counts for each group and file, and what does not hold.
pub fn conformance(arguments: &[&str]) -> bool {
    let Some(request) = Request::read(arguments) else { return usage() };
    let Some(raddle) = request.raddle() else { return false };
    let scratch = std::env::temp_dir().join(format!("raddle-conformance-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&scratch) {
        eprintln!("cannot make {}: {error}", scratch.display());
        return false;
    }
    let result = match (&request.tree, &request.iree_opt) {
        (Some(tree), Some(iree_opt)) => {
            let programs = tree::Programs { raddle: &raddle, iree_opt, scratch: &scratch };
            tree::compare(&programs, tree, |path| request.wants_file(path))
        }
        _ => all(&request, &raddle, &scratch),
    };
    let _ = std::fs::remove_dir_all(&scratch);
    match result {
        Ok(()) => true,
        Err(why) => {
            eprintln!("{why}");
            false
        }
    }
}

fn all(request: &Request, raddle: &Path, scratch: &Path) -> Result<(), String> {
    let tools = request.file_check().map(|file_check| Tools {
        raddle: raddle.to_owned(),
        file_check,
        scratch: scratch.to_owned(),
    });
    if tools.is_none() {
        println!("no FileCheck is installed: RUN lines are not run");
    }
    let mut lines = CASES.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [_, commit, root] = header[..] else { return Err("conformance.txt has no header".to_owned()) };
    warn_of_other_commit(&request.iree, commit);
    let mut groups: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut files = Vec::new();
    let (mut failures, mut run_failures, mut on_purpose) = (Vec::new(), Vec::new(), Vec::new());
    let differs = differs();
    for line in lines {
        let [group, path, indices] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        if !request.wants(group, path) {
            continue;
        }
        let file = request.iree.join(root).join(path);
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let (pieces, run_lines) = (pieces(&text), lit::run_lines(&text));
        let counts = groups.entry(group).or_default();
        let (before, indices) = ((counts.passed, counts.unchecked), numbers(indices));
        let n_cases = indices.len();
        for index in indices {
            counts.cases += 1;
            let Some(piece) = pieces.get(index) else {
                failures.push(format!("{path} {index}: there is no such case"));
                continue;
            };
            let case_file = scratch.join("read.mlir");
            std::fs::write(&case_file, piece).map_err(|error| format!("cannot write a case: {error}"))?;
            let verdict = tools.as_ref().map(|tools| lit::verdict(tools, &run_lines, piece));
            // What a pass reports is compared by the RUN line that names the pass.
            let reported = piece.contains("expected-error") && verdict == Some(Verdict::Pass);
            if reported {
                counts.errors += 1;
                counts.errors_met += 1;
            } else if let Err(why) = case(raddle, request.iree_opt.as_deref(), &case_file, piece, counts) {
                failures.push(format!("{path} {index}: {why}"));
            }
            let Some(verdict) = verdict else { continue };
            match verdict {
                Verdict::Pass => counts.passed += 1,
                Verdict::Unchecked => counts.unchecked += 1,
                Verdict::Fail(why) => match differs.iter().find(|row| (row.path, row.index) == (path, index)) {
                    Some(row) => on_purpose.push(format!("{path} {index}: {}", row.reason)),
                    None => run_failures.push(format!("{path} {index}: {why}")),
                },
            }
        }
        files.push((path, counts.passed - before.0, counts.unchecked - before.1, n_cases));
    }
    println!("\n{:<96} holds  cases  unchecked", "RUN lines of each file");
    for (path, passed, unchecked, cases) in files.iter().filter(|_| tools.is_some()) {
        println!("{path:<96} {passed:>5} {cases:>6} {unchecked:>10}");
    }
    println!("\nRUN lines that do not hold on purpose:");
    for row in &on_purpose {
        println!("  {row}");
    }
    println!("\nRUN lines that do not hold:");
    for failure in &run_failures {
        println!("  {failure}");
    }
    report(&groups, &failures);
    Ok(())
}

/// Cases are numbered by what stands in the files at one commit.
fn warn_of_other_commit(iree: &Path, commit: &str) {
    let head = Command::new("git").arg("-C").arg(iree).args(["rev-parse", "HEAD"]).output();
    let head = head.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if !head.is_empty() && head != commit {
        eprintln!("warning: the checkout is at `{head}`, and the cases are those of {commit}");
    }
}

fn usage() -> bool {
    eprintln!(
        "usage: cargo xtask conformance --iree CHECKOUT [--iree-opt PROGRAM] [--raddle PROGRAM] [--filecheck PROGRAM]\n\
         \x20                              [--group LETTER]… [--only PART-OF-A-PATH]…\n\
         \x20      cargo xtask conformance --tree FOLDER --iree-opt PROGRAM [--raddle PROGRAM] [--only PART-OF-A-PATH]…"
    );
    false
}

/// The form that is compared: generic, without names for attributes and types.
const GENERIC: [&str; 2] = ["--mlir-print-op-generic", "--mlir-print-local-scope"];

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
    let ours = run(raddle, &["opt", GENERIC[0], GENERIC[1]], file)?;
    counts.read += 1;
    let Some(iree_opt) = iree_opt else { return Ok(()) };
    // Releases differ in what they read; only what this one reads is compared.
    let Ok(theirs) = run(iree_opt, &GENERIC, file) else { return Ok(()) };
    counts.compared += 1;
    let Some(why) = difference(&ours, &theirs) else {
        counts.equal += 1;
        return Ok(());
    };
    Err(why)
}

/// Where two texts differ first.
fn difference(ours: &str, theirs: &str) -> Option<String> {
    if ours.trim_end() == theirs.trim_end() {
        return None;
    }
    let differs = ours.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
    let (ours, theirs) = differs.unwrap_or(("", "the texts have different lengths"));
    Some(format!("prints\n    {}\n  where iree-opt prints\n    {}", ours.trim(), theirs.trim()))
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
    println!("\ngroup                         cases   read   equal to iree-opt   expected errors   RUN lines hold");
    let mut total = Counts::default();
    let row = |name: &str, c: &Counts| {
        println!(
            "{name:<28} {:>6} {:>6}   {:>7} of {:<7}   {:>6} of {:<6}   {:>6} of {}",
            c.cases, c.read, c.equal, c.compared, c.errors_met, c.errors, c.passed, c.cases
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
        total.passed += counts.passed;
        total.unchecked += counts.unchecked;
    }
    row("total", &total);
    for failure in failures {
        println!("\n{failure}");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{CASES, DIFFERS, differs};

    /// Each case that differs is one of the list, and its test is there.
    #[test]
    fn what_differs_is_tested() {
        let rows = differs();
        assert_eq!(rows.len(), DIFFERS.lines().filter(|line| !line.starts_with('#')).count());
        for row in rows {
            assert!(CASES.lines().any(|line| line.contains(row.path)), "{}", row.path);
            let Some((file, test)) = row.test.split_once("::") else {
                assert!(crate::root().join("crates/raddle/tests/cases").join(row.test).is_file(), "{}", row.test);
                continue;
            };
            let crates = std::fs::read_dir(crate::root().join("crates")).unwrap();
            let tests = crates.filter_map(|entry| {
                std::fs::read_to_string(entry.unwrap().path().join("tests").join(file).with_extension("rs")).ok()
            });
            assert!(tests.into_iter().any(|text| text.contains(&format!("fn {test}("))), "{}", row.test);
        }
    }
}
