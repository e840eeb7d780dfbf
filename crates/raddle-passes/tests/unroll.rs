//! Unrolled programs mean what they meant, and have no vectors but native ones.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Float, Ir, OpId, Opcode, Scalar, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::{VECTOR_MACHINES, VectorMachine, Widths, chip};

use crate::programs::{NUMBERS, Program, Rng, shrink};

fn unroll(text: &str, machine: &VectorMachine) -> Ir {
    let mut ir = parse(text).unwrap();
    let func = ir.funcs()[0];
    let pass = PASSES.iter().find(|pass| pass.name == "unroll-to-native").unwrap();
    let options = Options::read(pass.options, pass.name, &format!("machine={}", machine.name)).unwrap();
    pass.apply(&mut ir, func, &Facts::new(chip("sm_80").unwrap()), &options).unwrap_or_else(|diag| panic!("{diag:?}"));
    let problems = verify(&ir);
    assert!(problems.is_empty(), "{problems:#?}\n{text}\n{}", print(&ir, &Default::default()));
    ir
}

fn run(ir: &Ir, args: &[Tensor]) -> Vec<Tensor> {
    let func = ir.funcs()[0];
    let launch = Launch { mode: Mode::Simd, ..Launch::of(ir, func).unwrap() };
    raddle_emu::run(ir, func, args, &launch, &Default::default())
        .unwrap_or_else(|diag| panic!("{diag:?}\n{}", print(ir, &Default::default())))
        .buffers
}

/// Whether every vector of a program is one of the machine's, but for those of matrix products.
fn is_native(ir: &Ir, machine: &VectorMachine) -> bool {
    let func = ir.funcs()[0];
    let of_matrices = |op: OpId| {
        let product = |op: OpId| ir.opcode(op) == Opcode::VectorContract;
        let users = || ir.results(op).flat_map(|value| ir.uses(value)).any(|(user, _)| product(user));
        let made = || ir.operands(op).iter().any(|&value| ir.def_op(value).is_some_and(product));
        product(op)
            || ir.opcode(op) == Opcode::VectorFromElements && users()
            || ir.opcode(op) == Opcode::VectorExtract && made()
    };
    let native = |shape: &[i64]| match (shape, machine.widths) {
        ([_], Widths::Any) => true,
        ([width], Widths::Of(widths)) => widths.contains(width),
        ([width], Widths::UpTo(most)) => *width <= most,
        _ => false,
    };
    ir.walk(func).into_iter().filter(|&op| !of_matrices(op)).all(|op| {
        let values = ir.results(op).chain(ir.operands(op).iter().copied());
        values.into_iter().filter(|&value| ir.ty(value).is_vector()).all(|value| native(ir.shape_of(value)))
    })
}

/// Random kernels on every machine: the same buffers, to the last bit. `cargo xtask fuzz-unroll` runs more.
#[test]
fn unrolled_kernels_mean_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, first) = (number("RADDLE_PROGRAMS", 100), number("RADDLE_SEED", 0));
    for seed in first..first + count {
        let mut rng = Rng(seed * 7907 + 11);
        let elem = rng.pick(&["f32", "i32", "f16", "i64"]);
        let kernel = Program::kernel(rng, 32, 2, elem);
        let scalar = match kernel.elem {
            "i32" => Scalar::Int(32),
            "i64" => Scalar::Int(64),
            "f16" => Scalar::Float(Float::F16),
            _ => Scalar::Float(Float::F32),
        };
        let mut numbers = Rng(seed | 1);
        let (numeric, last) = kernel.buffers.split_at(kernel.buffers.len() - 1);
        let mut args: Vec<Tensor> = numeric
            .iter()
            .map(|shape| {
                let n = shape.iter().product::<i64>();
                let values: Vec<f64> = (0..n).map(|_| numbers.below(3) as f64 - 1.0).collect();
                Tensor::from_f64(scalar, shape, &values)
            })
            .collect();
        let values: Vec<i64> = (0..NUMBERS).map(|_| numbers.pick(&[-2, 0, 0, 1, 2, 3, 5, 8, 16, 40])).collect();
        args.push(Tensor::from_i64(Scalar::Int(32), &last[0], &values));
        let want = run(&parse(&kernel.text).unwrap(), &args);
        for machine in VECTOR_MACHINES {
            let is_same = |text: &str, want: &[Tensor]| {
                let ir = unroll(text, machine);
                is_native(&ir, machine) && run(&ir, &args).iter().zip(want).all(|(got, want)| got.bytes == want.bytes)
            };
            if !is_same(&kernel.text, &want) {
                let fails = |text: &str| !is_same(text, &run(&parse(text).unwrap(), &args));
                let small = shrink::shrink(&kernel.text, fails);
                let unrolled = print(&unroll(&small, machine), &Default::default());
                panic!("seed {seed} on {}\n{small}\n{unrolled}", machine.name);
            }
        }
    }
}

/// A contraction stays whole where the machine has matrices of its shape and types, and nowhere else.
#[test]
fn matrices_stay_whole() {
    let text = "func.func @f(%a: memref<32x16xf16>, %b: memref<48x16xf16>, %c: memref<32x48xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<48x16xf16>, vector<48x16xf16>
  %z = vector.transfer_read %c[%c0, %c0], %none {in_bounds = [true, true]} : memref<32x48xf32>, vector<32x48xf32>
  %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %x, %y, %z
      : vector<32x16xf16>, vector<48x16xf16> into vector<32x48xf32>
  vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x48xf32>, memref<32x48xf32>
  return
}";
    let mut numbers = Rng(3);
    let mut tensor = |scalar: Scalar, shape: &[i64]| {
        let n = shape.iter().product::<i64>();
        let values: Vec<f64> = (0..n).map(|_| numbers.below(5) as f64 - 2.0).collect();
        Tensor::from_f64(scalar, shape, &values)
    };
    let (f16, f32) = (Scalar::Float(Float::F16), Scalar::Float(Float::F32));
    let args = [tensor(f16, &[32, 16]), tensor(f16, &[48, 16]), tensor(f32, &[32, 48])];
    let want = run(&parse(text).unwrap(), &args);
    for machine in VECTOR_MACHINES {
        let ir = unroll(text, machine);
        let products = ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == Opcode::VectorContract);
        // Two rows of three tiles.
        assert_eq!(products.count(), if machine.matrices.is_empty() { 0 } else { 6 }, "{}", machine.name);
        assert!(is_native(&ir, machine), "{}", machine.name);
        assert_eq!(run(&ir, &args)[2].bytes, want[2].bytes, "{}", machine.name);
    }
}
