//! The figures that are watched: text to PTX, analysis and distribution, start-up, peak memory, pictures, emulated
//! lane-operations per second.
//!
//! `cargo bench`, or `cargo xtask bench`. Times are medians; nothing is asserted, for a busy machine would fail.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and prints")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use raddle_passes::{Facts, PASSES};
use raddle_target::Stage;

fn main() {
    // `cargo test --benches` only wants to know that this builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let matmul = example("matmul.mlir");
    let text = std::fs::read_to_string(&matmul).unwrap();
    let matmul = matmul.to_str().unwrap();

    let options = raddle::Options::default();
    let compile = |text: &str| drop(std::hint::black_box(raddle::compile(text, &options)).unwrap());
    for (name, text, target) in [
        ("matmul, text to PTX (in process)", text.as_str(), "under 5 ms"),
        ("softmax of 4096 x 4096, the same", SOFTMAX, "under 5 ms"),
        ("attention of 32 x 4096 x 128, the same", ATTENTION, "under 15 ms"),
    ] {
        row(name, &format!("{:.2} ms", ms(median(|| compile(text)))), target);
    }
    let (mut least, mut most) = (Duration::MAX, Duration::ZERO);
    for elem in ["f16", "bf16"] {
        for [transposed, gelu] in [[false, false], [false, true], [true, false], [true, true]] {
            let text = product(elem, transposed, gelu);
            let time = median(|| compile(&text));
            (least, most) = (least.min(time), most.max(time));
        }
    }
    let value = format!("{:.1} to {:.1} ms", ms(least), ms(most));
    row("products of 4096³, with and without gelu", &value, "under 15 ms");

    let each = [10, 100, 1000].map(|n| {
        let text: String = (0..n).map(|i| SOFTMAX.replace("@softmax", &format!("@softmax_{i}"))).collect();
        let start = Instant::now();
        assert_eq!(raddle::compile_all("<text>", &text, &options).unwrap().len(), n);
        format!("{:.2}", ms(start.elapsed()) / n as f64)
    });
    row("each of 10, 100, 1000 softmaxes in a file", &format!("{} ms", each.join(", ")), "within 1.2 times");

    let attention = std::fs::read_to_string(example("attention.mlir")).unwrap();
    row("attention, analysis and distribution", &format!("{:.3} ms", ms(distribution(&attention, 21))), "under 2 ms");
    for n_ops in [1_000, 10_000, 100_000] {
        let time = distribution(&long(n_ops), 3);
        let value = format!("{:.2} ms, {:.2} µs each", ms(time), ms(time) * 1e3 / n_ops as f64);
        row(&format!("the same of {n_ops} operations"), &value, "linear");
    }

    row("start-up (`raddle --version`)", &format!("{:.2} ms", ms(median(|| run(&["--version"])))), "under 3 ms");
    row("peak memory (`raddle --version`)", &memory(&["--version"]), "under 30 MiB");
    row("matmul, whole process (`raddle build`)", &format!("{:.2} ms", ms(median(|| run(&["build", matmul])))), "");
    row("peak memory (`raddle build`)", &memory(&["build", matmul]), "under 30 MiB");

    let show = |args: &[&str]| run(&[&["layout", "show"], args].concat());
    let mfma = "amd.mfma.f32.16x16x16.1b.f16";
    row(
        "an instruction as text (`raddle layout show`)",
        &format!("{:.2} ms", ms(median(|| show(&[mfma])))),
        "under 20 ms",
    );
    row("the same as a page", &format!("{:.2} ms", ms(median(|| show(&[mfma, "--html"])))), "under 20 ms");

    for (name, at) in [("matmul.mlir", "lowered"), ("matmul.mlir", "distributed"), ("row_sum.mlir", "lowered")] {
        let path = example(name);
        let output = binary(&["run", path.to_str().unwrap(), "--json", &format!("--at={at}")])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let execution = &report["executions"][0];
        let (ops, ms) = (execution["lane_ops"].as_f64().unwrap(), execution["emulator_ms"].as_f64().unwrap());
        let value = format!("{:.0} million/s ({:.1} million in {ms:.0} ms)", ops / ms / 1e3, ops / 1e6);
        row(&format!("lane-operations, {name} at `{at}`"), &value, "");
    }
}

const SOFTMAX: &str = "func.func @softmax(%x: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %empty = tensor.empty() : tensor<4096x4096xf16>
  %y = linalg.softmax dimension(1) ins(%x : tensor<4096x4096xf16>) outs(%empty : tensor<4096x4096xf16>)
    -> tensor<4096x4096xf16>
  return %y : tensor<4096x4096xf16>
}";

