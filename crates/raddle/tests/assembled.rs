//! Random conversions between layouts, and reads of shared memory by rows, become PTX that ptxas accepts.
//!
//! `RADDLE_ASSEMBLED=1000` checks more of them than a test run has time for.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use crate::common;
use crate::common::validator;
use crate::programs::{Kernel, Program, Rng};

/// Types that a PTX kernel's buffers can have.
const TYPES: &[&str] = &["i1", "i8", "f8E4M3FN", "f16", "bf16", "i32", "f32", "i64", "f64"];

#[test]
fn ptxas_accepts_random_conversions() {
    let Some(ptxas) = validator("ptxas") else { return };
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_ASSEMBLED", 40), number("RADDLE_SEED", 0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.ptx");
    for seed in first..first + n {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(777));
        let (chip, elem, n_subgroups) = (rng.pick(&["sm_80", "sm_90"]), rng.pick(TYPES), rng.pick(&[1, 2, 3, 4, 8]));
        let make = rng.pick(&[Program::pair as fn(Rng, i64, i64, &'static str) -> Kernel, Program::shared]);
        let Kernel { text, .. } = make(rng, 32, n_subgroups, elem);
        let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
        common::raddle_with(&args, &text).says(0, &[]);
        let output = Command::new(&ptxas)
            .arg(format!("-arch={chip}"))
            .arg("-o")
            .arg(folder.path().join("kernel.cubin"))
            .arg(&path)
            .output()
            .unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.is_empty(), "seed {seed}: {said}\n{text}");
    }
}

/// Whole kernels, with gathers, masked regions, loops and branches.
#[test]
fn ptxas_accepts_random_kernels() {
    let Some(ptxas) = validator("ptxas") else { return };
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_ASSEMBLED", 20), number("RADDLE_SEED", 0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.ptx");
    let mut accepted = 0;
    for seed in first..first + n {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(4242));
        let (elem, n_subgroups) = (rng.pick(&["f32", "i32", "f16", "i64"]), rng.pick(&[1, 2, 4]));
        let Kernel { text, .. } = Program::kernel(rng, 32, n_subgroups, elem);
        let ran = common::raddle_with(&["build", "-", "--target=sm_80", "-o", path.to_str().unwrap()], &text);
        if ran.err.contains("more than") {
            // A limit is not a fault.
            continue;
        }
        ran.says(0, &[]);
        let mut command = Command::new(&ptxas);
        let output =
            command.arg("-arch=sm_80").arg("-o").arg(folder.path().join("kernel.cubin")).arg(&path).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.is_empty(), "seed {seed}: {said}\n{text}");
        accepted += 1;
    }
    assert!(accepted * 2 > n, "only {accepted} of {n} kernels are within the limits");
}
