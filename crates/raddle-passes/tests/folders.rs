//! The modules of this crate stand in the order in which data goes through them, and each names only those above it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules that name one below them, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "partition",
    "configure",
    "what shares a kernel is what one configuration can have, and a large sum is split by it",
)];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules of the crate, in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    let name = |line: &str| {
        Some(line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    lib.lines().filter_map(name).collect()
}

/// The files below a folder, each with the modules that lead to it.
fn files(folder: &Path, at: &[String], found: &mut Vec<(Vec<String>, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            files(&path, &[at, &[stem]].concat(), found);
        } else {
            let module = if stem == "mod" { at.to_vec() } else { [at, &[stem]].concat() };
            found.push((module, path));
        }
    }
}

/// Code without comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first names of all paths that begin at the root of the crate: of `crate::{a, b::{c, d}}` these are `a` and `b`.
fn named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let word =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let (mut depth, mut item) = (0, String::new());
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.insert(word(item.trim()));
                    item.clear();
                }
                _ => item.push(c),
            }
        }
        found.insert(word(item.trim()));
    }
    found.remove("");
    found
}

/// For each module of the crate, those that it names.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let mut found = Vec::new();
    files(&source(), &[], &mut found);
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, path) in found {
        if module == ["lib"] {
            continue;
        }
        let code = code(&fs::read_to_string(path).unwrap());
        // As many `super` as lead out of the module are the root.
        let code = code.replace(&"super::".repeat(module.len()), "crate::");
        graph.entry(module[0].clone()).or_default().extend(named(&code).into_iter().filter(|name| *name != module[0]));
    }
    graph
}

#[test]
fn paths_are_taken_apart() {
    let code = "use crate::{body::{a, b}, clean};\nuse crate::config::Config;\nlet x = crate::tile::fill(y);";
    assert_eq!(named(code).into_iter().collect::<Vec<_>>(), ["body", "clean", "config", "tile"]);
}

#[test]
fn modules_name_only_those_above_them() {
    let (order, graph) = (modules(), graph());
    assert_eq!(graph.keys().cloned().collect::<BTreeSet<_>>(), order.iter().cloned().collect(), "files and `lib.rs`");
    let place = |name: &str| order.iter().position(|other| other == name);
    let mut used = BTreeSet::new();
    for (module, names) in &graph {
        for name in names {
            let at = place(name).unwrap_or_else(|| panic!("`{module}` names `crate::{name}`, which is not a module"));
            if at < place(module).unwrap() {
                continue;
            }
            let exception = EXCEPTIONS.iter().position(|row| (row.0, row.1) == (module, name));
            let exception = exception.unwrap_or_else(|| panic!("`{module}` names `{name}`, which stands below it"));
            used.insert(exception);
        }
    }
    assert_eq!(used.len(), EXCEPTIONS.len(), "an exception is no longer needed");
}

/// Whatever the exceptions are, no module needs itself.
#[test]
fn there_is_no_circle() {
    let mut graph = graph();
    while !graph.is_empty() {
        let done: Vec<String> = graph
            .iter()
            .filter(|(_, names)| names.iter().all(|name| !graph.contains_key(name)))
            .map(|at| at.0.clone())
            .collect();
        assert!(!done.is_empty(), "these name each other in a circle: {:?}", graph.keys().collect::<Vec<_>>());
        graph.retain(|module, _| !done.contains(module));
    }
}
