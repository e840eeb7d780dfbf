//! Random kernels under random layouts: what they mean as whole-workgroup vectors, laid out, distributed and lowered is
//! the same, to the last bit.
//!
//! `cargo xtask fuzz-distribute --seed 7 --count 20000` runs more of them; with `RADDLE_SHOW=1` it prints each. A program
//! that fails is made as small as it can be, and printed with its seed.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};
use raddle_passes::Facts;
use raddle_target::{Chip, chip};

use crate::caught::caught;
use crate::programs::{Kernel, NUMBERS, Program, Rng, shrink};
use crate::stages;

/// Chips with subgroups of every size; those of 32 and 64 lanes have matrix instructions.
static MACHINES: LazyLock<[Chip; 6]> = LazyLock::new(|| {
    [1, 4, 8, 16, 32, 64].map(|lanes| {
        let like = chip(if lanes == 64 { "gfx942" } else { "sm_80" }).unwrap();
        Chip { subgroup_size: lanes, subgroup_sizes: vec![lanes].leak(), ..*like }
    })
});

/// What became of a program.
#[derive(PartialEq, Debug)]
enum Outcome {
    Alike,
    /// It is larger than something allows, and says so.
    Limited,
    /// It was refused, or means something else.
    Wrong(String),
}

/// Refusals that state a limit: no program within the limits is refused.
const LIMITS: &[&str] = &["more shared memory", "more than 4096 selects", "more than 256 places", "too large"];

/// Runs one program at four stages.
fn check(text: &str, machine: &'static Chip, args: &[Tensor], seed: u64) -> Outcome {
    let run = || stages::alike_on(&format!("seed {seed}"), text, &Facts::new(machine), args, seed);
    match caught(run) {
        Ok(Ok(_)) => Outcome::Alike,
        Ok(Err(why)) => {
            let all = format!("{why} {:?}", why.notes);
            if LIMITS.iter().any(|limit| all.contains(limit)) {
                Outcome::Limited
            } else {
                Outcome::Wrong(format!("{why:#?}"))
            }
        }
        Err(panic) => Outcome::Wrong(panic),
    }
}

/// What goes wrong, without the places and numbers that change from one program to another: where it panics, or the code
/// of what is said. A smaller program that fails in another way shows something else.
fn kind(why: &str) -> Option<&str> {
    why.lines().find(|line| line.starts_with("panicked at ") || line.trim_start().starts_with("code: "))
}

/// The program of a seed, the machine that it is for, and what it reads.
fn program(seed: u64) -> (Kernel, &'static Chip, Vec<Tensor>) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345));
    // The sizes that machines have make up half of the programs.
    let machine = &MACHINES[if rng.chance(50) { rng.pick(&[4, 5]) } else { rng.below(4) }];
    let (n_subgroups, elem) = (1 + rng.below(8) as i64, rng.pick(&["f32", "i32", "f16", "i64"]));
    let make = if rng.chance(10) { Program::function } else { Program::kernel };
    let kernel = make(rng, i64::from(machine.subgroup_size), n_subgroups, elem);
    let args = arguments(&kernel, seed);
    (kernel, machine, args)
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

#[test]
fn every_stage_means_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 2000), number("RADDLE_SEED", 0));
    let (limited, failing) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let next = AtomicU64::new(first);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + n || failing.lock().unwrap().len() >= 5 {
                return;
            }
            let (kernel, machine, args) = program(seed);
            if std::env::var_os("RADDLE_SHOW").is_some() {
                println!("// seed {seed} on {} lanes\n{}\n", machine.subgroup_size, kernel.text);
            }
            match check(&kernel.text, machine, &args, seed) {
                Outcome::Alike => {}
                Outcome::Limited => {
                    limited.fetch_add(1, Ordering::Relaxed);
                }
                Outcome::Wrong(why) => failing.lock().unwrap().push((seed, why)),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (limited, mut failing) = (limited.into_inner(), failing.into_inner().unwrap());
    failing.sort();
    for (seed, why) in &failing {
        // Who tries many faults asks only whether a program fails.
        assert!(std::env::var_os("RADDLE_NO_SHRINK").is_none(), "seed {seed}: {why}");
        let (kernel, machine, args) = program(*seed);
        let fails = |text: &str| matches!(check(text, machine, &args, *seed), Outcome::Wrong(other) if kind(&other) == kind(why));
        let small = shrink::shrink(&kernel.text, fails);
        let why = check(&small, machine, &args, *seed);
        println!("seed {seed}, {} lanes: {why:?}\nThe program:\n{small}", machine.subgroup_size);
    }
    let wrong: Vec<u64> = failing.into_iter().map(|(seed, _)| seed).collect();
    assert!(wrong.is_empty(), "seeds that fail: {wrong:?}");
    println!("{} of {n} programs ran at every stage alike, {limited} met a limit", n - limited);
    assert!(limited * 20 <= n, "{limited} of {n} programs met a limit");
}

/// A program is shrunk to what makes it fail: here, a write.
#[test]
fn a_failing_program_is_shrunk() {
    for seed in 0..20 {
        let (kernel, ..) = program(seed);
        let fails = |text: &str| text.contains("vector.transfer_write");
        let small = shrink::shrink(&kernel.text, fails);
        assert!(raddle_ir::parse(&small).is_ok_and(|ir| raddle_ir::verify(&ir).is_empty()), "{small}");
        assert_eq!(small.matches("vector.transfer_write").count(), 1, "{small}");
        assert!(!small.contains("cf."), "{small}");
    }
}

/// The ends of rows that begin between multiples of an access: one half of the threads has the first, and there is one.
#[test]
fn one_thread_stores_odd_rows() {
    let text = "#rows = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [5, 2], outer_tile = [1, 4], \
        thread_tile = [1, 1], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [0, 0]>
        func.func @kernel(%a: memref<5x32xf32>, %b: memref<5x33xf32>) attributes {translation_info = \
            #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [1, 1, 1] \
            subgroup_size = 1>} {
          %c0 = arith.constant 0 : index
          %pad = arith.constant 7.0 : f32
          %read = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<5x32xf32>, vector<5x32xf32>
          %rows = iree_vector_ext.to_layout %read to layout(#rows) : vector<5x32xf32>
          vector.transfer_write %rows, %b[%c0, %c0] {in_bounds = [true, true]} : vector<5x32xf32>, memref<5x33xf32>
          return
        }";
    let numbers = |shape: &[i64]| {
        let values: Vec<f64> = (0..shape.iter().product::<i64>()).map(|value| value as f64).collect();
        Tensor::from_f64(Scalar::Float(Float::F32), shape, &values)
    };
    let args = [numbers(&[5, 32]), numbers(&[5, 33])];
    assert_eq!(check(text, &MACHINES[0], &args, 0), Outcome::Alike);
}
