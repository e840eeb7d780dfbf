//! Code for AMD chips: LLVM IR without LLVM, and what LLVM makes of it where it is installed.
//!
//! `RADDLE_AMD=500` compiles more random kernels than a test run has time for.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

mod common;
#[path = "../../raddle-passes/tests/programs/mod.rs"]
#[allow(dead_code, reason = "the tests of the passes make other programs")]
mod programs;

use std::path::Path;
use std::process::Command;

use common::{Run, matmul, raddle_with};
use programs::{Kernel, Program, Rng};

/// Chips that LLVM 19 knows.
const CHIPS: [&str; 4] = ["gfx90a", "gfx942", "gfx1100", "gfx1201"];

/// Runs the binary with another LLVM than the installed one.
fn with_llvm(llvm: &str, args: &[&str], input: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.mlir");
    std::fs::write(&path, input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .arg(&path)
        .env("RADDLE_LLVM", llvm)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Whether LLVM is installed; without it the test says so, and fails when CI is set.
fn llvm_is_there() -> bool {
    let ran = raddle_with(&["build", "-", "--target=gfx942", "--emit=asm"], &matmul(64, 64, 32));
    if !ran.err.contains("E0704") {
        return true;
    }
    let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
    assert!(!ci, "LLVM is not installed, and CI is set: run `cargo xtask validators`");
    eprintln!("NOT CHECKED: LLVM 19 is not installed; run `cargo xtask validators`");
    false
}

/// What the launch data beside a code file say of its only kernel.
fn launch_data(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path.with_extension("json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["kernels"][0].clone()
}

/// A product of m x n x k; `order` says of B whether it is as written (`n`) or transposed (`t`).
fn product([m, n, k]: [usize; 3], order: &str, elem: &str, sum: &str) -> String {
    let zero = if sum.starts_with('i') { "0" } else { "0.0" };
    let (b, b_map) = if order == "t" { (format!("{n}x{k}"), "n, k") } else { (format!("{k}x{n}"), "k, n") };
    format!(
        "func.func @product(%A: tensor<{m}x{k}x{elem}>, %B: tensor<{b}x{elem}>) -> tensor<{m}x{n}x{sum}> {{
           %zero = arith.constant {zero} : {sum}
           %empty = tensor.empty() : tensor<{m}x{n}x{sum}>
           %init = linalg.fill ins(%zero : {sum}) outs(%empty : tensor<{m}x{n}x{sum}>) -> tensor<{m}x{n}x{sum}>
           %C = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({b_map})>,
                                               affine_map<(m, n, k) -> (m, n)>]
                ins(%A, %B : tensor<{m}x{k}x{elem}>, tensor<{b}x{elem}>) outs(%init : tensor<{m}x{n}x{sum}>) -> tensor<{m}x{n}x{sum}>
           return %C : tensor<{m}x{n}x{sum}>
         }}"
    )
}

/// The text of a program is written on any machine, in the language of the chip.
#[test]
fn llvm_ir_needs_no_llvm() {
    let ran = with_llvm("/nowhere/libLLVM.so", &["build", "--target=gfx942"], &matmul(64, 64, 32));
    ran.says(0, &["define amdgpu_kernel void @matmul(", "@llvm.amdgcn.mfma.f32.16x16x16f16(", "reqd_work_group_size"]);
    let ran = with_llvm("/nowhere/libLLVM.so", &["build", "--target=gfx1100", "--emit=llvm"], &matmul(64, 64, 32));
    ran.says(0, &["@llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16("]);
    raddle_with(&["build", "-", "--target=gfx942", "--emit=ptx"], &matmul(64, 64, 32))
        .says(1, &["E0701", "--emit=llvm"]);
    raddle_with(&["build", "-", "--emit=llvm"], &matmul(64, 64, 32)).says(1, &["E0701", "sm_80"]);
}

/// Whatever stands in the place of LLVM, there is one error that says what to install.
#[test]
fn a_machine_without_llvm_is_told_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("libLLVM.so");
    std::fs::write(&broken, "no library").unwrap();
    for llvm in ["/nowhere/libLLVM.so", broken.to_str().unwrap(), "/bin/true", "/nowhere/llc"] {
        let ran = with_llvm(llvm, &["build", "--target=gfx942", "--emit=object"], &matmul(64, 64, 32));
        ran.says(1, &["error[E0704]", "libllvm19"]);
        assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
    }
}

/// Every kind of matrix instruction that passes choose is one that LLVM has, and nothing goes through memory.
#[test]
fn products_compile_without_scratch() {
    if !llvm_is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.s");
    let types = [("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f32", "f32"), ("f16", "f16"), ("f64", "f64")];
    for chip in CHIPS {
        for (number, (elem, sum)) in types.into_iter().enumerate() {
            let order = ["n", "t"][number % 2];
            let text = product([128, 64, 64], order, elem, sum);
            let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
            raddle_with(&args, &text).says(0, &[]);
            let data = launch_data(&path);
            assert_eq!((&data["scratch_bytes"], &data["spilled_registers"]), (&0.into(), &0.into()), "{chip} {elem}");
            let assembly = std::fs::read_to_string(&path).unwrap();
            let has = |word: &str| assembly.contains(word);
            // RDNA has no matrix instructions for wide factors, and CDNA none with narrow sums.
            let none = if chip.starts_with("gfx9") { sum == "f16" } else { matches!(elem, "f32" | "f64") };
            assert!(none || has("v_mfma_") || has("v_wmma_"), "{chip} {elem}");
        }
    }
}

