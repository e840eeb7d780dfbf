//! Code for AMD chips: what LLVM makes of our products, and whether code objects compute what they should.
//!
//! No GPU is needed, and nothing is timed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A product of f16 by its chip, matrix instruction, order of the operands and tile.
struct Kernel {
    chip: &'static str,
    mma: &'static str,
    order: &'static str,
    tile: [u32; 3],
}

/// What is compiled.
const KERNELS: &[Kernel] = &[
    Kernel { chip: "gfx942", mma: "MFMA_F32_16x16x16_F16", order: "nn", tile: [128, 128, 32] },
    Kernel { chip: "gfx942", mma: "MFMA_F32_16x16x16_F16", order: "nt", tile: [128, 128, 32] },
    Kernel { chip: "gfx942", mma: "MFMA_F32_32x32x8_F16", order: "nn", tile: [128, 128, 32] },
    Kernel { chip: "gfx942", mma: "MFMA_F32_32x32x8_F16", order: "nt", tile: [128, 128, 32] },
    Kernel { chip: "gfx90a", mma: "MFMA_F32_16x16x16_F16", order: "nn", tile: [128, 128, 32] },
    Kernel { chip: "gfx90a", mma: "MFMA_F32_16x16x16_F16", order: "nt", tile: [128, 128, 32] },
    Kernel { chip: "gfx1100", mma: "WMMAR3_F32_16x16x16_F16", order: "nn", tile: [128, 128, 32] },
    Kernel { chip: "gfx1100", mma: "WMMAR3_F32_16x16x16_F16", order: "nt", tile: [128, 128, 32] },
    Kernel { chip: "gfx1201", mma: "WMMAR4_F32_16x16x16_F16", order: "nn", tile: [128, 128, 32] },
    Kernel { chip: "gfx1201", mma: "WMMAR4_F32_16x16x16_F16", order: "nt", tile: [128, 128, 32] },
];

/// Products without a configuration, by their chip, extents m, n and k, elements and sums.
const FREE: &[(&str, [u32; 3], &str, &str)] = &[
    ("gfx942", [4096, 4096, 4096], "f16", "f32"),
    ("gfx942", [4096, 4096, 4096], "bf16", "bf16"),
    ("gfx942", [4096, 4096, 4096], "i8", "i32"),
    ("gfx942", [4096, 4096, 4096], "f32", "f32"),
    ("gfx942", [512, 4096, 4096], "f16", "f32"),
    ("gfx942", [64, 4096, 4096], "f16", "f32"),
    ("gfx942", [1000, 1000, 1000], "f16", "f32"),
    ("gfx90a", [4096, 4096, 4096], "f16", "f32"),
    ("gfx1100", [4096, 4096, 4096], "f16", "f32"),
    ("gfx1100", [4096, 4096, 4096], "i8", "i32"),
    ("gfx1201", [4096, 4096, 4096], "f16", "f32"),
    ("gfx1201", [4096, 4096, 4096], "i8", "i32"),
];

/// Attention of f16, by its chip and the elements of a row of the key and of the value.
const ATTENTION: &[(&str, u32)] = &[
    ("gfx942", 64),
    ("gfx942", 128),
    ("gfx942", 256),
    ("gfx90a", 64),
    ("gfx90a", 128),
    ("gfx1100", 64),
    ("gfx1100", 128),
    ("gfx1100", 256),
    ("gfx1201", 64),
    ("gfx1201", 128),
    ("gfx1201", 256),
];

/// Instructions that wait for something, or for nothing.
const WAITS: &[&str] = &["s_waitcnt", "s_wait_", "s_nop", "s_barrier", "s_delay_alu", "s_clause"];

