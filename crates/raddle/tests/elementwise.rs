//! Every operation on scalars with every type that it has becomes PTX that ptxas accepts, or is in the list of those that
//! do not, with the reason.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the number of pairs is worth seeing")]

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use raddle_ir::ops::OPS;
use raddle_ir::{Class, Severity};
use raddle_passes::Facts;
use raddle_run::{Tensor, ptx};

const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64", "tf32", "f80", "f128"];
const SMALL: &[&str] = &[
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
fn is_refused(pair: &Pair) -> Option<&'static str> {
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
struct Pair {
    op: &'static str,
    operands: Vec<String>,
    results: Vec<String>,
    attrs: &'static str,
}

fn pair(op: &'static str, operands: &[&str], results: &[&str]) -> Pair {
    let own = |types: &[&str]| types.iter().map(|&ty| ty.to_owned()).collect();
    let attrs = if matches!(op, "arith.cmpi" | "arith.cmpf") { " {predicate = 2 : i64}" } else { "" };
    Pair { op, operands: own(operands), results: own(results), attrs }
}

/// All that could be a pair; the verifier knows better.
fn candidates() -> Vec<Pair> {
    let floats: Vec<&str> = FLOATS.iter().chain(SMALL).copied().collect();
    let all: Vec<&str> = floats.iter().chain(INTS).copied().collect();
    let mut list = Vec::new();
    for info in OPS {
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

/// A lowered kernel of these operations on elements of buffers.
fn kernel(pairs: &[Pair]) -> String {
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
            format!("{name}: memref<65536x{ty}>")
        })
        .collect();
    let mut body = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        let names: Vec<String> = (0..pair.operands.len()).map(|operand| format!("%x{at}_{operand}")).collect();
        for (operand, (name, ty)) in names.iter().zip(&pair.operands).enumerate() {
            body += &format!(
                "  %i{at}_{operand} = arith.constant {} : index\n  %j{at}_{operand} = arith.addi %t, %i{at}_{operand} : index\n  \
                 {name} = memref.load %in_{ty}[%j{at}_{operand}] : memref<65536x{ty}>\n",
                64 * operand
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
                 memref.store {name}, %out_{ty}[%p{at}_{result}] : memref<65536x{ty}>\n",
                64 * (2 * at + result)
            );
        }
    }
    format!(
        "func.func @kernel({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = None \
         workgroup_size = [64, 1, 1] subgroup_size = 32>}} {{\n  %t = gpu.thread_id x\n{body}  return\n}}\n",
        args.join(", ")
    )
}

fn is_pair(pair: &Pair) -> bool {
    let text = kernel(std::slice::from_ref(pair));
    raddle_ir::parse(&text).is_ok_and(|ir| raddle_ir::verify(&ir).iter().all(|diag| diag.severity != Severity::Error))
}

#[test]
fn every_pair_becomes_ptx() {
    let pairs: Vec<Pair> = candidates().into_iter().filter(is_pair).collect();
    let ptxas = common::validator("ptxas");
    let folder = tempfile::tempdir().unwrap();
    for target in ["sm_80", "sm_90"] {
        let options = raddle::Options { target: target.to_owned(), ..raddle::Options::default() };
        let (mut accepted, mut refused) = (BTreeMap::<String, Vec<Pair>>::new(), 0);
        let mut wrong = Vec::new();
        for pair in &pairs {
            let made = raddle::compile(&kernel(std::slice::from_ref(pair)), &options);
            match (made, is_refused(pair)) {
                (Ok(_), None) => {
                    let group = format!("{}_{}", pair.operands[pair.operands.len() - 1], pair.op.contains("ext") as u8);
                    accepted.entry(group).or_default().push(pair.clone());
                }
                (Err(_), Some(_)) => refused += 1,
                (Ok(_), Some(why)) => wrong.push(format!("{pair:?} compiles, though {why}")),
                (Err(report), None) => wrong.push(format!("{pair:?}: {}", report.diags[0].message)),
            }
        }
        assert!(wrong.is_empty(), "{target}: {} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
        println!("{target}: {} pairs, {refused} refused", pairs.len());
        assert!(pairs.len() > 1000, "the verifier lets too little through: {}", pairs.len());
        let Some(ptxas) = &ptxas else { continue };
        for (group, pairs) in accepted {
            for (part, pairs) in pairs.chunks(100).enumerate() {
                let artifact = raddle::compile(&kernel(pairs), &options).unwrap();
                let path = folder.path().join(format!("{group}_{part}.ptx"));
                std::fs::write(&path, &artifact.text).unwrap();
                let output = Command::new(ptxas)
                    .arg(format!("-arch={target}"))
                    .arg("-o")
                    .arg(folder.path().join("kernel.cubin"))
                    .arg(&path)
                    .output()
                    .unwrap();
                let said =
                    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                assert!(output.status.success() && said.is_empty(), "{target} {group}: {said}");
            }
        }
    }
}

/// Numbers of every size, and all that is special.
fn numbers(elem: raddle_ir::Scalar, n: usize, mut state: u64) -> Tensor {
    let values: Vec<f64> = (0..n)
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
            match at % 16 {
                0 => [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5][at / 16 % 8],
                1..4 => (unit * 80.0 - 40.0).exp2(),
                4..8 => unit * 2.0 - 1.0,
                _ => unit * 40.0 - 20.0,
            }
        })
        .collect();
    Tensor::from_f64(elem, &[n as i64], &values)
}

