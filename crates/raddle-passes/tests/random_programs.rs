//! Random kernels under random layouts: what they mean as whole-workgroup vectors, laid out, distributed and lowered is
//! the same, to the last bit.
//!
//! `cargo xtask fuzz-distribute --seed 7 --count 20000` runs more of them; with `RADDLE_SHOW=1` it prints each.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

#[allow(dead_code, reason = "other tests make other programs")]
mod programs;
#[allow(dead_code, reason = "other tests choose another chip")]
mod stages;

use programs::{Kernel, NUMBERS, Program, Rng};
use raddle_emu::Tensor;
use raddle_ir::{Diag, Float, Scalar};
use raddle_target::chip;

/// Runs one program at four stages. `Err` is why it was refused.
fn check(seed: u64) -> Result<(), Diag> {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345));
    let target = rng.pick(&["sm_80", "gfx942"]);
    let chip = chip(target).unwrap();
    let (n_subgroups, elem) = (rng.pick(&[1, 2, 3, 4, 8]), rng.pick(&["f32", "i32", "f16", "i64"]));
    let kernel = Program::kernel(rng, i64::from(chip.subgroup_size), n_subgroups, elem);
    let args = arguments(&kernel, seed);
    let Kernel { text, .. } = kernel;
    if std::env::var_os("RADDLE_SHOW").is_some() {
        println!("// seed {seed} on {target}\n{text}\n");
    }
    stages::alike(&format!("seed {seed}"), &text, target, &args, seed).map(|_| ())
}

/// Small whole numbers: sums are exact whatever their order.
fn arguments(kernel: &Kernel, seed: u64) -> Vec<Tensor> {
    let scalar = match kernel.elem {
        "i32" => Scalar::Int(32),
        "i64" => Scalar::Int(64),
        "f16" => Scalar::Float(Float::F16),
        _ => Scalar::Float(Float::F32),
    };
    let mut numbers = Rng(seed | 1);
    let (numeric, last) = kernel.buffers.split_at(kernel.buffers.len() - 1);
    let mut args: Vec<Tensor> = numeric
        .iter()
        .map(|shape| {
            let n = shape.iter().product::<i64>();
            let values: Vec<f64> = (0..n).map(|_| numbers.below(3) as f64 - 1.0).collect();
            Tensor::from_f64(scalar, shape, &values)
        })
        .collect();
    // Bounds and positions: mostly small, some negative, some large.
    let values: Vec<i64> =
        (0..NUMBERS).map(|_| numbers.pick(&[-2, 0, 0, 1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40])).collect();
    args.push(Tensor::from_i64(Scalar::Int(32), &last[0], &values));
    args
}

/// Refusals that state a limit: no program within the limits is refused.
const LIMITS: &[&str] = &["more shared memory", "more than 4096 selects", "more than 256 places", "too large"];

#[test]
fn every_stage_means_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 300), number("RADDLE_SEED", 0));
    let mut refused = Vec::new();
    let mut limited = 0;
    for seed in first..first + n {
        if let Err(why) = check(seed) {
            let all = format!("{why} {:?}", why.notes);
            if LIMITS.iter().any(|limit| all.contains(limit)) {
                limited += 1;
            } else {
                refused.push((seed, why));
            }
        }
    }
    println!("{} of {n} programs ran at every stage alike, {limited} met a limit", n - limited - refused.len() as u64);
    assert!(refused.is_empty(), "refused: {refused:#?}");
    assert!(limited * 20 <= n, "{limited} of {n} programs met a limit");
}
