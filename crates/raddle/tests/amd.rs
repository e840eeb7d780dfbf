//! Code for AMD chips: LLVM IR without LLVM, and what LLVM makes of it where it is installed.
//!
//! `RADDLE_AMD=500` compiles more random kernels than a test run has time for.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, and says what it skips and what it counted"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::chains;
use crate::common::{Run, matmul, raddle_with};
use crate::programs::{Kernel, Program, Rng};

/// Refusals that state a limit.
const LIMITS: &[&str] = &["more shared memory", "more than 4096 selects", "more than 256 places", "too large"];

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
    kernels(path).swap_remove(0)
}

/// What they say of each kernel.
fn kernels(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path.with_extension("json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["kernels"].as_array().unwrap().clone()
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

/// Attention of so many matrices, rows, keys, and elements of a row of the key and of the value.
fn attention([b, rows, keys, depth, columns]: [usize; 5], elem: &str) -> String {
    let maps = ["(b, m, k)", "(b, n, k)", "(b, n, c)", "()", "(b, m, c)"];
    let maps = maps.map(|map| format!("affine_map<(b, m, n, k, c) -> {map}>")).join(", ");
    let ty = |rows: usize, columns: usize| format!("tensor<{b}x{rows}x{columns}x{elem}>");
    let [q, k, v, r] = [ty(rows, depth), ty(keys, depth), ty(keys, columns), ty(rows, columns)];
    format!(
        "func.func @attention(%q: {q}, %k: {k}, %v: {v}) -> {r} {{
           %scale = arith.constant 0.125 : {elem}
           %empty = tensor.empty() : {r}
           %r = iree_linalg_ext.attention {{indexing_maps = [{maps}]}} ins(%q, %k, %v, %scale : {q}, {k}, {v}, {elem})
               outs(%empty : {r}) {{
           ^bb0(%score: f32):
             iree_linalg_ext.yield %score : f32
           }} -> {r}
           return %r : {r}
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
        ran.says(2, &["error[E0704]", "libllvm19"]);
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
            // RDNA has no matrix instructions for wide factors.
            let none = !chip.starts_with("gfx9") && matches!(elem, "f32" | "f64");
            assert!(none || has("v_mfma_") || has("v_wmma_"), "{chip} {elem}");
        }
    }
}

/// The names of the instructions from the last label in front of the matrix instructions of a loop to its branch.
fn inner_loop(assembly: &str) -> Vec<&str> {
    let blocks = assembly.split("\n.LBB").filter(|block| block.contains("v_mfma_") && block.contains("s_cbranch"));
    let block = blocks.min_by_key(|block| block.len()).expect("a long product has a loop");
    let end = block.find("s_cbranch").expect("the block was chosen so");
    let lines = block[..end].lines().skip(1).filter(|line| line.starts_with('\t') && !line.starts_with("\t."));
    lines.filter_map(|line| line.split_whitespace().next()).collect()
}

/// The loop of a product in tiles of 128 x 128 x 32 loads and reads 128 bits at a time, loads the next tiles between the
/// reads of these and the last products, and has little beside 32 matrix instructions, in whatever order B lies.
#[test]
fn loops_of_products_are_short() {
    if !llvm_is_there() {
        return;
    }
    let config = "lowering_config = #iree_gpu.lowering_config<{workgroup = [128, 128, 0], reduction = [0, 0, 32],
        subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1]}>";
    let launch =
        "attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute>
        workgroup_size = [256, 1, 1] subgroup_size = 64>} {";
    for chip in ["gfx90a", "gfx942"] {
        for order in ["n", "t"] {
            let text = product([1024, 1024, 1024], order, "f16", "f32");
            let text = text.replacen('{', launch, 1).replace("ins(%A, %B", &format!("{{{config}}} ins(%A, %B"));
            let ran = raddle_with(&["build", "-", &format!("--target={chip}"), "--emit=asm"], &text);
            ran.says(0, &[".private_segment_fixed_size: 0", ".group_segment_fixed_size: 16384"]);
            let names = inner_loop(&ran.out);
            let count = |fits: &dyn Fn(&str) -> bool| names.iter().filter(|name| fits(name)).count();
            let matrix = count(&|name| name.starts_with("v_mfma_"));
            let vector = count(&|name| name.starts_with("v_") && !name.starts_with("v_mfma_"));
            let scalar =
                count(&|name| ["s_add", "s_mov", "s_cmp", "s_mul", "s_lsh"].iter().any(|s| name.starts_with(s)));
            assert_eq!(matrix, 32, "{chip} {order}: {names:?}");
            assert_eq!(count(&|name| name == "global_load_dwordx4"), 4, "{chip} {order}: {names:?}");
            assert_eq!(count(&|name| name == "ds_read_b128"), 8, "{chip} {order}: {names:?}");
            assert!(2 * (vector + scalar) <= matrix, "{chip} {order}: {vector} and {scalar} others in {names:?}");
            let last = |name: &str| names.iter().rposition(|other| *other == name).unwrap();
            assert!(last("global_load_dwordx4") > last("ds_read_b128"), "{chip} {order}: {names:?}");
        }
    }
}

