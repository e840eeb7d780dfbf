//! Lane-operations per second on lowered code: arithmetic, shared memory, and matrix instructions; what the sanitizers
//! cost; how long a distributed matmul takes, lane by lane, beside NumPy and Triton's interpreter; and the reference.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::process::Command;
use std::time::Instant;

use raddle_emu::{Launch, Mode, Options, Tensor, run};
use raddle_ir::{Builder, Float, Ir, OpId, Opcode, Scalar, Span, TypeId, ValueId};

const F32: Scalar = Scalar::Float(Float::F32);

fn main() {
    let kernels = [("arithmetic", arithmetic as fn(&mut Ir) -> OpId), ("shared memory", shared), ("mma", mma)];
    for (name, build) in kernels {
        let [off, on, all] = measure(build, [(false, 1), (true, 1), (false, cores())]);
        println!(
            "{name:<14} {:6.0} M lane-operations/s with sanitizers off, {:6.0} with them on ({:.1} times slower), {:6.0} on all cores",
            off / 1e6,
            on / 1e6,
            off / on,
            all / 1e6
        );
    }
    let mut ours = Vec::new();
    for (sanitize, threads) in [(false, 1), (true, 1), (false, cores())] {
        let checks = if sanitize { "sanitizers on" } else { "sanitizers off" };
        let took = matmul(sanitize, threads);
        println!("distributed matmul 512x512x128, {checks:<14}, {threads:2} threads {took:8.1} ms");
        ours.push(took);
    }
    peers(ours[0]);
    for n in [512, 1024] {
        reference(n);
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Lane-operations per second with sanitizers or without, on so many threads: the best of many runs, in turns, so that
/// what else the machine does meets all alike. Runs on one thread are short enough for one turn of the system's.
fn measure<const N: usize>(build: fn(&mut Ir) -> OpId, ways: [(bool, usize); N]) -> [f64; N] {
    let mut ir = Ir::new();
    let func = build(&mut ir);
    let args = [Tensor::zeros(F32, &[64 * 128])];
    let mut best = [0.0; N];
    for _ in 0..200 {
        for (best, (sanitize, threads)) in best.iter_mut().zip(ways) {
            let workgroups = if threads == 1 { 4 } else { 64 };
            let launch = Launch { grid: [workgroups, 1, 1], workgroup_size: 128, subgroup_size: 32, mode: Mode::Simt };
            let options = Options { sanitize, threads, ..Options::default() };
            let start = Instant::now();
            let outcome = run(&ir, func, &args, &launch, &options).unwrap();
            *best = f64::max(*best, outcome.counters.lane_ops as f64 / start.elapsed().as_secs_f64());
        }
    }
    best
}

/// Milliseconds for the f16 matmul that `matmul.mlir` distributes over lanes, the best of ten.
fn matmul(sanitize: bool, threads: usize) -> f64 {
    let ir = raddle_ir::parse(include_str!("matmul.mlir")).unwrap();
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).unwrap();
    let f16 = Scalar::Float(Float::F16);
    let args = [Tensor::zeros(f16, &[512, 128]), Tensor::zeros(f16, &[128, 512]), Tensor::zeros(F32, &[512, 512])];
    let options = Options { sanitize, threads, ..Options::default() };
    let time = |_| {
        let start = Instant::now();
        run(&ir, func, &args, &launch, &options).unwrap();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..10).map(time).fold(f64::INFINITY, f64::min)
}

/// What others take for the same product on one thread, beside `ours` in milliseconds; `cargo xtask bench --peers`
/// installs them.
fn peers(ours: f64) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/validators/bin/python3");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers.py");
    let single = ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"].map(|name| (name, "1"));
    let ask = |more: &[&str]| {
        let output = Command::new(folder).arg(script).args(more).envs(single).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(text) = ask(&["--triton"]).or_else(|| ask(&[])) else {
        return println!("peers: not measured, run `cargo xtask bench --peers`");
    };
    let peers = [
        ("numpy", "NumPy, float32, whole matrices"),
        ("triton", "Triton's interpreter, f16, whole tiles, no lanes and no barriers"),
    ];
    for (key, name) in peers {
        let took = text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<f64>().ok());
        match took {
            Some(took) => println!("{name}: {took:.2} ms; lane by lane takes {:.2} times that", ours / took),
            None => println!("{name}: not measured, run `cargo xtask bench --peers`"),
        }
    }
}

