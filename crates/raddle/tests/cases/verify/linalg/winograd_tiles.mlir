// Winograd's transformations: what is cut into tiles has tiles of the output and the filter together.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_2_5) ins(%arg0 : tensor<2x3x3x5xf32>) outs(%arg1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}

// -----
func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
  %0 = linalg.winograd_input_transform fmr(F_2_3) ins(%arg2 : tensor<1x10x10x5xf32>) outs(%arg3 : tensor<6x6x2x2x1x5xf32>) -> tensor<6x6x2x2x1x5xf32>
  return
}

// -----
func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
  %0 = linalg.winograd_output_transform fmr(F_2_3) ins(%arg4 : tensor<6x6x2x2x1x2xf32>) outs(%arg5 : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.winograd_filter_transform' op expect filter height either equals to r or 1
//  --> verify/linalg/winograd_tiles.mlir:4:3
//   |
// 4 |   %0 = linalg.winograd_filter_transform fmr(F_2_5) ins(%arg0 : tensor<2x3x3x5xf32>) outs(%arg1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.winograd_input_transform' op the output shape is not expected
//   --> verify/linalg/winograd_tiles.mlir:10:3
//    |
// 10 |   %0 = linalg.winograd_input_transform fmr(F_2_3) ins(%arg2 : tensor<1x10x10x5xf32>) outs(%arg3 : tensor<6x6x2x2x1x5xf32>) -> tensor<6x6x2x2x1x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.winograd_output_transform' op expect input height equals to input tile size
//   --> verify/linalg/winograd_tiles.mlir:16:3
//    |
// 16 |   %0 = linalg.winograd_output_transform fmr(F_2_3) ins(%arg4 : tensor<6x6x2x2x1x2xf32>) outs(%arg5 : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
