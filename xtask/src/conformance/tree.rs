//! Every piece of every MLIR file under a folder, beside `iree-opt`: what both read must have the same generic text, and
//! the errors that a piece expects, if `iree-opt` reports them, must be reported here as well.
//!
//! Pieces that `iree-opt` does not take as they stand say nothing: they need a pass, or the dialect of some test.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{GENERIC, difference, pieces, run};

/// What became of a piece that `iree-opt` takes; the text says more.
enum Outcome {
    /// Both read it and print the same.
    Equal,
    /// Both read it and print different texts.
    Differs(String),
    /// Only `iree-opt` reads it.
    Refused(String),
    /// Each expected error is reported.
    Met,
    /// An error is reported wherever one is expected, and nowhere else, in other words.
    OtherWords,
    /// An expected error is missing, or another is reported.
    Missed(String),
}

/// One piece of a file: the path from the folder on, its number in the file, its text.
struct Piece {
    path: String,
    index: usize,
    text: String,
}

/// The programs that are compared, and a folder for what they read.
pub struct Programs<'a> {
    pub raddle: &'a Path,
    pub iree_opt: &'a Path,
    pub scratch: &'a Path,
}

/// Compares all pieces of the files that are wanted; prints what does not hold and counts for each folder.
pub fn compare(programs: &Programs<'_>, tree: &Path, wants: impl Fn(&str) -> bool) -> Result<(), String> {
    let all = all_pieces(tree, wants).map_err(|error| format!("cannot read {}: {error}", tree.display()))?;
    let queue = Mutex::new(all.iter());
    let work = |file: PathBuf| {
        let next = || queue.lock().expect("no worker panics").next();
        let outcomes = std::iter::from_fn(next).filter_map(|piece| {
            let outcome = outcome(programs, &file, &piece.text).transpose()?;
            Some(outcome.map(|outcome| (piece, outcome)))
        });
        outcomes.collect::<io::Result<Vec<_>>>()
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut outcomes = Vec::new();
    std::thread::scope(|scope| {
        let files = (0..workers).map(|worker| programs.scratch.join(format!("piece-{worker}.mlir")));
        let workers: Vec<_> = files.map(|file| scope.spawn(|| work(file))).collect();
        for worker in workers {
            outcomes.extend(worker.join().expect("no worker panics")?);
        }
        Ok::<(), io::Error>(())
    })
    .map_err(|error| format!("cannot write a piece: {error}"))?;
    outcomes.sort_by_key(|(piece, _)| (&piece.path, piece.index));
    report(&outcomes);
    Ok(())
}

/// The pieces of all files that are wanted, in the order of their paths.
fn all_pieces(tree: &Path, wants: impl Fn(&str) -> bool) -> io::Result<Vec<Piece>> {
    let mut files = Vec::new();
    mlir_files(tree, &mut files)?;
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let path = file.strip_prefix(tree).unwrap_or(&file).display().to_string();
        if !wants(&path) {
            continue;
        }
        // What is not UTF-8 is bytecode.
        let Ok(text) = String::from_utf8(std::fs::read(&file)?) else { continue };
        let texts = if text.contains("-split-input-file") { pieces(&text) } else { vec![text] };
        let pieces = texts.into_iter().enumerate().map(|(index, text)| Piece { path: path.clone(), index, text });
        all.extend(pieces.filter(|piece| !piece.text.trim().is_empty()));
    }
    Ok(all)
}

fn mlir_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            mlir_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            files.push(path);
        }
    }
    Ok(())
}

/// What becomes of a piece, unless `iree-opt` does not take it.
fn outcome(programs: &Programs<'_>, file: &Path, piece: &str) -> io::Result<Option<Outcome>> {
    const ANY: &str = "--allow-unregistered-dialect";
    std::fs::write(file, piece)?;
    if KINDS.iter().any(|kind| piece.contains(kind)) {
        let verify = [ANY, "--verify-diagnostics"];
        if run(programs.iree_opt, &verify, file).is_err() {
            return Ok(None);
        }
        let ours = |file: &Path| run(programs.raddle, &["opt", verify[0], verify[1]], file);
        let Err(why) = ours(file) else { return Ok(Some(Outcome::Met)) };
        std::fs::write(file, any_words(piece))?;
        return Ok(Some(if ours(file).is_ok() { Outcome::OtherWords } else { Outcome::Missed(why) }));
    }
    let Ok(theirs) = run(programs.iree_opt, &[ANY, GENERIC[0], GENERIC[1]], file) else { return Ok(None) };
    Ok(Some(match run(programs.raddle, &["opt", ANY, GENERIC[0], GENERIC[1]], file) {
        Err(why) => Outcome::Refused(why),
        Ok(ours) => difference(&ours, &theirs).map_or(Outcome::Equal, Outcome::Differs),
    }))
}

const KINDS: [&str; 4] = ["expected-error", "expected-warning", "expected-remark", "expected-note"];

/// The piece with comments that expect the same errors at the same places in any words, and nothing else.
fn any_words(piece: &str) -> String {
    let mut text = String::new();
    for line in piece.lines() {
        match line.split_once("{{") {
            Some((comment, _)) if comment.contains(KINDS[0]) => {
                text.push_str(&comment.replace("expected-error-re", KINDS[0]));
                text.push_str("{{}}");
            }
            Some((comment, _)) if KINDS[1..].iter().any(|kind| comment.contains(kind)) => {}
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[derive(Default)]
struct Counts {
    texts: usize,
    equal: usize,
    refused: usize,
    errors: usize,
    met: usize,
    other_words: usize,
}

impl Counts {
    fn count(&mut self, outcome: &Outcome) {
        let is_text = matches!(outcome, Outcome::Equal | Outcome::Differs(_) | Outcome::Refused(_));
        *(if is_text { &mut self.texts } else { &mut self.errors }) += 1;
        match outcome {
            Outcome::Equal => self.equal += 1,
            Outcome::Refused(_) => self.refused += 1,
            Outcome::Met => self.met += 1,
            Outcome::OtherWords => self.other_words += 1,
            Outcome::Differs(_) | Outcome::Missed(_) => {}
        }
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<64} {:>6} {:>7} {:>8}   {:>6} {:>6} {:>12}",
            self.texts, self.equal, self.refused, self.errors, self.met, self.other_words
        );
    }
}

fn report(outcomes: &[(&Piece, Outcome)]) {
    let (mut folders, mut total) = (BTreeMap::<&str, Counts>::new(), Counts::default());
    for (piece, outcome) in outcomes {
        let folder = piece.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folders.entry(folder).or_default().count(outcome);
        total.count(outcome);
        let (what, why) = match outcome {
            Outcome::Differs(why) => ("differs", why.as_str()),
            Outcome::Refused(why) => ("refused", why.as_str()),
            Outcome::Missed(why) => ("missed", why.as_str()),
            Outcome::OtherWords => ("other words", ""),
            Outcome::Equal | Outcome::Met => continue,
        };
        println!("{what}: {} {}: {why}", piece.path, piece.index);
    }
    println!(
        "\n{:<64} {:>6} {:>7} {:>8}   {:>6} {:>6} {:>12}",
        "what iree-opt takes, by folder", "texts", "equal", "refused", "errors", "met", "other words"
    );
    for (folder, counts) in &folders {
        counts.print(folder);
    }
    total.print("total");
}
