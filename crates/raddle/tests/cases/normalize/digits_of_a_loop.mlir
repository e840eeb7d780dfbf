// A loop whose number is only taken apart into digits becomes a loop for each of them, and what is read at these is an
// operand. One that is its own remainder is the digit of a whole loop. A number that is used as it is, too, stays, as do
// digits that do not divide the loop.

// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize))
// RUN: raddle run %s --all

#flat = affine_map<(n) -> (n)>

func.func @digits(%x: tensor<3x5x7xf32>) -> (tensor<105x1xf32>, tensor<105xi64>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<105x1xf32>
  %f = tensor.empty() : tensor<105xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(n) -> (n, 0)>, #flat], iterator_types = ["parallel"]}
      outs(%e, %f : tensor<105x1xf32>, tensor<105xi64>) {
  ^bb0(%out: f32, %other: i64):
    %n = linalg.index 0 : index
    %k = arith.remsi %n, %c7 : index
    %q = arith.divsi %n, %c7 : index
    %j = arith.remsi %q, %c5 : index
    %p = arith.divsi %q, %c5 : index
    %i = arith.remsi %p, %c3 : index
    %v = tensor.extract %x[%i, %j, %k] : tensor<3x5x7xf32>
    %w = arith.index_cast %j : index to i64
    linalg.yield %v, %w : f32, i64
  } -> (tensor<105x1xf32>, tensor<105xi64>)
  return %r#0, %r#1 : tensor<105x1xf32>, tensor<105xi64>
}

func.func @whole(%x: tensor<12xf32>) -> tensor<12xf32> {
  %c12 = arith.constant 12 : index
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.generic {indexing_maps = [#flat], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %i = arith.remsi %n, %c12 : index
    %v = tensor.extract %x[%i] : tensor<12xf32>
    %w = arith.addf %v, %v : f32
    linalg.yield %w : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

func.func @others(%x: tensor<4x8xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<12xf32>
  %used = linalg.generic {indexing_maps = [#flat], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %i = arith.divsi %n, %c4 : index
    %j = arith.remsi %n, %c4 : index
    %v = tensor.extract %x[%i, %j] : tensor<4x8xf32>
    %m = arith.index_cast %n : index to i64
    %y = arith.sitofp %m : i64 to f32
    %z = arith.addf %v, %y : f32
    linalg.yield %z : f32
  } -> tensor<12xf32>
  %uneven = linalg.generic {indexing_maps = [#flat], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %i = arith.divsi %n, %c5 : index
    %j = arith.remsi %n, %c5 : index
    %v = tensor.extract %x[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %used, %uneven : tensor<12xf32>, tensor<12xf32>
}

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize))
// #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// #map1 = affine_map<(d0) -> (d0)>
// module {
//   func.func @digits(%arg0: tensor<3x5x7xf32>) -> (tensor<105x1xf32>, tensor<105xi64>) {
//     %c3 = arith.constant 3 : index
//     %c5 = arith.constant 5 : index
//     %c7 = arith.constant 7 : index
//     %0 = tensor.empty() : tensor<105x1xf32>
//     %1 = tensor.empty() : tensor<105xi64>
//     %2 = tensor.empty() : tensor<3x5x7xf32>
//     %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5x7xf32>) outs(%2 : tensor<3x5x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<3x5x7xf32>
//     %collapsed = tensor.collapse_shape %3 [[0, 1, 2]] : tensor<3x5x7xf32> into tensor<105xf32>
//     %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [105, 1] : tensor<105xf32> into tensor<105x1xf32>
//     %4 = tensor.empty() : tensor<3x5x7xi64>
//     %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%4 : tensor<3x5x7xi64>) {
//     ^bb0(%out: i64):
//       %6 = linalg.index 1 : index
//       %7 = arith.index_cast %6 : index to i64
//       linalg.yield %7 : i64
//     } -> tensor<3x5x7xi64>
//     %collapsed_0 = tensor.collapse_shape %5 [[0, 1, 2]] : tensor<3x5x7xi64> into tensor<105xi64>
//     return %expanded, %collapsed_0 : tensor<105x1xf32>, tensor<105xi64>
//   }
//   func.func @whole(%arg0: tensor<12xf32>) -> tensor<12xf32> {
//     %c12 = arith.constant 12 : index
//     %0 = tensor.empty() : tensor<12xf32>
//     %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg0 : tensor<12xf32>) outs(%0 : tensor<12xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %2 = arith.addf %in, %in : f32
//       linalg.yield %2 : f32
//     } -> tensor<12xf32>
//     return %1 : tensor<12xf32>
//   }
//   func.func @others(%arg0: tensor<4x8xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
//     %c4 = arith.constant 4 : index
//     %c5 = arith.constant 5 : index
//     %0 = tensor.empty() : tensor<12xf32>
//     %1 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%0 : tensor<12xf32>) {
//     ^bb0(%out: f32):
//       %3 = linalg.index 0 : index
//       %4 = arith.divsi %3, %c4 : index
//       %5 = arith.remsi %3, %c4 : index
//       %extracted = tensor.extract %arg0[%4, %5] : tensor<4x8xf32>
//       %6 = arith.index_cast %3 : index to i64
//       %7 = arith.sitofp %6 : i64 to f32
//       %8 = arith.addf %extracted, %7 : f32
//       linalg.yield %8 : f32
//     } -> tensor<12xf32>
//     %2 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%0 : tensor<12xf32>) {
//     ^bb0(%out: f32):
//       %3 = linalg.index 0 : index
//       %4 = arith.divsi %3, %c5 : index
//       %5 = arith.remsi %3, %c5 : index
//       %extracted = tensor.extract %arg0[%4, %5] : tensor<4x8xf32>
//       linalg.yield %extracted : f32
//     } -> tensor<12xf32>
//     return %1, %2 : tensor<12xf32>, tensor<12xf32>
//   }
// }

// $ raddle run %s --all
// ok       @digits
// ok       @whole
// ok       @others
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
