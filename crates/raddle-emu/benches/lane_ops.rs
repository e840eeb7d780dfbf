//! Lane-operations per second on lowered code: arithmetic, shared memory, and matrix instructions; what the sanitizers
//! cost; how long a distributed matmul takes, lane by lane, beside NumPy and Triton's interpreter; and the reference.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::process::Command;
use std::time::Instant;

use raddle_emu::{Launch, Mode, Options, Tensor, run};
use raddle_ir::{Float, Scalar};

const F32: Scalar = Scalar::Float(Float::F32);
const F16: Scalar = Scalar::Float(Float::F16);

fn main() {
    for (name, text) in [("arithmetic", arithmetic()), ("shared memory", shared()), ("mma", mma())] {
        let [off, on, all] = measure(&kernel(&text), [(false, 1), (true, 1), (false, cores())]);
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
fn measure<const N: usize>(text: &str, ways: [(bool, usize); N]) -> [f64; N] {
    let ir = raddle_ir::parse(text).unwrap();
    let func = ir.funcs()[0];
    let args = [Tensor::zeros(F32, &[64 * 128])];
    let mut best = [0.0; N];
    for _ in 0..200 {
        for (best, (sanitize, threads)) in best.iter_mut().zip(ways) {
            let workgroups = if threads == 1 { 4 } else { 64 };
            let launch =
                Launch { grid: [workgroups, 1, 1], workgroup_size: [128, 1, 1], subgroup_size: 32, mode: Mode::Simt };
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
    let args = [Tensor::zeros(F16, &[512, 128]), Tensor::zeros(F16, &[128, 512]), Tensor::zeros(F32, &[512, 512])];
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
    let (factor, sum) = (format!("tensor<{n}x{n}xf16>"), format!("tensor<{n}x{n}xf32>"));
    let text = format!(
        "func.func @f(%a: {factor}, %b: {factor}, %c: {sum}) -> {sum} {{
  %r = linalg.matmul ins(%a, %b : {factor}, {factor}) outs(%c : {sum}) -> {sum}
  return %r : {sum}
}}"
    );
    let ir = raddle_ir::parse(&text).unwrap();
    let func = ir.funcs()[0];
    let args = [Tensor::zeros(F16, &[n, n]), Tensor::zeros(F16, &[n, n]), Tensor::zeros(F32, &[n, n])];
    let launch = Launch::of(&ir, func).unwrap();
    let start = Instant::now();
    run(&ir, func, &args, &launch, &Options::default()).unwrap();
    println!("linalg.matmul  {n}x{n}x{n} {:8.0} ms", start.elapsed().as_secs_f64() * 1e3);
}

/// Sixteen operations on floats.
fn arithmetic() -> String {
    let mut text = "    %a = arith.muli %t, %four : index
    %b = arith.addi %a, %four : index
    %c = arith.index_cast %b : index to i32
    %y = arith.sitofp %c : i32 to f32\n"
        .to_owned();
    let mut x = "acc".to_owned();
    for round in 0..4 {
        text += &format!(
            "    %p{round} = arith.mulf %{x}, %y : f32
    %q{round} = arith.addf %p{round}, %y : f32
    %r{round} = math.fma %q{round}, %y, %y : f32
    %x{round} = arith.maxnumf %r{round}, %y : f32\n"
        );
        x = format!("x{round}");
    }
    text + &format!("    scf.yield %{x} : f32")
}

/// Eight loads from shared memory, each of another element.
fn shared() -> String {
    let mut text = "    memref.store %acc, %memory[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier\n"
        .to_owned();
    let (mut x, mut at) = ("acc".to_owned(), "t".to_owned());
    for round in 0..8 {
        text += &format!(
            "    %n{round} = arith.addi %{at}, %one : index
    %a{round} = arith.andi %n{round}, %last : index
    %y{round} = memref.load %memory[%a{round}] : memref<128xf32, #gpu.address_space<workgroup>>
    %x{round} = arith.addf %{x}, %y{round} : f32\n"
        );
        (x, at) = (format!("x{round}"), format!("a{round}"));
    }
    text + &format!("    gpu.barrier\n    scf.yield %{x} : f32")
}

/// Four matrix instructions in a row.
fn mma() -> String {
    let types = "(vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>";
    let mut text = "    %lhs = arith.constant dense<0.5> : vector<4x2xf16>
    %rhs = arith.constant dense<0.25> : vector<2x2xf16>
    %m0 = vector.broadcast %acc : f32 to vector<2x2xf32>\n"
        .to_owned();
    for round in 0..4 {
        let next = round + 1;
        text += &format!("    %m{next} = nvgpu.mma.sync(%lhs, %rhs, %m{round}) {{mmaShape = [16, 8, 16]}} : {types}\n");
    }
    text + "    %x = vector.extract %m4[0, 0] : f32 from vector<2x2xf32>\n    scf.yield %x : f32"
}

/// A loop of 200 rounds in every thread, each of which makes something out of `%acc`.
fn kernel(body: &str) -> String {
    format!(
        "func.func @f(%out: memref<8192xf32>) {{
  %memory = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %last = arith.constant 127 : index
  %size = arith.constant 128 : index
  %rounds = arith.constant 200 : index
  %init = arith.constant 1.0 : f32
  %r = scf.for %i = %zero to %rounds step %one iter_args(%acc = %init) -> (f32) {{
{body}
  }}
  %row = arith.muli %block, %size : index
  %at = arith.addi %row, %t : index
  memref.store %r, %out[%at] : memref<8192xf32>
  return
}}"
    )
}
