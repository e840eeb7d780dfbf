//! Products of the reference kernels: arguments, launches, and what loops give.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use raddle_emu::{Tensor, ptx};
use raddle_ir::{Float, Scalar};

use super::kernels;

const BF16: Scalar = Scalar::Float(Float::BF16);

/// A kernel that multiplies, ready to run; the third argument is the product.
pub struct Product {
    pub name: String,
    pub text: String,
    pub args: Vec<Tensor>,
    pub maps: BTreeMap<usize, ptx::TensorMap>,
    pub launch: ptx::Launch,
    want: Vec<f64>,
}

impl Product {
    /// Whether a result differs from that of loops by rounding to bf16 at most.
    pub fn is_right(&self, got: &Tensor) -> bool {
        got.to_f64().iter().zip(&self.want).all(|(got, want)| (got - want).abs() <= want.abs() / 256.0)
    }
}

/// Small numbers, so that every sum of products is exact.
fn numbers(rows: usize, columns: usize, seed: usize) -> Vec<f64> {
    (0..rows * columns).map(|at| ((at * 7 + at / 5 * 3 + seed) % 9) as f64 - 4.0).collect()
}

fn matrix(values: &[f64], rows: usize) -> Tensor {
    Tensor::from_f64(BF16, &[rows as i64, (values.len() / rows) as i64], values)
}

fn size(n: usize) -> Tensor {
    Tensor::from_i64(Scalar::Int(32), &[], &[n as i64])
}

/// A, B, a C that is wrong everywhere, and `A * B^T` in loops.
fn operands([m, n, k]: [usize; 3]) -> ([Tensor; 3], Vec<f64>) {
    let (a, b) = (numbers(m, k, 1), numbers(n, k, 5));
    let dot = |row: usize, column: usize| {
        a[row * k..][..k].iter().zip(&b[column * k..][..k]).map(|(a, b)| a * b).sum::<f64>()
    };
    let want = (0..m * n).map(|at| dot(at / n, at % n)).collect();
    ([matrix(&a, m), matrix(&b, n), matrix(&vec![999.0; m * n], m)], want)
}

/// A product for sm_80.
pub fn pipelined(stages: usize, [m, n, k]: [usize; 3]) -> Product {
    let ([a, b, c], want) = operands([m, n, k]);
    let grid = [(m * n / 16384) as u32, 1, 1];
    Product {
        name: format!("a ring of {stages} stages"),
        text: kernels::pipelined(stages),
        args: vec![a, b, c, size(m), size(n), size(k)],
        maps: BTreeMap::new(),
        launch: ptx::Launch {
            entry: None,
            grid,
            workgroup: None,
            cluster: None,
            shared_bytes: kernels::pipelined_shared(stages),
        },
        want,
    }
}

/// A product for sm_90a, whose maps have boxes with rows of 128 bytes.
pub fn by_bulk_copies(cluster: usize, tile: usize, [m, n, k]: [usize; 3]) -> Product {
    let ([a, b, c], want) = operands([m, n, k]);
    let map = |of: &Tensor, rows: usize| {
        let map = ptx::TensorMap::of(BF16, &of.shape, &[rows as u32, 64]).unwrap();
        ptx::TensorMap { swizzle: ptx::Swizzle::B128, ..map }
    };
    let maps = BTreeMap::from([(0, map(&a, 128)), (1, map(&b, tile / cluster)), (2, map(&c, 64))]);
    let grid = [m.div_ceil(128) as u32, n.div_ceil(tile) as u32, 1];
    Product {
        name: format!("bulk copies in a cluster of {cluster}, {tile} columns"),
        text: kernels::by_bulk_copies(cluster, tile),
        args: vec![a, b, c, size(k)],
        maps,
        launch: ptx::Launch {
            entry: None,
            grid,
            workgroup: None,
            cluster: None,
            shared_bytes: kernels::bulk_shared(tile),
        },
        want,
    }
}

/// The smallest products in which every ring goes around, and tiles that reach over the edges.
pub fn all() -> Vec<Product> {
    vec![
        pipelined(3, [128, 128, 224]),
        pipelined(4, [128, 256, 192]),
        by_bulk_copies(1, 128, [128, 128, 576]),
        by_bulk_copies(2, 128, [256, 128, 576]),
        by_bulk_copies(1, 256, [120, 200, 576]),
    ]
}
