// Permutations, dimensions and bodies that are stated fit the shapes.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [1, 1]
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [0, 1]
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.broadcast ins(%arg2 : tensor<4xf32>) outs(%arg1 : tensor<8x4xf32>) dimensions = [1]
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4xf32>) dimensions = [0]
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.map { math.exp } ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>)
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>) {
  %0 = linalg.softmax dimension(2) ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.transpose' op permutation is not valid
//  --> verify/linalg/stated_dimensions_fit.mlir:4:3
//   |
// 4 |   %0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [1, 1]
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.transpose' op dim(result, 0) = 8 doesn't match dim(input, permutation[0]) = 4
//   --> verify/linalg/stated_dimensions_fit.mlir:10:3
//    |
// 10 |   %0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [0, 1]
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.broadcast' op input dim 0 should match init dim 0. input: 4, init: 8
//   --> verify/linalg/stated_dimensions_fit.mlir:16:3
//    |
// 16 |   %0 = linalg.broadcast ins(%arg2 : tensor<4xf32>) outs(%arg1 : tensor<8x4xf32>) dimensions = [1]
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.reduce' op init dimensions [4] doesn't match input dimensions after reduction [8]
//   --> verify/linalg/stated_dimensions_fit.mlir:22:3
//    |
// 22 |   %0 = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4xf32>) dimensions = [0]
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.map' op expected shape of input (4, 8) to match shape of output (8, 4)
//   --> verify/linalg/stated_dimensions_fit.mlir:28:3
//    |
// 28 |   %0 = linalg.map { math.exp } ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.softmax' op incorrect dimension specified
//   --> verify/linalg/stated_dimensions_fit.mlir:34:3
//    |
// 34 |   %0 = linalg.softmax dimension(2) ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
