// The factors of a quantized product lie above their zeros.
// RUN: raddle check %s
func.func @f(%arg0: tensor<4x8xi8>, %arg1: tensor<8x16xi8>, %arg2: i32, %arg3: tensor<4x16xi32>) {
  %0 = linalg.quantized_matmul ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x16xi8>) outs(%arg3 : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}

// $ raddle check %s
// error[E0201]: `linalg.quantized_matmul` takes 4 inputs and 1 output: region expects 5 args, got 3
//  --> verify/linalg/quantized_products.mlir:4:32
//   |
// 4 |   %0 = linalg.quantized_matmul ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x16xi8>) outs(%arg3 : tensor<4x16xi32>) -> tensor<4x16xi32>
//   |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
