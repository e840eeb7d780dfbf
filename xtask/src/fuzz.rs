//! The commands for random tests: more cases than a test run has time for.

use std::process::Command;

use crate::succeeds;

/// What runs at random.
struct Fuzz {
    chore: &'static str,
    package: &'static str,
    test: &'static str,
    /// The tests of the file, where they are not all: a part of their names.
    only: &'static str,
    /// The environment variable for the number of cases, and that number where none is given.
    count: (&'static str, u64),
    cases: &'static str,
}

const FUZZES: &[Fuzz] = &[
    // Programs through analysis and distribution.
    Fuzz {
        chore: "fuzz-distribute",
        package: "raddle-passes",
        test: "random_programs",
        only: "",
        count: ("RADDLE_PROGRAMS", 100_000),
        cases: "programs",
    },
    // Operations, extents and configurations, from tensors to what threads do.
    Fuzz {
        chore: "fuzz-configs",
        package: "raddle-passes",
        test: "configs",
        only: "",
        count: ("RADDLE_PROGRAMS", 100_000),
        cases: "programs",
    },
    // Programs unrolled for machines with vectors of their own.
    Fuzz {
        chore: "fuzz-unroll",
        package: "raddle-passes",
        test: "unroll",
        only: "",
        count: ("RADDLE_PROGRAMS", 10_000),
        cases: "programs",
    },
    // Conversions in kernels.
    Fuzz {
        chore: "fuzz-conversions",
        package: "raddle-passes",
        test: "random_conversions",
        only: "",
        count: ("RADDLE_PAIRS", 10_000),
        cases: "conversions",
    },
    // Kernels as PTX, assembled and executed, beside the lowered program.
    Fuzz {
        chore: "fuzz-emitted",
        package: "raddle",
        test: "emitted",
        only: "",
        count: ("RADDLE_PROGRAMS", 1000),
        cases: "kernels",
    },
    // Kernels for AMD chips, which need no memory of a thread's own.
    Fuzz {
        chore: "fuzz-amd",
        package: "raddle",
        test: "amd",
        only: "random_kernels",
        count: ("RADDLE_AMD", 500),
        cases: "programs for each chip",
    },
    // PTX in which something was changed; `RADDLE_PTX=target/foreign-kernels` adds that of other producers.
    Fuzz {
        chore: "fuzz-ptx",
        package: "raddle-emu",
        test: "ptx_mangled",
        only: "",
        count: ("RADDLE_PROGRAMS", 1_000_000),
        cases: "mangled kernels",
    },
    // Small kernels of random instructions as PTX.
    Fuzz {
        chore: "fuzz-ptx-forms",
        package: "raddle-emu",
        test: "ptx_forms",
        only: "",
        count: ("RADDLE_PROGRAMS", 20_000_000),
        cases: "kernels",
    },
    // Plans of conversions.
    Fuzz {
        chore: "fuzz-plans",
        package: "raddle-target",
        test: "random_pairs",
        only: "",
        count: ("RADDLE_PAIRS", 10_000),
        cases: "pairs of layouts",
    },
];

/// Runs a chore, optimized; `None` if the options are not understood.
pub fn fuzz(chore: &str, options: &[&str]) -> Option<bool> {
    let fuzz = FUZZES.iter().find(|fuzz| fuzz.chore == chore)?;
    let (mut seed, mut count) = (0u64, fuzz.count.1);
    for pair in options.chunks(2) {
        let [name, value] = pair else { return None };
        let slot = match *name {
            "--seed" => &mut seed,
            "--count" => &mut count,
            _ => return None,
        };
        *slot = value.parse().ok()?;
    }
    let args = ["test", "--release", "--package", fuzz.package, "--test", fuzz.test, fuzz.only, "--", "--nocapture"];
    println!("==> {count} {} from seed {seed}", fuzz.cases);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).env("RADDLE_SEED", seed.to_string()).env(fuzz.count.0, count.to_string());
    Some(succeeds(&mut cargo))
}
