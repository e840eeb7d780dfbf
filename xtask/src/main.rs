//! Chores of the project: `cargo xtask test`, `validators`, `conformance`, `e2e`, `dispatches`, `foreign`, `fuzz-*`, `mutate`,
//! `accuracy`, `counts`, `sass`, `gpu-kernels`, `gpu-bench`, `gpu-model`, `gpu-predict`, `gpu-layers`, `gpu-models`, `gpu-bench-models`, `amd-loops`, `amd-emulator`, `cpu`, `bench`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever started it")]

mod amd;
mod conformance;
mod cpu;
mod foreign;
mod fuzz;
mod gpu;
mod inputs;
mod mutate;
mod sass;
mod test;
mod validators;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask <chore>

  test         everything that must hold: format, lints, tests, documentation, policy
  validators   install NumPy, tensor-layouts and ptxas into target/validators, for the tests that compare
               with them
  fuzz-distribute [--seed N] [--count N]
               compare random kernels at every stage from vector to lowered, on the emulator
  fuzz-configs [--seed N] [--count N]
               compile and run random operations of any extents under random configurations
  fuzz-open [--seed N] [--count N]
               compile random chains of operations on tensors of open extents, run each with several shapes on the
               emulator, and a share as PTX and native code, and compare with what the program as written means
  fuzz-hosts [--seed N] [--count N]
               compile random loops and branches between kernels, and compare what the host, a function of C and the launch
               data give, bit for bit
  fuzz-unroll [--seed N] [--count N]
               compare random kernels with what they become on machines with vectors of their own
  fuzz-conversions [--seed N] [--count N]
               convert values between random pairs of layouts, the same way
  fuzz-emitted [--seed N] [--count N]
               assemble random kernels and execute them as PTX, beside the lowered program on the emulator
  fuzz-ptx [--seed N] [--count N]
               run PTX in which something was changed, within limits
  fuzz-ptx-forms [--seed N] [--count N]
               run small kernels of random instructions of PTX
  fuzz-plans [--seed N] [--count N]
               plan conversions between random layouts, execute each plan, and count what it costs again
  mutate [--only PART]… [--from N] [--every N] [--list]
               put faults into the rules of analysis and distribution, and see that the tests notice
  conformance  read IREE's test files and run their RUN lines: --iree CHECKOUT [--iree-opt PROGRAM]
               [--group LETTER] [--only PART-OF-A-PATH] [--raddle PROGRAM] [--filecheck PROGRAM];
               or compare all MLIR files of a folder: --tree FOLDER --iree-opt PROGRAM
  e2e          run IREE's end-to-end tests as they stand: --iree CHECKOUT [--iree-compile PROGRAM] [--cmake PROGRAM]
               [--device NAME] [--target CHIP] [--only PART-OF-A-PATH] [--list] [--raddle PROGRAM]
  dispatches   run the dispatches that IREE makes of xtask/models: --iree-compile PROGRAM [--models FOLDER]
               [--configured] [--device NAME] [--target CHIP] [--only PART-OF-A-PATH] [--list] [--raddle PROGRAM];
               or count how many are one kernel of vectors: --kernels
  foreign [--only PART-OF-A-NAME]… [--producer NAME]… [--quick] [--made] [--python PROGRAM] [--raddle PROGRAM]
               [--out FOLDER]
               compile the kernels of xtask/foreign with Triton, Numba, IREE, NVCC and Warp (installed into target/foreign)
               and run their PTX with `raddle exec`; --made: those that an earlier call made
  sass [--size MxNxK] [--tools FOLDER]
               assemble products for sm_80 and print what stands beside the matrix instructions of their
               inner loops; FOLDER has ptxas and nvdisasm (PyPI: nvidia-cuda-nvcc, nvidia-cuda-nvdisasm)
  amd-loops [--iree-compile PROGRAM]
               compile products for AMD chips, and let IREE compile the same text, and print what stands beside
               the matrix instructions of their inner loops; needs LLVM 19
  fuzz-amd [--seed N] [--count N]
               compile random programs for each AMD chip, and print how many kernels need scratch memory
  fuzz-cpu [--seed N] [--count N]
               compare random programs as native code with what they mean, on each CPU that runs here or under QEMU
  amd-emulator execute code objects of random programs in the emulator of a tinygrad checkout, and compare:
               --tinygrad CHECKOUT [--target CHIP] [--count N] [--seed N]; needs LLVM 19, clang and NumPy
  cpu [--iree FOLDER [FILE]…]
               time products of matrices and other programs as native code of this machine beside NumPy, on one thread
               each; or programs of one operation, or those of files, beside IREE's code (FOLDER has iree-compile and
               iree-benchmark-module; PyPI: iree-base-compiler, iree-base-runtime); needs LLVM 19, ld.lld and NumPy
  gpu-kernels [--python PROGRAM] [--target CHIP] [--triton 80|90]… [--iree-compile PROGRAM] [--only PART]… [--shapes]
               [--no-triton] [--no-variants] FOLDER
               make kernels of products, attention, softmax and others, and Triton's and IREE's for the same programs
  gpu-bench [--python PROGRAM] [--only PART]… [--seconds N] [--turns N] FOLDER
               check and time them beside PyTorch's on the GPU of this machine
  sanitizer    count the planted bugs that the emulator finds in small kernels, and what it says of right ones
  gpu-models [--python PROGRAM] [--iree-compile PROGRAM] [--target CHIP] [--only PART]… FOLDER
               export whole models from PyTorch into a folder, and compile them; the Python has PyTorch, torchvision and
               iree-turbine
  gpu-bench-models [--python PROGRAM] [--only PART]… [--kernels] [--no-compile] FOLDER
               time them on the GPU of this machine beside PyTorch, as it is and compiled; --kernels says what each
               kernel takes
  gpu-model [--python PROGRAM] [--chip 80|90] [--measured RESULTS] [--only PART]… [--terms] FOLDER
               predict their times without a GPU, from assembled code, launch data and counted accesses
  gpu-predict [--python PROGRAM] [--chip 80|90] [--extents N] [--top N] FILE.mlir…
               compile programs, and predict the time of each kernel in the same way, beside the least it could take
  gpu-layers [--python PROGRAM] [--iree-compile PROGRAM] [--chip 80|90] [--type f16|f32]… [--only PART]…
               [--before RESULTS] [--jobs N] FOLDER
               export many layers of PyTorch and their gradients into a folder, and predict the time of each, those
               in front that take most of the least they could take; --before: `layers.json` of another compiler
  counts [--only PART-OF-A-NAME]
               execute products, softmax and norms on the emulator, and print matrix instructions, sectors and bytes
               beside the least; fails where an aim is missed
  accuracy     measure how far functions are from the exact results, as a table
  bench        print the figures that are watched: text to PTX, start-up, peak memory, emulator,
               executed PTX
  bench --peers
               the emulator beside NumPy and Triton's interpreter, which are installed first
