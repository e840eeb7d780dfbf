// On CPUs, vectors go along what a kernel reads and writes, not along what its operations give one another: a norm of
// channels that are first in memory has vectors of places, and one that gives them last has tiles of both. A column beside
// a matrix decides nothing.
// RUN: raddle opt %s --to=configured --target=x86-64-v4 | grep lowering_config
// RUN: raddle run %s --all --target=x86-64-v4 --quiet
// RUN: raddle run %s --all --device=cpu --quiet

#id = affine_map<(h, w, c) -> (h, w, c)>
#place = affine_map<(h, w, c) -> (h, w)>
#first = affine_map<(h, w, c) -> (c, h, w)>

func.func @first(%x: tensor<96x6x40xf32>) -> tensor<96x6x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40x96xf32>
  %es = tensor.empty() : tensor<6x40xf32>
  %er = tensor.empty() : tensor<96x6x40xf32>
  %t = linalg.transpose ins(%x : tensor<96x6x40xf32>) outs(%e : tensor<6x40x96xf32>) permutation = [1, 2, 0]
  %zeros = linalg.fill ins(%zero : f32) outs(%es : tensor<6x40xf32>) -> tensor<6x40xf32>
  %sums = linalg.generic {indexing_maps = [#id, #place], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<6x40x96xf32>) outs(%zeros : tensor<6x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<6x40xf32>
  %n = linalg.generic {indexing_maps = [#id, #place, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %sums : tensor<6x40x96xf32>, tensor<6x40xf32>) outs(%e : tensor<6x40x96xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %s = arith.subf %in, %sum : f32
    linalg.yield %s : f32
  } -> tensor<6x40x96xf32>
  %r = linalg.transpose ins(%n : tensor<6x40x96xf32>) outs(%er : tensor<96x6x40xf32>) permutation = [2, 0, 1]
  return %r : tensor<96x6x40xf32>
}

func.func @last(%x: tensor<96x6x40xf32>) -> tensor<6x40x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40x96xf32>
  %es = tensor.empty() : tensor<6x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%es : tensor<6x40xf32>) -> tensor<6x40xf32>
  %sums = linalg.generic {indexing_maps = [#first, #place], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<96x6x40xf32>) outs(%zeros : tensor<6x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<6x40xf32>
  %n = linalg.generic {indexing_maps = [#first, #place, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sums : tensor<96x6x40xf32>, tensor<6x40xf32>) outs(%e : tensor<6x40x96xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %s = arith.subf %in, %sum : f32
    linalg.yield %s : f32
  } -> tensor<6x40x96xf32>
  return %n : tensor<6x40x96xf32>
}

func.func @outer(%x: tensor<40xf32>, %y: tensor<70xf32>) -> tensor<40x70xf32> {
  %e = tensor.empty() : tensor<40x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<40xf32>, tensor<70xf32>) outs(%e : tensor<40x70xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<40x70xf32>
  return %r : tensor<40x70xf32>
}

// Places that are computed along the vectors are the same for all rows of a channel.
func.func @repeated(%x: tensor<8x12x20xf32>) -> tensor<8x24x40xf32> {
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<8x24x40xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<8x24x40xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %h = arith.divui %i, %two : index
    %w = arith.divui %j, %two : index
    %v = tensor.extract %x[%c, %h, %w] : tensor<8x12x20xf32>
    linalg.yield %v : f32
  } -> tensor<8x24x40xf32>
  return %r : tensor<8x24x40xf32>
}

// $ raddle opt %s --to=configured --target=x86-64-v4 | grep lowering_config
//     %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<6x40x96xf32>) outs(%4 : tensor<6x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], partial_reduction = [0, 0, 1], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 40, 1], workgroup = [1, 40, 0]}>} {
//     %3 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<96x6x40xf32>) outs(%2 : tensor<6x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], partial_reduction = [0, 0, 16], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 16, 16], workgroup = [1, 16, 0]}>} {
//     %1 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<40xf32>, tensor<70xf32>) outs(%0 : tensor<40x70xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 48], workgroup = [1, 48]}>} {
//     %1 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%0 : tensor<8x24x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [4, 1, 40], workgroup = [4, 1, 40]}>} {

// $ raddle run %s --all --target=x86-64-v4 --quiet
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu --quiet
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
