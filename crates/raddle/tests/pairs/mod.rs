//! Pairs of an operation on scalars and its types, as kernels of one thread for each element.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use raddle_ir::ops;
use raddle_ir::{Class, Scalar, Severity};

const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64", "tf32", "f80", "f128"];
pub const SMALL: &[&str] = &[
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f8E8M0FNU",
    "f6E2M3FN",
    "f6E3M2FN",
    "f4E2M1FN",
];
const INTS: &[&str] = &["i1", "i2", "i4", "i8", "i16", "i24", "i32", "i48", "i64", "i128", "index"];

const CASTS: &[&str] = &[
    "arith.extf",
    "arith.truncf",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.sitofp",
    "arith.uitofp",
    "arith.fptosi",
    "arith.fptoui",
    "arith.index_cast",
    "arith.index_castui",
    "arith.bitcast",
];

/// What no register holds.
pub fn is_refused(pair: &Pair) -> Option<&'static str> {
    let types = || pair.operands.iter().chain(&pair.results);
    if types().any(|ty| matches!(ty.as_str(), "f80" | "f128")) {
        return Some("no chip computes with floats of more than 64 bits");
    }
    if types().any(|ty| ty == "i128") {
        return Some("no register holds integers of more than 64 bits");
    }
    None
}

/// An operation with types.
#[derive(Clone, Debug)]
pub struct Pair {
    pub op: &'static str,
    pub operands: Vec<String>,
    pub results: Vec<String>,
    attrs: &'static str,
}

fn pair(op: &'static str, operands: &[&str], results: &[&str]) -> Pair {
    let own = |types: &[&str]| types.iter().map(|&ty| ty.to_owned()).collect();
    let attrs = if matches!(op, "arith.cmpi" | "arith.cmpf") { " {predicate = 2 : i64}" } else { "" };
    Pair { op, operands: own(operands), results: own(results), attrs }
}

/// All that could be a pair; the verifier knows better.
pub fn candidates() -> Vec<Pair> {
    let floats: Vec<&str> = FLOATS.iter().chain(SMALL).copied().collect();
    let all: Vec<&str> = floats.iter().chain(INTS).copied().collect();
    let mut list = Vec::new();
    for info in ops::all() {
        let extended = ["arith.addui_extended", "arith.mului_extended", "arith.mulsi_extended"].contains(&info.name);
        let scalar = info.name.starts_with("arith.") || info.name.starts_with("math.");
        if !scalar || !(info.class == Class::Elementwise || extended) {
            continue;
        }
        let op = info.name;
        for &ty in &all {
            match op {
                "arith.addui_extended" => list.push(pair(op, &[ty; 2], &[ty, "i1"])),
                _ if extended => list.push(pair(op, &[ty; 2], &[ty; 2])),
                "arith.cmpi" | "arith.cmpf" => list.push(pair(op, &[ty; 2], &["i1"])),
                "arith.select" => list.push(pair(op, &["i1", ty, ty], &[ty])),
                "math.isfinite" | "math.isinf" | "math.isnan" | "math.isnormal" => list.push(pair(op, &[ty], &["i1"])),
                "math.fpowi" => list.extend(["i8", "i32", "i64"].map(|n| pair(op, &[ty, n], &[ty]))),
                "math.fma" | "math.clampf" => list.push(pair(op, &[ty; 3], &[ty])),
                "arith.scaling_extf" | "arith.scaling_truncf" => {
                    for scale in ["f8E8M0FNU", "f32", "f16"] {
                        list.extend(
                            ["f32", "f16", "bf16", "f64", "f4E2M1FN", "f8E4M3FN"]
                                .map(|to| pair(op, &[ty, scale], &[to])),
                        );
                    }
                }
                _ if CASTS.contains(&op) => list.extend(all.iter().map(|to| pair(op, &[ty], &[to]))),
                _ => {
                    list.extend([1, 2].map(|n| pair(op, &vec![ty; n], &[ty])));
                }
            }
        }
    }
    list
}

/// Threads of a kernel.
pub const THREADS: usize = 64;
/// Elements that a pair may have in each buffer: those of three operands.
pub const EACH: usize = 3 * THREADS;

