// ONNX's products of integers: bytes are extended and less a zero point in front of the product, whose sums are in `i64`.
// They fit `i32`, so that bytes are multiplied.

// RUN: raddle run %s --function=dynamic | grep correct
// RUN: raddle run %s --function=dynamic --target=gfx942 | grep correct
// RUN: raddle run %s --function=dynamic --target=x86-64-v3 | grep correct
// RUN: raddle build %s --function=dynamic | grep -c s32.s8.s8.s32
// RUN: raddle build %s --function=dynamic --target=gfx942 | grep -c mfma.i32
// RUN: raddle run %s --function=transposed | grep correct
// RUN: raddle build %s --function=transposed | grep -c s32.s8.s8.s32
// RUN: raddle build %s --function=long | grep -c s32.s8.s8.s32

#whole = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

func.func @dynamic(%p: tensor<32x64xi8>, %z: tensor<i8>, %q: tensor<64x16xi8>) -> tensor<32x16xi32> {
  %zero = arith.constant 0 : i64
  %no_zero = arith.constant dense<0> : tensor<i8>
  %ex = tensor.empty() : tensor<32x64xi32>
  %xe = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<32x64xi8>) outs(%ex : tensor<32x64xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<32x64xi32>
  %x = linalg.generic {indexing_maps = [#whole, #none, #whole], iterator_types = ["parallel", "parallel"]} ins(%xe, %z : tensor<32x64xi32>, tensor<i8>) outs(%ex : tensor<32x64xi32>) {
  ^bb0(%in: i32, %zero_point: i8, %out: i32):
    %0 = arith.extui %zero_point : i8 to i32
    %1 = arith.subi %in, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<32x64xi32>
  %ew = tensor.empty() : tensor<64x16xi32>
  %w = linalg.generic {indexing_maps = [#whole, #none, #whole], iterator_types = ["parallel", "parallel"]} ins(%q, %no_zero : tensor<64x16xi8>, tensor<i8>) outs(%ew : tensor<64x16xi32>) {
  ^bb0(%in: i8, %zero_point: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %zero_point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<64x16xi32>
  %ey = tensor.empty() : tensor<32x16xi64>
  %init = linalg.fill ins(%zero : i64) outs(%ey : tensor<32x16xi64>) -> tensor<32x16xi64>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xi32>, tensor<64x16xi32>) outs(%init : tensor<32x16xi64>) -> tensor<32x16xi64>
  %er = tensor.empty() : tensor<32x16xi32>
  %r = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<32x16xi64>) outs(%er : tensor<32x16xi32>) {
  ^bb0(%in: i64, %out: i32):
    %0 = arith.trunci %in : i64 to i32
    linalg.yield %0 : i32
  } -> tensor<32x16xi32>
  return %r : tensor<32x16xi32>
}

// Both without a sign, with zero points of their own; one is transposed behind its extension. The sums so far are wide.
func.func @transposed(%p: tensor<32x64xi8>, %q: tensor<16x64xi8>, %z: tensor<i8>, %init: tensor<32x16xi64>) -> tensor<32x16xi64> {
  %ew = tensor.empty() : tensor<16x64xi32>
  %we = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<16x64xi8>) outs(%ew : tensor<16x64xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<16x64xi32>
  %et = tensor.empty() : tensor<64x16xi32>
  %wt = linalg.transpose ins(%we : tensor<16x64xi32>) outs(%et : tensor<64x16xi32>) permutation = [1, 0]
  %w = linalg.generic {indexing_maps = [#whole, #none, #whole], iterator_types = ["parallel", "parallel"]} ins(%wt, %z : tensor<64x16xi32>, tensor<i8>) outs(%et : tensor<64x16xi32>) {
  ^bb0(%in: i32, %zero_point: i8, %out: i32):
    %0 = arith.extui %zero_point : i8 to i32
    %1 = arith.subi %in, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<64x16xi32>
  %ex = tensor.empty() : tensor<32x64xi32>
  %x = linalg.generic {indexing_maps = [#whole, #none, #whole], iterator_types = ["parallel", "parallel"]} ins(%p, %z : tensor<32x64xi8>, tensor<i8>) outs(%ex : tensor<32x64xi32>) {
  ^bb0(%in: i8, %zero_point: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.extsi %zero_point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<32x64xi32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xi32>, tensor<64x16xi32>) outs(%init : tensor<32x16xi64>) -> tensor<32x16xi64>
  return %y : tensor<32x16xi64>
}

// Sums that may leave `i32` stay what they are.
func.func @long(%p: tensor<16x132000xi8>, %q: tensor<132000x8xi8>) -> tensor<16x8xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<16x8xi64>
  %init = linalg.fill ins(%zero : i64) outs(%e : tensor<16x8xi64>) -> tensor<16x8xi64>
  %y = linalg.matmul ins(%p, %q : tensor<16x132000xi8>, tensor<132000x8xi8>) outs(%init : tensor<16x8xi64>) -> tensor<16x8xi64>
  return %y : tensor<16x8xi64>
}

// $ raddle run %s --function=dynamic | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle run %s --function=dynamic --target=gfx942 | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle run %s --function=dynamic --target=x86-64-v3 | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle build %s --function=dynamic | grep -c s32.s8.s8.s32
// 2

// $ raddle build %s --function=dynamic --target=gfx942 | grep -c mfma.i32
// 3

// $ raddle run %s --function=transposed | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle build %s --function=transposed | grep -c s32.s8.s8.s32
// 2

// $ raddle build %s --function=long | grep -c s32.s8.s8.s32
// 0
