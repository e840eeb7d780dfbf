//! Programs made with the builder: one for each level of the pipeline.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Precision, Tensor, run};
use raddle_ir::{Attr, Builder, Float, Ir, Map, OpId, Opcode, Scalar, Span, TypeId, ValueId};
use raddle_target::{MMAS, Mma};

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);

/// A function whose body `build` writes; what it returns is returned.
fn func(
    ir: &mut Ir,
    inputs: &[TypeId],
    results: &[TypeId],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> OpId {
    let name = ir.str_attr("f");
    let func = ir.create(Opcode::FuncFunc, &[], &[], &[("sym_name", name)], Span::default());
    ir.set_signature(func, inputs, results);
    let module = ir.module_block();
    ir.append(module, func);
    let region = ir.add_region(func);
    let block = ir.add_block(region, inputs);
    let args = ir.args(block).to_vec();
    let mut builder = Builder::at_end(ir, block, Span::default());
    let returned = build(&mut builder, &args);
    builder.op(Opcode::FuncReturn, &returned, &[], &[]);
    func
}

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from((state >> 33) as i32 % 64) / 16.0
        })
        .collect()
}

fn product(a: &[f64], b: &[f64], m: usize, n: usize, k: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|c| at(c / n, c % n)).collect()
}

/// `linalg.matmul` with its region.
fn matmul(b: &mut Builder<'_>, lhs: ValueId, rhs: ValueId, acc: ValueId) -> ValueId {
    let ty = b.ir.type_of(acc);
    let sizes = b.ir.segment_sizes(&[2, 1]);
    let op = b.op(Opcode::LinalgMatmul, &[lhs, rhs, acc], &[ty], &[("operandSegmentSizes", sizes)]);
    let types = [lhs, rhs, acc].map(|value| b.ir.elem_of(value));
    let region = b.ir.add_region(op);
    let block = b.ir.add_block(region, &types);
    let args = b.ir.args(block).to_vec();
    let mut inner = Builder::at_end(b.ir, block, Span::default());
    let [x, y] = [0, 1].map(|i| inner.value(Opcode::ArithExtf, &[args[i]], types[2], &[]));
    let product = inner.binary(Opcode::ArithMulf, x, y);
    let sum = inner.binary(Opcode::ArithAddf, args[2], product);
    inner.op(Opcode::LinalgYield, &[sum], &[], &[]);
    b.ir.result(op, 0)
}

/// The tensor program of the pipeline's first example.
#[test]
fn a_tensor_matmul_multiplies() {
    let (m, n, k) = (48, 32, 24);
    let mut ir = Ir::new();
    let (f16, f32) = (ir.float_type(Float::F16), ir.float_type(Float::F32));
    let types = [ir.tensor_type(&[m, k], f16), ir.tensor_type(&[k, n], f16), ir.tensor_type(&[m, n], f32)];
    let f = func(&mut ir, &types, &[types[2]], |b, args| vec![matmul(b, args[0], args[1], args[2])]);
    let (a, b) = (numbers((m * k) as usize, 1), numbers((k * n) as usize, 2));
    let args = [Tensor::from_f64(F16, &[m, k], &a), Tensor::from_f64(F16, &[k, n], &b), Tensor::zeros(F32, &[m, n])];
    let launch = Launch::of(&ir, f).unwrap();
    assert_eq!(launch.mode, Mode::Simd);
    for precision in [Precision::Exact, Precision::Wide] {
        let outcome = run(&ir, f, &args, &launch, &Options { precision, ..Options::default() }).unwrap();
        assert_eq!(outcome.results[0].to_f64(), product(&a, &b, m as usize, n as usize, k as usize));
    }
}

