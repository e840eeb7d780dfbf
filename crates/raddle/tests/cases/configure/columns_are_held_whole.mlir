// A softmax of columns is one kernel: what a thread holds of its columns are all elements of those that it reads at once.

// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --function=of_few | grep -c correct:
// RUN: raddle run %s --function=of_few --target=sm_90a --device=ptx-emu | grep -c correct:

func.func @of_classes(%x: tensor<8x21x256x256xf32>) -> tensor<8x21x256x256xf32> {
  %e = tensor.empty() : tensor<8x21x256x256xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x21x256x256xf32>) outs(%e : tensor<8x21x256x256xf32>) -> tensor<8x21x256x256xf32>
  return %r : tensor<8x21x256x256xf32>
}

func.func @of_many(%x: tensor<2x300x512x512xf16>) -> tensor<2x300x512x512xf16> {
  %e = tensor.empty() : tensor<2x300x512x512xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x300x512x512xf16>) outs(%e : tensor<2x300x512x512xf16>) -> tensor<2x300x512x512xf16>
  return %r : tensor<2x300x512x512xf16>
}

func.func @of_few(%x: tensor<1x21x40x40xf16>) -> tensor<1x21x40x40xf16> {
  %e = tensor.empty() : tensor<1x21x40x40xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<1x21x40x40xf16>) outs(%e : tensor<1x21x40x40xf16>) -> tensor<1x21x40x40xf16>
  return %r : tensor<1x21x40x40xf16>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<8x21x256x256xf32>) outs(%2 : tensor<8x256x256xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 32], [0, 1, 2, 3]], subgroup_basis = [[4, 1, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 1], workgroup = [4, 0, 1, 32]}>} {
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<2x300x512x512xf16>) outs(%2 : tensor<2x512x512xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 32], [0, 1, 2, 3]], subgroup_basis = [[1, 32, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 2], workgroup = [1, 0, 1, 64]}>} {
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<1x21x40x40xf16>) outs(%2 : tensor<1x40x40xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32, 1, 1], [0, 1, 2, 3]], subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 8], workgroup = [1, 0, 1, 8]}>} {

// $ raddle run %s --function=of_few | grep -c correct:
// 1

// $ raddle run %s --function=of_few --target=sm_90a --device=ptx-emu | grep -c correct:
// 1
