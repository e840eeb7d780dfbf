//! `--device=cuda` against a stand-in for the driver library, which the tests compile: no GPU is needed.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The program that the stand-in's kernel `sum` computes, and one that it does not.
fn program(op: &str) -> String {
    format!(
        "func.func @sum(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>) -> tensor<64x8xf32> {{
           %e = tensor.empty() : tensor<64x8xf32>
           %r = linalg.{op} ins(%x, %y : tensor<64x8xf32>, tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
           return %r : tensor<64x8xf32>
         }}"
    )
}

fn library() -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mock-driver-{}.so", std::process::id()));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../raddle-run/tests/mock/driver.rs");
    let built = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Anon_snake_case", source, "-o"])
        .arg(&out)
        .status()
        .expect("rustc runs");
    assert!(built.success(), "the stand-in compiles");
    out
}

fn raddle(driver: &str, args: &[&str]) -> (Output, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .env("RADDLE_CUDA_DRIVER", driver)
        .output()
        .expect("raddle runs");
    let text = String::from_utf8_lossy(&[&ran.stdout[..], &ran.stderr[..]].concat()).into_owned();
    (ran, text)
}

/// Arguments go to the GPU in order, the result comes back and is compared with the reference.
#[test]
fn a_program_runs_on_the_gpu() {
    let library = library();
    let driver = library.to_str().expect("the path is text");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("sum-{}.mlir", std::process::id()));
    let path = file.to_str().expect("the path is text");
    std::fs::write(&file, program("add")).expect("the program is written");
    let (ran, text) = raddle(driver, &["run", path, "--device=cuda"]);
    assert!(ran.status.success() && text.contains("executed on device `cuda`"), "{text}");
    // The stand-in adds whatever it is given: a product is wrong, and that is seen.
    std::fs::write(&file, program("mul")).expect("the program is written");
    let (ran, text) = raddle(driver, &["run", path, "--device=cuda:0"]);
    assert_eq!(ran.status.code(), Some(1), "{text}");
    let (ran, text) = raddle(driver, &["run", path, "--device=cuda:7"]);
    assert!(ran.status.code() == Some(1) && text.contains("E0821"), "{text}");
    let (_, text) = raddle(driver, &["devices"]);
    assert!(text.contains("cuda:0   Mock: sm_80, 4 multiprocessors at 1000 MHz"), "{text}");
}

/// Where there is no driver, `devices` says so and `run` fails.
#[test]
fn a_machine_without_a_driver_says_so() {
    let (ran, text) = raddle("no-such-driver.so", &["devices"]);
    assert!(ran.status.success() && text.contains("no `cuda`: there is no CUDA driver"), "{text}");
    let (ran, text) = raddle("no-such-driver.so", &["run", "--device=cuda", "-"]);
    assert!(ran.status.code() == Some(1) && text.contains("E0821"), "{text}");
}
