// A matrix times itself: one tensor stands for vectors of two shapes.
// RUN: raddle run %s | grep correct
// RUN: raddle opt %s --to=vector | grep transfer_read
func.func @square(%a: tensor<3x3xi32>) -> tensor<3x3xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x3xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x3xi32>) -> tensor<3x3xi32>
  %r = linalg.matmul ins(%a, %a : tensor<3x3xi32>, tensor<3x3xi32>) outs(%init : tensor<3x3xi32>) -> tensor<3x3xi32>
  return %r : tensor<3x3xi32>
}

// $ raddle run %s | grep correct
// correct: all 9 elements equal the reference bit for bit

// $ raddle opt %s --to=vector | grep transfer_read
//     %0 = vector.transfer_read %arg0[%c0, %c0_0], %c0_i32_1 {in_bounds = [false, true]} : memref<3x3xi32>, vector<4x3xi32>
//     %1 = vector.transfer_read %reinterpret_cast[%c0_2, %c0_3], %c0_i32_4 {in_bounds = [true, false]} : memref<3x3xi32, strided<[3, 1]>>, vector<3x4xi32>
