//! Random kernels and products of every type and order as PTX: ptxas accepts the text, and executed, whenever its copies
//! happen, it gives the bits that the lowered program gives on the emulator.
//!
//! `cargo xtask fuzz-emitted --seed 7 --count 1000` tries more of them.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and says how many kernels it compared")]

mod common;
#[path = "../../raddle-passes/tests/programs/mod.rs"]
#[allow(dead_code, reason = "the tests of the passes make other programs")]
mod programs;

use std::process::Command;

use programs::{Program, Rng};
use raddle::pipeline;
use raddle_emu::{AsyncMode, Options};
use raddle_ir::{Ir, OpId, Scalar};
use raddle_passes::Facts;
use raddle_run::{Device, Emulator, Launch, Tensor, ptx};
use raddle_target::{Chip, Lowered, Stage};

/// Refusals that state a limit.
const LIMITS: &[&str] = &["more shared memory", "more than 4096 selects", "more than 256 places", "too large"];

/// A kernel in MLIR, and the chip that it is for.
struct Case {
    name: String,
    text: String,
    target: &'static str,
    /// Whether the last argument holds bounds and positions.
    has_numbers: bool,
}

/// Products of every element type that a matrix instruction takes, in every order of the operands.
fn products() -> Vec<Case> {
    let types = [
        ("sm_80", "f16", "f32"),
        ("sm_80", "bf16", "f32"),
        ("sm_80", "f32", "f32"),
        ("sm_80", "f64", "f64"),
        ("sm_80", "i8", "i32"),
        ("sm_90", "f8E4M3FN", "f32"),
        ("sm_90", "f8E5M2", "f32"),
    ];
    let mut all = Vec::new();
    for (target, elem, sum) in types {
        for order in ["nn", "nt", "tn", "tt"] {
            let mut text = common::product([64, 64, 64], order, elem, sum);
            if elem == sum {
                text = text.lines().filter(|line| !line.contains("extf")).map(|line| format!("{line}\n")).collect();
                text = text.replace("mulf %x, %y", "mulf %a, %b");
            }
            if elem == "i8" {
                text = text.replace("extf", "extsi").replace("mulf", "muli").replace("addf", "addi");
                text = text.replace("constant 0.0", "constant 0");
            }
            all.push(Case { name: format!("{elem} {order}"), text, target, has_numbers: false });
        }
    }
    all
}

/// A random kernel.
fn random(seed: u64) -> Case {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(31));
    let (elem, n_subgroups) = (rng.pick(&["f32", "i32", "f16", "i64"]), rng.pick(&[1, 2, 4]));
    let kernel = Program::kernel(rng, 32, n_subgroups, elem);
    Case { name: format!("seed {seed}"), text: kernel.text, target: "sm_80", has_numbers: true }
}

/// The kernel at `lowered`; `None` if it is over a limit.
fn lowered(case: &Case, chip: &'static Chip) -> Option<(Ir, OpId)> {
    let facts = Facts::new(chip);
    let ir = pipeline::open(&case.text, chip).unwrap_or_else(|diags| panic!("{}: {diags:?}", case.name));
    let func = pipeline::function(&ir, None).unwrap();
    let mut program = pipeline::Program::of(ir, func, &facts).unwrap();
    if let Err(why) = program.advance(&facts, Stage::Lowered, |_, _| {}) {
        let all = format!("{why} {:?}", why.notes);
        assert!(LIMITS.iter().any(|limit| all.contains(limit)), "{}: {all}\n{}", case.name, case.text);
        return None;
    }
    let kernel = program.kernels[0];
    pipeline::finish(&mut program.ir, kernel, &facts).unwrap();
    Some((program.ir, kernel))
}

/// Small whole numbers: sums are exact whatever their order.
fn arguments(ir: &Ir, func: OpId, case: &Case, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng(seed | 1);
    let params = ir.args(ir.entry(func));
    let last = params.len() - 1;
    let mut tensors = Vec::new();
    for (at, &param) in params.iter().enumerate() {
        let (elem, shape) = (Scalar::of(&ir[ir.elem_of(param)]).unwrap(), ir.ty(param).shape().unwrap().to_vec());
        let n = shape.iter().product::<i64>();
        let numbers = case.has_numbers && at == last;
        let mut value = || match numbers {
            true => rng.pick(&[-2.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 13.0, 16.0, 31.0, 40.0]),
            false => rng.below(3) as f64 - 1.0,
        };
        let values: Vec<f64> = (0..n).map(|_| value()).collect();
        tensors.push(Tensor::from_f64(elem, &shape, &values));
    }
    tensors
}

#[test]
fn text_gives_the_bits_of_the_program() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 40), number("RADDLE_SEED", 0));
    let ptxas = common::validator("ptxas");
    let folder = tempfile::tempdir().unwrap();
    let (mut n_compared, mut n_assembled, mut n_limited) = (0, 0, 0);
    let cases = products().into_iter().chain((first..).map(random));
    for (case, seed) in cases.take(n as usize).zip(first..) {
        let chip = pipeline::chip(case.target).unwrap();
        let Some((ir, func)) = lowered(&case, chip) else {
            n_limited += 1;
            continue;
        };
        let args = arguments(&ir, func, &case, seed);
        let launch = Launch::of(&ir, func).unwrap();
        let expected = Emulator.run(&ir, func, &args, &launch, &Options::default());
        let expected = expected.unwrap_or_else(|diag| panic!("{}: {diag:?}\n{}", case.name, case.text));
        let form = Lowered::check(&ir, func, chip).unwrap();
        let text = raddle_emit::ptx::emit_with(&ir, &form, &raddle_emit::ptx::Options::default()).unwrap();
        let module = ptx::parse(&text).unwrap_or_else(|diag| panic!("{}: {diag:?}\n{text}", case.name));
        let shared_bytes = raddle_emit::ptx::dynamic_shared_bytes(&form) as usize;
        let start = ptx::Launch { entry: None, grid: launch.grid, workgroup: None, shared_bytes };
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let ran = ptx::run(&module, &args, &start, &options);
            let ran = ran.unwrap_or_else(|diag| panic!("{}, {copies:?}: {diag:?}\n{}\n{text}", case.name, case.text));
            for (at, (got, want)) in ran.args.iter().zip(&expected.buffers).enumerate() {
                let width = want.elem.bytes();
                let same = |at: usize| got.bytes[at * width..][..width] == want.bytes[at * width..][..width];
                let (values, wanted) = (got.to_f64(), want.to_f64());
                // There are many NaN, and every machine has its own.
                let differs = (0..wanted.len()).find(|&at| !(same(at) || values[at].is_nan() && wanted[at].is_nan()));
                if let Some(n) = differs {
                    let (got, want) = (values[n], wanted[n]);
                    let place = format!("{}, {copies:?}: element {n} of argument {at}", case.name);
                    panic!("{place} is {got:e}, not {want:e}\n{}\n{text}", case.text);
                }
            }
        }
        n_compared += 1;
        let Some(ptxas) = &ptxas else { continue };
        let path = folder.path().join("kernel.ptx");
        std::fs::write(&path, &text).unwrap();
        let mut command = Command::new(ptxas);
        command.arg(format!("-arch={}", case.target)).arg("-o").arg(folder.path().join("kernel.cubin")).arg(&path);
        let output = command.output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.is_empty(), "{}: {said}\n{text}", case.name);
        n_assembled += 1;
    }
    println!("{n_compared} kernels equal in both modes, {n_assembled} assembled, {n_limited} over a limit");
    assert!(n_compared * 2 > n, "only {n_compared} of {n} kernels are within the limits");
}
