// A loop of one iteration is not the one along which elements are neighbours: vectors go along both others.
// RUN: raddle opt %s --target=x86-64-v4 --to=configured | grep lowering_config
// RUN: raddle run %s --target=x86-64-v4 --quiet
func.func @transposition(%a: tensor<40x33x1xf16>) -> tensor<33x40x1xf16> {
  %e = tensor.empty() : tensor<33x40x1xf16>
  %r = linalg.transpose ins(%a : tensor<40x33x1xf16>) outs(%e : tensor<33x40x1xf16>) permutation = [1, 0, 2]
  return %r : tensor<33x40x1xf16>
}

// $ raddle opt %s --target=x86-64-v4 --to=configured | grep lowering_config
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<40x33x1xf16>) outs(%0 : tensor<33x40x1xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [16, 16, 1], workgroup = [16, 16, 1]}>} {

// $ raddle run %s --target=x86-64-v4 --quiet
// correct: all 1320 elements equal the reference bit for bit
