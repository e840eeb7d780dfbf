// Windows of few channels, on a CPU that sums integers by words: the places of a row and their channels are one loop, and
// padding moves in front of that. Windows whose places stand apart stay.
// RUN: raddle opt %s --target=x86-64-v3 --pass-pipeline=builtin.module(func.func(normalize)) --split-input-file
func.func @padded(%x: tensor<1x14x15x3xi8>, %w: tensor<7x7x3x64xi8>, %i: tensor<1x5x6x64xi32>) -> tensor<1x5x6x64xi32> {
  %z = arith.constant 3 : i8
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : i8
  } : tensor<1x14x15x3xi8> to tensor<1x15x17x3xi8>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x15x17x3xi8>, tensor<7x7x3x64xi8>) outs(%i : tensor<1x5x6x64xi32>) -> tensor<1x5x6x64xi32>
  return %r : tensor<1x5x6x64xi32>
}

// -----
func.func @filters_first(%x: tensor<1x6x10x4xi8>, %w: tensor<8x3x3x4xi8>, %i: tensor<1x4x8x8xi32>) -> tensor<1x4x8x8xi32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x6x10x4xi8>, tensor<8x3x3x4xi8>) outs(%i : tensor<1x4x8x8xi32>) -> tensor<1x4x8x8xi32>
  return %r : tensor<1x4x8x8xi32>
}

// -----
func.func @apart(%x: tensor<1x6x12x3xi8>, %w: tensor<3x3x3x8xi8>, %i: tensor<1x2x8x8xi32>) -> tensor<1x2x8x8xi32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x12x3xi8>, tensor<3x3x3x8xi8>) outs(%i : tensor<1x2x8x8xi32>) -> tensor<1x2x8x8xi32>
  return %r : tensor<1x2x8x8xi32>
}

// $ raddle opt %s --target=x86-64-v3 --pass-pipeline=builtin.module(func.func(normalize)) --split-input-file
// #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d2, d3 * 6 + d4)>
// #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// #map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5)>
// #map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// #map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// module {
//   func.func @padded(%arg0: tensor<1x14x15x3xi8>, %arg1: tensor<7x7x3x64xi8>, %arg2: tensor<1x5x6x64xi32>) -> tensor<1x5x6x64xi32> {
//     %c3_i8 = arith.constant 3 : i8
//     %padded = tensor.pad %arg0 low[0, 0, 1, 0] high[0, 1, 1, 0] {
//     ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
//       tensor.yield %c3_i8 : i8
//     } : tensor<1x14x15x3xi8> to tensor<1x15x17x3xi8>
//     %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<1x14x15x3xi8> into tensor<1x14x45xi8>
//     %padded_0 = tensor.pad %collapsed low[0, 0, 3] high[0, 1, 3] {
//     ^bb0(%arg3: index, %arg4: index, %arg5: index):
//       tensor.yield %c3_i8 : i8
//     } : tensor<1x14x45xi8> to tensor<1x15x51xi8>
//     %collapsed_1 = tensor.collapse_shape %arg1 [[0], [1, 2], [3]] : tensor<7x7x3x64xi8> into tensor<7x21x64xi8>
//     %0 = tensor.empty() : tensor<1x5x7x6x21xi8>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_0 : tensor<1x15x51xi8>) outs(%0 : tensor<1x5x7x6x21xi8>) {
//     ^bb0(%in: i8, %out: i8):
//       linalg.yield %in : i8
//     } -> tensor<1x5x7x6x21xi8>
//     %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%1, %collapsed_1 : tensor<1x5x7x6x21xi8>, tensor<7x21x64xi8>) outs(%arg2 : tensor<1x5x6x64xi32>) {
//     ^bb0(%in: i8, %in_2: i8, %out: i32):
//       %3 = arith.extsi %in : i8 to i32
//       %4 = arith.extsi %in_2 : i8 to i32
//       %5 = arith.muli %3, %4 : i32
//       %6 = arith.addi %out, %5 : i32
//       linalg.yield %6 : i32
//     } -> tensor<1x5x6x64xi32>
//     return %2 : tensor<1x5x6x64xi32>
//   }
// }
//
// #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d2, d3 * 4 + d4)>
// #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// #map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5)>
// #map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>
// #map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// module {
//   func.func @filters_first(%arg0: tensor<1x6x10x4xi8>, %arg1: tensor<8x3x3x4xi8>, %arg2: tensor<1x4x8x8xi32>) -> tensor<1x4x8x8xi32> {
//     %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<1x6x10x4xi8> into tensor<1x6x40xi8>
//     %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1], [2, 3]] : tensor<8x3x3x4xi8> into tensor<8x3x12xi8>
//     %0 = tensor.empty() : tensor<1x4x3x8x12xi8>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x6x40xi8>) outs(%0 : tensor<1x4x3x8x12xi8>) {
//     ^bb0(%in: i8, %out: i8):
//       linalg.yield %in : i8
//     } -> tensor<1x4x3x8x12xi8>
//     %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%1, %collapsed_0 : tensor<1x4x3x8x12xi8>, tensor<8x3x12xi8>) outs(%arg2 : tensor<1x4x8x8xi32>) {
//     ^bb0(%in: i8, %in_1: i8, %out: i32):
//       %3 = arith.extsi %in : i8 to i32
//       %4 = arith.extsi %in_1 : i8 to i32
//       %5 = arith.muli %3, %4 : i32
//       %6 = arith.addi %out, %5 : i32
//       linalg.yield %6 : i32
//     } -> tensor<1x4x8x8xi32>
//     return %2 : tensor<1x4x8x8xi32>
//   }
// }
//
// #map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2 + d1 * 2, d4 + d3 * 2, d5)>
// #map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
// #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1, d5, d2, d6)>
// #map3 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// #map4 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// module {
//   func.func @apart(%arg0: tensor<1x6x12x3xi8>, %arg1: tensor<3x3x3x8xi8>, %arg2: tensor<1x2x8x8xi32>) -> tensor<1x2x8x8xi32> {
//     %0 = tensor.empty() : tensor<1x3x2x3x8x3xi8>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x6x12x3xi8>) outs(%0 : tensor<1x3x2x3x8x3xi8>) {
//     ^bb0(%in: i8, %out: i8):
//       linalg.yield %in : i8
//     } -> tensor<1x3x2x3x8x3xi8>
//     %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%1, %arg1 : tensor<1x3x2x3x8x3xi8>, tensor<3x3x3x8xi8>) outs(%arg2 : tensor<1x2x8x8xi32>) {
//     ^bb0(%in: i8, %in_0: i8, %out: i32):
//       %3 = arith.extsi %in : i8 to i32
//       %4 = arith.extsi %in_0 : i8 to i32
//       %5 = arith.muli %3, %4 : i32
//       %6 = arith.addi %out, %5 : i32
//       linalg.yield %6 : i32
//     } -> tensor<1x2x8x8xi32>
//     return %2 : tensor<1x2x8x8xi32>
//   }
// }