/// A lowered kernel of these operations on elements of buffers, of which each has [`EACH`].
pub fn kernel(pairs: &[Pair]) -> String {
    let size = EACH * pairs.len();
    let mut buffers: BTreeMap<String, usize> = BTreeMap::new();
    for pair in pairs {
        for ty in &pair.operands {
            let n = buffers.len();
            buffers.entry(format!("%in_{ty} : {ty}")).or_insert(n);
        }
        for ty in &pair.results {
            let n = buffers.len();
            buffers.entry(format!("%out_{ty} : {ty}")).or_insert(n);
        }
    }
    let args: Vec<String> = buffers
        .keys()
        .map(|key| {
            let (name, ty) = key.split_once(" : ").unwrap();
            format!("{name}: memref<{size}x{ty}>")
        })
        .collect();
    let mut body = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        let names: Vec<String> = (0..pair.operands.len()).map(|operand| format!("%x{at}_{operand}")).collect();
        for (operand, (name, ty)) in names.iter().zip(&pair.operands).enumerate() {
            body += &format!(
                "  %i{at}_{operand} = arith.constant {} : index\n  %j{at}_{operand} = arith.addi %t, %i{at}_{operand} : index\n  \
                 {name} = memref.load %in_{ty}[%j{at}_{operand}] : memref<{size}x{ty}>\n",
                EACH * at + THREADS * operand
            );
        }
        let results: Vec<String> = (0..pair.results.len()).map(|result| format!("%y{at}_{result}")).collect();
        body += &format!(
            "  {} = \"{}\"({}){} : ({}) -> ({})\n",
            results.join(", "),
            pair.op,
            names.join(", "),
            pair.attrs,
            pair.operands.join(", "),
            pair.results.join(", ")
        );
        for (result, (name, ty)) in results.iter().zip(&pair.results).enumerate() {
            body += &format!(
                "  %o{at}_{result} = arith.constant {} : index\n  %p{at}_{result} = arith.addi %t, %o{at}_{result} : index\n  \
                 memref.store {name}, %out_{ty}[%p{at}_{result}] : memref<{size}x{ty}>\n",
                EACH * at + THREADS * result
            );
        }
    }
    format!(
        "func.func @kernel({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = None \
         workgroup_size = [64, 1, 1] subgroup_size = 32>}} {{\n  %t = gpu.thread_id x\n{body}  return\n}}\n",
        args.join(", ")
    )
}

pub fn is_pair(pair: &Pair) -> bool {
    let text = kernel(std::slice::from_ref(pair));
    raddle_ir::parse(&text).is_ok_and(|ir| raddle_ir::verify(&ir).iter().all(|diag| diag.severity != Severity::Error))
}

/// Numbers for which every operation of a kernel is defined: those of each pair where it reads them.
pub fn inputs(pairs: &[Pair], elem: Scalar, below: &mut dyn FnMut(u64) -> u64) -> Vec<f64> {
    let name = elem.to_string();
    let mut values = vec![0.0; EACH * pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        for (operand, _) in pair.operands.iter().enumerate().filter(|(_, ty)| **ty == name) {
            for value in &mut values[EACH * at + THREADS * operand..][..THREADS] {
                *value = number(pair, operand, elem, below);
            }
        }
    }
    values
}

/// A number for an operand.
fn number(pair: &Pair, operand: usize, elem: Scalar, below: &mut dyn FnMut(u64) -> u64) -> f64 {
    if let Scalar::Float(float) = elem {
        let unit = below(1 << 30) as f64 / f64::from(1 << 30);
        if matches!(pair.op, "arith.fptosi" | "arith.fptoui") {
            // What the integer type has, when it is cut off.
            let (signed, bits) = (pair.op == "arith.fptosi", bits(&pair.results[0]) as i32);
            let least = if signed { -2f64.powi(bits - 1) } else { 0.0 };
            let end = 2f64.powi(bits - i32::from(signed));
            let largest = [8.0, 2000.0, end - 1.0][below(3) as usize].min(end - 0.5);
            let value = unit * largest * if signed && below(2) == 0 { -1.0 } else { 1.0 };
            let value = raddle_ir::float::round(float, value);
            return if value.is_finite() && (least..end).contains(&value.trunc()) { value } else { 0.5 };
        }
        let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN];
        return match below(8) {
            // No program can tell which sign a NaN has that was converted.
            0 if pair.op == "math.copysign" => special[below(6) as usize],
            0 => special[below(8) as usize],
            1 => (unit * 80.0 - 40.0).exp2(),
            2 => -(unit * 40.0 - 20.0).exp2(),
            3 => unit * 2.0 - 1.0,
            _ => unit * 40.0 - 20.0,
        };
    }
    let bits = i32::try_from(bits(&pair.operands[operand])).unwrap();
    let half = 2f64.powi(bits - 1);
    let divides = pair.op.contains("div") || pair.op.contains("rem");
    let value = match (pair.op, operand) {
        ("arith.shli" | "arith.shrsi" | "arith.shrui", 1) => return below(bits as u64) as f64,
        // Few factors, so that powers fit.
        ("math.ipowi", 1) => return below(5.min(1 << (bits - 1).min(4))) as f64,
        ("math.fpowi", 1) => return below(17) as f64 - 8.0,
        _ => match below(4) {
            0 => [0.0, 1.0, -1.0, -half, half - 1.0, 2.0, 3.0, 7.0][below(8) as usize],
            1 => below(200) as f64 - 100.0,
            _ => (below(1 << 30) as f64 / f64::from(1 << 30) * 2.0 - 1.0) * half,
        },
    };
    // What does not fit wraps; a divisor is not 0, and the smallest number is not divided by -1.
    let wrapped = (value.floor() + half).rem_euclid(2.0 * half) - half;
    match (divides, operand) {
        (true, 1) if wrapped == 0.0 => -1.0,
        (true, 0) if wrapped == -half => half - 1.0,
        _ => wrapped,
    }
}

/// Bits of an integer type.
fn bits(ty: &str) -> u32 {
    ty.strip_prefix('i').and_then(|bits| bits.parse().ok()).unwrap_or(64)
}
