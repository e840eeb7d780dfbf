// Rows of several matrices that are multiplied by the same one are rows of one matrix, unless what is behind the product
// needs them apart: heads are split in its kernel. Rows of softmaxes that do not fill vectors are masked on CPUs.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --partition
#rows = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (n)>
#heads = affine_map<(b, h, m, d) -> (b, m, h, d)>
#all = affine_map<(b, h, m, d) -> (b, h, m, d)>
func.func @joined(%x: tensor<3x7x12xf32>, %w: tensor<12x20xf32>, %bias: tensor<20xf32>) -> tensor<3x7x20xf32> {
  %z = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x12x20xf32>
  %ws = linalg.broadcast ins(%w : tensor<12x20xf32>) outs(%ew : tensor<3x12x20xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<3x7x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  %p = linalg.batch_matmul ins(%x, %ws : tensor<3x7x12xf32>, tensor<3x12x20xf32>) outs(%f : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  %s = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %bias : tensor<3x7x20xf32>, tensor<20xf32>) outs(%e : tensor<3x7x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<3x7x20xf32>
  %r = linalg.softmax dimension(2) ins(%s : tensor<3x7x20xf32>) outs(%e : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  return %r : tensor<3x7x20xf32>
}
func.func @open(%x: tensor<?x7x12xf32>, %w: tensor<12x20xf32>) -> tensor<?x7x20xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x7x12xf32>
  %ew = tensor.empty(%n) : tensor<?x12x20xf32>
  %ws = linalg.broadcast ins(%w : tensor<12x20xf32>) outs(%ew : tensor<?x12x20xf32>) dimensions = [0]
  %e = tensor.empty(%n) : tensor<?x7x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x7x20xf32>) -> tensor<?x7x20xf32>
  %p = linalg.batch_matmul ins(%x, %ws : tensor<?x7x12xf32>, tensor<?x12x20xf32>) outs(%f : tensor<?x7x20xf32>) -> tensor<?x7x20xf32>
  %r = linalg.softmax dimension(2) ins(%p : tensor<?x7x20xf32>) outs(%e : tensor<?x7x20xf32>) -> tensor<?x7x20xf32>
  return %r : tensor<?x7x20xf32>
}
func.func @split(%x: tensor<3x7x12xf32>, %w: tensor<12x20xf32>) -> tensor<3x4x7x5xf32> {
  %z = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x12x20xf32>
  %ws = linalg.broadcast ins(%w : tensor<12x20xf32>) outs(%ew : tensor<3x12x20xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<3x7x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  %p = linalg.batch_matmul ins(%x, %ws : tensor<3x7x12xf32>, tensor<3x12x20xf32>) outs(%f : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  %h = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [3, 7, 4, 5] : tensor<3x7x20xf32> into tensor<3x7x4x5xf32>
  %eh = tensor.empty() : tensor<3x4x7x5xf32>
  %t = linalg.generic {indexing_maps = [#heads, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%h : tensor<3x7x4x5xf32>) outs(%eh : tensor<3x4x7x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4x7x5xf32>
  %r = linalg.softmax dimension(3) ins(%t : tensor<3x4x7x5xf32>) outs(%eh : tensor<3x4x7x5xf32>) -> tensor<3x4x7x5xf32>
  return %r : tensor<3x4x7x5xf32>
}

// Windows are read by kernels alone: rows of images are not joined with them.
func.func @windows(%x: tensor<2x6x3x5x6xf32>, %w: tensor<3x3x2x1x3x3xf32>) -> tensor<2x9x3x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %x [[0], [1, 2], [3], [4], [5]] output_shape [2, 3, 2, 3, 5, 6] : tensor<2x6x3x5x6xf32> into tensor<2x3x2x3x5x6xf32>
  %empty = tensor.empty() : tensor<2x3x3x3x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x3x3x2x2xf32>) -> tensor<2x3x3x3x2x2xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, g, f, d, h, w, c, i, j, k) -> (n, g, c, d + i, h * 2 + j, w * 2 + k)>, affine_map<(n, g, f, d, h, w, c, i, j, k) -> (g, f, c, i, j, k)>, affine_map<(n, g, f, d, h, w, c, i, j, k) -> (n, g, f, d, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%groups, %w : tensor<2x3x2x3x5x6xf32>, tensor<3x3x2x1x3x3xf32>) outs(%init : tensor<2x3x3x3x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3x3x2x2xf32>
  %flat = tensor.collapse_shape %sums [[0], [1, 2], [3], [4], [5]] : tensor<2x3x3x3x2x2xf32> into tensor<2x9x3x2x2xf32>
  return %flat : tensor<2x9x3x2x2xf32>
}

// $ raddle run %s --all
// ok       @joined
// ok       @open
// ok       @split
// ok       @windows
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @joined
// ok       @open
// ok       @split
// ok       @windows
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --partition
// #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// #map3 = affine_map<(d0, d1) -> (d0, d1)>
// #map4 = affine_map<(d0, d1) -> (d1)>
// #map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// #map6 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// #map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// #map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// #map9 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4 * 2 + d5, d6 * 2 + d7)>
// #map10 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4, d5, d6, d7)>
// #map11 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d2, d6, d7, d8)>
// #map12 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d6, d3, d4, d7, d5, d8)>
// #map13 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d4, d5)>
// module {
//   func.func @joined(%arg0: tensor<3x7x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<20xf32>) -> tensor<3x7x20xf32> {
//     %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<3x7x12xf32> into tensor<21x12xf32>
//     %0 = call @joined_kernel_0(%collapsed, %arg1, %arg2) : (tensor<21x12xf32>, tensor<12x20xf32>, tensor<20xf32>) -> tensor<21x20xf32>
//     %1 = call @joined_kernel_1(%0) : (tensor<21x20xf32>) -> tensor<3x7x20xf32>
//     return %1 : tensor<3x7x20xf32>
//   }
//   func.func @open(%arg0: tensor<?x7x12xf32>, %arg1: tensor<12x20xf32>) -> tensor<?x7x20xf32> {
//     %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x7x12xf32> into tensor<?x12xf32>
//     %0 = call @open_kernel_0(%collapsed, %arg1, %arg0) : (tensor<?x12xf32>, tensor<12x20xf32>, tensor<?x7x12xf32>) -> tensor<?x20xf32>
//     %c0 = arith.constant 0 : index
//     %dim = tensor.dim %arg0, %c0 : tensor<?x7x12xf32>
//     %expanded = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%dim, 7, 20] : tensor<?x20xf32> into tensor<?x7x20xf32>
//     %1 = call @open_kernel_1(%expanded, %arg0) : (tensor<?x7x20xf32>, tensor<?x7x12xf32>) -> tensor<?x7x20xf32>
//     return %1 : tensor<?x7x20xf32>
//   }
//   func.func @split(%arg0: tensor<3x7x12xf32>, %arg1: tensor<12x20xf32>) -> tensor<3x4x7x5xf32> {
//     %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<3x7x12xf32> into tensor<21x12xf32>
//     %0 = call @split_kernel_0(%collapsed, %arg1) : (tensor<21x12xf32>, tensor<12x20xf32>) -> tensor<21x20xf32>
//     %1 = call @split_kernel_1(%0) : (tensor<21x20xf32>) -> tensor<3x4x7x5xf32>
//     return %1 : tensor<3x4x7x5xf32>
//   }
//   func.func @windows(%arg0: tensor<2x6x3x5x6xf32>, %arg1: tensor<3x3x2x1x3x3xf32>) -> tensor<2x9x3x2x2xf32> {
//     %collapsed = tensor.collapse_shape %arg1 [[0], [1], [2, 3], [4], [5]] : tensor<3x3x2x1x3x3xf32> into tensor<3x3x2x3x3xf32>
//     %0 = call @windows_kernel_0(%collapsed, %arg0) : (tensor<3x3x2x3x3xf32>, tensor<2x6x3x5x6xf32>) -> tensor<2x3x3x3x2x2xf32>
//     %collapsed_0 = tensor.collapse_shape %0 [[0], [1, 2], [3], [4], [5]] : tensor<2x3x3x3x2x2xf32> into tensor<2x9x3x2x2xf32>
//     return %collapsed_0 : tensor<2x9x3x2x2xf32>
//   }
//   func.func @joined_kernel_0(%arg0: tensor<21x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<20xf32>) -> tensor<21x20xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = tensor.empty() : tensor<21x20xf32>
//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<21x20xf32>) -> tensor<21x20xf32>
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<21x12xf32>, tensor<12x20xf32>) outs(%1 : tensor<21x20xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %4 = arith.mulf %in, %in_0 : f32
//       %5 = arith.addf %out, %4 : f32
//       linalg.yield %5 : f32
//     } -> tensor<21x20xf32>
//     %3 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<21x20xf32>, tensor<20xf32>) outs(%0 : tensor<21x20xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %4 = arith.addf %in, %in_0 : f32
//       linalg.yield %4 : f32
//     } -> tensor<21x20xf32>
//     return %3 : tensor<21x20xf32>
//   }
//   func.func @joined_kernel_1(%arg0: tensor<21x20xf32>) -> tensor<3x7x20xf32> {
//     %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [3, 7, 20] : tensor<21x20xf32> into tensor<3x7x20xf32>
//     %cst = arith.constant 0xFF800000 : f32
//     %0 = tensor.empty() : tensor<3x7xf32>
//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
//     %2 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<3x7x20xf32>) outs(%1 : tensor<3x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %8 = arith.maxnumf %in, %out : f32
//       linalg.yield %8 : f32
//     } -> tensor<3x7xf32>
//     %3 = tensor.empty() : tensor<3x7x20xf32>
//     %4 = linalg.generic {indexing_maps = [#map5, #map2, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %2 : tensor<3x7x20xf32>, tensor<3x7xf32>) outs(%3 : tensor<3x7x20xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %8 = arith.subf %in, %in_1 : f32
//       %9 = math.exp %8 {raddle.not_positive} : f32
//       linalg.yield %9 : f32
//     } -> tensor<3x7x20xf32>
//     %cst_0 = arith.constant 0.000000e+00 : f32
//     %5 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
//     %6 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<3x7x20xf32>) outs(%5 : tensor<3x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %8 = arith.addf %in, %out : f32
//       linalg.yield %8 : f32
//     } -> tensor<3x7xf32>
//     %7 = linalg.generic {indexing_maps = [#map5, #map2, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<3x7x20xf32>, tensor<3x7xf32>) outs(%3 : tensor<3x7x20xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %cst_2 = arith.constant 1.000000e+00 : f32
//       %8 = arith.divf %cst_2, %in_1 : f32
//       %9 = arith.mulf %in, %8 : f32
//       linalg.yield %9 : f32
//     } -> tensor<3x7x20xf32>
//     return %7 : tensor<3x7x20xf32>
//   }
//   func.func @open_kernel_0(%arg0: tensor<?x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<?x7x12xf32>) -> tensor<?x20xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %c0 = arith.constant 0 : index
//     %dim = tensor.dim %arg2, %c0 : tensor<?x7x12xf32>
//     %c7 = arith.constant 7 : index
//     %0 = arith.muli %dim, %c7 : index
//     %1 = tensor.empty(%0) : tensor<?x20xf32>
//     %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x20xf32>) -> tensor<?x20xf32>
//     %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x12xf32>, tensor<12x20xf32>) outs(%2 : tensor<?x20xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %4 = arith.mulf %in, %in_0 : f32
//       %5 = arith.addf %out, %4 : f32
//       linalg.yield %5 : f32
//     } -> tensor<?x20xf32>
//     return %3 : tensor<?x20xf32>
//   }
//   func.func @open_kernel_1(%arg0: tensor<?x7x20xf32>, %arg1: tensor<?x7x12xf32>) -> tensor<?x7x20xf32> {
//     %cst = arith.constant 0xFF800000 : f32
//     %c0 = arith.constant 0 : index
//     %dim = tensor.dim %arg1, %c0 : tensor<?x7x12xf32>
//     %0 = tensor.empty(%dim) : tensor<?x7xf32>
//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x7xf32>) -> tensor<?x7xf32>
//     %2 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x7x20xf32>) outs(%1 : tensor<?x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %8 = arith.maxnumf %in, %out : f32
//       linalg.yield %8 : f32
//     } -> tensor<?x7xf32>
//     %3 = tensor.empty(%dim) : tensor<?x7x20xf32>
//     %4 = linalg.generic {indexing_maps = [#map5, #map2, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %2 : tensor<?x7x20xf32>, tensor<?x7xf32>) outs(%3 : tensor<?x7x20xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %8 = arith.subf %in, %in_1 : f32
//       %9 = math.exp %8 {raddle.not_positive} : f32
//       linalg.yield %9 : f32
//     } -> tensor<?x7x20xf32>
//     %cst_0 = arith.constant 0.000000e+00 : f32
//     %5 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<?x7xf32>) -> tensor<?x7xf32>
//     %6 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<?x7x20xf32>) outs(%5 : tensor<?x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %8 = arith.addf %in, %out : f32
//       linalg.yield %8 : f32
//     } -> tensor<?x7xf32>
//     %7 = linalg.generic {indexing_maps = [#map5, #map2, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<?x7x20xf32>, tensor<?x7xf32>) outs(%3 : tensor<?x7x20xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %cst_2 = arith.constant 1.000000e+00 : f32
//       %8 = arith.divf %cst_2, %in_1 : f32
//       %9 = arith.mulf %in, %8 : f32
//       linalg.yield %9 : f32
//     } -> tensor<?x7x20xf32>
//     return %7 : tensor<?x7x20xf32>
//   }
//   func.func @split_kernel_0(%arg0: tensor<21x12xf32>, %arg1: tensor<12x20xf32>) -> tensor<21x20xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = tensor.empty() : tensor<21x20xf32>
//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<21x20xf32>) -> tensor<21x20xf32>
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<21x12xf32>, tensor<12x20xf32>) outs(%1 : tensor<21x20xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %3 = arith.mulf %in, %in_0 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<21x20xf32>
//     return %2 : tensor<21x20xf32>
//   }
//   func.func @split_kernel_1(%arg0: tensor<21x20xf32>) -> tensor<3x4x7x5xf32> {
//     %expanded = tensor.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [3, 7, 4, 5] : tensor<21x20xf32> into tensor<3x7x4x5xf32>
//     %0 = tensor.empty() : tensor<3x4x7x5xf32>
//     %1 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<3x7x4x5xf32>) outs(%0 : tensor<3x4x7x5xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<3x4x7x5xf32>
//     %cst = arith.constant 0xFF800000 : f32
//     %2 = tensor.empty() : tensor<3x4x7xf32>
//     %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x4x7xf32>) -> tensor<3x4x7xf32>
//     %4 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<3x4x7x5xf32>) outs(%3 : tensor<3x4x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %9 = arith.maxnumf %in, %out : f32
//       linalg.yield %9 : f32
//     } -> tensor<3x4x7xf32>
//     %5 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<3x4x7x5xf32>, tensor<3x4x7xf32>) outs(%0 : tensor<3x4x7x5xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %9 = arith.subf %in, %in_1 : f32
//       %10 = math.exp %9 {raddle.not_positive} : f32
//       linalg.yield %10 : f32
//     } -> tensor<3x4x7x5xf32>
//     %cst_0 = arith.constant 0.000000e+00 : f32
//     %6 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<3x4x7xf32>) -> tensor<3x4x7xf32>
//     %7 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<3x4x7x5xf32>) outs(%6 : tensor<3x4x7xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %9 = arith.addf %in, %out : f32
//       linalg.yield %9 : f32
//     } -> tensor<3x4x7xf32>
//     %8 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<3x4x7x5xf32>, tensor<3x4x7xf32>) outs(%0 : tensor<3x4x7x5xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %cst_2 = arith.constant 1.000000e+00 : f32
//       %9 = arith.divf %cst_2, %in_1 : f32
//       %10 = arith.mulf %in, %9 : f32
//       linalg.yield %10 : f32
//     } -> tensor<3x4x7x5xf32>
//     return %8 : tensor<3x4x7x5xf32>
//   }
//   func.func @windows_kernel_0(%arg0: tensor<3x3x2x3x3xf32>, %arg1: tensor<2x6x3x5x6xf32>) -> tensor<2x3x3x3x2x2xf32> {
//     %expanded = tensor.expand_shape %arg1 [[0], [1, 2], [3], [4], [5]] output_shape [2, 3, 2, 3, 5, 6] : tensor<2x6x3x5x6xf32> into tensor<2x3x2x3x5x6xf32>
//     %0 = tensor.empty() : tensor<2x3x2x3x2x3x2x3xf32>
//     %1 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x2x3x5x6xf32>) outs(%0 : tensor<2x3x2x3x2x3x2x3xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<2x3x2x3x2x3x2x3xf32>
//     %cst = arith.constant 0.000000e+00 : f32
//     %2 = tensor.empty() : tensor<2x3x3x3x2x2xf32>
//     %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x3x3x3x2x2xf32>) -> tensor<2x3x3x3x2x2xf32>
//     %4 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %1 : tensor<3x3x2x3x3xf32>, tensor<2x3x2x3x2x3x2x3xf32>) outs(%3 : tensor<2x3x3x3x2x2xf32>) {
//     ^bb0(%in: f32, %in_0: f32, %out: f32):
//       %5 = arith.mulf %in_0, %in : f32
//       %6 = arith.addf %5, %out : f32
//       linalg.yield %6 : f32
//     } -> tensor<2x3x3x3x2x2xf32>
//     return %4 : tensor<2x3x3x3x2x2xf32>
//   }
// }
