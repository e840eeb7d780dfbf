// A product or a sum into `tensor.empty` has no result, which is a warning, and where it is run explains a wrong one.
// RUN: raddle check %s
// RUN: raddle run %s --function=product | grep -e WRONG -e note:
func.func @product(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

func.func @filled(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.exp ins(%r : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// $ raddle check %s
// warning[E0812]: `linalg.matmul` combines what it computes with `tensor.empty`, whose elements have no values
//  --> verify/sums_begin_somewhere.mlir:6:3
//   |
// 6 |   %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: write them first, as `linalg.fill ins(%zero : f32) outs(%empty : …)` does

// $ raddle run %s --function=product | grep -e WRONG -e note:
// WRONG: 16 of 16 elements (100.000 %) differ from the reference; accepted: within 0.00e0 + 2.38e-7·|expected|
// note: line 6: `linalg.matmul` combines what it computes with `tensor.empty`, whose elements have no values
// [exit status 1]
