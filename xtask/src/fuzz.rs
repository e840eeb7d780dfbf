//! The fuzz command: random programs through analysis and distribution, more of them than a test run has time for.

use std::process::Command;

use crate::succeeds;

/// Runs random kernels, optimized; `None` if the options are not understood.
pub fn distribute(options: &[&str]) -> Option<bool> {
    run(options, 100_000, "random_programs", "RADDLE_PROGRAMS")
}

/// Runs random pairs of layouts, optimized; `None` if the options are not understood.
pub fn conversions(options: &[&str]) -> Option<bool> {
    run(options, 10_000, "random_conversions", "RADDLE_PAIRS")
}

fn run(options: &[&str], count: u64, test: &str, variable: &str) -> Option<bool> {
    let (mut seed, mut count) = (0u64, count);
    for pair in options.chunks(2) {
        let [name, value] = pair else { return None };
        let slot = match *name {
            "--seed" => &mut seed,
            "--count" => &mut count,
            _ => return None,
        };
        *slot = value.parse().ok()?;
    }
    let args = ["test", "--release", "--package", "raddle-passes", "--test", test, "--", "--nocapture"];
    println!("==> {count} of {test} from seed {seed}");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).env("RADDLE_SEED", seed.to_string()).env(variable, count.to_string());
    Some(succeeds(&mut cargo))
}
