// Winograd's transformations: what is cut into tiles has tiles of the output and the filter together.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'fmr = 1 : i32'
module {
  func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
    %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%arg0 : tensor<2x3x3x5xf32>) outs(%arg1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
    %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%arg2 : tensor<1x10x10x5xf32>) outs(%arg3 : tensor<6x6x2x2x1x5xf32>) -> tensor<6x6x2x2x1x5xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>) {
    %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%arg4 : tensor<6x6x2x2x1x2xf32>) outs(%arg5 : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'fmr = 1 : i32'
//     %0 = "linalg.winograd_filter_transform"(%arg0, %arg1) <{fmr = 1 : i32}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
//     %0 = "linalg.winograd_input_transform"(%arg2, %arg3) <{fmr = 1 : i32}> : (tensor<1x10x10x5xf32>, tensor<6x6x2x2x1x5xf32>) -> tensor<6x6x2x2x1x5xf32>
//     %0 = "linalg.winograd_output_transform"(%arg4, %arg5) <{fmr = 1 : i32}> : (tensor<6x6x2x2x1x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