/// Matrix instructions that a program may name, those of 8-bit floats included, exist under their names.
#[test]
fn named_matrix_instructions_compile() {
    if !llvm_is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.s");
    for (chip, elem, sum, mnemonic) in [
        ("gfx942", "f8E4M3FNUZ", "f32", "v_mfma_f32_16x16x32_fp8_fp8"),
        ("gfx942", "f8E5M2FNUZ", "f32", "v_mfma_f32_16x16x32_bf8_bf8"),
        ("gfx908", "f16", "f32", "v_mfma_f32_16x16x16f16"),
        ("gfx1201", "f8E4M3FN", "f32", "v_wmma_f32_16x16x16_fp8_fp8"),
        ("gfx1201", "bf16", "bf16", "v_wmma_bf16_16x16x16_bf16"),
        ("gfx1100", "bf16", "bf16", "v_wmma_bf16_16x16x16_bf16"),
    ] {
        let text = product([64, 64, 64], "n", elem, sum);
        let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
        raddle_with(&args, &text).says(0, &[]);
        let assembly = std::fs::read_to_string(&path).unwrap();
        assert!(assembly.contains(mnemonic), "{chip} {elem} has no {mnemonic}");
    }
}

/// All lanes take part in the last move of a reduction, although only one lane uses what comes of it: LLVM does not sink
/// the move into the branch of that lane.
#[test]
fn moves_between_lanes_stay_in_front_of_branches() {
    if !llvm_is_there() {
        return;
    }
    let text = "func.func @sum(%A: tensor<1x512xf32>) -> tensor<1xf32> {
           %zero = arith.constant 0.0 : f32
           %empty = tensor.empty() : tensor<1xf32>
           %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
           %C = linalg.reduce ins(%A : tensor<1x512xf32>) outs(%init : tensor<1xf32>) dimensions = [1]
             (%a: f32, %c: f32) {
               %s = arith.addf %c, %a : f32
               linalg.yield %s : f32
             }
           return %C : tensor<1xf32>
         }";
    for chip in ["gfx1100", "gfx1201"] {
        let assembly =
            raddle_with(&["build", "-", &format!("--target={chip}"), "--emit=asm"], text).says(0, &[]).out.clone();
        let at = |word: &str| assembly.find(word).unwrap_or_else(|| panic!("{chip} has no {word}:\n{assembly}"));
        assert!(at("v_permlanex16_b32") < at("s_cbranch_execz"), "{assembly}");
    }
}

/// Whole kernels, with gathers, masked regions, shuffles, loops and branches.
#[test]
fn random_kernels_compile_without_scratch() {
    if !llvm_is_there() {
        return;
    }
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_AMD", 3), number("RADDLE_SEED", 0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.s");
    for chip in CHIPS {
        let width = if chip.starts_with("gfx9") { 64 } else { 32 };
        let mut compiled = 0;
        for seed in first..first + n {
            let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(4242));
            let (elem, n_subgroups) = (rng.pick(&["f32", "i32", "f16", "i64", "bf16", "i8"]), rng.pick(&[1, 2, 4]));
            let make = rng.pick(&[Program::kernel as fn(Rng, i64, i64, &'static str) -> Kernel, Program::pair]);
            let Kernel { text, .. } = make(rng, width, n_subgroups, elem);
            let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
            let ran = raddle_with(&args, &text);
            if ran.err.contains("more than") {
                // A limit is no mistake.
                continue;
            }
            ran.says(0, &[]);
            let data = launch_data(&path);
            assert_eq!(data["scratch_bytes"], 0, "{chip}, seed {seed}\n{text}");
            compiled += 1;
        }
        assert!(compiled * 2 > n, "only {compiled} of {n} kernels are within the limits");
    }
}

/// The assembly assembles to the code that the object file has, and the code object holds it.
#[test]
fn assembly_object_and_code_object_hold_the_same_code() {
    if !llvm_is_there() {
        return;
    }
    let tool = |name: &str| {
        let names = (19..=30).rev().map(|version| format!("{name}-{version}")).chain([name.to_owned()]);
        names.into_iter().find(|name| {
            let said = Command::new(name).arg("--version").output();
            said.is_ok_and(|said| !String::from_utf8_lossy(&said.stdout).contains("version 14"))
        })
    };
    let (Some(assembler), Some(_)) = (tool("llvm-mc"), tool("ld.lld")) else {
        eprintln!("NOT CHECKED: llvm-mc or ld.lld of LLVM 19 is not installed");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for chip in CHIPS {
        for ending in ["s", "o", "hsaco"] {
            let path = file(&format!("k.{ending}"));
            let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
            raddle_with(&args, &matmul(128, 64, 32)).says(0, &[]);
        }
        let assembled = Command::new(&assembler)
            .args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={chip}"), "-filetype=obj"])
            .args([file("k.s"), "-o".into(), file("again.o")])
            .output()
            .unwrap();
        assert!(assembled.status.success(), "{}", String::from_utf8_lossy(&assembled.stderr));
        let [object, again, linked] =
            ["k.o", "again.o", "k.hsaco"].map(|name| code_of(&std::fs::read(file(name)).unwrap()));
        assert!(object.len() > 100 && object == again, "{chip}: the assembly says something else");
        assert_eq!(object, linked, "{chip}: the code object holds something else");
    }
}

/// The bytes of the section `.text` of an ELF file of 64 bits.
fn code_of(file: &[u8]) -> Vec<u8> {
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0usize, |number, &byte| number << 8 | usize::from(byte))
    };
    let (table, size, n) = (number(40, 8), number(58, 2), number(60, 2));
    let names = number(table + size * number(62, 2) + 24, 8);
    let text = (0..n)
        .map(|section| table + size * section)
        .find(|&section| file[names + number(section, 4)..].starts_with(b".text\0"));
    let text = text.expect("the file has code");
    file[number(text + 24, 8)..][..number(text + 32, 8)].to_vec()
}
