// A check in an arm is carried out if the arm is: the other one gives what is expected.
// RUN: raddle run %s --all
func.func @taken() {
  %c = util.unfoldable_constant true
  %one = util.unfoldable_constant 1 : i32
  %a = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = util.unfoldable_constant dense<[1.0, 2.5]> : tensor<2xf32>
  %r = scf.if %c -> (tensor<2xf32>) {
    check.expect_true(%one) : i32
    %s = arith.addf %a, %a : tensor<2xf32>
    check.expect_eq_const(%s, dense<[2.0, 4.0]> : tensor<2xf32>) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    check.expect_false(%one) : i32
    check.expect_eq(%a, %b) : tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  }
  check.expect_eq_const(%r, dense<[2.0, 4.0]> : tensor<2xf32>) : tensor<2xf32>
  return
}
func.func @wrong_where_it_is_taken() {
  %c = util.unfoldable_constant false
  %d = util.unfoldable_constant true
  %a = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = util.unfoldable_constant dense<[1.0, 2.5]> : tensor<2xf32>
  scf.if %c {
    check.expect_eq_const(%a, dense<7.0> : tensor<2xf32>) : tensor<2xf32>
  } else {
    scf.if %d {
      %s = arith.addf %a, %a : tensor<2xf32>
      check.expect_almost_eq(%s, %b) : tensor<2xf32>
    }
  }
  return
}

// $ raddle run %s --all
// ok       @taken
// WRONG    @wrong_where_it_is_taken: result 1: 2 of 2 elements differ; [0]: got 2, expected 1; WRONG as written: result 1: 2 of 2 elements differ; [0]: got 2, expected 1
// 2 functions: 1 right, 0 refused, 1 wrong, 0 bugs
// [exit status 1]
