//! A corpus of small kernels: nothing is found in those that are right, and every seeded bug is found at its operation.
//!
//! A file of `corpus/` is a kernel with numbers left open. Its head gives them values, and lists bugs: the kind of the
//! finding, the operations that it names, and the change of the text that makes the bug.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise, and prints its figures"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use raddle_emu::{Launch, Options, Tensor, run};
use raddle_ir::{Diag, Scalar, Span};

use crate::common::numbers;

/// Values of the open numbers.
type Values = Vec<(String, i64)>;

/// One kernel with its numbers left open.
struct Template {
    name: String,
    /// For each open number, the values that it takes.
    with: Vec<(String, Vec<i64>)>,
    threads: String,
    subgroup: String,
    grid: Vec<String>,
    /// Name, type, and whether it is an input.
    args: Vec<(String, String, bool)>,
    bugs: Vec<Bug>,
    body: String,
}

/// A way to break a kernel.
struct Bug {
    /// `race`, or `race|bounds` where the bug makes both.
    kind: String,
    /// What the named operations contain; where a bug is found in one of two ways, this is common to both.
    at: Vec<String>,
    /// For which numbers there is a bug.
    when: Option<String>,
    from: String,
    to: String,
}

impl Template {
    fn read(path: &Path) -> Template {
        let text = fs::read_to_string(path).unwrap();
        let mut template = Template {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            with: Vec::new(),
            threads: "1".into(),
            subgroup: "$S".into(),
            grid: Vec::new(),
            args: Vec::new(),
            bugs: Vec::new(),
            body: String::new(),
        };
        for line in text.lines() {
            let Some(head) = line.strip_prefix("// ") else {
                template.body += &format!("{line}\n");
                continue;
            };
            let (word, rest) = head.split_once(' ').unwrap();
            match word {
                "with" => {
                    template.with = rest
                        .split("; ")
                        .map(|part| {
                            let (name, values) = part.split_once(" = ").unwrap();
                            (name.to_owned(), values.split(' ').map(|value| value.parse().unwrap()).collect())
                        })
                        .collect();
                }
                "threads" => template.threads = rest.to_owned(),
                "subgroup" => template.subgroup = rest.to_owned(),
                "grid" => template.grid = rest.split(' ').map(str::to_owned).collect(),
                "in" | "out" => {
                    let (name, ty) = rest.split_once(": ").unwrap();
                    template.args.push((name.to_owned(), ty.to_owned(), word == "in"));
                }
                "bug" => template.bugs.push(Bug::read(rest)),
                // The sentence that says what the kernel does.
                _ => {}
            }
        }
        template
    }

    /// Every choice of the open numbers.
    fn choices(&self) -> Vec<Values> {
        self.with.iter().fold(vec![Values::new()], |choices, (name, values)| {
            let longer = |choice: &Values| {
                let choice = choice.clone();
                values.iter().map(move |&value| [&choice[..], &[(name.clone(), value)]].concat()).collect::<Vec<_>>()
            };
            choices.iter().flat_map(longer).collect()
        })
    }

    /// The program, with a bug or without.
    fn program(&self, values: &Values, bug: Option<&Bug>) -> String {
        let mut body = fill(&self.body, values);
        if let Some(bug) = bug {
            let (from, to) = (fill(&bug.from, values), fill(&bug.to, values));
            assert!(body.contains(&from), "{}: `{from}` is not in\n{body}", self.name);
            body = body.replacen(&from, &to, 1);
        }
        let args: Vec<String> =
            self.args.iter().map(|(name, ty, _)| format!("%{name}: memref<{}>", fill(ty, values))).collect();
        let mut grid: Vec<String> = self.grid.iter().map(|extent| fill(extent, values)).collect();
        grid.resize(3, "1".into());
        let subgroup = if self.threads == "1" { "1".into() } else { fill(&self.subgroup, values) };
        // Constants are written as %c and their value, and defined here.
        let constants: BTreeSet<i64> = body
            .match_indices("%c")
            .filter_map(|(at, _)| {
                body[at + 2..]
                    .split(|c: char| !c.is_ascii_digit())
                    .next()
                    .filter(|_| {
                        !body[at + 2..]
                            .trim_start_matches(|c: char| c.is_ascii_digit())
                            .starts_with(char::is_alphabetic)
                    })?
                    .parse()
                    .ok()
            })
            .collect();
        let constants: String = constants.iter().map(|c| format!("  %c{c} = arith.constant {c} : index\n")).collect();
        format!(
            "func.func @kernel({}) attributes {{gpu.known_grid_size = array<i32: {}>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] subgroup_size = {subgroup}>}} {{\n{constants}{body}  return\n}}",
            args.join(", "),
            grid.join(", "),
            fill(&self.threads, values),
        )
    }

