//! The figures that are watched: text to PTX, start-up, peak memory, pictures, emulated lane-operations per second.
//!
//! `cargo bench`, or `cargo xtask bench`. Times are medians; nothing is asserted, for a busy machine would fail.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and prints")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    // `cargo test --benches` only wants to know that this builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let matmul = example("matmul.mlir");
    let text = std::fs::read_to_string(&matmul).unwrap();
    let matmul = matmul.to_str().unwrap();

    let options = raddle::Options::default();
    let compile = median(|| drop(std::hint::black_box(raddle::compile(&text, &options)).unwrap()));
    row("matmul, text to PTX (in process)", &format!("{:.3} ms", ms(compile)), "under 10 ms");

    row("start-up (`raddle --version`)", &format!("{:.2} ms", ms(median(|| run(&["--version"])))), "under 10 ms");
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
    let peak = (0..5).filter_map(|_| peak_kib(args)).max();
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
