// Each expectation of a test that its data do not meet is told with the first element that differs.
// RUN: raddle run %s --all
func.func @constant() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const(%r, dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}
func.func @value() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq(%w, %a) : tensor<4xf32>
  return
}
func.func @near() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const(%r, dense<[1.05, 1.95, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}
util.global private @held_data = dense<9.0> : tensor<4xf32>
func.func @held() {
  %w = util.global.load @held_data : tensor<4xf32>
  %b = util.optimization_barrier %w : tensor<4xf32>
  check.expect_eq_const(%b, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}

// $ raddle run %s --all
// WRONG    @constant: result 0: 1 of 4 elements differ; [3]: got 4, expected 5; WRONG as written: result 0: 1 of 4 elements differ; [3]: got 4, expected 5
// WRONG    @value: the constant: 2 of 4 elements differ; [1]: got 2, expected -2
// WRONG    @near: result 0: 2 of 4 elements differ; [0]: got 1, expected 1.0499999523162842; WRONG as written: result 0: 2 of 4 elements differ; [0]: got 1, expected 1.0499999523162842
// WRONG    @held: the constant: 4 of 4 elements differ; [0]: got 9, expected 1
// 4 functions: 0 right, 0 refused, 4 wrong, 0 bugs
// [exit status 1]
