//! A kernel on whole-workgroup vectors, run at every stage from there on: all must mean the same, to the last bit.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Diag, Ir, TypeId};
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

/// Runs a kernel at four stages and compares all buffers; returns them, with the program at the end. `Err` is why the
/// program was refused.
#[allow(dead_code, reason = "each test takes the one that it needs")]
pub fn alike(name: &str, text: &str, target: &str, args: &[Tensor], seed: u64) -> Result<(Ir, Vec<Tensor>), Diag> {
    alike_on(name, text, &Facts::new(chip(target).unwrap()), args, seed)
}

/// The same for a chip that need not be one of the table; the remarks stay in the facts.
pub fn alike_on(name: &str, text: &str, facts: &Facts, args: &[Tensor], seed: u64) -> Result<(Ir, Vec<Tensor>), Diag> {
    let target = facts.chip.name;
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{name}: {diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let mut launch = Launch { mode: Mode::Simd, ..Launch::of(&ir, func).unwrap() };
    // Subgroups take turns in another order with each seed.
    let options = Options { seed, ..Options::default() };
    let run = |ir: &Ir, args: &[Tensor], launch: &Launch, stage: &str| {
        raddle_emu::run(ir, func, args, launch, &options).unwrap_or_else(|diag| {
            panic!("{name} at {stage}: {diag:?}\n{text}\n{}", raddle_ir::print(ir, &Default::default()))
        })
    };
    let ran = run(&ir, args, &launch, "vector");
    let (mut want, mut args) = (ran.buffers, args.to_vec());
    let is_vector = |ty: &TypeId| ir[*ty].is_vector();
    let (inputs, results) = ir.signature(func);
    if inputs.iter().chain(results).any(is_vector) {
        // Vectors that come in are read from memory then, and what leaves is written behind all others.
        let mut buffers = want.into_iter();
        let all = inputs.iter().zip(&args);
        want = all.map(|(ty, arg)| if is_vector(ty) { arg.clone() } else { buffers.next().unwrap() }).collect();
        args.extend(ran.results.iter().map(|result| Tensor::zeros(result.elem, &result.shape)));
        want.extend(ran.results);
        let pass = PASSES.iter().find(|pass| pass.name == "make-kernel").unwrap();
        pass.run(&mut ir, func, facts)?;
    }
    for pass in PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector)) {
        pass.run(&mut ir, func, facts)?;
        let problems = raddle_ir::verify(&ir);
        assert!(
            problems.is_empty(),
            "{name} after {}: {problems:#?}\n{text}\n{}",
            pass.name,
            raddle_ir::print(&ir, &Default::default())
        );
        if pass.stage >= Some(Stage::Distributed) {
            launch.mode = Mode::Simt;
        }
        let got = run(&ir, &args, &launch, pass.name).buffers;
        for (n, (got, want)) in got.iter().zip(&want).enumerate() {
            assert!(
                got.bytes == want.bytes,
                "{name} on {target}: argument {n} differs after {}\n{text}\n{}\nwant {:?}\ngot {:?}",
                pass.name,
                raddle_ir::print(&ir, &Default::default()),
                want.to_f64(),
                got.to_f64()
            );
        }
    }
    Ok((ir, want))
}

/// The buffers after a run of the lowered kernel, for what the emulator does not know as a whole.
#[allow(dead_code, reason = "not all tests need it")]
pub fn lowered(text: &str, target: &str, args: &[Tensor]) -> Vec<Tensor> {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let launch = Launch { mode: Mode::Simt, ..Launch::of(&ir, func).unwrap() };
    let facts = Facts::new(chip(target).unwrap());
    for pass in PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector)) {
        pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
    }
    raddle_emu::run(&ir, func, args, &launch, &Options::default()).unwrap_or_else(|diag| panic!("{diag:#?}")).buffers
}
