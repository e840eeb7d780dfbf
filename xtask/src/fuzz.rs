//! The commands for random tests: more cases than a test run has time for.

use std::process::Command;

use crate::{succeeds, tests};

/// What runs at random.
struct Fuzz {
    chore: &'static str,
    package: &'static str,
    /// The tests: their file, and how their names begin where they are not all of it.
    tests: &'static str,
    /// The environment variable for the number of cases, and that number where none is given.
    count: (&'static str, u64),
    cases: &'static str,
}

const FUZZES: &[Fuzz] = &[
    // Programs through analysis and distribution.
    Fuzz {
        chore: "fuzz-distribute",
        package: "raddle-passes",
        tests: "random_programs::",
        count: ("RADDLE_PROGRAMS", 100_000),
        cases: "programs",
    },
    // Operations, extents and configurations, from tensors to what threads do.
    Fuzz {
        chore: "fuzz-configs",
        package: "raddle-passes",
        tests: "configs::",
        count: ("RADDLE_PROGRAMS", 100_000),
        cases: "programs",
    },
    // Programs unrolled for machines with vectors of their own.
    Fuzz {
        chore: "fuzz-unroll",
        package: "raddle-passes",
        tests: "unroll::",
        count: ("RADDLE_PROGRAMS", 10_000),
        cases: "programs",
    },
    // Chains on tensors of open extents, compiled once and run with several shapes.
    Fuzz {
        chore: "fuzz-open",
        package: "raddle",
        tests: "open_chains::",
        count: ("RADDLE_PROGRAMS", 20_000),
        cases: "programs",
    },
    // Loops and branches between kernels, by each of those that carry them out.
    Fuzz {
        chore: "fuzz-hosts",
        package: "raddle",
        tests: "loops_of_hosts::",
        count: ("RADDLE_PROGRAMS", 500),
        cases: "programs",
    },
    // Conversions in kernels.
    Fuzz {
        chore: "fuzz-conversions",
        package: "raddle-passes",
        tests: "random_conversions::",
        count: ("RADDLE_PAIRS", 10_000),
        cases: "conversions",
    },
    // Kernels as PTX, assembled and executed, beside the lowered program.
    Fuzz {
        chore: "fuzz-emitted",
        package: "raddle",
        tests: "emitted::",
        count: ("RADDLE_PROGRAMS", 1000),
        cases: "kernels",
    },
    // Programs as native code, on each CPU that this machine or QEMU executes.
    Fuzz {
        chore: "fuzz-cpu",
        package: "raddle",
        tests: "cpu_random::",
        count: ("RADDLE_PROGRAMS", 10_000),
        cases: "programs for each CPU",
    },
    // Kernels for AMD chips, which need no memory of a thread's own.
    Fuzz {
        chore: "fuzz-amd",
        package: "raddle",
        tests: "amd::random_kernels",
        count: ("RADDLE_AMD", 500),
        cases: "programs for each chip",
    },
    // PTX in which something was changed; `RADDLE_PTX=target/foreign-kernels` adds that of other producers.
    Fuzz {
        chore: "fuzz-ptx",
        package: "raddle-emu",
        tests: "ptx_mangled::",
        count: ("RADDLE_PROGRAMS", 1_000_000),
        cases: "mangled kernels",
    },
    // Small kernels of random instructions as PTX.
    Fuzz {
        chore: "fuzz-ptx-forms",
        package: "raddle-emu",
        tests: "ptx_forms::",
        count: ("RADDLE_PROGRAMS", 20_000_000),
        cases: "kernels",
    },
    // Plans of conversions.
    Fuzz {
        chore: "fuzz-plans",
        package: "raddle-target",
        tests: "random_pairs::",
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
    let [test, rest @ ..] = tests(fuzz.package, fuzz.tests);
    println!("==> {count} {} from seed {seed}", fuzz.cases);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([test, "--release"])
        .args(rest)
        .env("RADDLE_SEED", seed.to_string())
        .env(fuzz.count.0, count.to_string());
    Some(succeeds(&mut cargo))
}
