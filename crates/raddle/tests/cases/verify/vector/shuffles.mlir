// A shuffle takes slices along the first dimension of two vectors.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>) {
  %0 = vector.shuffle %arg0, %arg1 [0, 5] : vector<3x4xf32>, vector<2x4xf32>
  return
}

// -----
func.func @f(%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>) {
  %0 = vector.shuffle %arg0, %arg1 [] : vector<3x4xf32>, vector<2x4xf32>
  return
}

// -----
func.func @f(%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>) {
  %0 = vector.shuffle %arg0, %arg3 [0] : vector<3x4xf32>, vector<3x4xf64>
  return
}

// -----
func.func @f(%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>) {
  %0 = "vector.shuffle"(%arg0, %arg1) <{mask = array<i64: 0>}> : (vector<3x4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'vector.shuffle' op mask index #2 out of range: there are 5 slices
//  --> verify/vector/shuffles.mlir:4:3
//   |
// 4 |   %0 = vector.shuffle %arg0, %arg1 [0, 5] : vector<3x4xf32>, vector<2x4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: 'vector.shuffle' op invalid mask length: it needs at least one entry
//   --> verify/vector/shuffles.mlir:10:36
//    |
// 10 |   %0 = vector.shuffle %arg0, %arg1 [] : vector<3x4xf32>, vector<2x4xf32>
//    |                                    ^
//
// error[E0201]: 'vector.shuffle' op failed to verify that second operand v2 and result have same element type
//   --> verify/vector/shuffles.mlir:16:3
//    |
// 16 |   %0 = vector.shuffle %arg0, %arg3 [0] : vector<3x4xf32>, vector<3x4xf64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.shuffle' op mask length mismatch
//   --> verify/vector/shuffles.mlir:22:3
//    |
// 22 |   %0 = "vector.shuffle"(%arg0, %arg1) <{mask = array<i64: 0>}> : (vector<3x4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
