// A zero point of 0, as that of weights is, asks for no sums of the other factor, and a product of one row whose weights
// the program states is a plain one: what the zero point of the row takes away is known.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=configured | grep -c "arith.subi"
// RUN: raddle opt %s --to=configured | grep -c "reduction"
func.func @layer(%a: tensor<64x48xi8>, %w: tensor<48x32xi8>, %b: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %p = arith.constant -128 : i32
  %q = arith.constant 0 : i32
  %r = linalg.quantized_matmul ins(%a, %w, %p, %q : tensor<64x48xi8>, tensor<48x32xi8>, i32, i32)
    outs(%b : tensor<64x32xi32>) -> tensor<64x32xi32>
  return %r : tensor<64x32xi32>
}
func.func @no_zero_points(%a: tensor<64x48xi8>, %w: tensor<48x32xi8>, %b: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %q = arith.constant 0 : i32
  %r = linalg.quantized_matmul ins(%a, %w, %q, %q : tensor<64x48xi8>, tensor<48x32xi8>, i32, i32)
    outs(%b : tensor<64x32xi32>) -> tensor<64x32xi32>
  return %r : tensor<64x32xi32>
}
func.func @row(%a: tensor<1x8xi8>, %b: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %p = arith.constant 7 : i32
  %q = arith.constant 0 : i32
  %w = arith.constant dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 10, 11, -12], [-128, 127, 0, 1],
    [13, 14, 15, 16], [-17, 18, 19, 20], [21, 22, 23, 24], [25, 26, -27, 28]]> : tensor<8x4xi8>
  %r = linalg.quantized_matmul ins(%a, %w, %p, %q : tensor<1x8xi8>, tensor<8x4xi8>, i32, i32)
    outs(%b : tensor<1x4xi32>) -> tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// $ raddle run %s --all
// ok       @layer
// ok       @no_zero_points
// ok       @row
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @layer
// ok       @no_zero_points
// ok       @row
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep -c "arith.subi"
// 0

// $ raddle opt %s --to=configured | grep -c "reduction"
// 4
