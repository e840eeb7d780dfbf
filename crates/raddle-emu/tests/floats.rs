//! Every narrow float format against ml_dtypes and NumPy: each word decodes to the same number, and numbers where
//! rounding turns, and random ones, round to the same word, when the emulator truncates them.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};

use crate::common::good;

/// The interpreter with the validators' packages; without it the test says so, and fails where CI asks for it.
fn python() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/validators/bin/python3");
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "ml_dtypes is not installed, and CI must check with it");
    eprintln!("not checked: float formats, since ml_dtypes is not installed; run `cargo xtask validators`");
    None
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap()
}

#[test]
fn formats_are_those_of_ml_dtypes() {
    let Some(python) = python() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/floats.py");
    let output = Command::new(python).arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let (mut n_words, mut n_rounded) = (0, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match &words[..] {
            ["decode", name, numbers @ ..] => {
                decode(name, &numbers.iter().map(|bits| f64::from_bits(hex(bits))).collect::<Vec<_>>());
                n_words += numbers.len();
            }
            ["round", name, width, pairs @ ..] => {
                let pairs: Vec<(u64, u64)> = pairs
                    .iter()
                    .map(|pair| pair.split_once(':').map(|(x, word)| (hex(x), hex(word))).unwrap())
                    .collect();
                round(name, width, &pairs);
                n_rounded += pairs.len();
            }
            _ => panic!("{line}"),
        }
    }
    // Two formats of 16 bits, eight of 8, two of 6, one of 4.
    assert_eq!(n_words, (2 << 16) + (8 << 8) + (2 << 6) + (1 << 4));
    assert!(n_rounded > 1_000_000, "{n_rounded}");
}

/// A tensor of every word of a format, extended to `f64` by the emulator.
fn decode(name: &str, numbers: &[f64]) {
    let elem = Scalar::from_keyword(name).unwrap();
    let n = numbers.len();
    let bytes = (0..n).flat_map(|word| (word as u64).to_le_bytes().into_iter().take(elem.bytes())).collect();
    let tensor = Tensor { elem, shape: vec![n as i64], bytes };
    let text = format!(
        "func.func @f(%x: vector<{n}x{name}>) -> vector<{n}xf64> {{
  %y = arith.extf %x : vector<{n}x{name}> to vector<{n}xf64>
  return %y : vector<{n}xf64>
}}"
    );
    let outcome = good(&text, &[tensor]);
    for (word, (got, want)) in outcome.results[0].to_f64().into_iter().zip(numbers).enumerate() {
        assert!(
            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
            "{name} {word:#x}: {got}, not {want}"
        );
    }
}

/// Numbers truncated by the emulator.
fn round(name: &str, width: &str, pairs: &[(u64, u64)]) {
    let (from, to) = (if width == "32" { Float::F32 } else { Float::F64 }, Scalar::from_keyword(name).unwrap());
    let (from, n) = (Scalar::Float(from), pairs.len());
    let bytes = pairs.iter().flat_map(|(x, _)| x.to_le_bytes().into_iter().take(from.bytes())).collect();
    let tensor = Tensor { elem: from, shape: vec![n as i64], bytes };
    let values = tensor.to_f64();
    let text = format!(
        "func.func @f(%x: vector<{n}x{from}>) -> vector<{n}x{name}> {{
  %y = arith.truncf %x : vector<{n}x{from}> to vector<{n}x{name}>
  return %y : vector<{n}x{name}>
}}"
    );
    let result = &good(&text, &[tensor]).results[0];
    let got = result.to_f64();
    let words = pairs.iter().flat_map(|(_, word)| word.to_le_bytes().into_iter().take(to.bytes())).collect();
    let want = Tensor { elem: to, shape: vec![n as i64], bytes: words }.to_f64();
    for at in 0..n {
        // f8E8M0FNU has neither zero nor sign. ml_dtypes makes zero a NaN, where MLIR and hardware have the smallest
        // number, and rounds everything up between its two smallest numbers, which f32 has as subnormals.
        if name == "f8E8M0FNU" && (values[at] == 0.0 || (values[at] > 2f64.powi(-127) && values[at] < 2f64.powi(-126)))
        {
            continue;
        }
        // Formats of 6 and 4 bits have no NaN, and nothing says what stands for it.
        if values[at].is_nan() && to.bits() < 8 {
            continue;
        }
        let same = got[at].to_bits() == want[at].to_bits() || got[at].is_nan() && want[at].is_nan();
        assert!(same, "{name} of {:e} ({:#x}): {}, not {}", values[at], pairs[at].0, got[at], want[at]);
    }
}
