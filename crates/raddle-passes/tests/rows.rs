//! Each row of the op table in generic forms of any shape: what is wrong is said and printed, never a panic; what is right
//! reads back in custom form, and stays right through `canonicalize` and `cse`.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` say how many forms of each row are tried, and from where on.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on has failed, and says where")]

use std::fmt::Write;

use raddle_ir::ops::{self, OpInfo};
use raddle_ir::{Ir, ParseOptions, PrintOptions, print, text, verify};
use raddle_passes::clean;

use crate::caught::caught;
use crate::common::Random;

/// Types of every kind, small and odd ones among them.
const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i32",
    "i64",
    "i0",
    "si8",
    "index",
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3FN",
    "none",
    "complex<f32>",
    "tuple<i1, f32>",
    "vector<4xf32>",
    "vector<16xf16>",
    "vector<4x2xf16>",
    "vector<2x2xf32>",
    "vector<[4]xi1>",
    "vector<f32>",
    "vector<4xi8>",
    "vector<4xindex>",
    "vector<4xi0>",
    "tensor<4x8xf32>",
    "tensor<?x8xf32>",
    "tensor<f32>",
    "tensor<0xi32>",
    "tensor<*xf32>",
    "memref<4x8xf32>",
    "memref<?x8xf32>",
    "memref<4x8xf32, strided<[?, 1], offset: ?>>",
    "memref<f32>",
    "memref<4xf16, 3>",
    "memref<32x8xf16, #gpu.address_space<workgroup>>",
    "memref<8xi0, 3>",
    "memref<*xf32>",
    "!llvm.ptr",
    "!llvm.ptr<3>",
    "!llvm.struct<(i32, f32)>",
    "!llvm.array<2 x i32>",
    "!gpu.async.token",
    "!gpu.mma_matrix<16x16xf16, \"AOp\">",
    "!nvgpu.device.async.token",
    "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>",
    "!transform.any_op",
    "!transform.any_value",
    "!transform.param<i64>",
    "!hal.device",
    "!hal.buffer",
    "!util.buffer",
    "!stream.resource<*>",
    "!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>",
    "() -> i32",
];

/// Attributes of every kind.
const ATTRS: &[&str] = &[
    "unit",
    "true",
    "0 : i32",
    "-1 : i64",
    "4 : i32",
    "2 : i64",
    "9223372036854775807 : i64",
    "-9223372036854775808 : i64",
    "1.0 : f32",
    "\"text\"",
    "\"\"",
    "[]",
    "[0, 1]",
    "[[0], [1]]",
    "[@a, @b::@c]",
    "[\"parallel\", \"reduction\"]",
    "[true, false]",
    "[{}, {}]",
    "array<i64>",
    "array<i64: 4, 8>",
    "array<i64: -9223372036854775808>",
    "array<i64: 0, 0>",
    "array<i32: 1, 1>",
    "array<i32: -1, 2147483647>",
    "array<i32: 1, 1, 1>",
    "array<i1: true>",
    "dense<1> : tensor<2xi64>",
    "dense<0> : vector<4xi32>",
    "dense<> : tensor<0xi64>",
    "affine_map<() -> ()>",
    "affine_map<(d0, d1) -> (d0, d1)>",
    "affine_map<(d0)[s0] -> (d0 * s0, 0)>",
    "[affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1, d0)>]",
    "affine_set<(d0) : (d0 >= 0)>",
    "@f",
    "i32",
    "vector<4xf32>",
    "memref<4x8xf32>",
    "() -> ()",
    "(i32, f32) -> i32",
    "!llvm.func<void (i32)>",
    "{a = 1 : i32}",
    "#gpu<dim y>",
    "#vector.kind<add>",
    "#iree_gpu.lane_id<0>",
    "#hal.descriptor_type<storage_buffer>",
    "#unknown.attr<[1, x]>",
];

const REGIONS: &[&str] = &[
    "{}",
    "{ ^b: }",
    "{ %x = \"arith.constant\"() <{value = 1 : i32}> : () -> i32 }",
    "{ ^b(%x: index): END }",
    "{ ^b(%x: f32, %y: f32): END }",
    "{ ^b(%x: vector<4xf32>): \"u.v\"() : () -> () END }",
    "{ END }",
    "{ ^b: \"cf.br\"()[^c] : () -> () ^c: END }",
];

