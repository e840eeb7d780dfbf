// A matrix times itself: one tensor stands for vectors of two shapes.
// RUN: raddle run %s --function=square | grep correct
// RUN: raddle run %s --function=square_and_itself | grep correct
// RUN: raddle opt %s --to=vector | grep transfer_read
func.func @square(%a: tensor<3x3xi32>) -> tensor<3x3xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x3xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x3xi32>) -> tensor<3x3xi32>
  %r = linalg.matmul ins(%a, %a : tensor<3x3xi32>, tensor<3x3xi32>) outs(%init : tensor<3x3xi32>) -> tensor<3x3xi32>
  return %r : tensor<3x3xi32>
}

// Its sums begin with the matrix, which is as large as the tile of the result.
func.func @square_and_itself(%a: tensor<7x7xi32>) -> tensor<7x7xi32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<7x7xi32>, tensor<7x7xi32>) outs(%a : tensor<7x7xi32>) -> tensor<7x7xi32>
  return %r : tensor<7x7xi32>
}

// $ raddle run %s --function=square | grep correct
// correct: all 9 elements equal the reference bit for bit

// $ raddle run %s --function=square_and_itself | grep correct
// correct: all 49 elements equal the reference bit for bit

// $ raddle opt %s --to=vector | grep transfer_read
//     %0 = vector.transfer_read %arg0[%c0, %c0_0], %c0_i32_1 {in_bounds = [false, true]} : memref<3x3xi32>, vector<4x3xi32>
//     %1 = vector.transfer_read %reinterpret_cast[%c0_2, %c0_3], %c0_i32_4 {in_bounds = [true, false]} : memref<3x3xi32, strided<[3, 1]>>, vector<3x4xi32>
//     %0 = vector.transfer_read %reinterpret_cast[%c0, %c0_1], %c0_i32 {in_bounds = [true, false]} : memref<7x7xi32, strided<[7, 1]>>, vector<7x8xi32>
//     %1 = vector.transfer_read %reinterpret_cast_0[%c0_2, %c0_3], %c0_i32_4 {in_bounds = [true, false]} : memref<7x7xi32, strided<[7, 1]>>, vector<7x8xi32>
//     %2 = vector.transfer_read %arg0[%c0_5, %c0_6], %c0_i32_7 : memref<7x7xi32>, vector<8x8xi32>
