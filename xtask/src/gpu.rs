//! `cargo xtask gpu-kernels`, `gpu-bench` and `gpu-model`: kernels of ours, of Triton's and of IREE's for the same programs,
//! their times, and what a model predicts of these; `gpu-predict`: what it predicts of any program's kernels, `gpu-layers`: of many layers of PyTorch; `gpu-models` and `gpu-bench-models`: the same for whole models.
//!
//! Kernels are made without a GPU, and the folder that holds them is all that a machine with one needs beside PyTorch and
//! `xtask/gpu`.

use std::process::Command;

/// Makes a folder of kernels: `[--python PROGRAM] [--target CHIP] [--triton 80|90]… [--iree-compile PROGRAM] [--only PART]…
/// [--shapes] [--no-triton] [--no-variants] FOLDER`; `--shapes` are the programs that the model compares. Triton compiles for sm_80 if nothing else is said. Without a
/// Python that has Triton, `--no-triton` leaves its kernels out.
pub fn kernels(options: &[&str]) -> bool {
    let (python, rest) = python(options);
    let raddle = crate::root().join("target/release/raddle");
    crate::cargo(&["build", "--release", "--package", "raddle"])
        && crate::succeeds(
            Command::new(python).arg(crate::root().join("xtask/gpu/make.py")).arg("--raddle").arg(raddle).args(rest),
        )
}

/// Times the kernels of a folder on this machine's GPU: `[--python PROGRAM] [--only PART]… [--seconds N] FOLDER`; the
/// Python has PyTorch.
pub fn bench(options: &[&str]) -> bool {
    let (python, rest) = python(options);
    crate::succeeds(Command::new(python).arg(crate::root().join("xtask/gpu/bench.py")).args(rest))
}

/// Exports models from PyTorch and compiles them: `[--python PROGRAM] [--iree-compile PROGRAM] [--target CHIP] [--only PART]…
/// FOLDER`; the Python has PyTorch, torchvision and iree-turbine.
pub fn models(options: &[&str]) -> bool {
    let (python, rest) = python(options);
    let raddle = crate::root().join("target/release/raddle");
    crate::cargo(&["build", "--release", "--package", "raddle"])
        && crate::succeeds(
            Command::new(python)
                .arg(crate::root().join("xtask/gpu/make_models.py"))
                .arg("--raddle")
                .arg(raddle)
                .args(rest),
        )
}

/// Times the models of a folder on this machine's GPU, beside PyTorch: `[--python PROGRAM] [--only PART]… [--kernels] FOLDER`.
pub fn bench_models(options: &[&str]) -> bool {
    let (python, rest) = python(options);
    crate::succeeds(Command::new(python).arg(crate::root().join("xtask/gpu/bench_models.py")).args(rest))
}

/// Predicts the times of the kernels of a folder: `[--python PROGRAM] [--chip 80|90] [--measured RESULTS] [--only PART]…
/// [--terms] FOLDER`; no GPU is needed.
pub fn model(options: &[&str]) -> bool {
    by_model("model.py", options)
}

/// Predicts the time of each kernel of programs: `[--python PROGRAM] [--chip 80|90] [--extents N] [--top N] [--measured RESULTS] FILE.mlir…`; no GPU is needed.
pub fn predict(options: &[&str]) -> bool {
    by_model("predict.py", options)
}

/// Exports many layers of PyTorch and predicts their times beside the least: `[--python PROGRAM] [--iree-compile PROGRAM] [--chip 80|90] [--type f16|f32]…
/// [--only PART]… [--before RESULTS] [--jobs N] FOLDER`; no GPU is needed, and the Python has PyTorch and iree-turbine.
pub fn layers(options: &[&str]) -> bool {
    by_model("predict_layers.py", options)
}

/// Runs a program of the model on compiled kernels, with what assembles and disassembles them.
fn by_model(program: &str, options: &[&str]) -> bool {
    let (python, rest) = python(options);
    crate::validators::install_disassembler()
        && crate::cargo(&["build", "--release", "--package", "raddle"])
        && crate::succeeds(
            Command::new(python)
                .arg(crate::root().join("xtask/gpu").join(program))
                .arg("--raddle")
                .arg(crate::root().join("target/release/raddle"))
                .arg("--tools")
                .arg(crate::validators_dir().join("bin"))
                .args(rest),
        )
}

/// The program that `--python` names, and the other options.
fn python<'a>(options: &[&'a str]) -> (&'a str, Vec<&'a str>) {
    let mut rest = options.to_vec();
    let at = rest.iter().position(|option| *option == "--python").filter(|at| at + 1 < rest.len());
    let Some(at) = at else { return ("python3", rest) };
    let program = rest.remove(at + 1);
    rest.remove(at);
    (program, rest)
}