const ATTENTION: &str =
    "func.func @attention(%q: tensor<32x4096x128xf16>, %k: tensor<32x4096x128xf16>, %v: tensor<32x4096x128xf16>)
    -> tensor<32x4096x128xf16> {
  %scale = arith.constant 0.125 : f16
  %empty = tensor.empty() : tensor<32x4096x128xf16>
  %o = iree_linalg_ext.attention {indexing_maps = [
      affine_map<(b, m, d, k, n) -> (b, m, d)>, affine_map<(b, m, d, k, n) -> (b, k, d)>,
      affine_map<(b, m, d, k, n) -> (b, k, n)>, affine_map<(b, m, d, k, n) -> ()>,
      affine_map<(b, m, d, k, n) -> (b, m, n)>]}
      ins(%q, %k, %v, %scale : tensor<32x4096x128xf16>, tensor<32x4096x128xf16>, tensor<32x4096x128xf16>, f16)
      outs(%empty : tensor<32x4096x128xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<32x4096x128xf16>
  return %o : tensor<32x4096x128xf16>
}";

/// The median time of layout analysis and distribution.
fn distribution(text: &str, runs: usize) -> Duration {
    let facts = Facts::new(raddle_target::chip(raddle::DEFAULT_TARGET).unwrap());
    let passes = PASSES.iter().filter(|pass| matches!(pass.stage, Some(Stage::LaidOut | Stage::Distributed)));
    let passes: Vec<_> = passes.collect();
    let mut times: Vec<Duration> = (0..=runs)
        .map(|_| {
            let mut ir = raddle_ir::parse(text).unwrap();
            let func = ir.funcs()[0];
            let start = Instant::now();
            for pass in &passes {
                pass.run(&mut ir, func, &facts).unwrap();
            }
            start.elapsed()
        })
        .skip(1)
        .collect();
    times.sort();
    times[times.len() / 2]
}

/// A large product of 16-bit floats, rounded to them, perhaps behind `gelu`.
fn product(elem: &str, transposed: bool, gelu: bool) -> String {
    let (ty, sums) = (format!("tensor<4096x4096x{elem}>"), "tensor<4096x4096xf32>");
    let right = if transposed { "(m, n, k) -> (n, k)" } else { "(m, n, k) -> (k, n)" };
    let function = "    %half = arith.constant 0.5 : f32
    %scale = arith.constant 0.70710678 : f32
    %one = arith.constant 1.0 : f32
    %s = arith.mulf %x, %scale : f32
    %erf = math.erf %s : f32
    %more = arith.addf %erf, %one : f32
    %h = arith.mulf %x, %half : f32
    %y = arith.mulf %more, %h : f32\n";
    let (function, y) = if gelu { (function, "%y") } else { ("", "%x") };
    format!(
        "func.func @f(%a: {ty}, %b: {ty}) -> {ty} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {sums}
  %c = linalg.fill ins(%zero : f32) outs(%e : {sums}) -> {sums}
  %p = linalg.generic {{
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<{right}>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = [\"parallel\", \"parallel\", \"reduction\"]
  }} ins(%a, %b : {ty}, {ty}) outs(%c : {sums}) {{
  ^bb0(%l: {elem}, %r: {elem}, %o: f32):
    %x = arith.extf %l : {elem} to f32
    %y = arith.extf %r : {elem} to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }} -> {sums}
  %d = tensor.empty() : {ty}
  %q = linalg.generic {{
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = [\"parallel\", \"parallel\"]
  }} ins(%p : {sums}) outs(%d : {ty}) {{
  ^bb0(%x: f32, %old: {elem}):
{function}    %t = arith.truncf {y} : f32 to {elem}
    linalg.yield %t : {elem}
  }} -> {ty}
  return %q : {ty}
}}"
    )
}

/// A kernel of so many operations, whose layouts meet now and then.
fn long(n_ops: usize) -> String {
    let mut body = String::new();
    for i in 1..=n_ops {
        body += &match i % 50 {
            0 => format!(
                "  %{i} = iree_vector_ext.to_layout %{} to layout(#{}) : vector<16x64xf32>\n",
                i - 1,
                ["a", "b"][i / 50 % 2]
            ),
            25 => format!("  %{i} = arith.mulf %{}, %{} : vector<16x64xf32>\n", i - 1, i / 2),
            _ => format!("  %{i} = arith.addf %{}, %{} : vector<16x64xf32>\n", i - 1, i.saturating_sub(3)),
        };
    }
    let layout = |name: &str, element: i64| {
        format!(
            "#{name} = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [{}, 1], outer_tile = [1, 1], \
             thread_tile = [{}, {}], element_tile = [1, {element}], subgroup_strides = [0, 0], thread_strides = [{}, 1]>\n",
            16 * 64 / element / 32,
            32 * element / 64,
            64 / element,
            64 / element
        )
    };
    format!(
        "{}{}#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @long(%in: memref<16x64xf32>, %out: memref<16x64xf32>) attributes {{translation_info = #launch}} {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<16x64xf32>, vector<16x64xf32>
{body}  vector.transfer_write %{n_ops}, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<16x64xf32>, memref<16x64xf32>
  return
}}",
        layout("a", 2),
        layout("b", 4),
    )
}

fn row(name: &str, value: &str, target: &str) {
    let target = if target.is_empty() { String::new() } else { format!("   (target: {target})") };
    println!("{name:48} {value}{target}");
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median time of 21 runs, after one that warms up.
fn median(mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn binary(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(args).stdout(Stdio::null()).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) {
    assert!(binary(args).status().unwrap().success());
}

/// The largest resident set of a run, as Linux reports it while the process lives; the last of many looks.
fn memory(args: &[&str]) -> String {
    let peak = (0..50).filter_map(|_| peak_kib(args)).max();
    peak.map_or("unknown on this system".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0))
}

fn peak_kib(args: &[&str]) -> Option<u64> {
    let mut child = binary(args).spawn().ok()?;
    let path = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        // A process that is ending has no such line any more.
        let Ok(status) = std::fs::read_to_string(&path) else { continue };
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        peak = peak.max(kib);
    }
    peak
}
