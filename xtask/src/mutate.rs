//! `cargo xtask mutate [--only PART]… [--from N] [--every N] [--list]`: do the tests notice faults in the rules of analysis and distribution?
//!
//! `mutate/faults.txt` lists faults, each a few lines of a source file and what they become. Each one is put into a copy
//! of the sources under `target/mutate`, where the tests that judge the rules are built and run. A fault that they do not
//! notice is printed: there is a test to write, or nothing depends on those lines.
//!
//! A fault whose lines are no longer there, or that does not build, is a mistake in the list, and fails the chore.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::root;

const FAULTS: &str = include_str!("mutate/faults.txt");

/// The tests that judge, by their files, in groups: those that are quick first.
const TESTS: [&[&str]; 4] = [
    &[
        "places::",
        "defects::",
        "rare::",
        "jumps::",
        "products::",
        "expand_lanes::",
        "lower_vectors::",
        "split_rows::",
        "matrices::",
    ],
    &["random_loops::", "random_programs::", "random_conversions::", "roles::"],
    &["shared_memory::", "pipeline::", "tile_levels::"],
    &["folds::", "tiles::"],
];

/// How many random programs judge one fault, at first and of those that are still alive then.
const PROGRAMS: [&str; 2] = ["60", "200"];
/// How many random pairs of layouts judge one fault, and that nobody reads what fails.
const RANDOM: [(&str, &str); 2] = [("RADDLE_PAIRS", "60"), ("RADDLE_NO_SHRINK", "1")];

/// Groups of tests that take longer go round in circles: without a fault they need a fraction of this.
const PATIENCE: Duration = Duration::from_secs(240);

/// Killed faults of a hundred, at least.
const GOAL: usize = 97;

/// One fault.
struct Fault<'a> {
    file: &'a str,
    /// What is wrong then.
    name: &'a str,
    from: Vec<&'a str>,
    to: Vec<&'a str>,
}

enum Verdict {
    Killed,
    Alive,
    /// The list is wrong.
    Stale(&'static str),
}

/// Tries the faults whose file or name contains one of some texts, from the `N`-th one on, or every so many of them.
/// `None` if the options are not understood.
pub fn mutate(options: &[&str]) -> Option<bool> {
    let (mut only, mut from, mut every, mut list) = (Vec::new(), 1, 1, false);
    let number = |word: &str| word.parse::<usize>().ok().filter(|&number| number > 0);
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--list" => list = true,
            "--only" => only.push(*words.next()?),
            "--from" => from = number(words.next()?)?,
            "--every" => every = number(words.next()?)?,
            _ => return None,
        }
    }
    let is_wanted = |fault: &Fault<'_>| {
        only.is_empty() || only.iter().any(|part| fault.file.contains(part) || fault.name.contains(part))
    };
    let faults: Vec<Fault<'_>> = parse(FAULTS).into_iter().filter(is_wanted).skip(from - 1).step_by(every).collect();
    let stale: Vec<&Fault<'_>> = faults.iter().filter(|fault| !is_there(fault)).collect();
    for fault in &stale {
        eprintln!("not there, or several times: {}: {}", fault.file, fault.name);
    }
    if !stale.is_empty() {
        return Some(false);
    }
    if list {
        for fault in &faults {
            println!("{}: {}", fault.file, fault.name);
        }
        return Some(true);
    }
    let tree = root().join("target").join("mutate").join("tree");
    if let Err(error) = copy_sources(&tree) {
        eprintln!("cannot copy the sources: {error}");
        return Some(false);
    }
    if !matches!(judge(&tree), Verdict::Alive) {
        eprintln!("the tests fail without any fault");
        return Some(false);
    }
    let (mut killed, mut stale, mut report) = (0, 0, String::new());
    for (i, fault) in faults.iter().enumerate() {
        let start = Instant::now();
        let verdict = try_fault(&tree, fault);
        let word = match verdict {
            Verdict::Killed => "killed",
            Verdict::Alive => "ALIVE",
            Verdict::Stale(why) => why,
        };
        println!(
            "{:>3} of {}  {word:<8} {}: {} ({:.0} s)",
            i + 1,
            faults.len(),
            fault.file,
            fault.name,
            start.elapsed().as_secs_f64()
        );
        match verdict {
            Verdict::Killed => killed += 1,
            Verdict::Alive => writeln!(report, "alive: {}: {}", fault.file, fault.name).expect("a string takes all"),
            Verdict::Stale(why) => {
                stale += 1;
                writeln!(report, "{why}: {}: {}", fault.file, fault.name).expect("a string takes all");
            }
        }
    }
    println!("\n{report}{killed} of {} faults are killed", faults.len());
    Some(stale == 0 && killed * 100 >= faults.len() * GOAL)
}

/// `@ file` opens a file; a line that begins with neither sign names a fault; `-` lines become `+` lines.
fn parse(text: &str) -> Vec<Fault<'_>> {
    let (mut file, mut faults) = ("", Vec::<Fault<'_>>::new());
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(path) = line.strip_prefix("@ ") {
            file = path;
        } else if let Some(from) = line.strip_prefix("-") {
            faults.last_mut().expect("a fault has a name").from.push(from.trim());
        } else if let Some(to) = line.strip_prefix("+") {
            faults.last_mut().expect("a fault has a name").to.push(to.trim());
        } else {
            faults.push(Fault { file, name: line.trim(), from: Vec::new(), to: Vec::new() });
        }
    }
    faults
}