    fn try_run(&self, text: &str, values: &Values, seed: u64) -> Result<(), Diag> {
        let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{}: {diags:#?}\n{text}", self.name));
        let func = ir.funcs()[0];
        let tensors: Vec<Tensor> = self
            .args
            .iter()
            .map(|(_, ty, _)| {
                let ty = fill(ty, values);
                let (shape, elem) = ty.rsplit_once('x').unwrap();
                let shape: Vec<i64> = shape.split('x').map(|extent| extent.parse().unwrap()).collect();
                numbers(Scalar::from_keyword(elem).unwrap(), &shape, 7)
            })
            .collect();
        let uninitialised_args = (0..self.args.len()).filter(|&at| !self.args[at].2).collect();
        let options = Options { seed, uninitialised_args, fuel: 100_000_000, ..Options::default() };
        run(&ir, func, &tensors, &Launch::of(&ir, func).unwrap(), &options).map(|_| ())
    }
}

impl Bug {
    /// `race at X and Y when N>S: FROM -> TO`, texts between backticks.
    fn read(text: &str) -> Bug {
        let parts: Vec<&str> = text.split('`').collect();
        let [kind, at @ .., colon, from, arrow, to, _] = &parts[..] else { panic!("{text}") };
        assert!(colon.ends_with(": ") && arrow.trim() == "->", "{text}");
        let when = colon.strip_suffix(": ").unwrap().strip_prefix(" when ").map(str::to_owned);
        let lines = |text: &str| text.replace("\\n", "\n");
        Bug {
            kind: kind.strip_suffix(" at ").unwrap().to_owned(),
            at: at.iter().step_by(2).map(|text| (*text).to_owned()).collect(),
            when,
            from: lines(from),
            to: lines(to),
        }
    }

    fn applies(&self, values: &Values) -> bool {
        self.when.as_ref().is_none_or(|when| {
            let (lhs, rhs) = when.split_once(['<', '>']).unwrap();
            let (lhs, rhs) = (number(lhs, values), number(rhs, values));
            if when.contains('<') { lhs < rhs } else { lhs > rhs }
        })
    }
}

/// Puts numbers for `$N` and `${N*2+1}`.
fn fill(text: &str, values: &Values) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out += before;
        if let Some(after) = after.strip_prefix("shared") {
            out += "#gpu.address_space<workgroup>";
            rest = after;
            continue;
        }
        let (sum, after) = match after.strip_prefix('{') {
            Some(after) => after.split_once('}').unwrap(),
            None => after.split_at(1),
        };
        out += &number(sum, values).to_string();
        rest = after;
    }
    out + rest
}

/// `N*2+1`, from left to right.
fn number(sum: &str, values: &Values) -> i64 {
    let mut result = 0;
    let mut op = '+';
    let mut rest = sum;
    while !rest.is_empty() {
        let end = rest.find(['+', '-', '*', '/']).unwrap_or(rest.len());
        let word = &rest[..end];
        let known = values.iter().find(|value| value.0 == word).map(|value| value.1);
        let value = known.unwrap_or_else(|| word.parse().unwrap());
        result = match op {
            '+' => result + value,
            '-' => result - value,
            '*' => result * value,
            _ => result / value,
        };
        op = rest[end..].chars().next().unwrap_or('+');
        rest = rest.get(end + 1..).unwrap_or("");
    }
    result
}

fn templates() -> Vec<Template> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| Template::read(path)).collect()
}

#[test]
fn nothing_is_found_in_good_kernels() {
    let mut n = 0;
    for template in templates() {
        for values in template.choices() {
            let text = template.program(&values, None);
            for seed in [0, 1, 2] {
                if let Err(diag) = template.try_run(&text, &values, seed) {
                    panic!("{} {values:?}, seed {seed}: {diag:#?}\n{text}", template.name);
                }
            }
            n += 1;
        }
    }
    println!("right kernels: {n}, false alarms: 0");
    assert!(n >= 300, "{n} kernels");
}

