//! Every operation on scalars with every type that it has becomes PTX that ptxas accepts, or is in the list of those that
//! do not, with the reason.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the number of pairs is worth seeing")]

use std::collections::BTreeMap;
use std::process::Command;

use raddle_passes::Facts;
use raddle_run::{Tensor, ptx};

use crate::common;
use crate::pairs;
use crate::pairs::{Pair, SMALL, candidates, is_pair, is_refused, kernel};

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
    let functions: Vec<&str> = raddle_passes::FUNCTIONS.iter().map(|function| function.opcode.name()).collect();
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
                .map(|(at, &arg)| numbers(raddle_ir::Scalar::of(&ir[ir.elem_of(arg)]).unwrap(), pairs::EACH, at))
                .collect();
            let choices = raddle_run::Options::default();
            let launch = raddle::Launch::of(&ir, func).unwrap();
            let program =
                raddle_run::Device::run(&raddle_run::Emulator, &ir, func, &inputs, &launch, &choices).unwrap();
            let code = raddle::compile(&text, &options).unwrap();
            let module = ptx::parse(&code.text).unwrap_or_else(|diag| panic!("{pair:?}: {diag}\n{}", code.text));
            let start = ptx::Launch { entry: None, grid: [1, 1, 1], workgroup: None, cluster: None, shared_bytes: 0 };
            let ran = ptx::run(&module, &inputs, &start, &choices);
            let ran = ran.unwrap_or_else(|diag| panic!("{pair:?}: {diag}: {}\n{}", diag.label, code.text));
            for (got, expected) in ran.args.iter().zip(&program.buffers) {
                let width = expected.elem.bytes();
                let (got_values, values) = (got.to_f64(), expected.to_f64());
                for at in 0..pairs::EACH {
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
