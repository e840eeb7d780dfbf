// On a CPU, a convolution is a product of matrices: its windows are written out as columns, images of a batch one by one,
// and what stands behind it shares its kernel. Groups are a batch, too; what goes channel by channel stays as it is.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --target=x86-64-v4 --normalize --partition
func.func @padded(%x: tensor<1x5x9x7xf32>, %k: tensor<20x5x3x3xf32>, %b: tensor<20xf32>) -> tensor<1x20x9x7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] { ^bb0(%h: index, %i: index, %j: index, %l: index): tensor.yield %z : f32 } : tensor<1x5x9x7xf32> to tensor<1x5x11x9xf32>
  %e = tensor.empty() : tensor<1x20x9x7xf32>
  %f = linalg.broadcast ins(%b : tensor<20xf32>) outs(%e : tensor<1x20x9x7xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x5x11x9xf32>, tensor<20x5x3x3xf32>) outs(%f : tensor<1x20x9x7xf32>) -> tensor<1x20x9x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x20x9x7xf32>) outs(%e : tensor<1x20x9x7xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %z : f32
    linalg.yield %m : f32
  } -> tensor<1x20x9x7xf32>
  return %r : tensor<1x20x9x7xf32>
}
func.func @batch(%x: tensor<3x4x8x8xf32>, %k: tensor<6x4x2x3xf32>, %o: tensor<3x6x4x3xf32>) -> tensor<3x6x4x3xf32> {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<3x4x8x8xf32>, tensor<6x4x2x3xf32>) outs(%o : tensor<3x6x4x3xf32>) -> tensor<3x6x4x3xf32>
  return %r : tensor<3x6x4x3xf32>
}
func.func @groups(%x: tensor<2x3x4x8x8xf32>, %k: tensor<3x5x4x3x3xf32>, %o: tensor<2x3x5x6x6xf32>) -> tensor<2x3x5x6x6xf32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %k : tensor<2x3x4x8x8xf32>, tensor<3x5x4x3x3xf32>) outs(%o : tensor<2x3x5x6x6xf32>) -> tensor<2x3x5x6x6xf32>
  return %r : tensor<2x3x5x6x6xf32>
}
func.func @channels_last(%x: tensor<2x9x9x5xf32>, %k: tensor<3x3x5x17xf32>, %o: tensor<2x7x7x17xf32>) -> tensor<2x7x7x17xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x9x9x5xf32>, tensor<3x3x5x17xf32>) outs(%o : tensor<2x7x7x17xf32>) -> tensor<2x7x7x17xf32>
  return %r : tensor<2x7x7x17xf32>
}
func.func @channel_by_channel(%x: tensor<2x9x9x5xf32>, %k: tensor<3x3x5xf32>, %o: tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %k : tensor<2x9x9x5xf32>, tensor<3x3x5xf32>) outs(%o : tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32>
  return %r : tensor<2x7x7x5xf32>
}
func.func @along(%x: tensor<4x30xf16>, %k: tensor<8x4x5xf16>, %o: tensor<8x26xf32>) -> tensor<8x26xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(f, w, c, j) -> (c, w + j)>, affine_map<(f, w, c, j) -> (f, c, j)>, affine_map<(f, w, c, j) -> (f, w)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : tensor<4x30xf16>, tensor<8x4x5xf16>) outs(%o : tensor<8x26xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %u = arith.extf %a : f16 to f32
    %v = arith.extf %b : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x26xf32>
  return %r : tensor<8x26xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @padded
// ok       @batch
// ok       @groups
// ok       @channels_last
// ok       @channel_by_channel
// ok       @along
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --target=x86-64-v4 --normalize --partition
// #map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d2, d3 + d4, d5)>
// #map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
// #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d4, d2, d5, d6)>
// #map3 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// #map4 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// #map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5, d3)>
// #map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// #map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// #map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d2, d3 + d4)>
// #map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// #map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d2, d4)>
// #map11 = affine_map<(d0, d1) -> (d0)>
// #map12 = affine_map<(d0, d1) -> (d0, d1)>
// #map13 = affine_map<(d0, d1, d2) -> (d2, d1)>
// #map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
// #map15 = affine_map<(d0, d1, d2) -> (d0, d1)>
// #map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d3, d4 * 2 + d5)>
// #map17 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// #map18 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// #map19 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// #map20 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3 + d4, d5 + d6)>
// #map21 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d4, d5, d6)>
// #map22 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d5, d4, d6)>
// #map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
// #map24 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
// #map25 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// #map26 = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
// #map27 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// module {
//   func.func @padded(%arg0: tensor<1x5x9x7xf32>, %arg1: tensor<20x5x3x3xf32>, %arg2: tensor<20xf32>) -> tensor<1x20x9x7xf32> {
//     %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x5x9x7xf32> into tensor<5x9x7xf32>
//     %0 = call @padded_kernel_0(%collapsed) : (tensor<5x9x7xf32>) -> tensor<5x3x3x9x7xf32>
//     %collapsed_0 = tensor.collapse_shape %0 [[0, 1, 2], [3, 4]] : tensor<5x3x3x9x7xf32> into tensor<45x63xf32>
//     %collapsed_1 = tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<20x5x3x3xf32> into tensor<20x45xf32>
//     %1 = call @padded_kernel_1(%arg2, %collapsed_0, %collapsed_1) : (tensor<20xf32>, tensor<45x63xf32>, tensor<20x45xf32>) -> tensor<20x63xf32>
//     %expanded = tensor.expand_shape %1 [[0, 1], [2, 3]] output_shape [1, 20, 9, 7] : tensor<20x63xf32> into tensor<1x20x9x7xf32>
//     return %expanded : tensor<1x20x9x7xf32>
//   }
//   func.func @batch(%arg0: tensor<3x4x8x8xf32>, %arg1: tensor<6x4x2x3xf32>, %arg2: tensor<3x6x4x3xf32>) -> tensor<3x6x4x3xf32> {
//     %0 = call @batch_kernel_0(%arg0) : (tensor<3x4x8x8xf32>) -> tensor<3x4x2x3x4x3xf32>
//     %collapsed = tensor.collapse_shape %0 [[0], [1, 2, 3], [4, 5]] : tensor<3x4x2x3x4x3xf32> into tensor<3x24x12xf32>
//     %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<6x4x2x3xf32> into tensor<6x24xf32>
//     %collapsed_1 = tensor.collapse_shape %arg2 [[0], [1], [2, 3]] : tensor<3x6x4x3xf32> into tensor<3x6x12xf32>
//     %1 = call @batch_kernel_1(%collapsed, %collapsed_0, %collapsed_1) : (tensor<3x24x12xf32>, tensor<6x24xf32>, tensor<3x6x12xf32>) -> tensor<3x6x12xf32>
//     %expanded = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [3, 6, 4, 3] : tensor<3x6x12xf32> into tensor<3x6x4x3xf32>
//     return %expanded : tensor<3x6x4x3xf32>
//   }
//   func.func @groups(%arg0: tensor<2x3x4x8x8xf32>, %arg1: tensor<3x5x4x3x3xf32>, %arg2: tensor<2x3x5x6x6xf32>) -> tensor<2x3x5x6x6xf32> {
//     %0 = call @groups_kernel_0(%arg0) : (tensor<2x3x4x8x8xf32>) -> tensor<2x3x4x3x3x6x6xf32>
//     %collapsed = tensor.collapse_shape %0 [[0], [1], [2, 3, 4], [5, 6]] : tensor<2x3x4x3x3x6x6xf32> into tensor<2x3x36x36xf32>
//     %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1], [2, 3, 4]] : tensor<3x5x4x3x3xf32> into tensor<3x5x36xf32>
//     %collapsed_1 = tensor.collapse_shape %arg2 [[0], [1], [2], [3, 4]] : tensor<2x3x5x6x6xf32> into tensor<2x3x5x36xf32>
//     %1 = call @groups_kernel_1(%collapsed, %collapsed_0, %collapsed_1) : (tensor<2x3x36x36xf32>, tensor<3x5x36xf32>, tensor<2x3x5x36xf32>) -> tensor<2x3x5x36xf32>
//     %expanded = tensor.expand_shape %1 [[0], [1], [2], [3, 4]] output_shape [2, 3, 5, 6, 6] : tensor<2x3x5x36xf32> into tensor<2x3x5x6x6xf32>
//     return %expanded : tensor<2x3x5x6x6xf32>
//   }
//   func.func @channels_last(%arg0: tensor<2x9x9x5xf32>, %arg1: tensor<3x3x5x17xf32>, %arg2: tensor<2x7x7x17xf32>) -> tensor<2x7x7x17xf32> {
//     %0 = tensor.empty() : tensor<2x7x3x7x3x5xf32>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9x9x5xf32>) outs(%0 : tensor<2x7x3x7x3x5xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<2x7x3x7x3x5xf32>
//     %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%1, %arg1 : tensor<2x7x3x7x3x5xf32>, tensor<3x3x5x17xf32>) outs(%arg2 : tensor<2x7x7x17xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %3 = arith.mulf %in, %in_0 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<2x7x7x17xf32>
//     return %2 : tensor<2x7x7x17xf32>
//   }
//   func.func @channel_by_channel(%arg0: tensor<2x9x9x5xf32>, %arg1: tensor<3x3x5xf32>, %arg2: tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32> {
//     %0 = tensor.empty() : tensor<2x7x3x7x3x5xf32>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9x9x5xf32>) outs(%0 : tensor<2x7x3x7x3x5xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<2x7x3x7x3x5xf32>
//     %2 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%1, %arg1 : tensor<2x7x3x7x3x5xf32>, tensor<3x3x5xf32>) outs(%arg2 : tensor<2x7x7x5xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %3 = arith.mulf %in, %in_0 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<2x7x7x5xf32>
//     return %2 : tensor<2x7x7x5xf32>
//   }
//   func.func @along(%arg0: tensor<4x30xf16>, %arg1: tensor<8x4x5xf16>, %arg2: tensor<8x26xf32>) -> tensor<8x26xf32> {
//     %0 = call @along_kernel_0(%arg0) : (tensor<4x30xf16>) -> tensor<4x5x26xf16>
//     %collapsed = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x5x26xf16> into tensor<20x26xf16>
//     %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1, 2]] : tensor<8x4x5xf16> into tensor<8x20xf16>
//     %1 = call @along_kernel_1(%collapsed, %collapsed_0, %arg2) : (tensor<20x26xf16>, tensor<8x20xf16>, tensor<8x26xf32>) -> tensor<8x26xf32>
//     return %1 : tensor<8x26xf32>
//   }
//   func.func @padded_kernel_0(%arg0: tensor<5x9x7xf32>) -> tensor<5x3x3x9x7xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %padded = tensor.pad %arg0 low[0, 1, 1] high[0, 1, 1] {
//     ^bb0(%arg1: index, %arg2: index, %arg3: index):
//       tensor.yield %cst : f32
//     } : tensor<5x9x7xf32> to tensor<5x11x9xf32>
//     %0 = tensor.empty() : tensor<5x3x9x3x7xf32>
//     %1 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<5x11x9xf32>) outs(%0 : tensor<5x3x9x3x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<5x3x9x3x7xf32>
//     %2 = tensor.empty() : tensor<5x3x3x9x7xf32>
//     %3 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<5x3x9x3x7xf32>) outs(%2 : tensor<5x3x3x9x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<5x3x3x9x7xf32>
//     return %3 : tensor<5x3x3x9x7xf32>
//   }
//   func.func @padded_kernel_1(%arg0: tensor<20xf32>, %arg1: tensor<45x63xf32>, %arg2: tensor<20x45xf32>) -> tensor<20x63xf32> {
//     %0 = tensor.empty() : tensor<20x63xf32>
//     %1 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<20xf32>) outs(%0 : tensor<20x63xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<20x63xf32>
//     %2 = linalg.generic {indexing_maps = [#map13, #map14, #map15], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg2 : tensor<45x63xf32>, tensor<20x45xf32>) outs(%1 : tensor<20x63xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %4 = arith.mulf %in, %in_0 : f32
//       %5 = arith.addf %out, %4 : f32
//       linalg.yield %5 : f32
//     } -> tensor<20x63xf32>
//     %cst = arith.constant 0.000000e+00 : f32
//     %3 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<20x63xf32>) outs(%0 : tensor<20x63xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %4 = arith.maximumf %in, %cst : f32
//       linalg.yield %4 : f32
//     } -> tensor<20x63xf32>
//     return %3 : tensor<20x63xf32>
//   }
//   func.func @batch_kernel_0(%arg0: tensor<3x4x8x8xf32>) -> tensor<3x4x2x3x4x3xf32> {
//     %0 = tensor.empty() : tensor<3x4x4x2x3x3xf32>
//     %1 = linalg.generic {indexing_maps = [#map16, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x4x8x8xf32>) outs(%0 : tensor<3x4x4x2x3x3xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<3x4x4x2x3x3xf32>
//     %2 = tensor.empty() : tensor<3x4x2x3x4x3xf32>
//     %3 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<3x4x4x2x3x3xf32>) outs(%2 : tensor<3x4x2x3x4x3xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<3x4x2x3x4x3xf32>
//     return %3 : tensor<3x4x2x3x4x3xf32>
//   }
//   func.func @batch_kernel_1(%arg0: tensor<3x24x12xf32>, %arg1: tensor<6x24xf32>, %arg2: tensor<3x6x12xf32>) -> tensor<3x6x12xf32> {
//     %0 = linalg.generic {indexing_maps = [#map17, #map18, #map19], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x24x12xf32>, tensor<6x24xf32>) outs(%arg2 : tensor<3x6x12xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %1 = arith.mulf %in, %in_0 : f32
//       %2 = arith.addf %out, %1 : f32
//       linalg.yield %2 : f32
//     } -> tensor<3x6x12xf32>
//     return %0 : tensor<3x6x12xf32>
//   }
//   func.func @groups_kernel_0(%arg0: tensor<2x3x4x8x8xf32>) -> tensor<2x3x4x3x3x6x6xf32> {
//     %0 = tensor.empty() : tensor<2x3x4x3x6x3x6xf32>
//     %1 = linalg.generic {indexing_maps = [#map20, #map21], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4x8x8xf32>) outs(%0 : tensor<2x3x4x3x6x3x6xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<2x3x4x3x6x3x6xf32>
//     %2 = tensor.empty() : tensor<2x3x4x3x3x6x6xf32>
//     %3 = linalg.generic {indexing_maps = [#map22, #map21], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x3x4x3x6x3x6xf32>) outs(%2 : tensor<2x3x4x3x3x6x6xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<2x3x4x3x3x6x6xf32>
//     return %3 : tensor<2x3x4x3x3x6x6xf32>
//   }
//   func.func @groups_kernel_1(%arg0: tensor<2x3x36x36xf32>, %arg1: tensor<3x5x36xf32>, %arg2: tensor<2x3x5x36xf32>) -> tensor<2x3x5x36xf32> {
//     %0 = linalg.generic {indexing_maps = [#map23, #map24, #map25], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x36x36xf32>, tensor<3x5x36xf32>) outs(%arg2 : tensor<2x3x5x36xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %1 = arith.mulf %in, %in_0 : f32
//       %2 = arith.addf %out, %1 : f32
//       linalg.yield %2 : f32
//     } -> tensor<2x3x5x36xf32>
//     return %0 : tensor<2x3x5x36xf32>
//   }
//   func.func @along_kernel_0(%arg0: tensor<4x30xf16>) -> tensor<4x5x26xf16> {
//     %0 = tensor.empty() : tensor<4x5x26xf16>
//     %1 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x30xf16>) outs(%0 : tensor<4x5x26xf16>) {
//     ^bb0(%in: f16, %out: f16):
//       linalg.yield %in : f16
//     } -> tensor<4x5x26xf16>
//     %2 = linalg.generic {indexing_maps = [#map27, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x5x26xf16>) outs(%0 : tensor<4x5x26xf16>) {
//     ^bb0(%in: f16, %out: f16):
//       linalg.yield %in : f16
//     } -> tensor<4x5x26xf16>
//     return %2 : tensor<4x5x26xf16>
//   }
//   func.func @along_kernel_1(%arg0: tensor<20x26xf16>, %arg1: tensor<8x20xf16>, %arg2: tensor<8x26xf32>) -> tensor<8x26xf32> {
//     %0 = linalg.generic {indexing_maps = [#map13, #map14, #map15], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<20x26xf16>, tensor<8x20xf16>) outs(%arg2 : tensor<8x26xf32>) {
//     ^bb0(%in: f16, %in_0: f16, %out: f32):
//       %1 = arith.extf %in : f16 to f32
//       %2 = arith.extf %in_0 : f16 to f32
//       %3 = arith.mulf %1, %2 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<8x26xf32>
//     return %0 : tensor<8x26xf32>
//   }
// }
