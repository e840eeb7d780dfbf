// A test of IREE's suite runs as it stands: its data comes in, and each expectation is checked.
// RUN: raddle run %s --all
func.func @constant() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const(%r, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}
func.func @value() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq(%r, %w) : tensor<4xf32>
  return
}
func.func @near() {
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const(%r, dense<[1.05, 1.95, 3.0, 4.0]> : tensor<4xf32>, atol 0.1) : tensor<4xf32>
  return
}

// What a global holds is data; data alone needs no kernel.
util.global private @held_data = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
func.func @held() {
  %w = util.global.load @held_data : tensor<4xf32>
  %b = util.optimization_barrier %w : tensor<4xf32>
  check.expect_eq_const(%b, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}

// $ raddle run %s --all
// ok       @constant
// ok       @value
// ok       @near
// ok       @held
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
