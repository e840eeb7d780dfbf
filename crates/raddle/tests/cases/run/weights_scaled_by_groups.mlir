// Weights are scaled by groups that their layout does not show: blocks of a list of all of them, two numbers of a table in
// a byte; groups along the sums, of eight numbers in a word along the columns; squares of a matrix; both halves of bytes,
// one behind the other. What makes them, scales them and multiplies a row by them is one kernel.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=cpu
#one = affine_map<(i) -> (i)>
#two = affine_map<(i, j) -> (i, j)>
#front = affine_map<(i, j) -> (i)>
func.func @blocks_of_a_table(%x: tensor<1x64xf32>, %q: tensor<512xi8>, %table: tensor<16xf32>, %scale: tensor<32xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %e = tensor.empty() : tensor<512xf32>
  %hi = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%q : tensor<512xi8>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.shrui %a, %c4 : i8
    %i = arith.index_castui %b : i8 to index
    %r = tensor.extract %table[%i] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %lo = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%q : tensor<512xi8>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.andi %a, %c15 : i8
    %i = arith.index_castui %b : i8 to index
    %r = tensor.extract %table[%i] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %hi1 = tensor.expand_shape %hi [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
  %lo1 = tensor.expand_shape %lo [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
  %both = tensor.concat dim(1) %hi1, %lo1 : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x2xf32>
  %flat = tensor.collapse_shape %both [[0, 1]] : tensor<512x2xf32> into tensor<1024xf32>
  %groups = tensor.expand_shape %flat [[0, 1]] output_shape [32, 32] : tensor<1024xf32> into tensor<32x32xf32>
  %ew = tensor.empty() : tensor<32x32xf32>
  %w = linalg.generic {indexing_maps = [#two, #front, #two], iterator_types = ["parallel", "parallel"]} ins(%groups, %scale : tensor<32x32xf32>, tensor<32xf32>) outs(%ew : tensor<32x32xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.mulf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %list = tensor.collapse_shape %w [[0, 1]] : tensor<32x32xf32> into tensor<1024xf32>
  %rows = tensor.expand_shape %list [[0, 1]] output_shape [16, 64] : tensor<1024xf32> into tensor<16x64xf32>
  %et = tensor.empty() : tensor<64x16xf32>
  %t = linalg.transpose ins(%rows : tensor<16x64xf32>) outs(%et : tensor<64x16xf32>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<1x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x16xf32>) -> tensor<1x16xf32>
  %y = linalg.matmul ins(%x, %t : tensor<1x64xf32>, tensor<64x16xf32>) outs(%init : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %y : tensor<1x16xf32>
}
func.func @words_along_columns(%x: tensor<1x32xf16>, %q: tensor<32x4xi32>, %scale: tensor<2x32xf16>) -> tensor<1x32xf16> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i32
  %shifts = arith.constant dense<[0, 16, 4, 20, 8, 24, 12, 28]> : tensor<8xi32>
  %e = tensor.empty() : tensor<32x4x8xf16>
  %apart = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q, %shifts : tensor<32x4xi32>, tensor<8xi32>) outs(%e : tensor<32x4x8xf16>) {
  ^bb0(%a: i32, %s: i32, %o: f16):
    %b = arith.shrsi %a, %s : i32
    %c = arith.andi %b, %c15 : i32
    %r = arith.sitofp %c : i32 to f16
    linalg.yield %r : f16
  } -> tensor<32x4x8xf16>
  %flat = tensor.collapse_shape %apart [[0], [1, 2]] : tensor<32x4x8xf16> into tensor<32x32xf16>
  %groups = tensor.expand_shape %flat [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf16> into tensor<2x16x32xf16>
  %ew = tensor.empty() : tensor<2x16x32xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<2x16x32xf16>, tensor<2x32xf16>) outs(%ew : tensor<2x16x32xf16>) {
  ^bb0(%a: f16, %s: f16, %o: f16):
    %r = arith.mulf %a, %s : f16
    linalg.yield %r : f16
  } -> tensor<2x16x32xf16>
  %matrix = tensor.collapse_shape %w [[0, 1], [2]] : tensor<2x16x32xf16> into tensor<32x32xf16>
  %ey = tensor.empty() : tensor<1x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %matrix : tensor<1x32xf16>, tensor<32x32xf16>) outs(%init : tensor<1x32xf32>) -> tensor<1x32xf32>
  %eh = tensor.empty() : tensor<1x32xf16>
  %h = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<1x32xf32>) outs(%eh : tensor<1x32xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x32xf16>
  return %h : tensor<1x32xf16>
}
func.func @squares_of_a_matrix(%x: tensor<1x32xbf16>, %q: tensor<32x32xf8E4M3FN>, %scale: tensor<2x2xbf16>) -> tensor<1x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<32x32xbf16>
  %wide = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<32x32xf8E4M3FN>) outs(%ec : tensor<32x32xbf16>) {
  ^bb0(%a: f8E4M3FN, %o: bf16):
    %r = arith.extf %a : f8E4M3FN to bf16
    linalg.yield %r : bf16
  } -> tensor<32x32xbf16>
  %squares = tensor.expand_shape %wide [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xbf16> into tensor<2x16x2x16xbf16>
  %ew = tensor.empty() : tensor<2x16x2x16xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, c)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%squares, %scale : tensor<2x16x2x16xbf16>, tensor<2x2xbf16>) outs(%ew : tensor<2x16x2x16xbf16>) {
  ^bb0(%a: bf16, %s: bf16, %o: bf16):
    %r = arith.mulf %a, %s : bf16
    linalg.yield %r : bf16
  } -> tensor<2x16x2x16xbf16>
  %rows = tensor.collapse_shape %w [[0, 1], [2, 3]] : tensor<2x16x2x16xbf16> into tensor<32x32xbf16>
  %et = tensor.empty() : tensor<32x32xbf16>
  %t = linalg.transpose ins(%rows : tensor<32x32xbf16>) outs(%et : tensor<32x32xbf16>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<1x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %t : tensor<1x32xbf16>, tensor<32x32xbf16>) outs(%init : tensor<1x32xf32>) -> tensor<1x32xf32>
  %eh = tensor.empty() : tensor<1x32xbf16>
  %h = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<1x32xf32>) outs(%eh : tensor<1x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x32xbf16>
  return %h : tensor<1x32xbf16>
}
func.func @halves_of_bytes_for_two_groups(%x: tensor<1x64xf32>, %q: tensor<8x32xi8>, %scale: tensor<8x2xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %e = tensor.empty() : tensor<8x32xi8>
  %lo = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.andi %a, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<8x32xi8>
  %hi = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.shrui %a, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<8x32xi8>
  %both = tensor.concat dim(1) %lo, %hi : (tensor<8x32xi8>, tensor<8x32xi8>) -> tensor<8x64xi8>
  %groups = tensor.expand_shape %both [[0], [1, 2]] output_shape [8, 2, 32] : tensor<8x64xi8> into tensor<8x2x32xi8>
  %ew = tensor.empty() : tensor<8x2x32xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<8x2x32xi8>, tensor<8x2xf32>) outs(%ew : tensor<8x2x32xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %f = arith.uitofp %a : i8 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<8x2x32xf32>
  %rows = tensor.collapse_shape %w [[0], [1, 2]] : tensor<8x2x32xf32> into tensor<8x64xf32>
  %et = tensor.empty() : tensor<64x8xf32>
  %t = linalg.transpose ins(%rows : tensor<8x64xf32>) outs(%et : tensor<64x8xf32>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<1x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x8xf32>) -> tensor<1x8xf32>
  %y = linalg.matmul ins(%x, %t : tensor<1x64xf32>, tensor<64x8xf32>) outs(%init : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}
func.func @values_of_both_halves(%q: tensor<6x16xi8>, %table: tensor<16xf32>, %scale: tensor<6xf32>) -> tensor<6x32xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %e = tensor.empty() : tensor<6x16xf32>
  %lo = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<6x16xi8>) outs(%e : tensor<6x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.andi %a, %c15 : i8
    %i = arith.index_castui %b : i8 to index
    %r = tensor.extract %table[%i] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<6x16xf32>
  %hi = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<6x16xi8>) outs(%e : tensor<6x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.shrui %a, %c4 : i8
    %i = arith.index_castui %b : i8 to index
    %r = tensor.extract %table[%i] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<6x16xf32>
  %both = tensor.concat dim(1) %lo, %hi : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x32xf32>
  %ew = tensor.empty() : tensor<6x32xf32>
  %w = linalg.generic {indexing_maps = [#two, #front, #two], iterator_types = ["parallel", "parallel"]} ins(%both, %scale : tensor<6x32xf32>, tensor<6xf32>) outs(%ew : tensor<6x32xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.mulf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<6x32xf32>
  return %w : tensor<6x32xf32>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @blocks_of_a_table_kernel_0(%arg0: tensor<512xi8>, %arg1: tensor<16xf32>, %arg2: tensor<32xf32>, %arg3: tensor<64xf32>) -> tensor<16xf32> attributes {translation_info = #translation} {
//   func.func @words_along_columns_kernel_0(%arg0: tensor<32x4xi32>, %arg1: tensor<8xi32>, %arg2: tensor<2x32xf16>, %arg3: tensor<32xf16>) -> tensor<4x8xf16> attributes {translation_info = #translation} {
//   func.func @squares_of_a_matrix_kernel_0(%arg0: tensor<32x32xf8E4M3FN>, %arg1: tensor<2x2xbf16>, %arg2: tensor<32xbf16>) -> tensor<2x16xbf16> attributes {translation_info = #translation} {
//   func.func @halves_of_bytes_for_two_groups_kernel_0(%arg0: tensor<8x32xi8>, %arg1: tensor<8x2xf32>, %arg2: tensor<64xf32>) -> tensor<8xf32> attributes {translation_info = #translation} {
//   func.func @values_of_both_halves_kernel_0(%arg0: tensor<6x16xi8>, %arg1: tensor<16xf32>, %arg2: tensor<6xf32>) -> tensor<6x2x16xf32> attributes {translation_info = #translation} {

// $ raddle run %s --all
// ok       @blocks_of_a_table
// ok       @words_along_columns
// ok       @squares_of_a_matrix
// ok       @halves_of_bytes_for_two_groups
// ok       @values_of_both_halves
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @blocks_of_a_table
// ok       @words_along_columns
// ok       @squares_of_a_matrix
// ok       @halves_of_bytes_for_two_groups
// ok       @values_of_both_halves
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs
