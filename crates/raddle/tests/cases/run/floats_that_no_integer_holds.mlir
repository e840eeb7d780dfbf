// What does not fit an integer is the nearest one that does, and an f16 or f32 that is no number is 0, on every machine.
// RUN: raddle run %s --all --device=cpu | grep functions
// RUN: raddle run %s --all --target=sm_80 --device=ptx-emu | grep functions
#id = affine_map<(d0) -> (d0)>
func.func @words() {
  %x = util.unfoldable_constant dense<[3.0e9, -3.0e9, 0x7FC00000, 0x7F800000, 0xFF800000, -1.5, 2.5, 4.0e9, 1.0e20, 300.0, -300.0, 2147483520.0, -2147483648.0, 2147483648.0, 5.0e9, -0.0, 7.0]> : tensor<17xf32>
  %e = tensor.empty() : tensor<17xi32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<17xf32>) outs(%e : tensor<17xi32>) {
  ^bb0(%in: f32, %out: i32):
    %y = arith.fptosi %in : f32 to i32
    linalg.yield %y : i32
  } -> tensor<17xi32>
  check.expect_eq_const(%s, dense<[2147483647, -2147483648, 0, 2147483647, -2147483648, -1, 2, 2147483647, 2147483647, 300, -300, 2147483520, -2147483648, 2147483647, 2147483647, 0, 7]> : tensor<17xi32>) : tensor<17xi32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<17xf32>) outs(%e : tensor<17xi32>) {
  ^bb0(%in: f32, %out: i32):
    %y = arith.fptoui %in : f32 to i32
    linalg.yield %y : i32
  } -> tensor<17xi32>
  check.expect_eq_const(%u, dense<[3000000000, 0, 0, 4294967295, 0, 0, 2, 4000000000, 4294967295, 300, 0, 2147483520, 0, 2147483648, 4294967295, 0, 7]> : tensor<17xi32>) : tensor<17xi32>
  return
}
func.func @bytes() {
  %x = util.unfoldable_constant dense<[3.0e9, -3.0e9, 0x7FC00000, 0x7F800000, -1.5, 300.0, -300.0, 127.5]> : tensor<8xf32>
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<8xi8>
  %kept = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %y = arith.fptosi %in : f32 to i8
    linalg.yield %y : i8
  } -> tensor<8xi8>
  check.expect_eq_const(%kept, dense<[-1, 0, 0, -1, -1, 44, -44, 127]> : tensor<8xi8>) : tensor<8xi8>
  %clamped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %below = arith.cmpf olt, %in, %lo : f32
    %a = arith.select %below, %lo, %in : f32
    %b = arith.minimumf %hi, %a : f32
    %y = arith.fptosi %b : f32 to i8
    linalg.yield %y : i8
  } -> tensor<8xi8>
  check.expect_eq_const(%clamped, dense<[127, -128, 0, 127, -1, 127, -128, 127]> : tensor<8xi8>) : tensor<8xi8>
  return
}
func.func @long() {
  %x = util.unfoldable_constant dense<[1.0e30, -1.0e30, 4.5, -4.5]> : tensor<4xf64>
  %e = tensor.empty() : tensor<4xi64>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf64>) outs(%e : tensor<4xi64>) {
  ^bb0(%in: f64, %out: i64):
    %y = arith.fptosi %in : f64 to i64
    linalg.yield %y : i64
  } -> tensor<4xi64>
  check.expect_eq_const(%s, dense<[9223372036854775807, -9223372036854775808, 4, -4]> : tensor<4xi64>) : tensor<4xi64>
  return
}
func.func @halves() {
  %x = util.unfoldable_constant dense<[0x7C00, 0xFC00, 0x7E00, 65504.0]> : tensor<4xf16>
  %e = tensor.empty() : tensor<4xi32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: f16, %out: i32):
    %y = arith.fptosi %in : f16 to i32
    linalg.yield %y : i32
  } -> tensor<4xi32>
  check.expect_eq_const(%s, dense<[2147483647, -2147483648, 0, 65504]> : tensor<4xi32>) : tensor<4xi32>
  return
}

// $ raddle run %s --all --device=cpu | grep functions
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_80 --device=ptx-emu | grep functions
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