";

fn main() -> ExitCode {
    let chores: Vec<String> = std::env::args().skip(1).collect();
    let good = match chores.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test::test(),
        ["conformance", ref arguments @ ..] => conformance::conformance(arguments),
        ["e2e", ref arguments @ ..] => inputs::e2e(arguments),
        ["dispatches", ref arguments @ ..] => inputs::dispatches(arguments),
        ["validators"] => validators::install(),
        [chore, ref options @ ..] if chore == "mutate" || chore.starts_with("fuzz-") => {
            let done = if chore == "mutate" { mutate::mutate(options) } else { fuzz::fuzz(chore, options) };
            let Some(good) = done else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["foreign", ref options @ ..] => {
            let Some(good) = foreign::foreign(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["sass", ref options @ ..] => {
            let Some(good) = sass::sass(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["cpu", ref options @ ..] => {
            let Some(good) = cpu::cpu(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["amd-loops", ref options @ ..] => {
            let Some(good) = amd::loops(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["amd-emulator", ref options @ ..] => {
            let Some(good) = amd::emulator(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            good
        }
        ["gpu-kernels", ref options @ ..] => gpu::kernels(options),
        ["gpu-bench", ref options @ ..] => gpu::bench(options),
        ["sanitizer"] => cargo(&[&tests("raddle-emu", "corpus::")[..], &["--test-threads=1"]].concat()),
        ["gpu-models", ref options @ ..] => gpu::models(options),
        ["gpu-bench-models", ref options @ ..] => gpu::bench_models(options),
        ["gpu-model", ref options @ ..] => gpu::model(options),
        ["gpu-predict", ref options @ ..] => gpu::predict(options),
        ["gpu-layers", ref options @ ..] => gpu::layers(options),
        ["counts"] => counts("all"),
        ["counts", "--only", part] => counts(part),
        ["accuracy"] => {
            println!("| function | type | greatest distance in ULP | promised |\n| --- | --- | --- | --- |");
            let args = tests("raddle-passes", "expand_math::functions_of");
            succeeds(Command::new(env!("CARGO")).args(args).env("RADDLE_POINTS", "1048576"))
        }
        ["bench", "--peers"] => {
            validators::install_peers() && cargo(&["bench", "--package", "raddle-emu", "--bench", "lane_ops"])
        }
        ["bench"] => {
            cargo(&["bench", "--package", "raddle", "--bench", "figures"])
                && cargo(&["bench", "--package", "raddle-emu", "--bench", "ptx"])
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Arguments of cargo for the tests of a crate whose names contain a text, with all that they print.
fn tests<'a>(package: &'a str, name: &'a str) -> [&'a str; 8] {
    ["test", "--package", package, "--test", "all", name, "--", "--nocapture"]
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// Where validators are installed.
fn validators_dir() -> PathBuf {
    root().join("target").join("validators")
}

/// Whether a missing validator is a failure.
fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Counts what kernels do: all, or those whose names have a part.
fn counts(which: &str) -> bool {
    let [test, rest @ ..] = tests("raddle", "counts::");
    succeeds(Command::new(env!("CARGO")).args([test, "--release"]).args(rest).env("RADDLE_COUNTS", which))
}

/// Runs cargo in the workspace, its output going through, and says whether it succeeded.
fn cargo(args: &[&str]) -> bool {
    println!("\n==> cargo {}", args.join(" "));
    succeeds(Command::new(env!("CARGO")).args(args))
}

fn succeeds(command: &mut Command) -> bool {
    match command.current_dir(root()).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run {:?}: {error}", command.get_program());
            false
        }
    }
}
