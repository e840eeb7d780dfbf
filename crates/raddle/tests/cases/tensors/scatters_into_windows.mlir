// Each update goes to a place in a window of its own: places go through the windows that they may be in, in place of a scatter.
// Windows overlap and reach beyond the image. Where all of a window is minus infinity, its first place is in the padding, and
// its number names a place at the end of the row before.
// RUN: raddle opt %s --to configured | grep -c linalg_ext.scatter
// RUN: raddle run %s | grep correct
// RUN: raddle run %s --input=1x2x3x4xf32=random --input=1x2x5x7xf32=-inf | grep correct
// RUN: raddle run %s --device=cpu | grep correct
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
func.func @gradient_of_a_maximum(%arg0: tensor<1x2x3x4xf32>, %arg1: tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %cst_0 = arith.constant 0xFF800000 : f32
  %c-1_i64 = arith.constant -1 : i64
  %padded = tensor.pad %arg1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
    tensor.yield %cst_0 : f32
  } : tensor<1x2x5x7xf32> to tensor<1x2x7x9xf32>
  %0 = tensor.empty() : tensor<1x2x3x4xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = tensor.empty() : tensor<3x3xf32>
  %3 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %2 : tensor<1x2x7x9xf32>, tensor<3x3xf32>) outs(%1 : tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %4 = tensor.empty() : tensor<1x2x3x4xi64>
  %5 = linalg.fill ins(%c-1_i64 : i64) outs(%4 : tensor<1x2x3x4xi64>) -> tensor<1x2x3x4xi64>
  %6 = tensor.empty() : tensor<3x3xi64>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%3, %6 : tensor<1x2x3x4xf32>, tensor<3x3xi64>) outs(%5 : tensor<1x2x3x4xi64>) {
  ^bb0(%in: f32, %in_2: i64, %out: i64):
    %13 = linalg.index 1 : index
    %14 = linalg.index 2 : index
    %15 = linalg.index 4 : index
    %16 = arith.muli %14, %c2 : index
    %17 = arith.addi %16, %15 : index
    %18 = linalg.index 3 : index
    %19 = linalg.index 5 : index
    %20 = arith.muli %18, %c2 : index
    %21 = arith.addi %20, %19 : index
    %extracted = tensor.extract %padded[%c0, %13, %17, %21] : tensor<1x2x7x9xf32>
    %22 = arith.cmpf oeq, %extracted, %in : f32
    %23 = arith.subi %21, %c1 : index
    %24 = arith.subi %17, %c1 : index
    %25 = arith.muli %24, %c7 : index
    %26 = arith.addi %23, %25 : index
    %27 = arith.index_cast %26 : index to i64
    %28 = arith.select %22, %27, %out : i64
    %29 = arith.cmpi eq, %out, %c-1_i64 : i64
    %30 = arith.select %29, %28, %out : i64
    linalg.yield %30 : i64
  } -> tensor<1x2x3x4xi64>
  %8 = tensor.empty() : tensor<1x2x3x4x4xi64>
  %9 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x3x4xi64>) outs(%8 : tensor<1x2x3x4x4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %13 = arith.index_cast %in : i64 to index
    %14 = linalg.index 4 : index
    %15 = arith.remsi %13, %c7 : index
    %16 = arith.cmpi eq, %14, %c3 : index
    %17 = arith.select %16, %15, %c0 : index
    %18 = arith.floordivsi %13, %c7 : index
    %19 = arith.cmpi eq, %14, %c2 : index
    %20 = arith.select %19, %18, %c0 : index
    %21 = arith.addi %17, %20 : index
    %22 = linalg.index 1 : index
    %23 = arith.cmpi eq, %14, %c1 : index
    %24 = arith.select %23, %22, %c0 : index
    %25 = arith.addi %21, %24 : index
    %26 = arith.index_cast %25 : index to i64
    linalg.yield %26 : i64
  } -> tensor<1x2x3x4x4xi64>
  %10 = tensor.empty() : tensor<1x2x5x7xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2, 3]] : tensor<1x2x3x4xf32> into tensor<24xf32>
  %collapsed_1 = tensor.collapse_shape %9 [[0, 1, 2, 3], [4]] : tensor<1x2x3x4x4xi64> into tensor<24x4xi64>
  %12 = iree_linalg_ext.scatter dimension_map = [0, 1, 2, 3] unique_indices(false) ins(%collapsed, %collapsed_1 : tensor<24xf32>, tensor<24x4xi64>) outs(%11 : tensor<1x2x5x7xf32>) {
  ^bb0(%arg2: f32, %arg3: f32):
    %13 = arith.addf %arg3, %arg2 : f32
    iree_linalg_ext.yield %13 : f32
  } -> tensor<1x2x5x7xf32>
  return %12 : tensor<1x2x5x7xf32>
}

// $ raddle opt %s --to configured | grep -c linalg_ext.scatter
// 0

// $ raddle run %s | grep correct
// correct: all 70 elements equal the reference bit for bit

// $ raddle run %s --input=1x2x3x4xf32=random --input=1x2x5x7xf32=-inf | grep correct
// correct: all 70 elements equal the reference bit for bit

// $ raddle run %s --device=cpu | grep correct
// correct: all 70 elements equal the reference bit for bit