#[test]
fn every_seeded_bug_is_found() {
    let mut missed = Vec::new();
    let mut n = 0;
    for template in templates() {
        for bug in &template.bugs {
            for values in template.choices().iter().filter(|values| bug.applies(values)) {
                let text = template.program(values, Some(bug));
                n += 1;
                for seed in [0, 1, 2] {
                    let found = template.try_run(&text, values, seed);
                    if let Err(why) = judge(&text, &found, bug) {
                        missed.push(format!(
                            "{} {values:?} seed {seed}, {} -> {}: {why}",
                            template.name, bug.from, bug.to
                        ));
                        break;
                    }
                }
            }
        }
    }
    println!("seeded bugs: {n}, found: {}", n - missed.len());
    assert!(missed.is_empty(), "{} of {n}:\n{}", missed.len(), missed[..].join("\n"));
    assert!(n >= 300, "{n} bugs");
}

/// Whether a finding is of the right kind, names the operations, and says whose fault it is and where.
fn judge(text: &str, found: &Result<(), Diag>, bug: &Bug) -> Result<(), String> {
    let Err(diag) = found else { return Err("nothing is found".into()) };
    let bad = |why: &str| Err(format!("{why}: {} {:?}", diag.message, diag.notes));
    let kind = diag.message.split(": ").next().unwrap();
    if !bug.kind.split('|').any(|right| right == kind) {
        return bad("another kind");
    }
    let marked = |span: Span| &text[span.start as usize..span.end as usize];
    let mut named = vec![marked(diag.span.unwrap())];
    named.extend(diag.related.iter().map(|related| marked(related.0)));
    if bug.at.iter().any(|at| !named.iter().any(|op| op.contains(at.as_str()))) {
        return bad(&format!("{named:?} are named"));
    }
    if !diag.notes.iter().any(|note| note.starts_with("in workgroup (")) {
        return bad("no place in the grid");
    }
    let whole = ["barrier", "deadlock"].contains(&kind);
    let simd = !text.contains("thread_id");
    if !whole && !simd && !diag.notes.iter().any(|note| note.contains("subgroup ") && note.contains("lane ")) {
        return bad("no lane");
    }
    match kind {
        "race" if diag.related.len() != 1 => bad("one access only"),
        "race" | "uninitialised" | "misaligned"
            if !diag.message.contains("element [") || !diag.message.contains("(byte ") =>
        {
            bad("no element")
        }
        "race" if !simd && diag.message.matches("(subgroup ").count() != 2 => bad("one thread only"),
        "bounds" if !diag.message.contains("dimension") => bad("no dimension"),
        _ => Ok(()),
    }
}

/// A change that breaks most programs, at one line of a kernel.
struct Mutant {
    operator: &'static str,
    /// The line that is changed.
    line: String,
    body: String,
}

