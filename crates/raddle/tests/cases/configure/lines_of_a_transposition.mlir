// A tile of a transposition reads whole lines of memory: with AVX2, two vectors of each row; one with AVX-512, and where rows
// do not end with a line.

// RUN: raddle opt %s --target=x86-64-v3 --to=configured | grep lowering_config
// RUN: raddle opt %s --target=x86-64-v4 --to=configured | grep lowering_config

func.func @whole(%a: tensor<64x48xf32>) -> tensor<48x64xf32> {
  %e = tensor.empty() : tensor<48x64xf32>
  %r = linalg.transpose ins(%a : tensor<64x48xf32>) outs(%e : tensor<48x64xf32>) permutation = [1, 0]
  return %r : tensor<48x64xf32>
}

func.func @ends(%a: tensor<64x40xf32>) -> tensor<40x64xf32> {
  %e = tensor.empty() : tensor<40x64xf32>
  %r = linalg.transpose ins(%a : tensor<64x40xf32>) outs(%e : tensor<40x64xf32>) permutation = [1, 0]
  return %r : tensor<40x64xf32>
}

// $ raddle opt %s --target=x86-64-v3 --to=configured | grep lowering_config
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x48xf32>) outs(%0 : tensor<48x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [16, 8], workgroup = [16, 8]}>} {
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x40xf32>) outs(%0 : tensor<40x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [8, 8], workgroup = [8, 8]}>} {

// $ raddle opt %s --target=x86-64-v4 --to=configured | grep lowering_config
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x48xf32>) outs(%0 : tensor<48x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [16, 16], workgroup = [16, 16]}>} {
//     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x40xf32>) outs(%0 : tensor<40x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [16, 16], workgroup = [16, 16]}>} {