impl Kernel {
    /// The product as a tensor program, in four subgroups.
    fn program(&self) -> String {
        let Kernel { mma, tile: [m, n, k], .. } = self;
        let lanes = if self.chip.starts_with("gfx9") { 64 } else { 32 };
        let b_map = if self.order == "nt" { "n, k" } else { "k, n" };
        let size = "4096x4096";
        format!(
            "func.func @product(%A: tensor<{size}xf16>, %B: tensor<{size}xf16>) -> tensor<{size}xf32> attributes {{
               translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute>
                 workgroup_size = [{}, 1, 1] subgroup_size = {lanes}>}} {{
               %zero = arith.constant 0.0 : f32
               %empty = tensor.empty() : tensor<{size}xf32>
               %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{size}xf32>) -> tensor<{size}xf32>
               %C = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({b_map})>,
                                                   affine_map<(m, n, k) -> (m, n)>]
                 {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{m}, {n}, 0], reduction = [0, 0, {k}],
                   subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<{mma}>,
                   promote_operands = [0, 1]}}>}}
                 ins(%A, %B : tensor<{size}xf16>, tensor<{size}xf16>) outs(%init : tensor<{size}xf32>) -> tensor<{size}xf32>
               return %C : tensor<{size}xf32>
             }}",
            4 * lanes
        )
    }
}

/// A product without a configuration.
fn product([m, n, k]: [u32; 3], elem: &str, sum: &str) -> String {
    let zero = if sum.starts_with('i') { "0" } else { "0.0" };
    let [a, b, c] = [(m, k, elem), (k, n, elem), (m, n, sum)].map(|(x, y, elem)| format!("tensor<{x}x{y}x{elem}>"));
    format!(
        "func.func @product(%A: {a}, %B: {b}) -> {c} {{
           %zero = arith.constant {zero} : {sum}
           %empty = tensor.empty() : {c}
           %init = linalg.fill ins(%zero : {sum}) outs(%empty : {c}) -> {c}
           %C = linalg.matmul ins(%A, %B : {a}, {b}) outs(%init : {c}) -> {c}
           return %C : {c}
         }}"
    )
}

/// Attention of 16 heads of 1024 rows, without a configuration.
fn attention(row: u32) -> String {
    let ty = format!("tensor<16x1024x{row}xf16>");
    let maps = ["(b, m, k)", "(b, n, k)", "(b, n, c)", "()", "(b, m, c)"];
    let maps = maps.map(|map| format!("affine_map<(b, m, n, k, c) -> {map}>")).join(", ");
    format!(
        "func.func @attention(%Q: {ty}, %K: {ty}, %V: {ty}) -> {ty} {{
           %scale = arith.constant 0.125 : f16
           %empty = tensor.empty() : {ty}
           %R = iree_linalg_ext.attention {{indexing_maps = [{maps}]}}
             ins(%Q, %K, %V, %scale : {ty}, {ty}, {ty}, f16) outs(%empty : {ty}) {{
           ^bb0(%score: f32):
             iree_linalg_ext.yield %score : f32
           }} -> {ty}
           return %R : {ty}
         }}"
    )
}

fn print_rows(chip: &str, name: &str, ours: Result<String, String>, theirs: Option<Result<String, String>>) {
    for (from, row) in [("raddle", Some(ours)), ("iree", theirs)] {
        let Some(row) = row else { continue };
        let row = row.unwrap_or_else(|error| format!(" {error}"));
        println!("{chip:<8} {name:<26} {from:<6} {row}");
    }
}