/// Every operator at every line where it applies.
fn mutants(body: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = body.lines().collect();
    let mut mutants = Vec::new();
    for (at, &line) in lines.iter().enumerate() {
        let mut with = |operator, new: &[String]| {
            let new = new.iter().map(String::as_str);
            let all: Vec<&str> =
                lines[..at].iter().copied().chain(new).chain(lines[at + 1..].iter().copied()).collect();
            mutants.push(Mutant { operator, line: line.trim().to_owned(), body: all.join("\n") + "\n" });
        };
        let whole = line.to_owned();
        let word = line.trim_start();
        if WAITS.iter().any(|wait| word.starts_with(wait)) {
            with("drop a wait", &[]);
        }
        let store = word.starts_with("memref.store") || word.starts_with("vector.store");
        if store && word.contains("address_space<workgroup>") {
            with("drop a store to shared memory", &[]);
        }
        if let Some((name, ty)) = word.split_once(" = memref.alloc() : ") {
            let free = format!("memref.dealloc {name} : {ty}");
            with("free too early", &[whole.clone(), free.clone()]);
            // One life, and two ends of it.
            if line.starts_with("  %") {
                let twice = format!("{body}  {free}\n  {free}\n");
                mutants.push(Mutant { operator: "free twice", line: word.to_owned(), body: twice });
                continue;
            }
        }
        let access = ["memref.load ", "memref.store "].iter().find_map(|access| word.split_once(access));
        if let Some((before, rest)) = access
            && let Some((_, indices)) = rest.split_once('[')
            && let Some(first) = indices.split([',', ']']).next().filter(|first| first.starts_with('%'))
            && let Some((_, ty)) = rest.split_once("memref<")
            && let Ok(extent) = ty.split('x').next().unwrap_or_default().parse::<i64>()
        {
            let moved = format!("%moved = arith.addi {first}, %c{extent} : index");
            let verb = if before.contains('=') { "memref.load " } else { "memref.store " };
            let new = rest.replacen(&format!("[{first}"), "[%moved", 1);
            with("leave the buffer", &[moved, format!("{before}{verb}{new}")]);
        }
        if let Some((result, rest)) = word.split_once(" = memref.atomic_rmw ")
            && body.matches(&format!("{result} ")).count() + body.matches(&format!("{result},")).count() == 1
            && let Some((_, rest)) = rest.split_once(' ')
            && let Some((access, types)) = rest.split_once(" : (")
            && let Some((_, ty)) = types.split_once(", ")
            && let Some((ty, _)) = ty.split_once(") ->")
        {
            with("store instead of an update", &[format!("memref.store {access} : {ty}")]);
        }
    }
    mutants
}

const WAITS: &[&str] =
    &["gpu.barrier", "nvvm.barrier", "amdgpu.lds_barrier", "nvgpu.device_async_wait", "nvgpu.mbarrier.try_wait"];

/// Mutants that do nothing with memory that they must not: kernel, operator, what the line contains, and why.
const HARMLESS: &[(&str, &str, &str, &str)] = &[
    (
        "scan",
        "drop a store to shared memory",
        "memref.store %sum, %s[%t]",
        "each thread has written its element in front of the steps: the reads find a number, and the sum is wrong",
    ),
    (
        "tree",
        "drop a store to shared memory",
        "memref.store %sum, %s[%t]",
        "each thread has written its element in front of the steps: the reads find a number, and the sum is wrong",
    ),
    ("views", "free too early", "%other = memref.alloc()", "no access of the kernel without a bug is to this memory"),
];

/// Every mutation operator at every line: the sanitizer finds the mutant, or there is a proof that it is right.
#[test]
fn every_mutant_is_found_or_harmless() {
    let (mut n, mut found, mut missed) = (0, 0, Vec::new());
    let mut used = vec![false; HARMLESS.len()];
    for template in templates() {
        // The last choice has the most threads.
        let Some(values) = template.choices().pop() else { continue };
        for mutant in mutants(&fill(&template.body, &values)) {
            n += 1;
            let proof = HARMLESS.iter().position(|(kernel, operator, line, _)| {
                (*kernel, *operator) == (&template.name[..], mutant.operator) && mutant.line.contains(line)
            });
            let broken = Template {
                body: mutant.body,
                name: template.name.clone(),
                with: template.with.clone(),
                threads: template.threads.clone(),
                subgroup: template.subgroup.clone(),
                grid: template.grid.clone(),
                args: template.args.clone(),
                bugs: Vec::new(),
            };
            let text = broken.program(&values, None);
            let kinds: Vec<Option<String>> = [0, 1, 2]
                .map(|seed| broken.try_run(&text, &values, seed).err())
                .map(|diag| diag.map(|diag| diag.message.split(": ").next().unwrap().to_owned()))
                .into();
            let named =
                |kind: &Option<String>| kind.as_deref().is_some_and(|kind| !["limit", "unsupported"].contains(&kind));
            match (kinds.iter().all(named), proof) {
                (true, None) => found += 1,
                (false, Some(at)) if kinds.iter().all(Option::is_none) => used[at] = true,
                _ => missed.push(format!("{} {}: `{}`: {kinds:?}", template.name, mutant.operator, mutant.line)),
            }
        }
    }
    println!("mutants: {n}, found: {found}, harmless by a proof: {}", n - found - missed.len());
    assert!(missed.is_empty(), "{} of {n}:\n{}", missed.len(), missed.join("\n"));
    assert!(used.iter().all(|used| *used), "a proof is for no mutant");
    assert!(found >= 150, "{found} of {n} mutants are found");
}
