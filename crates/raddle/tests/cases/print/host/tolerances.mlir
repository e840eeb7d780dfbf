// Checks of tensors have tolerances that go without saying.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{atol = 9.99999974E-5 : f32, rtol = 0.000000e+00 : f32}>'
module {
  func.func @f(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
    check.expect_eq_const(%arg1, dense<1> : tensor<2xi32>) : tensor<2xi32>
    check.expect_almost_eq(%arg0, %arg0, atol 5.000000e-01) : tensor<2xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
    check.expect_almost_eq(%arg0, %arg0) : tensor<2xf32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{atol = 9.99999974E-5 : f32, rtol = 0.000000e+00 : f32}>'
//     "check.expect_almost_eq"(%arg0, %arg0) <{atol = 9.99999974E-5 : f32, rtol = 0.000000e+00 : f32}> : (tensor<2xf32>, tensor<2xf32>) -> ()
