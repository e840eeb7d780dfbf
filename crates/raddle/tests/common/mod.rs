//! What the tests of the command line share: running the binary, a private folder, validators.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

use raddle::run::Tensor;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Random numbers that are the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    /// A number of a range, ends included; the first one of an empty range.
    pub fn from(&mut self, first: i64, last: i64) -> i64 {
        first + self.below((last - first + 1).max(1) as usize) as i64
    }

    /// One of a list.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// How many programs a test tries, and the first seed: `RADDLE_PROGRAMS` and `RADDLE_SEED`, if these are set.
pub fn programs_and_seed(programs: u64, seed: u64) -> (u64, u64) {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    (number("RADDLE_PROGRAMS", programs), number("RADDLE_SEED", seed))
}

/// What a run of the binary left behind.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Asserts the exit status and that both streams together contain each of the parts.
    #[track_caller]
    pub fn says(&self, status: i32, parts: &[&str]) -> &Run {
        let said = format!("{}{}", self.out, self.err);
        assert_eq!(self.status, status, "{said}");
        for part in parts {
            assert!(said.contains(part), "`{part}` is missing in:\n{said}");
        }
        assert!(!said.contains("this is a bug in raddle"), "{said}");
        self
    }
}

/// Runs the binary in the workspace's root.
pub fn raddle(args: &[&str]) -> Run {
    raddle_with(args, "")
}

/// Runs the binary in the workspace's root, with this on its standard input.
pub fn raddle_with(args: &[&str], input: &str) -> Run {
    raddle_in(args, input, &[])
}

/// The same, with variables of the environment.
pub fn raddle_in(args: &[&str], input: &str, variables: &[(&str, &Path)]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .envs(variables.iter().copied())
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The binary may end without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A program of the validators: `python3` (with NumPy), `producers` (Python with Numba and IREE) or `ptxas`; without it
/// the test says so, and fails when CI is set.
pub fn validator(name: &str) -> Option<PathBuf> {
    let bin = root().join("target/validators/bin");
    // Python is there before its packages are, and stays when these could not be fetched.
    let (name, path, question) = match name {
        "python3" => ("NumPy", bin.join(name), &["-c", "import numpy"][..]),
        "producers" => {
            ("Numba and IREE", bin.join("python3"), &["-c", "import iree.compiler; from numba import cuda"][..])
        }
        name => (name, bin.join(name), &["--version"][..]),
    };
    let asked = Command::new(&path).args(question).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if asked.is_ok_and(|status| status.success()) {
        return Some(path);
    }
    let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
    assert!(!ci, "{name} is not installed, and CI is set: run `cargo xtask validators`");
    eprintln!("NOT CHECKED: {name} is not installed; run `cargo xtask validators`");
    None
}

/// A matrix multiplication of this size.
pub fn matmul(m: usize, n: usize, k: usize) -> String {
    format!(
        "func.func @matmul(%A: tensor<{m}x{k}xf16>, %B: tensor<{k}x{n}xf16>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %C = linalg.matmul ins(%A, %B : tensor<{m}x{k}xf16>, tensor<{k}x{n}xf16>)
                     outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %C : tensor<{m}x{n}xf32>
}}
"
    )
}

/// A product of m x n x k; `order` says of A and of B whether they are as written (`n`) or transposed (`t`).
pub fn product([m, n, k]: [usize; 3], order: &str, elem: &str, sum: &str) -> String {
    let (a, a_map) = if order.starts_with('t') { ([k, m], "k, m") } else { ([m, k], "m, k") };
    let (b, b_map) = if order.ends_with('t') { ([n, k], "n, k") } else { ([k, n], "k, n") };
    let of = |[rows, columns]: [usize; 2], elem: &str| format!("tensor<{rows}x{columns}x{elem}>");
    let (a, b, c) = (of(a, elem), of(b, elem), of([m, n], sum));
    format!(
        "func.func @product(%A: {a}, %B: {b}) -> {c} {{
  %zero = arith.constant 0.0 : {sum}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {sum}) outs(%empty : {c}) -> {c}
  %C = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({a_map})>, affine_map<(m, n, k) -> ({b_map})>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}}
      ins(%A, %B : {a}, {b}) outs(%init : {c}) {{
  ^body(%a: {elem}, %b: {elem}, %c: {sum}):
    %x = arith.extf %a : {elem} to {sum}
    %y = arith.extf %b : {elem} to {sum}
    %p = arith.mulf %x, %y : {sum}
    %s = arith.addf %c, %p : {sum}
    linalg.yield %s : {sum}
  }} -> {c}
  return %C : {c}
}}
"
    )
}

/// The sum of each row of a matrix of this size.
pub fn row_sum(m: usize, k: usize) -> String {
    format!(
        "func.func @row_sum(%A: tensor<{m}x{k}xf32>) -> tensor<{m}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}xf32>) -> tensor<{m}xf32>
  %sums = linalg.generic {{
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = [\"parallel\", \"reduction\"]
    }} ins(%A : tensor<{m}x{k}xf32>) outs(%init : tensor<{m}xf32>) {{
    ^bb0(%x: f32, %sum: f32):
      %next = arith.addf %sum, %x : f32
      linalg.yield %next : f32
    }} -> tensor<{m}xf32>
  return %sums : tensor<{m}xf32>
}}
"
    )
}

/// The first element in which tensors differ; there are many NaN, and every machine has its own.
pub fn difference(got: &Tensor, want: &Tensor) -> Option<(usize, f64, f64)> {
    if got.bytes == want.bytes {
        return None;
    }
    let width = want.elem.bytes();
    let same = |at: usize| got.bytes[at * width..][..width] == want.bytes[at * width..][..width];
    let (values, wanted) = (got.to_f64(), want.to_f64());
    let at = (0..wanted.len()).find(|&at| !(same(at) || values[at].is_nan() && wanted[at].is_nan()))?;
    Some((at, values[at], wanted[at]))
}