/// The sums of an attention are scaled in each step: they lie in vector registers, which all instructions read.
#[test]
fn sums_that_are_scaled_stay_in_vector_registers() {
    if !llvm_is_there() {
        return;
    }
    let ty = "tensor<2x256x64xf16>";
    let maps = ["(b, m, n, k, c) -> (b, m, k)", "(b, m, n, k, c) -> (b, c, k)", "(b, m, n, k, c) -> (b, c, n)"];
    let maps = [&maps[..], &["(b, m, n, k, c) -> ()", "(b, m, n, k, c) -> (b, m, n)"]].concat();
    let maps = maps.iter().map(|map| format!("affine_map<{map}>")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "func.func @attention(%q: {ty}, %k: {ty}, %v: {ty}) -> {ty} {{
           %scale = arith.constant 0.125 : f16
           %empty = tensor.empty() : {ty}
           %r = iree_linalg_ext.attention {{indexing_maps = [{maps}]}} ins(%q, %k, %v, %scale : {ty}, {ty}, {ty}, f16)
               outs(%empty : {ty}) {{
           ^bb0(%score: f32):
             iree_linalg_ext.yield %score : f32
           }} -> {ty}
           return %r : {ty}
         }}"
    );
    for chip in ["gfx90a", "gfx942"] {
        let ran = raddle_with(&["build", "-", &format!("--target={chip}"), "--emit=asm"], &text);
        ran.says(0, &[".private_segment_fixed_size: 0", ".agpr_count:     0", "v_mfma_"]);
        assert!(!ran.out.contains("v_accvgpr_"), "{chip}");
        // Maxima leave out what is not a number, which takes one instruction.
        assert!(!ran.out.contains("v_cmp_o_f32"), "{chip}");
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

/// Kernels whose values are about as many as registers: attention of many keys in a block, and sums of wide integers that
/// are stored at the edge of a result.
#[test]
fn kernels_that_are_near_the_limit_have_no_scratch() {
    if !llvm_is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.s");
    let programs = [
        attention([1, 100, 1024, 16, 128], "f16"),
        attention([2, 256, 1024, 64, 64], "bf16"),
        attention([2, 1024, 64, 64, 128], "f16"),
        attention([2, 256, 1000, 40, 128], "f16"),
        attention([1, 1, 64, 192, 192], "bf16"),
        attention([1, 1, 64, 112, 112], "f32"),
        product([32, 32, 16], "n", "i64", "i64"),
    ];
    for chip in CHIPS {
        for (number, text) in programs.iter().enumerate() {
            let args = ["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()];
            raddle_with(&args, text).says(0, &[]);
            for kernel in kernels(&path) {
                assert_eq!(kernel["scratch_bytes"], 0, "{chip}, program {number}: {}", kernel["entry"]);
            }
        }
    }
}

/// What became of the random programs for one chip.
#[derive(Default)]
struct Tally {
    programs: u64,
    kernels: u64,
    /// Kernels with matrix instructions.
    matrix: u64,
    /// Kernels with shared memory.
    shared: u64,
    scratch_bytes: u64,
    /// Kernels that spill registers, to memory or to other registers.
    spilled: u64,
    /// Programs that are over a limit, which is not a mistake.
    limited: u64,
    /// Programs with a value of which a thread holds more than half of its registers; they are not compiled.
    large: u64,
    /// What was wrong, and with which programs.
    failures: BTreeMap<String, Vec<String>>,
}

impl Tally {
    /// Compiles a program to assembly, and counts what launch data and assembly say of its kernels.
    fn add(&mut self, chip: &str, name: &str, text: &str, path: &Path) {
        let ran = raddle_with(&["build", "-", &format!("--target={chip}"), "-o", path.to_str().unwrap()], text);
        self.programs += 1;
        let mut fail = |why: String| self.failures.entry(why).or_default().push(name.to_owned());
        if ran.status != 0 {
            match LIMITS.iter().any(|limit| ran.err.contains(limit)) {
                true => self.limited += 1,
                false => fail(ran.err.lines().next().unwrap_or("no message").to_owned()),
            }
            return;
        }
        let assembly = std::fs::read_to_string(path).unwrap();
        let data = std::fs::read_to_string(path.with_extension("json")).unwrap();
        let data: serde_json::Value = serde_json::from_str(&data).unwrap();
        let count = |key: &str, kernel: &serde_json::Value| kernel[key].as_u64().unwrap();
        for kernel in data["kernels"].as_array().unwrap() {
            let [scratch, spilled] = ["scratch_bytes", "spilled_registers"].map(|key| count(key, kernel));
            if scratch > 0 {
                fail(format!("{scratch} bytes of scratch memory, {spilled} spilled registers"));
            }
            self.kernels += 1;
            self.scratch_bytes += scratch;
            // Without memory these are scalar registers, in lanes of vector registers.
            self.spilled += u64::from(spilled > 0);
            self.shared += u64::from(count("shared_bytes", kernel) > 0);
            let begin = format!("\n{}:", kernel["entry"].as_str().unwrap());
            let body = assembly.split_once(&begin).expect("assembly has each kernel").1;
            let body = body.split_once("s_endpgm").map_or(body, |(body, _)| body);
            self.matrix += u64::from(["v_mfma_", "v_wmma_"].iter().any(|name| body.contains(name)));
        }
    }
}

/// The most registers that a thread holds of one value, by the layouts that a program names.
fn registers(text: &str) -> i64 {
    let held = |line: &str| {
        let numbers = |name: &str| -> i64 {
            let list = line.split_once(&format!("{name} = [")).and_then(|(_, rest)| rest.split_once(']'));
            list.map_or(1, |(list, _)| list.split(',').map(|n| n.trim().parse::<i64>().unwrap_or(1)).product())
        };
        ["batch_tile", "outer_tile", "element_tile"].map(numbers).iter().product::<i64>()
    };
    let words = if text.contains("xi64>") { 2 } else { 1 };
    text.lines().filter(|line| line.contains("nested_layout<")).map(held).max().unwrap_or(0) * words
}

/// A random program: vectors of a workgroup with gathers, masked regions, shuffles, loops and branches, a change of
/// layouts, a chain of operations on tensors, a product of any order, types and extents, or attention.
fn random(seed: u64, chip: &str) -> (String, String) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(4242));
    match seed % 5 {
        0 | 1 => {
            let width = if chip.starts_with("gfx9") { 64 } else { 32 };
            let n_subgroups = rng.pick(&[1, 2, 4]);
            let Kernel { text, .. } = match seed % 5 {
                0 => {
                    let elem = rng.pick(&["f32", "i32", "f16", "i64", "bf16"]);
                    Program::kernel(rng, width, n_subgroups, elem)
                }
                _ => {
                    let elem = rng.pick(&["f32", "i64", "f16", "i8"]);
                    Program::pair(rng, width, n_subgroups, elem)
                }
            };
            (format!("vectors of seed {seed}"), text)
        }
        2 => {
            let (text, _) = chains::program(seed, rng.pick(&["i32", "f32", "i64", "f64", "i16"]));
            (format!("tensors of seed {seed}"), text)
        }
        3 => {
            let (elem, b) = (rng.pick(&["f16", "bf16"]), rng.pick(&[1, 2, 8, 32]));
            let (rows, keys) = (rng.pick(&[1, 16, 64, 100, 256, 1024]), rng.pick(&[64, 100, 256, 1000, 1024]));
            let depth = rng.pick(&[16, 32, 40, 64, 80, 96, 112, 128, 160]);
            let extents = [b, rows, keys, depth, rng.pick(&[depth, depth, 64, 128])];
            (format!("attention {extents:?} {elem}, seed {seed}"), attention(extents, elem))
        }
        _ => {
            let types =
                [("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("i8", "i32"), ("f32", "f32"), ("f64", "f64")];
            let ((elem, sum), order) = (rng.pick(&types), rng.pick(&["n", "t"]));
            let mut extent = || rng.pick(&[16, 32, 64, 128, 256]) + rng.pick(&[0, 0, 0, 1, 4, 8]);
            let extents = [extent(), extent(), extent()];
            (format!("product {extents:?} {elem} {order}, seed {seed}"), product(extents, order, elem, sum))
        }
    }
}

/// Random programs compile for each chip, and no kernel of theirs has scratch memory. `cargo xtask fuzz-amd` prints what
/// became of 500 for each, or for `RADDLE_CHIP`.
#[test]
fn random_kernels_compile_without_scratch() {
    if !llvm_is_there() {
        return;
    }
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_AMD", 4), number("RADDLE_SEED", 0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.s");
    let mut failed = false;
    // LLVM 19 does not know gfx950.
    let known = |chip: &&str| {
        !raddle_with(&["build", "-", &format!("--target={chip}"), "--emit=asm"], &matmul(64, 64, 32))
            .err
            .contains("E0704")
    };
    let only = std::env::var("RADDLE_CHIP").ok();
    let chips = CHIPS.into_iter().chain(["gfx950"].into_iter().filter(known));
    for chip in chips.filter(|chip| only.as_ref().is_none_or(|only| only == chip)) {
        let mut tally = Tally::default();
        let mut seeds = first..;
        while tally.programs < n {
            let seed = seeds.next().expect("there is no end");
            let (name, text) = random(seed, chip);
            if registers(&text) * 2 > i64::from(raddle_target::chip(chip).unwrap().registers_max) {
                tally.large += 1;
                continue;
            }
            tally.add(chip, &name, &text, &path);
        }
        let Tally { programs, kernels, matrix, shared, scratch_bytes, spilled, limited, large, failures } = tally;
        println!(
            "{chip}: {programs} programs, {kernels} kernels ({matrix} with matrix instructions, {shared} with shared \
             memory), {scratch_bytes} bytes of scratch memory, {spilled} kernels that spill scalar registers, {limited} programs \
             over a limit, {large} too large for registers, {} kinds of failures",
            failures.len()
        );
        for (why, names) in &failures {
            println!("    {}: {why} ({} programs)", names[0], names.len());
        }
        failed |= !failures.is_empty();
        assert!(limited * 2 <= programs, "most programs are over a limit");
    }
    assert!(!failed, "there are failures");
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
