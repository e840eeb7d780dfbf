//! Matrix multiplications read and write shared memory without waiting for a bank, on every kind of chip.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{matmul, raddle_with};

/// The wavefronts of shared memory are as few as the bytes need; NVIDIA's come by matrices.
#[test]
fn no_fragment_waits_for_a_bank() {
    let kernels = [matmul(128, 256, 128), matmul(64, 64, 64), matmul(128, 48, 96)];
    for target in ["sm_80", "sm_90", "gfx942", "gfx950", "gfx1100"] {
        for kernel in &kernels {
            let run = raddle_with(&["run", "-", "--stats", &format!("--target={target}")], kernel);
            let said = format!("{}{}", run.out, run.err);
            let total = said.lines().find(|line| line.contains("all operations")).unwrap_or_else(|| panic!("{said}"));
            let cells: Vec<&str> = total.split_whitespace().collect();
            // all operations, runs, lanes on, %, shared bytes, wavefronts, ideal
            let (wavefronts, ideal) = (cells[6], cells[7]);
            assert!(wavefronts.parse::<u64>().unwrap() > 0, "{total}");
            assert_eq!(wavefronts, ideal, "{target}: {said}");
            assert_eq!(said.contains("nvgpu.ldmatrix"), target.starts_with("sm_"), "{said}");
            run.says(0, &["correct"]);
        }
    }
}