/// Prints a row for each kernel, and one for what IREE makes of the same text where `--iree-compile PROGRAM` is given.
pub fn loops(options: &[&str]) -> Option<bool> {
    let iree = match options {
        [] => None,
        ["--iree-compile", program] => Some(Path::new(program)),
        _ => return None,
    };
    if !crate::cargo(&["build", "--package", "raddle"]) {
        return Some(false);
    }
    println!(
        "a product of 4096^3 and attention of f16; all between `loop` and `waits` is of the inner loop, as llvm-objdump prints it"
    );
    println!(
        "chip     instruction              B  from    registers  spilled  shared  loop  matrix  loads  128 bits  reads  128 bits  writes  other per matrix  waits"
    );
    let mut good = true;
    for kernel in KERNELS {
        let (chip, text) = (kernel.chip, kernel.program());
        let ours = build(chip, &text).and_then(|file| row(chip, &file));
        good &= ours.is_ok();
        let theirs = iree.map(|program| build_by_iree(chip, &text, program).and_then(|file| row(chip, &file)));
        let name = format!("{:<24} {}", kernel.mma, &kernel.order[1..]);
        print_rows(kernel.chip, &name, ours, theirs);
    }
    for &(chip, extents, elem, sum) in FREE {
        let text = product(extents, elem, sum);
        let ours = build(chip, &text).and_then(|file| row(chip, &file));
        good &= ours.is_ok();
        let theirs = iree.map(|program| build_by_iree(chip, &text, program).and_then(|file| row(chip, &file)));
        let [m, n, k] = extents;
        print_rows(chip, &format!("{m}x{n}x{k} {elem} {sum}"), ours, theirs);
    }
    for &(chip, elements) in ATTENTION {
        let ours = build(chip, &attention(elements)).and_then(|file| row(chip, &file));
        good &= ours.is_ok();
        println!("{chip:<8} {:<26} raddle {}", format!("attention, {elements}"), ours.unwrap_or_else(|error| error));
    }
    Some(good)
}

/// The folder of a kernel's files, with its program in `k.mlir`.
fn write_program(text: &str) -> Result<PathBuf, String> {
    let folder = crate::root().join("target").join("amd-loops");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("k.mlir"), text).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// What a program prints, if it succeeds; else the first line of what it says.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The code object that raddle makes of a kernel.
fn build(chip: &str, text: &str) -> Result<PathBuf, String> {
    let folder = write_program(text)?;
    let file = folder.join("k.hsaco");
    let mut command = Command::new(crate::root().join("target/debug/raddle"));
    output(command.arg("build").arg(folder.join("k.mlir")).arg(format!("--target={chip}")).arg("-o").arg(&file))?;
    Ok(file)
}

/// The code object that IREE makes of it.
fn build_by_iree(chip: &str, text: &str, program: &Path) -> Result<PathBuf, String> {
    let folder = write_program(text)?;
    let dump = folder.join("iree");
    let _ = std::fs::remove_dir_all(&dump);
    let mut command = Command::new(program);
    command.arg(folder.join("k.mlir")).args(["--iree-hal-target-backends=rocm", "-o", "/dev/null"]);
    command.arg(format!("--iree-rocm-target={chip}"));
    output(command.arg(format!("--iree-hal-dump-executable-files-to={}", dump.display())))?;
    let files = std::fs::read_dir(&dump).map_err(|error| error.to_string())?;
    let mut files = files.filter_map(|file| file.ok().map(|file| file.path()));
    let file = files.find(|file| file.extension().is_some_and(|extension| extension == "hsaco"));
    file.ok_or_else(|| "there is no code object".to_owned())
}

/// Counts what a code object says of its registers, and the instructions of the loop that has the most matrix
/// instructions.
fn row(chip: &str, file: &Path) -> Result<String, String> {
    let tool = |name: &str| {
        let names = (19..=30).rev().map(|version| format!("{name}-{version}"));
        names.chain([name.to_owned()]).find(|name| Command::new(name).arg("--version").output().is_ok())
    };
    let missing = "llvm-objdump and llvm-readobj of LLVM 19 or newer are not installed";
    let (objdump, readobj) = tool("llvm-objdump").zip(tool("llvm-readobj")).ok_or(missing)?;
    let flags = ["-d", "--no-show-raw-insn", "--no-leading-addr", "--symbolize-operands"];
    let text = output(Command::new(objdump).args(flags).arg(format!("--mcpu={chip}")).arg(file))?;
    let notes = output(Command::new(readobj).arg("--notes").arg(file))?;
    let metadata = |key: &str| {
        let line = notes.lines().find_map(|line| line.trim().strip_prefix(key));
        line.and_then(|value| value.trim_start_matches(':').trim().parse::<u32>().ok()).unwrap_or_default()
    };
    let all = inner_loop(&text).ok_or("there is no loop with a matrix instruction")?;
    let count = |fits: &dyn Fn(&str) -> bool| all.iter().filter(|name| fits(name)).count();
    let is_matrix = |name: &str| name.starts_with("v_mfma") || name.starts_with("v_wmma");
    let is_wait = |name: &str| WAITS.iter().any(|wait| name.starts_with(wait));
    let is_memory = |name: &str| name.starts_with("ds_") || name.starts_with("global_") || name.starts_with("buffer_");
    let is_load = |name: &str| name.starts_with("global_load") || name.starts_with("buffer_load");
    let matrix = count(&is_matrix);
    let other = count(&|name| !is_matrix(name) && !is_wait(name) && !is_memory(name));
    Ok(format!(
        "{:>10} {:>8} {:>7} {:>5} {matrix:>7} {:>6} {:>9} {:>6} {:>9} {:>7} {:>17.2} {:>6}",
        metadata(".vgpr_count"),
        metadata(".vgpr_spill_count") + metadata(".sgpr_spill_count") + metadata(".private_segment_fixed_size"),
        metadata(".group_segment_fixed_size"),
        all.len(),
        count(&is_load),
        count(&|name| is_load(name) && (name.ends_with("x4") || name.ends_with("b128"))),
        count(&|name| name.starts_with("ds_read") || name.starts_with("ds_load")),
        count(&|name| matches!(name, "ds_read_b128" | "ds_read2_b64" | "ds_load_b128" | "ds_load_2addr_b64")),
        count(&|name| name.starts_with("ds_write") || name.starts_with("ds_store")),
        other as f64 / matrix as f64,
        count(&is_wait),
    ))
}

