// A product may say that its integers have no sign, and unsigned maxima have none by their name.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'arith.'
module {
  func.func @f(%arg0: tensor<4x8xi8>, %arg1: tensor<8x4xi16>, %arg2: tensor<4x4xf32>) {
    %0 = linalg.matmul cast = #linalg.type_fn<cast_unsigned> ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x4xi16>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<4x8xi8>, %arg1: tensor<8x4xi16>, %arg2: tensor<4x4xf32>) {
    %0 = linalg.matmul cast = #linalg.type_fn<cast_signed> ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x4xi16>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<1x4x4x1xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<1x3x3x1xi32>) {
    %0 = linalg.pooling_nhwc_max_unsigned ins(%arg0, %arg1 : tensor<1x4x4x1xi8>, tensor<2x2xi8>) outs(%arg2 : tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'arith.'
//       %1 = "arith.uitofp"(%arg3) : (i8) -> f32
//       %2 = "arith.uitofp"(%arg4) : (i16) -> f32
//       %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
//       %4 = "arith.addf"(%arg5, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
//       %1 = "arith.sitofp"(%arg3) : (i8) -> f32
//       %2 = "arith.sitofp"(%arg4) : (i16) -> f32
//       %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
//       %4 = "arith.addf"(%arg5, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
//       %1 = "arith.extui"(%arg3) : (i8) -> i32
//       %2 = "arith.maxui"(%arg5, %1) : (i32, i32) -> i32