/// One matrix instruction, its fragments loaded by hand as the PTX manual draws them.
#[test]
fn an_mma_multiplies_fragments() {
    let mut ir = Ir::new();
    let (f16, f32) = (ir.float_type(Float::F16), ir.float_type(Float::F32));
    let types =
        [ir.memref_type(&[256], f16, None), ir.memref_type(&[128], f16, None), ir.memref_type(&[128], f32, None)];
    let vectors = [ir.vector_type(&[4, 2], f16), ir.vector_type(&[2, 2], f16), ir.vector_type(&[2, 2], f32)];
    let f = func(&mut ir, &types, &[], |b, args| {
        let thread = b.gpu_id(Opcode::GpuThreadId, 0);
        let four = b.index(4);
        let group = b.value(Opcode::ArithDivui, &[thread, four], b.ir.type_of(thread), &[]);
        let rest = b.value(Opcode::ArithRemui, &[thread, four], b.ir.type_of(thread), &[]);
        let address = |b: &mut Builder<'_>, parts: &[(ValueId, i64)], constant: i64| {
            let mut sum = b.index(constant);
            for &(value, factor) in parts {
                let factor = b.index(factor);
                let term = b.binary(Opcode::ArithMuli, value, factor);
                sum = b.binary(Opcode::ArithAddi, sum, term);
            }
            sum
        };
        let load = |b: &mut Builder<'_>, from: ValueId, at: ValueId, ty: TypeId| {
            b.value(Opcode::MemrefLoad, &[from, at], ty, &[])
        };
        // Row-major A (16x16): rows g and g + 8, columns 2r, 2r + 1, and 8 further.
        let mut slots = Vec::new();
        for (row, column) in [(0, 0), (0, 1), (8, 0), (8, 1), (0, 8), (0, 9), (8, 8), (8, 9)] {
            let at = address(b, &[(group, 16), (rest, 2)], row * 16 + column);
            slots.push(load(b, args[0], at, f16));
        }
        let a = b.value(Opcode::VectorFromElements, &slots, vectors[0], &[]);
        // Row-major B (16x8): rows 2r, 2r + 1 and 8 further, column g.
        let mut slots = Vec::new();
        for row in [0, 1, 8, 9] {
            let at = address(b, &[(rest, 16), (group, 1)], row * 8);
            slots.push(load(b, args[1], at, f16));
        }
        let rhs = b.value(Opcode::VectorFromElements, &slots, vectors[1], &[]);
        let acc = b.splat(0.0, vectors[2]);
        let shape = b.ir.i64_array(&[16, 8, 16]);
        let d = b.value(Opcode::NvgpuMmaSync, &[a, rhs, acc], vectors[2], &[("mmaShape", shape)]);
        let parts = b.op(Opcode::VectorToElements, &[d], &[f32; 4], &[]);
        for (slot, (row, column)) in [(0, 0), (0, 1), (8, 0), (8, 1)].into_iter().enumerate() {
            let at = address(b, &[(group, 8), (rest, 2)], row * 8 + column);
            let value = b.ir.result(parts, slot);
            b.op(Opcode::MemrefStore, &[value, args[2], at], &[], &[]);
        }
        vec![]
    });
    let (a, b) = (numbers(256, 3), numbers(128, 4));
    let args =
        [Tensor::from_f64(F16, &[16, 16], &a), Tensor::from_f64(F16, &[16, 8], &b), Tensor::zeros(F32, &[16, 8])];
    let launch = Launch { grid: [1; 3], workgroup_size: [32, 1, 1], subgroup_size: 32, mode: Mode::Simt };
    let outcome = run(&ir, f, &args, &launch, &Options::default()).unwrap();
    assert_eq!(outcome.buffers[2].to_f64(), product(&a, &b, 16, 8, 16));
    assert_eq!(outcome.counters.matrix_ops, 1);
    // Lane 5 holds row 1, columns 2 and 3.
    let writer = outcome.writers[2][8 + 3].unwrap();
    assert_eq!((writer.subgroup, writer.lane), (0, 5));
}

/// Fragments of an operand as lanes hold them, lane by lane.
fn fragments(mma: &Mma, operand: usize, matrix: &[f64]) -> Tensor {
    let fragment = &mma.fragments[operand];
    let [_, columns] = fragment.shape();
    let (lanes, slots) = (i64::from(mma.subgroup_size), fragment.n_slots());
    let values: Vec<f64> = (0..lanes * slots)
        .map(|at| {
            let [row, column] = fragment.coord(at / slots, at % slots);
            matrix[(row * columns + column) as usize]
        })
        .collect();
    Tensor::from_f64(mma.types[operand], &[lanes * slots], &values)
}

