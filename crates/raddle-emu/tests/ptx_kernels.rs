//! Reference kernels in PTX compute what loops compute, whenever their asynchronous copies happen.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod kernels;

use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::{Float, Scalar};

const BF16: Scalar = Scalar::Float(Float::BF16);

/// Small numbers, so that every sum of products is exact.
fn numbers(rows: usize, columns: usize, seed: usize) -> Vec<f64> {
    (0..rows * columns).map(|at| ((at * 7 + at / 5 * 3 + seed) % 9) as f64 - 4.0).collect()
}

/// `A * B^T` in loops.
fn product(a: &[f64], b: &[f64], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let dot = |row: usize, column: usize| {
        a[row * k..][..k].iter().zip(&b[column * k..][..k]).map(|(a, b)| a * b).sum::<f64>()
    };
    (0..m * n).map(|at| dot(at / n, at % n)).collect()
}

/// The largest difference that rounding to bf16 makes.
fn check(got: &Tensor, want: &[f64]) {
    for (at, (got, want)) in got.to_f64().iter().zip(want).enumerate() {
        assert!((got - want).abs() <= want.abs() / 256.0, "element {at}: {got} instead of {want}");
    }
}

fn matrix(values: &[f64], rows: usize) -> Tensor {
    Tensor::from_f64(BF16, &[rows as i64, (values.len() / rows) as i64], values)
}

fn size(n: usize) -> Tensor {
    Tensor::from_i64(Scalar::Int(32), &[], &[n as i64])
}

/// The ring of an sm_80 product goes around more than once.
#[test]
fn a_pipelined_product_is_right_in_both_modes() {
    let [m, n, k] = [128, 256, 192];
    let (a, b) = (numbers(m, k, 1), numbers(n, k, 5));
    let args = [matrix(&a, m), matrix(&b, n), matrix(&vec![9.0; m * n], m), size(m), size(n), size(k)];
    let want = product(&a, &b, [m, n, k]);
    for stages in [3, 4] {
        let module = ptx::parse(&kernels::pipelined(stages)).unwrap();
        let shared_bytes = kernels::pipelined_shared(stages);
        let launch = ptx::Launch { entry: None, grid: [2, 1, 1], workgroup: None, shared_bytes };
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let ran = ptx::run(&module, &args, &launch, &options).unwrap_or_else(|diag| panic!("{diag:?}"));
            check(&ran.args[2], &want);
        }
    }
}
