// A product may say that its integers have no sign, and unsigned maxima have none by their name.
// RUN: raddle check %s
func.func @f(%arg0: tensor<1x4x4x1xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<1x3x3x1xf32>) {
  %0 = linalg.pooling_nhwc_max_unsigned ins(%arg0, %arg1 : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%arg2 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// $ raddle check %s
// error[E0201]: `linalg.pooling_nhwc_max_unsigned` cannot act on elements of this type: unsupported operation: unsigned max not on uint
//  --> verify/linalg/casts_without_a_sign.mlir:4:41
//   |
// 4 | ...nsigned ins(%arg0, %arg1 : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%arg2 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
//   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
