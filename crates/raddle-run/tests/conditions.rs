//! Verdicts on programs some of whose elements lose their digits: other orders and roundings are right, and wrong kernels
//! are wrong.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Precision, Tensor};
use raddle_ir::{Float, Ir, OpId, Scalar};
use raddle_run::compare::{AsWritten, Tolerance, compare_with, movements};
use raddle_run::random;

const F32: Scalar = Scalar::Float(Float::F32);
/// Rows, and elements of a row.
const ROWS: i64 = 500;
const COLUMNS: i64 = 48;

/// Sums of the rows of a product, and a function of them: `term` computes a term from `%a` and `%b`, and `last` an element
/// of the result from a sum.
fn program(term: &str, last: &str) -> String {
    format!(
        "func.func @f(%x: tensor<{ROWS}x{COLUMNS}xf32>, %y: tensor<{ROWS}x{COLUMNS}xf32>) -> tensor<{ROWS}xf32> {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<{ROWS}xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{ROWS}xf32>) -> tensor<{ROWS}xf32>
  %s = linalg.generic {{
      indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>],
      iterator_types = [\"parallel\", \"reduction\"]}}
      ins(%x, %y : tensor<{ROWS}x{COLUMNS}xf32>, tensor<{ROWS}x{COLUMNS}xf32>) outs(%z : tensor<{ROWS}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    {term}
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  }} -> tensor<{ROWS}xf32>
  %r = linalg.generic {{
      indexing_maps = [affine_map<(r) -> (r)>, affine_map<(r) -> (r)>], iterator_types = [\"parallel\"]}}
      ins(%s : tensor<{ROWS}xf32>) outs(%e : tensor<{ROWS}xf32>) {{
  ^bb0(%s0: f32, %o: f32):
    {last}
    linalg.yield %r0 : f32
  }} -> tensor<{ROWS}xf32>
  return %r : tensor<{ROWS}xf32>
}}"
    )
}

const PRODUCT: &str = "%p = arith.mulf %a, %b : f32";
/// Functions that lose digits where the sum is near 0, or near 1.
const LAST: [&str; 4] = [
    "%r0 = arith.divf %one, %s0 : f32",
    "%r0 = math.log %s0 : f32",
    "%q = arith.mulf %s0, %s0 : f32\n    %r0 = arith.divf %one, %q : f32",
    "%d = arith.subf %one, %s0 : f32\n    %r0 = arith.divf %s0, %d : f32",
];

fn parse(text: &str) -> (Ir, OpId) {
    let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    (ir, func)
}

fn run((ir, func): &(Ir, OpId), args: &[Tensor], precision: Precision) -> Tensor {
    let launch = Launch { grid: [1; 3], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    let options = Options { precision, ..Options::default() };
    raddle_emu::run(ir, *func, args, &launch, &options).unwrap().results.remove(0)
}

/// What is known of a program and its arguments.
struct Reference {
    exact: Tensor,
    own: Tensor,
    moved: Vec<f64>,
    tolerance: Tolerance,
}

impl Reference {
    fn of(text: &str, args: &[Tensor]) -> Reference {
        let written = parse(text);
        let exact = run(&written, args, Precision::Wide);
        let own = run(&written, args, Precision::Exact);
        let tolerance = Tolerance::of_program(&written.0, written.1, &exact, F32);
        let exactly = |args: &[Tensor]| Ok::<_, ()>(vec![run(&written, args, Precision::Wide)]);
        let moved = movements(&written.0, written.1, args, std::slice::from_ref(&exact), exactly).unwrap().remove(0);
        Reference { exact, own, moved, tolerance }
    }

    /// How many elements are wrong, without the movements of elements, and with them.
    fn wrong(&self, got: &Tensor) -> [usize; 2] {
        let written = |moved| Some(AsWritten { own: &self.own, moved });
        [&[][..], &self.moved].map(|moved| compare_with(got, &self.exact, written(moved), self.tolerance).n_wrong)
    }
}

/// Both arguments with their columns in another order, or some of them in the place of others.
fn columns(args: &[Tensor], of: impl Fn(i64) -> i64) -> Vec<Tensor> {
    let taken = |arg: &Tensor| {
        let values = arg.to_f64();
        let places = (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| (r, c)));
        let values: Vec<f64> = places.map(|(r, c)| values[(r * COLUMNS + of(c)) as usize]).collect();
        Tensor::from_f64(arg.elem, &arg.shape, &values)
    };
    args.iter().map(taken).collect()
}

/// Arguments whose sums are near 0 in some rows, and near 1 in others.
fn arguments(seed: u64) -> [Tensor; 2] {
    [0, 1].map(|stream| random::normal(F32, &[ROWS, COLUMNS], seed, stream))
}

/// The same sums in other orders: elements that lose their digits differ by more than all others do, and are right.
#[test]
fn elements_that_lose_their_digits_are_right_in_any_order() {
    let mut excused = 0;
    for seed in 0..6 {
        for last in LAST {
            let (text, args) = (program(PRODUCT, last), arguments(seed));
            let reference = Reference::of(&text, &args);
            for factor in [-1, 5, 7, 11, 25, 31] {
                let other = columns(&args, |c| (c * factor).rem_euclid(COLUMNS));
                let [before, now] = reference.wrong(&run(&parse(&text), &other, Precision::Exact));
                assert_eq!(now, 0, "seed {seed}, {last}");
                excused += before;
            }
        }
    }
    assert!(excused > 0, "the programs are not what this test is for");
}

/// Kernels that are wrong: terms are left out, taken twice, rounded to fewer digits, a little too large. Each is found,
/// and nearly all elements that are wrong without the movements are wrong with them.
#[test]
fn wrong_kernels_are_not_excused() {
    let half =
        "%p0 = arith.mulf %a, %b : f32\n    %h = arith.truncf %p0 : f32 to f16\n    %p = arith.extf %h : f16 to f32";
    let scaled =
        "%e1 = arith.constant 1.01 : f32\n    %p1 = arith.mulf %a, %b : f32\n    %p = arith.mulf %p1, %e1 : f32";
    let shifted =
        "%e1 = arith.constant 1.0e-4 : f32\n    %p1 = arith.mulf %a, %b : f32\n    %p = arith.addf %p1, %e1 : f32";
    let squares = "%p = arith.mulf %a, %a : f32";
    let args = arguments(1);
    for last in LAST {
        let reference = Reference::of(&program(PRODUCT, last), &args);
        let check = |what: &str, got: &Tensor| {
            let [before, now] = reference.wrong(got);
            assert!(now > 0 && now * 20 >= before * 19, "{what}, {last}: {now} of {before}");
        };
        for term in [half, scaled, shifted, squares] {
            check(term, &run(&parse(&program(term, last)), &args, Precision::Exact));
        }
        let written = parse(&program(PRODUCT, last));
        check(
            "the last term is the first",
            &run(&written, &columns(&args, |c| (c + 1) % COLUMNS % 47), Precision::Exact),
        );
        check("every other term twice", &run(&written, &columns(&args, |c| c / 2 * 2), Precision::Exact));
    }
}

/// One wrong element among many is found wherever it was found before.
#[test]
fn single_wrong_elements_are_found() {
    for last in LAST {
        let reference = Reference::of(&program(PRODUCT, last), &arguments(1));
        let own = reference.own.to_f64();
        let (mut found, mut found_before) = (0, 0);
        for at in (0..ROWS as usize - 1).step_by(3) {
            let mut values = own.clone();
            values[at] = values[at + 1];
            let [before, now] = reference.wrong(&Tensor::from_f64(F32, &reference.own.shape, &values));
            found += now;
            found_before += before;
        }
        assert!(found_before > 0 && found * 50 >= found_before * 49, "{last}: {found} of {found_before}");
    }
}

/// A result that is zero but for rounding is right with noise of the same size on other elements, and wrong with more;
/// where one element has a right digit, each has to answer for itself.
#[test]
fn results_of_nothing_but_noise_have_their_noise_anywhere() {
    let tensor = |values: [f64; 4]| Tensor::from_f64(F32, &[4], &values);
    let n_wrong = |got: [f64; 4], own: [f64; 4], exact: [f64; 4]| {
        let own = tensor(own);
        let tolerance = Tolerance { abs: 1e-22, rel: 2e-7 };
        compare_with(&tensor(got), &tensor(exact), Some(AsWritten { own: &own, moved: &[] }), tolerance).n_wrong
    };
    let (exact, own) = ([1e-16, -2e-16, 0.0, 1e-17], [0.0, 3e-10, 0.0, -1e-10]);
    assert_eq!(n_wrong([2e-10, 0.0, -1e-10, 0.0], own, exact), 0);
    assert_eq!(n_wrong([2e-10, 0.0, -4e-8, 0.0], own, exact), 1);
    let exact = [1.0, -2e-16, 0.0, 1e-17];
    assert_eq!(n_wrong([1.0, 0.0, -1e-10, 0.0], [1.0, 3e-10, 0.0, -1e-10], exact), 1);
}
