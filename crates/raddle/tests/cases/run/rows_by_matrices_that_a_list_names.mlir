// Each row is multiplied by a matrix of its own, which a list names, as a word by the weights of its experts: a product
// with a vector, which reads the matrix as wide as if it were an operand, beyond the last whole step of its rows, too.
// RUN: raddle opt %s --target=sm_90a --to=configured | grep lowering_config<
// RUN: raddle build %s --function=experts --target=sm_90a -o - | grep -c ld.global.nc.v4.b32
// RUN: raddle build %s --function=experts --target=gfx942 --emit=llvm -o - | grep -c 'load <8 x half>'
// RUN: raddle build %s --function=columns --target=sm_80 -o - | grep -c ld.global.nc.v4.b32
// RUN: raddle run %s --function=experts --target=sm_80 --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// RUN: raddle run %s --function=experts --target=gfx942 --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// RUN: raddle run %s --function=experts --device=ptx-emu --target=sm_90a --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// RUN: raddle run %s --function=experts --device=cpu --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// RUN: raddle run %s --function=columns --target=sm_80 --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// RUN: raddle run %s --function=columns --target=gfx942 --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// RUN: raddle run %s --function=columns --device=ptx-emu --target=sm_90a --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// RUN: raddle run %s --function=columns --device=cpu --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// RUN: raddle build %s --function=of_words --target=sm_90a -o - | grep entry
// RUN: raddle run %s --function=of_words --target=sm_80 --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// RUN: raddle run %s --function=of_words --target=gfx942 --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// RUN: raddle run %s --function=of_words --device=ptx-emu --target=sm_90a --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// RUN: raddle run %s --function=of_words --device=cpu --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
#row = affine_map<(d0, d1) -> (d0)>
#rows = affine_map<(d0, d1) -> (d0, d1)>
#number = affine_map<(d0, d1, d2) -> (d0)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Gated rows in front, and the factor of the router behind.
func.func @experts(%which: tensor<6xi64>, %weights: tensor<5x45x264xf16>, %x: tensor<6x528xf16>, %factors: tensor<6xf32>) -> tensor<6x45xf16> {
  %none = arith.constant 0 : i64
  %count = arith.constant 5 : i64
  %one = arith.constant 1.0 : f16
  %zero = arith.constant 0.0 : f32
  %w_empty = tensor.empty() : tensor<6x45x264xf16>
  %w = linalg.generic {indexing_maps = [#number, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%which : tensor<6xi64>) outs(%w_empty : tensor<6x45x264xf16>) {
  ^bb0(%number: i64, %out: f16):
    %is_from_end = arith.cmpi slt, %number, %none : i64
    %from_end = arith.addi %number, %count : i64
    %own = arith.select %is_from_end, %from_end, %number : i64
    %at = arith.index_cast %own : i64 to index
    %n = linalg.index 1 : index
    %k = linalg.index 2 : index
    %element = tensor.extract %weights[%at, %n, %k] : tensor<5x45x264xf16>
    linalg.yield %element : f16
  } -> tensor<6x45x264xf16>
  %gates = tensor.extract_slice %x[0, 0] [6, 264] [1, 1] : tensor<6x528xf16> to tensor<6x264xf16>
  %ups = tensor.extract_slice %x[0, 264] [6, 264] [1, 1] : tensor<6x528xf16> to tensor<6x264xf16>
  %h_empty = tensor.empty() : tensor<6x264xf16>
  %h = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%gates, %ups : tensor<6x264xf16>, tensor<6x264xf16>) outs(%h_empty : tensor<6x264xf16>) {
  ^bb0(%gate: f16, %up: f16, %out: f16):
    %less = arith.negf %gate : f16
    %exp = math.exp %less : f16
    %sum = arith.addf %exp, %one : f16
    %silu = arith.divf %gate, %sum : f16
    %gated = arith.mulf %silu, %up : f16
    linalg.yield %gated : f16
  } -> tensor<6x264xf16>
  %s_empty = tensor.empty() : tensor<6x45xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<6x45xf32>) -> tensor<6x45xf32>
  %s = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %h : tensor<6x45x264xf16>, tensor<6x264xf16>) outs(%s_zero : tensor<6x45xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %term = arith.mulf %aw, %bw : f32
    %sum = arith.addf %acc, %term : f32
    linalg.yield %sum : f32
  } -> tensor<6x45xf32>
  %y_empty = tensor.empty() : tensor<6x45xf16>
  %y = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s, %factors : tensor<6x45xf32>, tensor<6xf32>) outs(%y_empty : tensor<6x45xf16>) {
  ^bb0(%sum: f32, %factor: f32, %out: f16):
    %scaled = arith.mulf %sum, %factor : f32
    %short = arith.truncf %scaled : f32 to f16
    linalg.yield %short : f16
  } -> tensor<6x45xf16>
  return %y : tensor<6x45xf16>
}

