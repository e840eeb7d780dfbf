//! What reading, verifying, printing and holding a module costs, for each of a million operations.
//!
//! `cargo bench -p raddle-ir`. The best of three runs counts; nothing is asserted, for a busy machine would fail.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and prints")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use raddle_ir::{PrintOptions, print, text, verify};

fn main() {
    // `cargo test --benches` only wants to know that this builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let source = module(1_000_000);
    println!("a module of 1 M operations, {:.1} MB of text", source.len() as f64 / 1e6);

    let before = resident();
    let ir = text::parse(&source).unwrap();
    let bytes = resident().saturating_sub(before);
    let n = ir.walk(ir.module()).len() as f64;
    row("memory", bytes as f64 / n, "bytes", "at most 128");
    row("parse", best(|| drop(black_box(text::parse(&source).unwrap()))) / n * 1e6, "us", "at most 1");
    row("verify", best(|| assert!(verify(&ir).is_empty())) / n * 1e6, "us", "");
    for generic in [false, true] {
        let options = PrintOptions { generic, ..PrintOptions::default() };
        let name = if generic { "print, generic form" } else { "print" };
        row(name, best(|| drop(black_box(print(&ir, &options)))) / n * 1e6, "us", "at most 0.3");
    }

    println!("\ntexts that are refused (under 50 ms, with the column):");
    let n = 100_000;
    for (what, text) in [
        ("attributes, 100 000 deep", format!("#a = {}", "[".repeat(n))),
        ("types, 100 000 deep", format!("!a = {}", "tuple<".repeat(n))),
        ("expressions, 100 000 deep", format!("#a = affine_map<(d0) -> ({}", "(".repeat(n))),
        ("regions, 100 000 deep", "module {".repeat(n)),
        ("locations, 100 000 deep", format!("module {{}} loc({}", "callsite(".repeat(n))),
        ("an integer of 100 000 digits", format!("#a = {}", "9".repeat(n))),
    ] {
        let column = text::parse(&text).err().and_then(|diags| diags[0].span).unwrap().start + 1;
        let seconds = best(|| drop(black_box(text::parse(&text))));
        println!("{what:<30} {:8.3} ms, column {column}", seconds * 1e3);
    }

    let start = &source[..source[..10_000_000].rfind("\nfunc.func").unwrap()];
    println!("10 MB of text: {:.3} s (under 1 s)", best(|| drop(black_box(text::parse(start).unwrap()))));
}

fn row(name: &str, value: f64, unit: &str, target: &str) {
    let target = if target.is_empty() { String::new() } else { format!(" ({target})") };
    println!("{name:<20} {value:8.3} {unit} for each operation{target}");
}

/// Seconds of the best of three runs.
fn best(mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// Bytes of memory that the process holds; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Functions of about a hundred operations each: loops, memory, vectors and arithmetic, as in a lowered kernel.
fn module(n_ops: usize) -> String {
    let mut out = String::new();
    for f in 0..n_ops / 100 {
        let _ = writeln!(
            out,
            "func.func @f{f}(%a: memref<64x64xf32>, %b: memref<64xf32>, %n: index, %v: vector<4xf32>) {{"
        );
        out.push_str("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n");
        out.push_str("  %zero = arith.constant 0.000000e+00 : f32\n");
        out.push_str("  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %v) -> (vector<4xf32>) {\n");
        let mut last = "%acc".to_owned();
        for k in 0..18 {
            let _ = writeln!(out, "    %i{k} = arith.addi %i, %c1 : index");
            let _ = writeln!(out, "    %x{k} = memref.load %a[%i{k}, %c0] : memref<64x64xf32>");
            let _ = writeln!(out, "    %y{k} = vector.broadcast %x{k} : f32 to vector<4xf32>");
            let _ = writeln!(out, "    %z{k} = arith.mulf %y{k}, {last} : vector<4xf32>");
            let _ = writeln!(out, "    memref.store %x{k}, %b[%i{k}] : memref<64xf32>");
            last = format!("%z{k}");
        }
        let _ = writeln!(out, "    scf.yield {last} : vector<4xf32>\n  }}");
        out.push_str("  vector.store %sum, %b[%c0] : memref<64xf32>, vector<4xf32>\n  return\n}\n");
    }
    out
}