/// Every matrix instruction of the table is a matrix product through its own fragments, for every element type.
#[test]
fn every_matrix_instruction_multiplies() {
    // Those of several products are the catalogue's, whose every row has a test.
    for mma in MMAS.iter().filter(|mma| mma.blocks.is_none()) {
        let mut ir = Ir::new();
        let elems = mma.types.map(|scalar| match scalar {
            Scalar::Float(float) => ir.float_type(float),
            Scalar::Int(width) => ir.int_type(width),
            Scalar::Index => ir.index_type(),
        });
        let slots = [0, 1, 2].map(|operand: usize| mma.fragments[operand].n_slots());
        let vectors = [0, 1, 2].map(|operand: usize| ir.vector_type(&[slots[operand]], elems[operand]));
        let lanes = i64::from(mma.subgroup_size);
        let types = [0, 1, 2].map(|operand: usize| ir.memref_type(&[lanes * slots[operand]], elems[operand], None));
        let f = func(&mut ir, &types, &[], |b, args| {
            let thread = b.gpu_id(Opcode::GpuThreadId, 0);
            let place = |b: &mut Builder<'_>, operand: usize, slot: i64| {
                let (n, slot) = (b.index(slots[operand]), b.index(slot));
                let first = b.binary(Opcode::ArithMuli, thread, n);
                b.binary(Opcode::ArithAddi, first, slot)
            };
            let mut operands = Vec::new();
            for operand in 0..3 {
                let mut parts = Vec::new();
                for slot in 0..slots[operand] {
                    let at = place(b, operand, slot);
                    parts.push(b.value(Opcode::MemrefLoad, &[args[operand], at], elems[operand], &[]));
                }
                operands.push(b.value(Opcode::VectorFromElements, &parts, vectors[operand], &[]));
            }
            let i32 = b.ir.int_type(32);
            let [m, n, k] =
                [mma.m, mma.n, mma.k].map(|extent| b.ir.intern(Attr::Int { value: extent.into(), ty: i32 }));
            let shape = b.ir.i64_array(&[mma.m, mma.n, mma.k]);
            let attrs = [("m", m), ("n", n), ("k", k), ("mmaShape", shape)];
            let d = b.value(mma.opcode, &operands, vectors[2], &attrs);
            let parts = b.op(Opcode::VectorToElements, &[d], &vec![elems[2]; slots[2] as usize], &[]);
            for slot in 0..slots[2] {
                let at = place(b, 2, slot);
                let value = b.ir.result(parts, slot as usize);
                b.op(Opcode::MemrefStore, &[value, args[2], at], &[], &[]);
            }
            vec![]
        });
        // Small integers: every type has them, and their sums.
        let small = |n: i64, seed: u64| numbers(n as usize, seed).iter().map(|x| (x * 16.0) % 3.0).collect::<Vec<_>>();
        let (a, b, c) = (small(mma.m * mma.k, 1), small(mma.k * mma.n, 2), small(mma.m * mma.n, 3));
        let args = [fragments(mma, 0, &a), fragments(mma, 1, &b), fragments(mma, 2, &c)];
        let launch = Launch {
            grid: [1; 3],
            workgroup_size: [mma.subgroup_size, 1, 1],
            subgroup_size: mma.subgroup_size,
            mode: Mode::Simt,
        };
        let product = product(&a, &b, mma.m as usize, mma.n as usize, mma.k as usize);
        let sum: Vec<f64> = product.iter().zip(&c).map(|(product, c)| product + c).collect();
        for precision in [Precision::Exact, Precision::Wide] {
            let outcome = run(&ir, f, &args, &launch, &Options { precision, ..Options::default() })
                .unwrap_or_else(|diag| panic!("{}: {diag:?}", mma.name));
            assert_eq!(outcome.buffers[2].to_f64(), fragments(mma, 2, &sum).to_f64(), "{}", mma.name);
        }
        // What the hardware holds twice is the same in both lanes.
        if lanes * slots[0] > mma.m * mma.k {
            let mut values = args[0].to_f64();
            if let Some(last) = values.last_mut() {
                *last += 1.0;
            }
            let args = [Tensor::from_f64(mma.types[0], &args[0].shape, &values), args[1].clone(), args[2].clone()];
            let diag = run(&ir, f, &args, &launch, &Options::default()).unwrap_err();
            assert!(diag.message.starts_with("undefined: lanes 15 and 31 hold different copies"), "{diag:?}");
        }
    }
}

/// A vector kernel reads with padding past the end, transposes, and writes what is inside.
#[test]
fn transfers_pad_and_clip() {
    let mut ir = Ir::new();
    let f32 = ir.float_type(Float::F32);
    let (from, to) = (ir.memref_type(&[3, 5], f32, None), ir.memref_type(&[5, 3], f32, None));
    let vector = ir.vector_type(&[4, 4], f32);
    let f = func(&mut ir, &[from, to], &[], |b, args| {
        let (zero, two) = (b.index(0), b.index(2));
        let minus = b.float(-1.0, f32);
        let read = b.transfer_read(args[0], &[zero, two], minus, Map::identity(2), &[false, false], vector);
        let turned = b.transpose(read, &[1, 0]);
        b.transfer_write(turned, args[1], &[two, zero], Map::identity(2), &[false, false]);
        vec![]
    });
    let values: Vec<f64> = (0..15).map(f64::from).collect();
    let args = [Tensor::from_f64(F32, &[3, 5], &values), Tensor::zeros(F32, &[5, 3])];
    let launch = Launch::of(&ir, f).unwrap();
    let outcome = run(&ir, f, &args, &launch, &Options::default()).unwrap();
    let want = [0., 0., 0., 0., 0., 0., 2., 7., 12., 3., 8., 13., 4., 9., 14.];
    assert_eq!(outcome.buffers[1].to_f64(), want);
    let strict = Attr::Array([true, true].map(|flag| ir.intern(Attr::Bool(flag))).to_vec());
    let strict = ir.intern(strict);
    let op = ir.walk(f).into_iter().find(|&op| ir.opcode(op) == Opcode::VectorTransferRead).unwrap();
    ir.set_attr(op, "in_bounds", strict);
    let diag = run(&ir, f, &args, &launch, &Options::default()).unwrap_err();
    assert!(diag.message.starts_with("bounds: index 5 is outside dimension 1"), "{}", diag.message);
}