// Matrices in the other order.
func.func @columns(%which: tensor<3xi32>, %weights: tensor<2x50x136xbf16>, %x: tensor<3x50xbf16>) -> tensor<3x136xf32> {
  %zero = arith.constant 0.0 : f32
  %w_empty = tensor.empty() : tensor<3x50x136xbf16>
  %w = linalg.generic {indexing_maps = [#number, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%which : tensor<3xi32>) outs(%w_empty : tensor<3x50x136xbf16>) {
  ^bb0(%number: i32, %out: bf16):
    %at = arith.index_cast %number : i32 to index
    %k = linalg.index 1 : index
    %n = linalg.index 2 : index
    %element = tensor.extract %weights[%at, %k, %n] : tensor<2x50x136xbf16>
    linalg.yield %element : bf16
  } -> tensor<3x50x136xbf16>
  %s_empty = tensor.empty() : tensor<3x136xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<3x136xf32>) -> tensor<3x136xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x50xbf16>, tensor<3x50x136xbf16>) outs(%s_zero : tensor<3x136xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %term = arith.mulf %aw, %bw : f32
    %sum = arith.addf %acc, %term : f32
    linalg.yield %sum : f32
  } -> tensor<3x136xf32>
  return %s : tensor<3x136xf32>
}

// Several matrices for each row, whose rows are one dimension of the product: one kernel all the same.
func.func @of_words(%which: tensor<2x3xi64>, %weights: tensor<4x40x72xf16>, %x: tensor<2x72xf16>) -> tensor<2x3x40xf16> {
  %zero = arith.constant 0.0 : f32
  %w_empty = tensor.empty() : tensor<2x3x40x72xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%which : tensor<2x3xi64>) outs(%w_empty : tensor<2x3x40x72xf16>) {
  ^bb0(%number: i64, %out: f16):
    %at = arith.index_cast %number : i64 to index
    %n = linalg.index 2 : index
    %k = linalg.index 3 : index
    %element = tensor.extract %weights[%at, %n, %k] : tensor<4x40x72xf16>
    linalg.yield %element : f16
  } -> tensor<2x3x40x72xf16>
  %rows = tensor.collapse_shape %w [[0], [1, 2], [3]] : tensor<2x3x40x72xf16> into tensor<2x120x72xf16>
  %column = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 72, 1] : tensor<2x72xf16> into tensor<2x72x1xf16>
  %s_empty = tensor.empty() : tensor<2x120x1xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<2x120x1xf32>) -> tensor<2x120x1xf32>
  %s = linalg.batch_matmul ins(%rows, %column : tensor<2x120x72xf16>, tensor<2x72x1xf16>) outs(%s_zero : tensor<2x120x1xf32>) -> tensor<2x120x1xf32>
  %y_empty = tensor.empty() : tensor<2x120x1xf16>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x120x1xf32>) outs(%y_empty : tensor<2x120x1xf16>) {
  ^bb0(%sum: f32, %out: f16):
    %short = arith.truncf %sum : f32 to f16
    linalg.yield %short : f16
  } -> tensor<2x120x1xf16>
  %flat = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x120x1xf16> into tensor<2x120xf16>
  %apart = tensor.expand_shape %flat [[0], [1, 2]] output_shape [2, 3, 40] : tensor<2x120xf16> into tensor<2x3x40xf16>
  return %apart : tensor<2x3x40xf16>
}

