// Powers with a small whole exponent are products: a norm's squares cost one multiplication.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --normalize
func.func @powers(%x: tensor<40xf32>, %h: tensor<40xf16>) -> (tensor<40xf32>, tensor<40xf16>) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3.0 : f32
  %less = arith.constant -1 : i32
  %e = tensor.empty() : tensor<40xf32>
  %eh = tensor.empty() : tensor<40xf16>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x, %h : tensor<40xf32>, tensor<40xf16>) outs(%e, %eh : tensor<40xf32>, tensor<40xf16>) {
  ^bb0(%a: f32, %b: f16, %o: f32, %p: f16):
    %s = math.fpowi %a, %two : f32, i64
    %c = math.powf %s, %three : f32
    %i = math.fpowi %b, %less : f16, i32
    linalg.yield %c, %i : f32, f16
  } -> (tensor<40xf32>, tensor<40xf16>)
  return %r#0, %r#1 : tensor<40xf32>, tensor<40xf16>
}

// $ raddle run %s --all
// ok       @powers
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @powers
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --normalize
// #map = affine_map<(d0) -> (d0)>
// module {
//   func.func @powers(%arg0: tensor<40xf32>, %arg1: tensor<40xf16>) -> (tensor<40xf32>, tensor<40xf16>) {
//     %c2_i64 = arith.constant 2 : i64
//     %cst = arith.constant 3.000000e+00 : f32
//     %c-1_i32 = arith.constant -1 : i32
//     %0 = tensor.empty() : tensor<40xf32>
//     %1 = tensor.empty() : tensor<40xf16>
//     %2:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<40xf32>, tensor<40xf16>) outs(%0, %1 : tensor<40xf32>, tensor<40xf16>) {
//     ^bb0(%in: f32, %in_0: f16, %out: f32, %out_1: f16):
//       %3 = arith.mulf %in, %in : f32
//       %4 = arith.mulf %3, %3 : f32
//       %5 = arith.mulf %4, %3 : f32
//       %cst_2 = arith.constant 1.000000e+00 : f16
//       %6 = arith.divf %cst_2, %in_0 : f16
//       linalg.yield %5, %6 : f32, f16
//     } -> (tensor<40xf32>, tensor<40xf16>)
//     return %2#0, %2#1 : tensor<40xf32>, tensor<40xf16>
//   }
// }
