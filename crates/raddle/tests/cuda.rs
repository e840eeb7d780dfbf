//! `--device=cuda` against a stand-in for the driver library, which the tests compile: no GPU is needed.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

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

/// The stand-in, compiled once for all tests.
fn library() -> PathBuf {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(compiled);
    LIBRARY.clone()
}

fn compiled() -> PathBuf {
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
    assert!(ran.status.code() == Some(2) && text.contains("E0821"), "{text}");
    let (_, text) = raddle(driver, &["devices"]);
    assert!(text.contains("cuda:0   Mock: sm_80, 4 multiprocessors at 1000 MHz"), "{text}");
}

/// Configurations are timed, ranked and compared; one that is refused is told. The stand-in's events are 0.25 s apart.
#[test]
fn programs_are_timed() {
    let library = library();
    let driver = library.to_str().expect("the path is text");
    let folder = tempfile::tempdir().expect("there is a folder for files");
    let [file, configs] = ["sum.mlir", "configs.txt"].map(|name| folder.path().join(name));
    let write = |path: &PathBuf, text: &str| std::fs::write(path, text).expect("the file is written");
    write(&file, &program("add"));
    write(&configs, "// none\n\n#iree_gpu.lowering_config<{workgroup = [3, 5, 7]}>\n");
    let [file, configs] = [&file, &configs].map(|path| path.to_str().expect("the path is text"));
    let (ran, text) = raddle(driver, &["bench", file, &format!("--configs={configs}"), "--json", "--samples=3"]);
    assert!(ran.status.success(), "{text}");
    let answer: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&answer["flops"], &answer["bytes"], &answer["target"]), (&512.0.into(), &6144.into(), &"sm_80".into()));
    let rows = answer["configurations"].as_array().expect("there is a list");
    assert_eq!((&rows[0]["median_s"], &rows[0]["wrong_elements"]), (&0.25.into(), &0.into()));
    assert!(rows[1]["error"].is_string(), "{text}");
    // The stand-in adds: a product is wrong.
    std::fs::write(file, program("mul")).expect("the program is written");
    let (ran, text) = raddle(driver, &["bench", file]);
    assert!(ran.status.code() == Some(1) && text.contains("WRONG"), "{text}");
    let (ran, text) = raddle(driver, &["bench", file, "--device=ptx-emu"]);
    assert!(ran.status.code() == Some(1) && text.contains("says nothing of the kernel's"), "{text}");
}

/// Where there is no driver, `devices` says so and `run` fails.
#[test]
fn a_machine_without_a_driver_says_so() {
    let (ran, text) = raddle("no-such-driver.so", &["devices"]);
    assert!(ran.status.success() && text.contains("no `cuda`: there is no CUDA driver"), "{text}");
    let (ran, text) = raddle("no-such-driver.so", &["run", "--device=cuda", "-"]);
    assert!(ran.status.code() == Some(2) && text.contains("E0821"), "{text}");
}