// $ raddle opt %s --target=sm_90a --to=configured | grep lowering_config<
//     %6 = linalg.generic {indexing_maps = [#map1, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %3 : tensor<6x45x264xf16>, tensor<6x264xf16>) outs(%5 : tensor<6x45xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 512], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 1, 8], workgroup = [1, 1, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map3, #map6, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg2, %1 : tensor<3x50xbf16>, tensor<3x50x136xbf16>) outs(%3 : tensor<3x136xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 8, 4], [0, 1, 2]], partial_reduction = [0, 0, 64], subgroup_basis = [[1, 1, 4], [0, 1, 2]], thread = [1, 8, 1], workgroup = [1, 64, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg2 : tensor<2x3x40x72xf16>, tensor<2x72xf16>) outs(%3 : tensor<2x3x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 2, 16], [0, 1, 2, 3]], partial_reduction = [0, 0, 0, 128], subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 8], workgroup = [1, 1, 2, 0]}>} {

// $ raddle build %s --function=experts --target=sm_90a -o - | grep -c ld.global.nc.v4.b32
// 6

// $ raddle build %s --function=experts --target=gfx942 --emit=llvm -o - | grep -c 'load <8 x half>'
// 3

// $ raddle build %s --function=columns --target=sm_80 -o - | grep -c ld.global.nc.v4.b32
// 4

// $ raddle run %s --function=experts --target=sm_80 --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// correct: all 270 elements agree with the reference within 3.13e-1 + 1.95e-3·|expected| (118 bit for bit)

// $ raddle run %s --function=experts --target=gfx942 --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// correct: all 270 elements agree with the reference within 3.13e-1 + 1.95e-3·|expected| (118 bit for bit)

// $ raddle run %s --function=experts --device=ptx-emu --target=sm_90a --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// correct: all 270 elements agree with the reference within 3.13e-1 + 1.95e-3·|expected| (118 bit for bit)

// $ raddle run %s --function=experts --device=cpu --quiet --input=6xi64=4,-5,2,2,0,-1 --input=5x45x264xf16=random --input=6x528xf16=random --input=6xf32=random
// correct: all 270 elements agree with the reference within 3.13e-1 + 1.95e-3·|expected| (116 bit for bit)

// $ raddle run %s --function=columns --target=sm_80 --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// correct: all 408 elements agree with the reference within 2.19e-1 + 2.38e-7·|expected| (285 bit for bit)

// $ raddle run %s --function=columns --target=gfx942 --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// correct: all 408 elements agree with the reference within 2.19e-1 + 2.38e-7·|expected| (284 bit for bit)

// $ raddle run %s --function=columns --device=ptx-emu --target=sm_90a --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// correct: all 408 elements agree with the reference within 2.19e-1 + 2.38e-7·|expected| (285 bit for bit)

// $ raddle run %s --function=columns --device=cpu --quiet --input=3xi32=1,1,0 --input=2x50x136xbf16=random --input=3x50xbf16=random
// correct: all 408 elements agree with the reference within 2.19e-1 + 2.38e-7·|expected| (257 bit for bit)

// $ raddle build %s --function=of_words --target=sm_90a -o - | grep entry
// .visible .entry of_words(

// $ raddle run %s --function=of_words --target=sm_80 --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// correct: all 240 elements equal the reference bit for bit

// $ raddle run %s --function=of_words --target=gfx942 --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// correct: all 240 elements equal the reference bit for bit

// $ raddle run %s --function=of_words --device=ptx-emu --target=sm_90a --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// correct: all 240 elements equal the reference bit for bit

// $ raddle run %s --function=of_words --device=cpu --quiet --input=2x3xi64=3,0,1,1,2,0 --input=4x40x72xf16=random --input=2x72xf16=random
// correct: all 240 elements equal the reference bit for bit
