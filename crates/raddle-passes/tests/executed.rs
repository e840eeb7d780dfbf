//! Random kernels as PTX: the text that is emitted, executed, gives what the program means, to the last bit.
//!
//! Two witnesses that share no code agree here: the emulator on the IR, and the executor on the text.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

use raddle_emu::{AsyncMode, Launch, Options, Tensor, ptx};
use raddle_ir::{Code, Scalar, Type};
use raddle_target::{Lowered, chip};

use crate::programs::{NUMBERS, Program, Rng};
use crate::stages;

#[test]
fn emitted_text_means_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 150), number("RADDLE_SEED", 0));
    let sm_80 = chip("sm_80").unwrap();
    let (mut executed, mut refused) = (0, 0);
    for seed in first..first + n {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(4711));
        let n_subgroups = 1 + rng.below(8) as i64;
        let elem = rng.pick(&["f32", "i32", "f16", "i64"]);
        let kernel = Program::kernel(rng, 32, n_subgroups, elem);
        let args = arguments(&kernel.buffers, kernel.elem, seed);
        let name = format!("seed {seed}");
        let (ir, want) = match stages::alike(&name, &kernel.text, "sm_80", &args, seed) {
            Ok(ran) => ran,
            // It is larger than something allows.
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        let func = ir.funcs()[0];
        let lowered = Lowered::check(&ir, func, sm_80).unwrap();
        let text = match raddle_emit::ptx::emit(&ir, &lowered) {
            Ok(text) => text,
            Err(diag) => {
                assert_eq!(diag.code, Code::CannotEmit, "{name}: {diag:?}");
                refused += 1;
                continue;
            }
        };
        let module = ptx::parse(&text).unwrap_or_else(|diag| panic!("{name}: {diag:?}\n{text}"));
        let grid = Launch::of(&ir, func).unwrap().grid;
        let launch = ptx::Launch { entry: None, grid, workgroup: None, cluster: None, shared_bytes: 0 };
        // A buffer of a single number is a buffer all the same.
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        let mut inputs = args.clone();
        for (arg, input) in inputs.iter_mut().enumerate() {
            if is_buffer(arg) && input.shape.is_empty() {
                input.shape = vec![1];
            }
        }
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let ran = ptx::run(&module, &inputs, &launch, &options)
                .unwrap_or_else(|diag| panic!("{name}: {diag:?}\n{}\n{text}", kernel.text));
            let buffers = ran.args.iter().enumerate().filter(|(arg, _)| is_buffer(*arg));
            for ((at, got), want) in buffers.zip(&want) {
                assert!(
                    got.bytes == want.bytes,
                    "{name}: argument {at} differs\n{}\n{text}\nwant {:?}\ngot {:?}",
                    kernel.text,
                    want.to_f64(),
                    got.to_f64()
                );
            }
        }
        executed += 1;
    }
    println!("{executed} of {n} programs were executed as PTX, {refused} are not emitted");
    assert!(executed * 2 >= n, "{executed} of {n} programs were executed");
}

/// Small whole numbers: sums are exact whatever their order.
fn arguments(buffers: &[Vec<i64>], elem: &str, seed: u64) -> Vec<Tensor> {
    let scalar = Scalar::from_keyword(elem).unwrap();
    let mut numbers = Rng(seed | 1);
    let (numeric, last) = buffers.split_at(buffers.len() - 1);
    let mut args = Vec::new();
    for shape in numeric {
        let values: Vec<f64> = (0..shape.iter().product::<i64>()).map(|_| numbers.below(3) as f64 - 1.0).collect();
        args.push(Tensor::from_f64(scalar, shape, &values));
    }
    let positions: Vec<i64> =
        (0..NUMBERS).map(|_| numbers.pick(&[-2, 0, 0, 1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40])).collect();
    args.push(Tensor::from_i64(Scalar::Int(32), &last[0], &positions));
    args
}
