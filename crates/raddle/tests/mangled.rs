//! Mangled programs: whatever is done to a text, the answer is a diagnostic or a result, never a panic.
//!
//! The examples, printed at every stage and for two targets, are changed in a few places: bytes, numbers, words, lines.
//! What still parses must print to text that reads back to itself, goes down the pipeline as far as it can, and is
//! executed at both ends. `RADDLE_MANGLED=100000` makes so many; `RADDLE_MANGLED_SEED` starts elsewhere.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it found")]

use std::collections::{BTreeMap, BTreeSet};

use raddle::pipeline;
use raddle_ir::{Code, Ir, OpId, PrintOptions, Scalar};
use raddle_passes::Facts;
use raddle_run::{Device, Emulator, Launch, Options, random, spec};
use raddle_target::{Lowered, Stage, chip};

use crate::caught::caught;
use crate::common;

const TARGETS: [&str; 2] = ["sm_80", "gfx942"];

/// Mangled texts in an ordinary run of the tests.
const N_TEXTS: u64 = 2000;

#[test]
fn mangled_programs_do_not_panic() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let n_texts = number("RADDLE_MANGLED").unwrap_or(N_TEXTS);
    let originals = originals();
    let words = words(&originals);
    let mut dice = Dice(number("RADDLE_MANGLED_SEED").unwrap_or(1).max(1));

    // For each panic, how often it happened and the shortest text that brings it about.
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for _ in 0..n_texts {
        let text = mangle(&originals[dice.below(originals.len())], &words, &mut dice);
        let mut step = "parse".to_owned();
        if let Err(message) = caught(|| go_down(&text, &mut step)) {
            let key = format!("{step}: {}", message.chars().filter(|c| !c.is_ascii_digit()).collect::<String>());
            let entry = found.entry(key).or_insert((0, text.clone()));
            entry.0 += 1;
            if text.len() < entry.1.len() {
                entry.1 = text;
            }
        }
    }
    for (message, (times, text)) in &found {
        eprintln!("{times} times: {message}\n{text}\n");
    }
    assert!(found.is_empty(), "{} kinds of panic in {n_texts} texts", found.len());
}

/// A generator that needs no state but a word: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// Small versions of the examples, as they are written and as they are printed at every stage.
fn originals() -> Vec<String> {
    let transpose = std::fs::read_to_string(common::root().join("examples/transpose_add.mlir")).unwrap();
    let mut originals = Vec::new();
    for source in [common::matmul(32, 32, 32), common::row_sum(32, 64), transpose] {
        for target in TARGETS {
            for &(stage, _) in Stage::ALL {
                let mut ir = raddle_ir::parse(&source).unwrap();
                let func = pipeline::function(&ir, None).unwrap();
                // A program that is written at a later stage has no earlier form.
                if pipeline::advance(&mut ir, func, &Facts::new(chip(target).unwrap()), stage, |_, _| {}).is_ok() {
                    originals.push(raddle_ir::print(&ir, &PrintOptions::default()));
                    originals.push(raddle_ir::print(
                        &ir,
                        &PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() },
                    ));
                }
            }
        }
        originals.push(source);
    }
    originals
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | ',')
}

fn words(texts: &[String]) -> Vec<String> {
    let words: BTreeSet<&str> =
        texts.iter().flat_map(|text| text.split(is_gap)).filter(|word| !word.is_empty()).collect();
    words.into_iter().map(str::to_owned).collect()
}

/// Changes a text in one to three places.
fn mangle(text: &str, words: &[String], dice: &mut Dice) -> String {
    const BYTES: &[u8] = b"0123456789(){}[]<>,:%#@=-x?*\"";
    let mut text = text.to_owned();
    for _ in 0..1 + dice.below(3) {
        let at = text.floor_char_boundary(dice.below(text.len()));
        let byte = char::from(BYTES[dice.below(BYTES.len())]);
        match dice.below(7) {
            0 if !text.is_empty() => drop(text.remove(at)),
            1 => text.insert(at, byte),
            2 if text[at..].starts_with(|c: char| c.is_ascii()) => text.replace_range(at..=at, &byte.to_string()),
            3 => {
                if let Some(digit) = text[at..].find(|c: char| c.is_ascii_digit()) {
                    let digit = at + digit;
                    text.replace_range(digit..=digit, &dice.below(10).to_string());
                }
            }
            4 | 5 => {
                // The word that begins at or behind the place becomes another one.
                let start = text[at..].find(is_gap).map_or(at, |gap| at + gap + 1).min(text.len());
                let start = text.ceil_char_boundary(start);
                let end = text[start..].find(is_gap).map_or(text.len(), |gap| start + gap);
                text.replace_range(start..end, &words[dice.below(words.len())]);
            }
            _ => {
                let mut lines: Vec<&str> = text.lines().collect();
                let line = dice.below(lines.len());
                if dice.below(2) == 0 && !lines.is_empty() {
                    lines.remove(line);
                } else if let Some(&other) = lines.get(dice.below(lines.len())) {
                    lines.insert(line, other);
                }
                text = lines.join("\n");
            }
        }
    }
    text
}

/// Everything that can be done with a text. `step` says what is being done.
fn go_down(text: &str, step: &mut String) {
    let Ok(mut ir) = raddle_ir::parse(text) else { return };
    *step = "print and read back".to_owned();
    let printed = raddle_ir::print(&ir, &PrintOptions::default());
    match raddle_ir::parse(&printed) {
        Ok(again) => assert!(printed == raddle_ir::print(&again, &PrintOptions::default()), "printing is not stable"),
        Err(diags) => panic!("what is printed does not parse: {}", diags[0]),
    }
    let Some(&func) = pipeline::functions(&ir).first() else { return };
    *step = "execute as written".to_owned();
    execute(&ir, func);
    let chip = chip("sm_80").unwrap();
    for &(stage, name) in Stage::ALL {
        *step = format!("go to {name}");
        match pipeline::advance(&mut ir, func, &Facts::new(chip), stage, |_, _| {}) {
            Ok(()) => {}
            Err(diag) if diag.code == Code::NotAtStage => {}
            Err(diag) => {
                assert!(diag.code != Code::BrokenPass, "{diag}");
                return;
            }
        }
    }
    *step = "check the last stage".to_owned();
    let Ok(lowered) = Lowered::check(&ir, func, chip) else { return };
    *step = "emit".to_owned();
    let _ = raddle_emit::ptx::emit(&ir, &lowered);
    *step = "execute what is lowered".to_owned();
    execute(&ir, func);
}

/// Runs a function on small random arguments, not for long.
fn execute(ir: &Ir, func: OpId) {
    let Ok(mut launch) = Launch::of(ir, func) else { return };
    launch.grid = launch.grid.map(|extent| extent.min(3));
    let mut args = Vec::new();
    for &ty in ir.signature(func).0 {
        let shape = ir[ty].shape().unwrap_or(&[]);
        let elem = Scalar::of(&ir[ir[ty].elem().unwrap_or(ty)]);
        let Some(elem) = elem.filter(|elem| (1..=64).contains(&elem.bits())) else { return };
        if !spec::n_elements(shape, elem).is_ok_and(|n| n <= 1 << 20) {
            return;
        }
        args.push(random::normal(elem, shape, 0, 0));
    }
    let options = Options { fuel: 2_000_000, memory_max: 1 << 28, ..Options::default() };
    let _ = Emulator.run(ir, func, &args, &launch, &options);
}
