//! The arrows of ARCHITECTURE.md: which crate may name which.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common;

/// Each crate with those that it may name. The three in the middle never name each other: the emulator is a witness,
/// not an accomplice.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("raddle-layout", &[]),
    ("raddle-ir", &["raddle-layout"]),
    // What is only read: nobody but the command line and tests loads it.
    ("raddle-dialects", &["raddle-ir"]),
    ("raddle-target", &["raddle-layout", "raddle-ir"]),
    ("raddle-passes", &["raddle-layout", "raddle-ir", "raddle-target"]),
    ("raddle-emit", &["raddle-layout", "raddle-ir", "raddle-target"]),
    ("raddle-emu", &["raddle-layout", "raddle-ir", "raddle-target"]),
    ("raddle-run", &["raddle-layout", "raddle-ir", "raddle-target", "raddle-emu"]),
    (
        "raddle",
        &[
            "raddle-layout",
            "raddle-ir",
            "raddle-dialects",
            "raddle-target",
            "raddle-passes",
            "raddle-emit",
            "raddle-emu",
            "raddle-run",
        ],
    ),
];

/// The crates of the workspace that each crate names outside its tests.
fn named() -> BTreeMap<String, BTreeSet<String>> {
    let mut named = BTreeMap::new();
    for entry in fs::read_dir(common::root().join("crates")).unwrap() {
        let manifest = fs::read_to_string(entry.unwrap().path().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let mut dependencies = BTreeSet::new();
        for section in ["dependencies", "build-dependencies"] {
            collect(&manifest, section, &mut dependencies);
        }
        for target in manifest.get("target").and_then(|target| target.as_table()).into_iter().flatten() {
            collect(target.1.as_table().unwrap(), "dependencies", &mut dependencies);
        }
        named.insert(manifest["package"]["name"].as_str().unwrap().to_owned(), dependencies);
    }
    named
}

fn collect(table: &toml::Table, section: &str, into: &mut BTreeSet<String>) {
    let names = table.get(section).and_then(|section| section.as_table()).into_iter().flatten().map(|entry| entry.0);
    into.extend(names.filter(|name| name.starts_with("raddle")).cloned());
}

#[test]
fn crates_name_only_those_to_their_left() {
    let named = named();
    let known: Vec<&str> = MAY_NAME.iter().map(|row| row.0).collect();
    for (name, dependencies) in &named {
        let row = MAY_NAME.iter().find(|row| row.0 == name);
        let (_, allowed) = row.unwrap_or_else(|| panic!("`{name}` is new: give it a row here and in ARCHITECTURE.md"));
        for dependency in dependencies {
            assert!(allowed.contains(&dependency.as_str()), "`{name}` may not name `{dependency}`");
        }
    }
    assert_eq!(named.len(), known.len(), "a crate of the table is gone");
}

/// Each package has the licence, and words to find it by.
#[test]
fn packages_are_complete() {
    for (name, _) in MAY_NAME {
        let folder = common::root().join("crates").join(name);
        let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        for key in ["description", "license", "keywords", "categories"] {
            assert!(manifest["package"].get(key).is_some(), "`{name}` has no {key}");
        }
        assert!(folder.join("LICENSE").is_file(), "`{name}` has no licence file");
    }
}

/// The test files of a crate are modules of `all.rs`: one that it does not name would never run.
#[test]
fn test_files_are_modules_of_one_binary() {
    let mut files = 0;
    for name in MAY_NAME.iter().map(|row| row.0) {
        let folder = common::root().join("crates").join(name).join("tests");
        // Where there is no such file, cargo finds the others.
        let Ok(all) = fs::read_to_string(folder.join("all.rs")) else { continue };
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap().file_name().into_string().unwrap();
            let Some(module) = entry.strip_suffix(".rs").filter(|&module| module != "all") else { continue };
            assert!(
                all.lines().any(|line| line == format!("mod {module};")),
                "{name}: `all.rs` does not name {module}"
            );
            files += 1;
        }
    }
    assert!(files > 100, "{files} files");
}

/// Vendors' words for our things stay in the tables of vendors and in the printers; `raddle-ir` spells the operations of
/// vendors' dialects, whose names are MLIR's.
#[test]
fn vendor_words_stay_with_the_vendors() {
    for name in ["raddle-layout", "raddle-passes", "raddle-emu", "raddle-run", "raddle"] {
        let mut folders = vec![common::root().join("crates").join(name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                // The executor of PTX reads the vendor's text, as the printer writes it.
                if path.is_dir() {
                    if !path.ends_with("raddle-emu/src/ptx") {
                        folders.push(path);
                    }
                    continue;
                }
                let mut text = fs::read_to_string(&path).unwrap().to_lowercase();
                if name == "raddle-ir" {
                    // Operations of vendors' dialects are called what the dialects call them.
                    text = text.split('"').step_by(2).collect();
                }
                let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
                for word in ["warp", "warps", "cta", "ctas", "threadblock", "lds"] {
                    assert!(!words.contains(word), "{} says `{word}`", path.display());
                }
            }
        }
    }
}