/// An f16 matmul of tensors, n by n by n.
fn reference(n: i64) {
    let mut ir = Ir::new();
    let (f16, f32) = (ir.float_type(Float::F16), ir.float_type(Float::F32));
    let types = [ir.tensor_type(&[n, n], f16), ir.tensor_type(&[n, n], f16), ir.tensor_type(&[n, n], f32)];
    let func = func(&mut ir, &types, &[types[2]], |b, args| {
        let sizes = b.ir.segment_sizes(&[2, 1]);
        let op = b.op(Opcode::Matmul, args, &[types[2]], &[("operandSegmentSizes", sizes)]);
        let region = b.ir.add_region(op);
        let block = b.ir.add_block(region, &[f16, f16, f32]);
        let args = b.ir.args(block).to_vec();
        let mut inner = Builder::at_end(b.ir, block, Span::default());
        let [x, y] = [0, 1].map(|i| inner.value(Opcode::ExtF, &[args[i]], f32, &[]));
        let product = inner.binary(Opcode::MulF, x, y);
        let sum = inner.binary(Opcode::AddF, args[2], product);
        inner.op(Opcode::LinalgYield, &[sum], &[], &[]);
        vec![b.ir.result(op, 0)]
    });
    let f16 = Scalar::Float(Float::F16);
    let args = [Tensor::zeros(f16, &[n, n]), Tensor::zeros(f16, &[n, n]), Tensor::zeros(F32, &[n, n])];
    let launch = Launch::of(&ir, func).unwrap();
    let start = Instant::now();
    run(&ir, func, &args, &launch, &Options::default()).unwrap();
    println!("linalg.matmul  {n}x{n}x{n} {:8.0} ms", start.elapsed().as_secs_f64() * 1e3);
}

fn arithmetic(ir: &mut Ir) -> OpId {
    kernel(ir, |b, thread, _, acc| {
        let mut x = acc;
        let four = b.index(4);
        let at = b.binary(Opcode::MulI, thread, four);
        let at = b.binary(Opcode::AddI, at, four);
        let i32 = b.ir.int_type(32);
        let f32 = b.ir.type_of(acc);
        let at = b.value(Opcode::IndexCast, &[at], i32, &[]);
        let y = b.value(Opcode::SIToFP, &[at], f32, &[]);
        for _ in 0..4 {
            x = b.binary(Opcode::MulF, x, y);
            x = b.binary(Opcode::AddF, x, y);
            x = b.value(Opcode::MathFma, &[x, y, y], f32, &[]);
            x = b.binary(Opcode::MaxNumF, x, y);
        }
        x
    })
}

fn shared(ir: &mut Ir) -> OpId {
    kernel(ir, |b, thread, memory, acc| {
        let f32 = b.ir.type_of(acc);
        let one = b.index(1);
        let mask = b.index(127);
        b.op(Opcode::Store, &[acc, memory, thread], &[], &[]);
        b.barrier();
        let mut x = acc;
        let mut at = thread;
        for _ in 0..8 {
            at = b.binary(Opcode::AddI, at, one);
            at = b.binary(Opcode::AndI, at, mask);
            let y = b.value(Opcode::Load, &[memory, at], f32, &[]);
            x = b.binary(Opcode::AddF, x, y);
        }
        b.barrier();
        x
    })
}

fn mma(ir: &mut Ir) -> OpId {
    kernel(ir, |b, _, _, acc| {
        let (f16, f32) = (b.ir.float_type(Float::F16), b.ir.type_of(acc));
        let types = [b.ir.vector_type(&[4, 2], f16), b.ir.vector_type(&[2, 2], f16), b.ir.vector_type(&[2, 2], f32)];
        let lhs = b.splat(0.5, types[0]);
        let rhs = b.splat(0.25, types[1]);
        let mut acc = b.value(Opcode::Broadcast, &[acc], types[2], &[]);
        let shape = b.ir.i64_array(&[16, 8, 16]);
        for _ in 0..4 {
            acc = b.value(Opcode::MmaSync, &[lhs, rhs, acc], types[2], &[("mmaShape", shape)]);
        }
        b.extract(acc, &[0, 0])
    })
}

/// A loop of 200 iterations in every thread.
fn kernel(ir: &mut Ir, body: impl FnOnce(&mut Builder<'_>, ValueId, ValueId, ValueId) -> ValueId) -> OpId {
    let f32 = ir.float_type(Float::F32);
    let out = ir.memref_type(&[64 * 128], f32, None);
    func(ir, &[out], &[], |b, args| {
        let memory = b.alloc_shared(&[128], f32);
        let (thread, block) = (b.gpu_id(Opcode::ThreadId, 0), b.gpu_id(Opcode::BlockId, 0));
        let (zero, one, n, size) = (b.index(0), b.index(1), b.index(200), b.index(128));
        let init = b.float(1.0, f32);
        let looped = b.for_loop(zero, n, one, &[init], |b, _, carried| vec![body(b, thread, memory, carried[0])]);
        let result = b.ir.result(looped, 0);
        let at = b.binary(Opcode::MulI, block, size);
        let at = b.binary(Opcode::AddI, at, thread);
        b.op(Opcode::Store, &[result, args[0], at], &[], &[]);
        vec![]
    })
}

fn func(
    ir: &mut Ir,
    inputs: &[TypeId],
    results: &[TypeId],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> OpId {
    let name = ir.str_attr("f");
    let func = ir.create(Opcode::Func, &[], &[], &[("sym_name", name)], Span::default());
    ir.set_signature(func, inputs, results);
    let module = ir.module_block();
    ir.append(module, func);
    let region = ir.add_region(func);
    let block = ir.add_block(region, inputs);
    let args = ir.args(block).to_vec();
    let mut builder = Builder::at_end(ir, block, Span::default());
    let returned = build(&mut builder, &args);
    builder.op(Opcode::Return, &returned, &[], &[]);
    func
}
