//! The fuzz command: random programs through analysis and distribution, more of them than a test run has time for.

use std::process::Command;

use crate::succeeds;

/// Runs random kernels, optimized; `None` if the options are not understood.
pub fn distribute(options: &[&str]) -> Option<bool> {
    let (mut seed, mut count) = (0u64, 100_000u64);
    for pair in options.chunks(2) {
        let [name, value] = pair else { return None };
        let slot = match *name {
            "--seed" => &mut seed,
            "--count" => &mut count,
            _ => return None,
        };
        *slot = value.parse().ok()?;
    }
    let args = ["test", "--release", "--package", "raddle-passes", "--test", "random_programs", "--", "--nocapture"];
    println!("==> {count} programs from seed {seed}");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).env("RADDLE_SEED", seed.to_string()).env("RADDLE_PROGRAMS", count.to_string());
    Some(succeeds(&mut cargo))
}