/// What is written as PTX gives the bits that the lowered program gives on the emulator, for each function and for the
/// conversions of small floats.
#[test]
fn text_and_program_agree() {
    let functions: Vec<&str> =
        raddle_passes::FUNCTIONS.iter().map(|function| OPS[function.opcode as usize].name).collect();
    let is_checked = |pair: &Pair| {
        let ty = pair.operands[0].as_str();
        let function = functions.contains(&pair.op) && ["f32", "f64", "f16", "bf16"].contains(&ty);
        let small = |ty: &str| SMALL.contains(&ty);
        let conversion = ["arith.extf", "arith.truncf"].contains(&pair.op) && (small(ty) || small(&pair.results[0]));
        function || conversion && is_refused(pair).is_none()
    };
    let pairs: Vec<Pair> = candidates().into_iter().filter(is_checked).filter(is_pair).collect();
    assert!(pairs.len() > 150, "{}", pairs.len());
    for target in ["sm_80", "sm_90"] {
        let options = raddle::Options { target: target.to_owned(), ..raddle::Options::default() };
        for pair in &pairs {
            if target == "sm_90" && functions.contains(&pair.op) {
                continue;
            }
            let text = kernel(std::slice::from_ref(pair));
            let mut ir = raddle_ir::parse(&text).unwrap();
            let func = ir.funcs()[0];
            raddle::pipeline::finish(&mut ir, func, &Facts::new(raddle::pipeline::chip(target).unwrap())).unwrap();
            let inputs: Vec<Tensor> = (0..)
                .zip(ir.args(ir.entry(func)))
                .map(|(at, &arg)| numbers(raddle_ir::Scalar::of(&ir[ir.elem_of(arg)]).unwrap(), 65536, at))
                .collect();
            let choices = raddle_run::Options::default();
            let launch = raddle::Launch::of(&ir, func).unwrap();
            let program =
                raddle_run::Device::run(&raddle_run::Emulator, &ir, func, &inputs, &launch, &choices).unwrap();
            let code = raddle::compile(&text, &options).unwrap();
            let module = ptx::parse(&code.text).unwrap_or_else(|diag| panic!("{pair:?}: {diag}\n{}", code.text));
            let start = ptx::Launch { entry: None, grid: [1, 1, 1], workgroup: None, shared_bytes: 0 };
            let ran = ptx::run(&module, &inputs, &start, &choices);
            let ran = ran.unwrap_or_else(|diag| panic!("{pair:?}: {diag}: {}\n{}", diag.label, code.text));
            for (got, expected) in ran.args.iter().zip(&program.buffers) {
                let width = expected.elem.bytes();
                let (got_values, values) = (got.to_f64(), expected.to_f64());
                for at in 0..256 {
                    let same = got.bytes[at * width..][..width] == expected.bytes[at * width..][..width];
                    let nan = got_values[at].is_nan() && values[at].is_nan();
                    let x = || inputs[0].to_f64()[at];
                    assert!(
                        same || nan,
                        "{target} {pair:?} of {:e} is {:e}, not {:e}",
                        x(),
                        values[at],
                        got_values[at]
                    );
                }
            }
        }
    }
}
