//! What the package `tensor-layouts` says of CuTe's algebra and of the matrix instructions that it has.
//!
//! Its atoms of other vendors number lanes in an order of their own; AMD's and Intel's maps have other witnesses.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failing unwrap is a failing test, and the table is read"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use raddle_layout::cute::{Cute, CuteError};
use raddle_target::Operand;
use raddle_target::catalogue::{Family, Instruction, Map, Place, instructions};

/// What the package says; without it the test says so, and fails where CI asks for it.
fn answers() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = folder.join("../../target/validators/bin/python3");
    let script = folder.join("tests/validators/ask_tensor_layouts.py");
    let has = Command::new(&python).args(["-c", "import tensor_layouts"]).output();
    if has.is_ok_and(|output| output.status.success()) {
        let output = Command::new(&python).arg(script).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return Some(String::from_utf8(output.stdout).unwrap());
    }
    let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
    assert!(!ci, "tensor-layouts is not installed, and CI is set: run `cargo xtask validators`");
    eprintln!("NOT CHECKED: tensor-layouts is not installed; run `cargo xtask validators`");
    None
}

fn numbers(text: &str) -> Vec<i64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn values(layout: &Cute) -> Vec<i64> {
    (0..layout.size()).map(|index| layout.at(index)).collect()
}

/// How often both agree, and how often one of them refuses.
#[derive(Default, Debug)]
struct Tally {
    equal: usize,
    only_ours: usize,
    only_theirs: usize,
    neither: usize,
    /// Answers of theirs that contradict the definition, where ours refuses or is right.
    theirs_wrong: usize,
}

/// Where both answer, the answers are the same function, or theirs contradicts the definition of the operation: then
/// ours is an error or right.
#[test]
fn the_package_agrees() {
    let Some(answers) = answers() else { return };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut atoms = 0;
    for line in answers.lines() {
        let fields: Vec<&str> = line.split('|').collect();
        if fields[0] == "atom" {
            atoms += usize::from(compare_atom(&fields));
            continue;
        }
        let (operation, theirs) = (fields[0], fields[fields.len() - 1]);
        let first: Cute = fields[1].parse().unwrap();
        let second = || fields[2].parse::<Cute>().unwrap();
        let ours: Result<Cute, CuteError> = match operation {
            "coalesce" => Ok(first.coalesce()),
            "right_inverse" => first.right_inverse(),
            "left_inverse" => first.left_inverse(),
            "complement" => first.complement(fields[2].parse().unwrap()),
            "compose" => first.compose(&second()),
            "logical_divide" => first.logical_divide(&second()),
            "logical_product" => first.logical_product(&second()),
            "blocked_product" => first.blocked_product(&second()),
            "raked_product" => first.raked_product(&second()),
            other => panic!("an unknown question: {other}"),
        };
        let tally = tallies.entry(operation).or_default();
        match (ours, theirs) {
            (Err(_), "!") => tally.neither += 1,
            (Ok(_), "!") => tally.only_ours += 1,
            (ours, theirs) => {
                let theirs = numbers(theirs);
                if ours.as_ref().is_ok_and(|ours| values(ours) == theirs) {
                    tally.equal += 1;
                } else if keeps_the_definition(operation, &first, fields[2], &theirs) {
                    tally.only_theirs += 1;
                    assert!(ours.is_err(), "{line}: ours is {}", ours.unwrap());
                } else {
                    tally.theirs_wrong += 1;
                    let right = ours
                        .as_ref()
                        .map_or(true, |ours| keeps_the_definition(operation, &first, fields[2], &values(ours)));
                    assert!(right, "{line}: ours is {}", ours.unwrap());
                }
            }
        }
    }
    println!("{tallies:#?}\n{atoms} instructions, 0 differences");
    let equal: usize = tallies.values().map(|tally| tally.equal).sum();
    assert!(equal > 5000, "{equal} answers agree");
    assert!(tallies.values().all(|tally| tally.equal > 50), "{tallies:?}");
    assert!(atoms > 60, "{atoms} atoms");
}