/// A form of a row: as many operands, results and regions as the row has, or some other number.
fn form(row: &OpInfo, random: &mut Random) -> String {
    let (groups, bodies) = row.form.signature.split_once('{').unwrap_or((row.form.signature, ""));
    let groups = groups.rsplit(';').next().unwrap_or_default();
    let (operands, results) = groups.split_once("->").unwrap_or((groups, ""));
    let mut count = |text: &str| {
        let n = text.split(',').filter(|group| !group.trim().is_empty()).count();
        if random.below(6) == 0 { random.below(4) } else { n }
    };
    let (n_operands, n_results) = (count(operands), count(results));
    let n_regions = if bodies.is_empty() { 0 } else { 1 + bodies.matches('{').count() };
    let n_regions = if random.below(8) == 0 { random.below(3) } else { n_regions };
    // What fits often is one type for all.
    let favourite = random.pick(TYPES);
    let mut types = |n: usize| -> Vec<&str> {
        (0..n).map(|_| if random.below(2) == 0 { favourite } else { random.pick(TYPES) }).collect()
    };
    let (inputs, outputs) = (types(n_operands), types(n_results));
    let names = row.form.attrs.split_whitespace().map(|attr| attr.split([':', '=']).next().unwrap_or_default());
    let mut attrs: Vec<String> = Vec::new();
    for name in names {
        if random.below(2) == 0 {
            attrs.push(format!("{name} = {}", random.pick(ATTRS)));
        }
    }
    if operands.matches(['*', '?']).count() > 1 && random.below(4) > 0 {
        let mut rest = n_operands;
        let n_groups = operands.split(',').count();
        let sizes: Vec<String> = (0..n_groups)
            .map(|i| {
                let size = if i + 1 == n_groups { rest } else { random.below(rest.min(1) + 1) };
                rest -= size;
                size.to_string()
            })
            .collect();
        attrs.push(format!("operandSegmentSizes = array<i32: {}>", sizes.join(", ")));
    }
    let ends = bodies.split('}').next().unwrap_or_default().trim_start_matches(['?', '*', '~', '+']);
    let end = if ends.is_empty() { String::new() } else { format!("\"{ends}\"() : () -> ()") };
    let regions: Vec<String> = (0..n_regions).map(|_| random.pick(REGIONS).replace("END", &end)).collect();
    let mut out = String::new();
    let values: Vec<String> = (0..n_operands).map(|i| format!("%a{i}")).collect();
    if n_results > 0 {
        let _ = write!(out, "%r:{n_results} = ");
    }
    let _ = write!(out, "\"{}\"({})", row.name, values.join(", "));
    if !attrs.is_empty() {
        let _ = write!(out, " <{{{}}}>", attrs.join(", "));
    }
    if !regions.is_empty() {
        let _ = write!(out, " ({})", regions.join(", "));
    }
    let _ = write!(out, " : ({}) -> ({})", inputs.join(", "), outputs.join(", "));
    let args: Vec<String> = inputs.iter().enumerate().map(|(i, ty)| format!("%a{i}: {ty}")).collect();
    match random.below(4) {
        // Symbols and what stands beside functions.
        0 if inputs.is_empty() => out,
        _ => format!("func.func @f({}) {{\n{out}\nreturn\n}}", args.join(", ")),
    }
}

fn read(text: &str) -> Result<Ir, String> {
    let options = ParseOptions { allow_unregistered: true };
    text::parse_with(text, options).map_err(|diags| diags[0].message.clone())
}

/// What goes wrong with a form, if anything does; and whether it is one that means something.
fn check(text: &str) -> Result<bool, String> {
    let Ok(mut ir) = read(text) else { return Ok(false) };
    let generic = PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() };
    let whole = print(&ir, &generic);
    let reads_back = |printed: &str| match read(printed) {
        Ok(again) if print(&again, &generic) == whole => Ok(()),
        Ok(_) => Err(format!("another program is read back from\n{printed}")),
        Err(message) => Err(format!("{message}\nin what is printed\n{printed}")),
    };
    reads_back(&whole)?;
    let sound = verify(&ir).is_empty();
    let custom = print(&ir, &PrintOptions::default());
    if !sound {
        return Ok(false);
    }
    reads_back(&custom)?;
    for pass in [clean::canonicalize, clean::cse] {
        for func in ir.funcs() {
            pass(&mut ir, func);
        }
        if let Some(diag) = verify(&ir).first() {
            return Err(format!("{}\nafter cleaning:\n{}", diag.message, print(&ir, &generic)));
        }
    }
    Ok(true)
}

#[test]
fn any_form_of_each_row() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 12u64), number("RADDLE_SEED", 0));
    let mut wrong = Vec::new();
    let mut sound = 0;
    raddle_dialects::load();
    for (at, row) in ops::all().enumerate() {
        for seed in first..first + n {
            let text = form(row, &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ at as u64));
            match caught(|| check(&text)).flatten() {
                Ok(means) => sound += usize::from(means),
                Err(why) => wrong.push(format!("{}, seed {seed}: {why}\nThe form:\n{text}\n", row.name)),
            }
        }
    }
    println!("{sound} of {} forms are sound", ops::all().count() as u64 * n);
    assert!(wrong.is_empty(), "{} forms:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(sound > 0, "no form is sound");
}
