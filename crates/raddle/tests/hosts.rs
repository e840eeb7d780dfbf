//! What stands around kernels: functions of numbers, branches, globals, and numbers that kernels are called with.

mod common;

use common::raddle_with;

/// A function of numbers alone is run, and there is nothing to build.
#[test]
fn functions_of_numbers_need_no_kernel() {
    let text = "
func.func @f(%a: i32, %b: i32) -> (i32, f32) {
  %s = arith.addi %a, %b : i32
  %f = arith.sitofp %s : i32 to f32
  %h = math.exp2 %f : f32
  return %s, %h : i32, f32
}";
    let expected = ["--expected_output=i32=5", "--expected_output=f32=32"];
    raddle_with(&["run", "-", "--input=i32=2", "--input=i32=3", expected[0], expected[1]], text)
        .says(0, &["correct: "]);
    raddle_with(&["build", "-"], text).says(1, &["E0703", "@f"]);
}

/// Kernels take numbers; what else is made of numbers is made around them.
#[test]
fn numbers_are_passed_to_kernels() {
    let text = "
#id = affine_map<(d) -> (d)>
func.func @f(%x: tensor<100xf32>, %at: tensor<2xf32>, %n: f16) -> (tensor<100xf32>, f32) {
  %one = arith.constant 1 : index
  %s = tensor.extract %at[%one] : tensor<2xf32>
  %w = arith.extf %n : f16 to f32
  %e = tensor.empty() : tensor<100xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    %q = arith.addf %p, %w : f32
    linalg.yield %q : f32
  } -> tensor<100xf32>
  %last = arith.constant 99 : index
  %z = tensor.extract %y[%last] : tensor<100xf32>
  %t = arith.mulf %z, %z : f32
  return %y, %t : tensor<100xf32>, f32
}";
    for target in ["--target=sm_80", "--target=gfx942"] {
        raddle_with(&["run", "-", target], text).says(0, &["correct: "]);
    }
    raddle_with(&["build", "-"], text).says(0, &["call @f_kernel_0(", ".param .f32"]);
}

/// Blocks behind branches are the host's, and each has its kernels.
#[test]
fn branches_choose_kernels() {
    let text = "
func.func @f(%x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %is = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %is, ^twice(%x : tensor<64xf32>), ^square
^twice(%a: tensor<64xf32>):
  %t = arith.addf %a, %a : tensor<64xf32>
  cf.br ^end(%t : tensor<64xf32>)
^square:
  %s = arith.mulf %x, %x : tensor<64xf32>
  cf.br ^end(%s : tensor<64xf32>)
^end(%r: tensor<64xf32>):
  return %r : tensor<64xf32>
}";
    for (n, expected) in [("0", "6"), ("1", "9")] {
        let (n, expected) = (format!("--input=i32={n}"), format!("--expected_output=64xf32={expected}"));
        raddle_with(&["run", "-", "--input=64xf32=3", &n, &expected], text).says(0, &["correct: "]);
    }
}

/// What one kernel leaves in a global another one takes, and calls reach other functions.
#[test]
fn globals_are_kept_between_kernels() {
    let text = "
util.global private mutable @state = dense<2.0> : tensor<8xf32>
func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %old = util.global.load @state : tensor<8xf32>
  %new = arith.mulf %old, %x : tensor<8xf32>
  util.global.store %new, @state : tensor<8xf32>
  return %new : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = call @step(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}";
    let run = raddle_with(&["run", "-", "--function=f", "--input=8xf32=3", "--expected_output=8xf32=36"], text);
    run.says(0, &["correct: "]);
}

/// One function is run at a time; others that call the same ones are as they were.
#[test]
fn functions_share_what_they_call() {
    let text = "
func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  %z = util.optimization_barrier %y : tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = call @twice(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}";
    raddle_with(&["run", "-", "--all"], text).says(0, &["1 functions: 1 right"]);
    for function in ["f", "g"] {
        raddle_with(&["run", "-", &format!("--function={function}")], text).says(0, &["correct: all"]);
    }
}

/// A test whose sums are of another order than its author's is right if both are roundings of the exact result, and a
/// result that is none is still wrong.
#[test]
fn sums_may_have_any_order() {
    let test = |expected: &str| {
        format!(
            "func.func @f() {{
  %in = util.unfoldable_constant dense<0.001> : tensor<2x40960xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = [\"parallel\", \"reduction\"]}}
      ins(%in : tensor<2x40960xf32>) outs(%i : tensor<2xf32>) {{
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  }} -> tensor<2xf32>
  check.expect_almost_eq_const(%r, dense<{expected}> : tensor<2xf32>) : tensor<2xf32>
  return
}}"
        )
    };
    raddle_with(&["run", "-", "--all"], &test("40.96")).says(0, &["ok       @f\n"]);
    // One by one, in f32.
    raddle_with(&["run", "-", "--all"], &test("40.949123")).says(0, &["within rounding of the exact result"]);
    raddle_with(&["run", "-", "--all"], &test("41.5")).says(1, &["WRONG"]);
}