/// Whether values are what the operation promises of them.
fn keeps_the_definition(operation: &str, first: &Cute, second: &str, found: &[i64]) -> bool {
    let cute = || second.parse::<Cute>().unwrap();
    match operation {
        "coalesce" => found == values(first),
        "compose" => found == values(&cute()).into_iter().map(|index| first.at(index)).collect::<Vec<i64>>(),
        "right_inverse" => found.iter().zip(0..).all(|(&at, index)| first.at(at) == index),
        "left_inverse" => {
            let back = |value: i64| usize::try_from(value).ok().and_then(|value| found.get(value).copied());
            (0..first.size()).all(|index| back(first.at(index)) == Some(index))
        }
        // All sums with the layout's own values differ, and reach every number below the bound.
        "complement" => {
            let bound: i64 = second.parse().unwrap();
            let mut own = values(first);
            own.sort_unstable();
            own.dedup();
            let mut sums: Vec<i64> =
                found.iter().flat_map(|&rest| own.iter().map(move |&value| value + rest)).collect();
            sums.sort_unstable();
            sums.windows(2).all(|pair| pair[0] < pair[1])
                && (0..bound).all(|number| sums.binary_search(&number).is_ok())
        }
        // The tile's own elements come first.
        "logical_divide" => {
            let tile = values(&cute());
            found.len() >= tile.len() && tile.iter().zip(found).all(|(&index, &value)| first.at(index) == value)
        }
        // The layout comes first, then its repetitions, which share nothing with it.
        "logical_product" => {
            let own = values(first);
            let mut all = found.to_vec();
            all.sort_unstable();
            found.starts_with(&own) && (all.windows(2).all(|pair| pair[0] < pair[1]) || own.len() > 1)
        }
        "blocked_product" | "raked_product" => {
            let (mut found, product) = (found.to_vec(), first.logical_product(&cute()));
            found.sort_unstable();
            product.is_ok_and(|product| {
                let mut all = values(&product);
                all.sort_unstable();
                all == found
            })
        }
        other => panic!("an unknown question: {other}"),
    }
}

/// One instruction of the package against the row with the same mnemonic; whether there is one.
fn compare_atom(fields: &[&str]) -> bool {
    let [_, name, mnemonic, threads, a, b, c] = fields[..] else { panic!("not an atom: {fields:?}") };
    let Some(row) = row_of(name, mnemonic) else { return false };
    // Threads in the package's order; those of one of several blocks stand for all.
    let lanes = if threads.is_empty() { (0..i64::from(row.threads)).collect() } else { numbers(threads) };
    for (operand, table) in Operand::ALL.into_iter().zip([a, b, c]) {
        let Place::Registers(map) = row.place(operand) else { continue };
        if table.is_empty() {
            continue;
        }
        let table = numbers(table);
        // An operand that leaves elements to no one is a slip of the package: its rows of four-bit types have one.
        let distinct: BTreeSet<i64> = table.iter().copied().collect();
        if distinct.len() as i64 != map.shape[map.shape.len() - 2..].iter().product::<i64>() {
            assert_eq!((row.types[0].bits(), operand), (4, Operand::B), "{name} {operand:?}");
            continue;
        }
        assert_eq!(table.len() as i64, lanes.len() as i64 * map.n_slots(), "{name} {operand:?}");
        for (index, &number) in table.iter().enumerate() {
            let (thread, slot) = (lanes[index % lanes.len()], (index / lanes.len()) as i64);
            let coord = map.coord(thread / map.n_lanes(), thread % map.n_lanes(), slot).unwrap();
            assert_eq!(column_major(map, operand, &coord), number, "{name} {operand:?} thread {thread} slot {slot}");
        }
    }
    true
}

/// CuTe's number of an element: the first of (m, k), (n, k), (m, n) is fastest.
fn column_major(map: &Map, operand: Operand, coord: &[i64]) -> i64 {
    let rank = coord.len();
    let ([row, column], [rows, columns]) =
        ([coord[rank - 2], coord[rank - 1]], [map.shape[rank - 2], map.shape[rank - 1]]);
    match operand {
        Operand::A | Operand::C => row + column * rows,
        Operand::B => column + row * columns,
    }
}

fn row_of(name: &str, mnemonic: &str) -> Option<&'static Instruction> {
    if mnemonic.starts_with("mma.sync") {
        return instructions().iter().find(|row| row.mnemonic == mnemonic);
    }
    // SM90_64x24x16_F32F16F16_SS: wgmma's mnemonics are cut short there.
    let ["SM90", shape, types, "SS"] = name.split('_').collect::<Vec<&str>>()[..] else { return None };
    instructions().iter().find(|row| {
        let [a, b, c] = row.types.map(|elem| elem.name().to_uppercase());
        row.family == Family::Wgmma
            && format!("{}x{}x{}", row.m, row.n, row.k) == shape
            && format!("{c}{a}{b}") == types
    })
}