/// The instructions from a label to the branch back to it, where these hold the most matrix instructions.
fn inner_loop(text: &str) -> Option<Vec<&str>> {
    let lines: Vec<&str> = text.lines().collect();
    let label = |line: &&str| line.strip_prefix('<')?.strip_suffix(">:").map(str::to_owned);
    let labels: BTreeMap<String, usize> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((label(line)?, at))).collect();
    let mut best: Option<(usize, Vec<&str>)> = None;
    for (end, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(label)) = (words.next(), words.next()) else { continue };
        let jumps = name.starts_with("s_cbranch") || name == "s_branch";
        let Some(&begin) = labels.get(label).filter(|&&begin| jumps && begin < end) else { continue };
        let body = lines[begin..=end].iter().filter(|line| line.starts_with('\t'));
        let body: Vec<&str> = body.filter_map(|line| line.split_whitespace().next()).collect();
        let n = body.iter().filter(|name| name.starts_with("v_mfma") || name.starts_with("v_wmma")).count();
        if n > 0 && best.as_ref().is_none_or(|(most, _)| n > *most) {
            best = Some((n, body));
        }
    }
    best.map(|(_, body)| body)
}

/// Executes code objects in tinygrad's emulator: `--tinygrad CHECKOUT`, `--target`, `--count`, `--seed`. An
/// example comes first, then random programs.
pub fn emulator(options: &[&str]) -> Option<bool> {
    let (mut checkout, mut target, mut count, mut seed) = (None, "gfx942", "20", "0");
    let mut rest = options;
    while let [option, value, more @ ..] = rest {
        match *option {
            "--tinygrad" => checkout = Some(*value),
            "--target" => target = value,
            "--count" => count = value,
            "--seed" => seed = value,
            _ => return None,
        }
        rest = more;
    }
    let checkout = checkout.filter(|_| rest.is_empty())?;
    if !Path::new(checkout).join("test/mockgpu/amd/emu.py").is_file() {
        eprintln!("{checkout} has no test/mockgpu/amd/emu.py");
        return Some(false);
    }
    if !crate::cargo(&["build", "--package", "raddle"]) {
        return Some(false);
    }
    let folder = crate::root().join("target").join("amd-emulator").join(target);
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("cannot make {}: {error}", folder.display());
        return Some(false);
    }
    let mut command = Command::new(crate::validators_dir().join("bin").join("python3"));
    command.arg(crate::root().join("xtask/src/amd_emulator.py")).arg(checkout);
    command.arg(crate::root().join("target/debug/raddle")).arg(&folder).args([target, count, seed]);
    command.arg(crate::root().join("examples/matmul.mlir"));
    Some(crate::succeeds(&mut command))
}