/// The text with the fault in it; `None` unless its lines stand there exactly once.
fn with_fault(text: &str, fault: &Fault<'_>) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |at: &usize| lines[*at..].iter().zip(&fault.from).all(|(line, from)| line.trim() == *from);
    let mut places = (0..(lines.len() + 1).saturating_sub(fault.from.len())).filter(starts);
    let (Some(at), None) = (places.next(), places.next()) else { return None };
    let new: Vec<&str> = [&lines[..at], &fault.to, &lines[at + fault.from.len()..]].concat();
    Some(new.join("\n") + "\n")
}

/// Whether the lines of a fault are still there.
fn is_there(fault: &Fault<'_>) -> bool {
    fs::read_to_string(root().join(fault.file)).is_ok_and(|text| with_fault(&text, fault).is_some())
}

fn try_fault(tree: &Path, fault: &Fault<'_>) -> Verdict {
    let path = tree.join(fault.file);
    let Ok(text) = fs::read_to_string(&path) else { return Verdict::Stale("no such file") };
    let Some(wrong) = with_fault(&text, fault) else { return Verdict::Stale("no such lines, or several") };
    if fs::write(&path, wrong).is_err() {
        return Verdict::Stale("cannot write");
    }
    let verdict = judge(tree);
    // The next fault is alone again.
    if fs::write(&path, text).is_err() {
        return Verdict::Stale("cannot write");
    }
    verdict
}

/// Builds and runs the tests.
fn judge(tree: &Path) -> Verdict {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(tree).args(["test", "--package", "raddle-passes", "--test", "all", "--no-run"]);
    // What warns is a fault, too, but not one that tests notice.
    build.env("CARGO_TARGET_DIR", tree.with_file_name("build")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    build.env("CARGO_PROFILE_TEST_DEBUG", "0");
    let Ok(built) = build.output() else { return Verdict::Stale("cannot run cargo") };
    let report = String::from_utf8_lossy(&built.stderr);
    let program = report.lines().find_map(|line| Some(line.split_once("Executable ")?.1.split_once('(')?.1));
    let Some(program) = program.and_then(|path| path.strip_suffix(')')).filter(|_| built.status.success()) else {
        return Verdict::Stale("does not build");
    };
    for programs in PROGRAMS {
        for tests in TESTS {
            let mut run = Command::new(tree.join(program));
            run.current_dir(tree.join("crates").join("raddle-passes")).args(tests).envs(RANDOM);
            run.env("RADDLE_PROGRAMS", programs).stderr(Stdio::null());
            match passes(&mut run) {
                Some(true) => {}
                Some(false) => return Verdict::Killed,
                None => return Verdict::Stale("cannot run the tests"),
            }
        }
    }
    Verdict::Alive
}

/// Whether all tests of a program pass, which is ended at the first one that does not, and where patience ends.
fn passes(run: &mut Command) -> Option<bool> {
    let mut run = run.stdout(Stdio::piped()).spawn().ok()?;
    let output = run.stdout.take()?;
    let (send, failed) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        // Nobody listens any more where patience has ended.
        let _ = send.send({ lines }.any(|line| line.ends_with("FAILED")));
    });
    let verdict = failed.recv_timeout(PATIENCE);
    if verdict != Ok(false) {
        // Nothing depends on whether it was already gone.
        let _ = run.kill();
    }
    let status = run.wait().ok()?;
    Some(verdict == Ok(false) && status.success())
}

/// Copies what cargo needs to build the tests. Files that did not change stay, so that they are not built again.
fn copy_sources(tree: &Path) -> io::Result<()> {
    fs::create_dir_all(tree)?;
    for name in ["Cargo.toml", "Cargo.lock", "crates", "xtask", "examples", "docs", "fuzz"] {
        let from = root().join(name);
        if from.exists() {
            copy(&from, &tree.join(name))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &PathBuf) -> io::Result<()> {
    if !from.is_dir() {
        let new = fs::read(from)?;
        return if fs::read(to).is_ok_and(|old| old == new) { Ok(()) } else { fs::write(to, new) };
    }
    fs::create_dir_all(to)?;
    let mut names: Vec<_> =
        fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>()?;
    names.retain(|name| name != "target");
    for old in fs::read_dir(to)? {
        let old = old?;
        if !names.contains(&old.file_name()) {
            if old.path().is_dir() { fs::remove_dir_all(old.path())? } else { fs::remove_file(old.path())? }
        }
    }
    names.iter().try_for_each(|name| copy(&from.join(name), &to.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_each_fault_are_there() {
        let stale: Vec<&str> = parse(FAULTS).iter().filter(|fault| !is_there(fault)).map(|fault| fault.name).collect();
        assert_eq!(stale, [] as [&str; 0]);
    }
}
