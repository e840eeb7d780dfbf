// A constant tensor of one number is a fill that the kernel makes for itself, and no memory that it reads.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=cpu
// RUN: raddle opt %s --to=vector | grep -e func.func
func.func @product(%a: tensor<128x96xf16>, %b: tensor<96x128xf16>) -> tensor<128x128xf32> {
  %f = arith.constant dense<0.0> : tensor<128x128xf32>
  %s = linalg.matmul ins(%a, %b : tensor<128x96xf16>, tensor<96x128xf16>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %s : tensor<128x128xf32>
}
func.func @sums(%a: tensor<12x96xi32>) -> (tensor<12xi32>, tensor<12xi32>) {
  %f = arith.constant dense<7> : tensor<12xi32>
  %s = linalg.reduce ins(%a : tensor<12x96xi32>) outs(%f : tensor<12xi32>) dimensions = [1] (%x: i32, %y: i32) {
    %t = arith.addi %x, %y : i32
    linalg.yield %t : i32
  }
  return %s, %f : tensor<12xi32>, tensor<12xi32>
}

// $ raddle run %s --all
// ok       @product
// ok       @sums
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @product
// ok       @sums
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=vector | grep -e func.func
//   func.func @product(%arg0: memref<128x96xf16>, %arg1: memref<96x128xf16>, %arg2: memref<128x128xf32>) attributes {gpu.known_grid_size = array<i32: 8, 8, 1>, translation_info = #translation} {
//   func.func @sums_kernel_0(%arg0: memref<12x96xi32>, %arg1: memref<12xi32>) attributes {gpu.known_grid_size = array<i32: 12, 1, 1>, translation_info = #translation1} {
