//! Thread-instructions per second of executed PTX, on one core: a pipelined matmul for sm_80, with the sanitizers and
//! without. `RADDLE_PTX=FILE` with `RADDLE_SHARED=BYTES` measures another matmul of the same parameters instead.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

#[path = "../tests/kernels/mod.rs"]
mod kernels;

use std::time::Instant;

use raddle_emu::{Options, Tensor, ptx};
use raddle_ir::{Float, Scalar};

fn main() {
    let (text, shared_bytes) = match std::env::var("RADDLE_PTX") {
        Ok(path) => {
            let bytes = std::env::var("RADDLE_SHARED").unwrap_or_default().parse().unwrap_or(0);
            (std::fs::read_to_string(path).unwrap(), bytes)
        }
        Err(_) => (kernels::pipelined(4), kernels::pipelined_shared(4)),
    };
    let module = ptx::parse(&text).unwrap();
    const BF16: Scalar = Scalar::Float(Float::BF16);
    let (m, n, k) = (256i64, 256i64, 1024i64);
    let random = |rows: i64, columns: i64, seed: i64| {
        let values = (0..rows * columns).map(|at| ((at * 7919 + seed) % 251 - 125) as f64 / 64.0);
        Tensor::from_f64(BF16, &[rows, columns], &values.collect::<Vec<_>>())
    };
    let size = |n: i64| Tensor::from_i64(Scalar::Int(32), &[], &[n]);
    let args = [random(m, k, 1), random(n, k, 2), random(m, n, 3), size(m), size(n), size(k)];
    let launch =
        ptx::Launch { entry: None, grid: [(m * n / 16384) as u32, 1, 1], workgroup: None, cluster: None, shared_bytes };
    for sanitize in [true, false] {
        let options = Options { sanitize, ..Options::default() };
        let mut best = 0.0;
        for _ in 0..10 {
            let start = Instant::now();
            let ran = ptx::run(&module, &args, &launch, &options).unwrap();
            best = f64::max(best, ran.counters.lane_ops as f64 / start.elapsed().as_secs_f64());
        }
        let checks = if sanitize { "on" } else { "off" };
        println!("PTX matmul {m}x{n}x{k}, sanitizers {checks:<3} {:7.1} M thread-instructions/s", best / 1e6);
    }
}
