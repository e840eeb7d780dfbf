// A rotary embedding is one kernel: what is put together from slices is a selection, and slices, reshapes and
// transpositions are ways to read the argument. So are a padded product and a padded pooling: a mask says where padding
// is, also for what has one element in a tile.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --partition
#i3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#t = affine_map<(d0, d1, d2) -> (d1, d2)>
func.func @rope(%x: tensor<20x64xf32>, %cos: tensor<20x16xf32>, %sin: tensor<20x16xf32>) -> tensor<4x20x16xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [20, 4, 16] : tensor<20x64xf32> into tensor<20x4x16xf32>
  %em = tensor.empty() : tensor<4x20x16xf32>
  %q = linalg.transpose ins(%e : tensor<20x4x16xf32>) outs(%em : tensor<4x20x16xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [4, 20, 8] [1, 1, 1] : tensor<4x20x16xf32> to tensor<4x20x8xf32>
  %b = tensor.extract_slice %q[0, 0, 8] [4, 20, 8] [1, 1, 1] : tensor<4x20x16xf32> to tensor<4x20x8xf32>
  %e8 = tensor.empty() : tensor<4x20x8xf32>
  %n = linalg.negf ins(%b : tensor<4x20x8xf32>) outs(%e8 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
  %c = tensor.concat dim(2) %n, %a : (tensor<4x20x8xf32>, tensor<4x20x8xf32>) -> tensor<4x20x16xf32>
  %r = linalg.generic {indexing_maps = [#i3, #i3, #t, #t, #i3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q, %c, %cos, %sin : tensor<4x20x16xf32>, tensor<4x20x16xf32>, tensor<20x16xf32>, tensor<20x16xf32>) outs(%em : tensor<4x20x16xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32, %s: f32, %o: f32):
    %1 = arith.mulf %u, %w : f32
    %2 = arith.mulf %v, %s : f32
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x20x16xf32>
  return %r : tensor<4x20x16xf32>
}
func.func @nhwc16(%a: tensor<2x28x28x64xf16>, %w: tensor<3x3x64x64xf16>) -> tensor<2x14x14x64xf32> {
  %c = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] { ^bb0(%i: index, %j: index, %k: index, %l: index): tensor.yield %c : f16 } : tensor<2x28x28x64xf16> to tensor<2x30x30x64xf16>
  %e = tensor.empty() : tensor<2x14x14x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%p, %w : tensor<2x30x30x64xf16>, tensor<3x3x64x64xf16>) outs(%f : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  return %r : tensor<2x14x14x64xf32>
}
func.func @maxpool(%a: tensor<2x16x28x28xf32>) -> tensor<2x16x14x14xf32> {
  %c = arith.constant 0xFF800000 : f32
  %p = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] { ^bb0(%i: index, %j: index, %k: index, %l: index): tensor.yield %c : f32 } : tensor<2x16x28x28xf32> to tensor<2x16x30x30xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<2x16x14x14xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%p, %k : tensor<2x16x30x30xf32>, tensor<3x3xf32>) outs(%f : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
  return %r : tensor<2x16x14x14xf32>
}
func.func @batch(%a: tensor<2x64x64xf16>, %b: tensor<4x64x64xf16>) -> tensor<4x64x64xf32> {
  %c = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[2, 0, 0] high[0, 0, 0] { ^bb0(%i: index, %j: index, %k: index): tensor.yield %c : f16 } : tensor<2x64x64xf16> to tensor<4x64x64xf16>
  %e = tensor.empty() : tensor<4x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %r = linalg.batch_matmul ins(%p, %b : tensor<4x64x64xf16>, tensor<4x64x64xf16>) outs(%f : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  return %r : tensor<4x64x64xf32>
}

// $ raddle run %s --all
// ok       @rope
// ok       @nhwc16
// ok       @maxpool
// ok       @batch
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @rope
// ok       @nhwc16
// ok       @maxpool
// ok       @batch
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --partition
// #map = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// #map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// #map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
// module {
//   func.func @rope(%arg0: tensor<20x64xf32>, %arg1: tensor<20x16xf32>, %arg2: tensor<20x16xf32>) -> tensor<4x20x16xf32> {
//     %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [20, 4, 16] : tensor<20x64xf32> into tensor<20x4x16xf32>
//     %0 = tensor.empty() : tensor<4x20x16xf32>
//     %transposed = linalg.transpose ins(%expanded : tensor<20x4x16xf32>) outs(%0 : tensor<4x20x16xf32>) permutation = [1, 0, 2]
//     %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [20, 4, 8] [1, 1, 1] : tensor<20x4x16xf32> to tensor<20x4x8xf32>
//     %extracted_slice_0 = tensor.extract_slice %expanded[0, 0, 8] [20, 4, 8] [1, 1, 1] : tensor<20x4x16xf32> to tensor<20x4x8xf32>
//     %padded = tensor.pad %extracted_slice_0 low[0, 0, 0] high[0, 0, 8] {
//     ^bb0(%arg3: index, %arg4: index, %arg5: index):
//       %cst = arith.constant 0.000000e+00 : f32
//       tensor.yield %cst : f32
//     } : tensor<20x4x8xf32> to tensor<20x4x16xf32>
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded : tensor<20x4x16xf32>) outs(%0 : tensor<4x20x16xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<4x20x16xf32>
//     %2 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x20x16xf32>) outs(%0 : tensor<4x20x16xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %6 = arith.negf %in : f32
//       linalg.yield %6 : f32
//     } -> tensor<4x20x16xf32>
//     %padded_1 = tensor.pad %extracted_slice low[0, 0, 8] high[0, 0, 0] {
//     ^bb0(%arg3: index, %arg4: index, %arg5: index):
//       %cst = arith.constant 0.000000e+00 : f32
//       tensor.yield %cst : f32
//     } : tensor<20x4x8xf32> to tensor<20x4x16xf32>
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded_1 : tensor<20x4x16xf32>) outs(%0 : tensor<4x20x16xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<4x20x16xf32>
//     %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<4x20x16xf32>, tensor<4x20x16xf32>) outs(%0 : tensor<4x20x16xf32>) {
//     ^bb0(%in: f32, %in_2: f32, %out: f32):
//       %6 = linalg.index 2 : index
//       %c8 = arith.constant 8 : index
//       %7 = arith.cmpi ult, %6, %c8 : index
//       %8 = arith.select %7, %in, %in_2 : f32
//       linalg.yield %8 : f32
//     } -> tensor<4x20x16xf32>
//     %5 = linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed, %4, %arg1, %arg2 : tensor<4x20x16xf32>, tensor<4x20x16xf32>, tensor<20x16xf32>, tensor<20x16xf32>) outs(%0 : tensor<4x20x16xf32>) {
//     ^bb0(%in: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32):
//       %6 = arith.mulf %in, %in_3 : f32
//       %7 = arith.mulf %in_2, %in_4 : f32
//       %8 = arith.addf %6, %7 : f32
//       linalg.yield %8 : f32
//     } -> tensor<4x20x16xf32>
//     return %5 : tensor<4x20x16xf32>
//   }
//   func.func @nhwc16(%arg0: tensor<2x28x28x64xf16>, %arg1: tensor<3x3x64x64xf16>) -> tensor<2x14x14x64xf32> {
//     %cst = arith.constant 0.000000e+00 : f16
//     %cst_0 = arith.constant 0.000000e+00 : f32
//     %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
//     ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
//       tensor.yield %cst : f16
//     } : tensor<2x28x28x64xf16> to tensor<2x30x30x64xf16>
//     %0 = tensor.empty() : tensor<2x14x14x64xf32>
//     %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
//     %2 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<2x30x30x64xf16>, tensor<3x3x64x64xf16>) outs(%1 : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
//     return %2 : tensor<2x14x14x64xf32>
//   }
//   func.func @maxpool(%arg0: tensor<2x16x28x28xf32>) -> tensor<2x16x14x14xf32> {
//     %cst = arith.constant 0xFF800000 : f32
//     %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
//     ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
//       tensor.yield %cst : f32
//     } : tensor<2x16x28x28xf32> to tensor<2x16x30x30xf32>
//     %0 = tensor.empty() : tensor<3x3xf32>
//     %1 = tensor.empty() : tensor<2x16x14x14xf32>
//     %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
//     %3 = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%padded, %0 : tensor<2x16x30x30xf32>, tensor<3x3xf32>) outs(%2 : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
//     return %3 : tensor<2x16x14x14xf32>
//   }
//   func.func @batch(%arg0: tensor<2x64x64xf16>, %arg1: tensor<4x64x64xf16>) -> tensor<4x64x64xf32> {
//     %cst = arith.constant 0.000000e+00 : f16
//     %cst_0 = arith.constant 0.000000e+00 : f32
//     %padded = tensor.pad %arg0 low[2, 0, 0] high[0, 0, 0] {
//     ^bb0(%arg2: index, %arg3: index, %arg4: index):
//       tensor.yield %cst : f16
//     } : tensor<2x64x64xf16> to tensor<4x64x64xf16>
//     %0 = tensor.empty() : tensor<4x64x64xf32>
//     %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
//     %2 = linalg.batch_matmul ins(%padded, %arg1 : tensor<4x64x64xf16>, tensor<4x64x64xf16>) outs(%1 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
//     return %2 : tensor<4x64x64xf32>
//   }
// }
