//! What the tests share: text in, tensors or one diagnostic out.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

pub mod caught;
pub mod mapped;

use raddle_emu::{Launch, Options, Outcome, Tensor, run};
use raddle_ir::{Diag, Float, Ir, Scalar};

/// `f32`
pub const F32: Scalar = Scalar::Float(Float::F32);
/// `f16`
pub const F16: Scalar = Scalar::Float(Float::F16);
/// `i32`
pub const I32: Scalar = Scalar::Int(32);

/// A launch of one workgroup, for the attributes of a function.
pub const SIMT: &str = "attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>}";

/// Reads a program; a mistake in it is a mistake of the test.
pub fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"))
}

/// Runs the first function.
pub fn try_run(text: &str, args: &[Tensor], options: &Options) -> Result<Outcome, Diag> {
    let ir = parse(text);
    let func = ir.funcs()[0];
    run(&ir, func, args, &Launch::of(&ir, func)?, options)
}

/// Runs the first function, which is right.
pub fn good(text: &str, args: &[Tensor]) -> Outcome {
    try_run(text, args, &Options::default()).unwrap_or_else(|diag| panic!("{diag:?}\n{text}"))
}

/// Runs the first function, which is wrong, and checks how the message begins, the marked text, and that the order of
/// the subgroups does not matter.
pub fn bad(text: &str, args: &[Tensor], message: &str, marked: &str) -> Diag {
    let mut found = None;
    for seed in 0..4 {
        let diag = match try_run(text, args, &Options { seed, ..Options::default() }) {
            Ok(_) => panic!("seed {seed}: nothing was found, not `{message}`\n{text}"),
            Err(diag) => diag,
        };
        assert!(diag.message.starts_with(message), "seed {seed}: {diag:?}\n{text}");
        found.get_or_insert(diag);
    }
    let diag = found.unwrap();
    let span = diag.span.unwrap();
    let at = &text[span.start as usize..span.end as usize];
    assert!(at.contains(marked), "`{at}` is marked, not `{marked}`: {diag:?}");
    diag
}

/// `0, 1, …` in the given type.
pub fn iota(elem: Scalar, shape: &[i64]) -> Tensor {
    let n = shape.iter().product::<i64>();
    Tensor::from_i64(elem, shape, &(0..n).collect::<Vec<_>>())
}

/// Small numbers that a seed chooses; sums of some products of them are exact in f32.
pub fn numbers(elem: Scalar, shape: &[i64], seed: u64) -> Tensor {
    let mut state = seed;
    let values: Vec<f64> = (0..shape.iter().product::<i64>())
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 33) as i32 % 32) / 8.0
        })
        .collect();
    Tensor::from_f64(elem, shape, &values)
}

/// Numbers that depend on the first one only (xorshift64*).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize) % n
    }
}
