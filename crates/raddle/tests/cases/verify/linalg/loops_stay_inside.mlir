// What an operation reaches at the ends of its loops lies inside its operands.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<7x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%arg4, %arg5 : tensor<1x3x4x2xf32>, tensor<3x2x2x1xf32>) outs(%arg6 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>) {
  linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg3 : memref<4x4xf32>)
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>) {
  %0 = linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : memref<5xf32>) outs(%arg0 : memref<5xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (4 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : memref<5xf32>) outs(%arg0 : memref<5xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (4 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : memref<5xf32>) outs(%arg0 : memref<5xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a, %b : f32, f32
  }
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 7
//  --> verify/linalg/loops_stay_inside.mlir:4:3
//   |
// 4 |   %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<7x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.conv_2d_nhwc_hwcf' op inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 4, but found 3
//   --> verify/linalg/loops_stay_inside.mlir:10:3
//    |
// 10 |   %0 = linalg.conv_2d_nhwc_hwcf ins(%arg4, %arg5 : tensor<1x3x4x2xf32>, tensor<3x2x2x1xf32>) outs(%arg6 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.add' op expected to have pure tensor or buffer semantics
//   --> verify/linalg/loops_stay_inside.mlir:16:3
//    |
// 16 |   linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg3 : memref<4x4xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.add' op inferred input/output operand #2 has shape's dimension #1 to be 4, but found 8
//   --> verify/linalg/loops_stay_inside.mlir:22:3
//    |
// 22 |   %0 = linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.generic' op expected operand #0 rank (2) to match the result rank of indexing_map (1)
//   --> verify/linalg/loops_stay_inside.mlir:28:3
//    |
// 28 |   linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.generic' op unexpected result less than 0 at expression #0 in (d0) -> (-d0 + 3)
//   --> verify/linalg/loops_stay_inside.mlir:37:3
//    |
// 37 |   linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : memref<5xf32>) outs(%arg0 : memref<5xf32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)
//   --> verify/linalg/loops_stay_inside.mlir:57:3
//    |
// 57 |   linalg.yield %a, %b : f32, f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
