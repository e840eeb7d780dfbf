// Elements may be vectors, and are filled with vectors.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: vector<4xf32>, %arg1: tensor<8xvector<4xf32>>, %arg2: f64, %arg3: tensor<8xf32>) {
  %0 = linalg.fill ins(%arg2 : f64) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @f(%arg0: vector<4xf32>, %arg1: tensor<8xvector<4xf32>>, %arg2: f64, %arg3: tensor<8xf32>) {
  %0 = linalg.fill ins(%arg3 : tensor<8xf32>) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.fill' op expected fill value type ('f64') to match output element type ('f32')
//  --> verify/linalg/elements_may_be_vectors.mlir:4:3
//   |
// 4 |   %0 = linalg.fill ins(%arg2 : f64) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.fill' op expected op with scalar input
//   --> verify/linalg/elements_may_be_vectors.mlir:10:3
//    |
// 10 |   %0 = linalg.fill ins(%arg3 : tensor<8xf32>) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
