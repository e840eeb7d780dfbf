// Products of 32 or 64 bits in which each thread has a block of the result: where the rows of an image are short, as behind many
// convolutions, a tile has several of them. Loops over few sums share factors as well.
// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx1100
func.func @small_image(%x: tensor<2x9x9x40xf32>, %w: tensor<3x3x40x48xf32>) -> tensor<2x7x7x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x7x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x7x7x48xf32>) -> tensor<2x7x7x48xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x9x40xf32>, tensor<3x3x40x48xf32>) outs(%f : tensor<2x7x7x48xf32>) -> tensor<2x7x7x48xf32>
  return %r : tensor<2x7x7x48xf32>
}
func.func @strides(%x: tensor<1x27x25x16xf32>, %w: tensor<1x1x16x70xf32>) -> tensor<1x14x13x70xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x13x70xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x13x70xf32>) -> tensor<1x14x13x70xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x27x25x16xf32>, tensor<1x1x16x70xf32>) outs(%f : tensor<1x14x13x70xf32>) -> tensor<1x14x13x70xf32>
  return %r : tensor<1x14x13x70xf32>
}
func.func @few_sums(%x: tensor<100x12xf32>, %y: tensor<12x90xf32>) -> tensor<100x90xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x90xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<100x90xf32>) -> tensor<100x90xf32>
  %r = linalg.matmul ins(%x, %y : tensor<100x12xf32>, tensor<12x90xf32>) outs(%f : tensor<100x90xf32>) -> tensor<100x90xf32>
  return %r : tensor<100x90xf32>
}
func.func @doubles(%x: tensor<50x70xf64>, %y: tensor<40x70xf64>) -> tensor<50x40xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<50x40xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<50x40xf64>) -> tensor<50x40xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<50x70xf64>, tensor<40x70xf64>) outs(%f : tensor<50x40xf64>) {
  ^bb0(%u: f64, %v: f64, %o: f64):
    %p = arith.mulf %u, %v : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<50x40xf64>
  return %r : tensor<50x40xf64>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%3, %arg1 : tensor<2x7x3x7x3x40xf32>, tensor<3x3x40x48xf32>) outs(%1 : tensor<2x7x7x48xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 2, 2, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], promote_operands = [0, 1], reduction = [0, 0, 0, 0, 1, 1, 16], subgroup_basis = [[1, 2, 1, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], thread = [1, 1, 4, 4, 1, 1, 1], workgroup = [1, 4, 8, 64, 0, 0, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%3, %arg1 : tensor<1x14x1x13x1x16xf32>, tensor<1x1x16x70xf32>) outs(%1 : tensor<1x14x13x70xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 4, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], promote_operands = [0, 1], reduction = [0, 0, 0, 0, 1, 1, 16], subgroup_basis = [[1, 2, 1, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], thread = [1, 1, 4, 4, 1, 1, 1], workgroup = [1, 2, 16, 64, 0, 0, 0]}>} {
//     %2 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8, 1], [0, 1, 2]], promote_operands = [0, 1], reduction = [0, 0, 16], subgroup_basis = [[2, 2, 1], [0, 1, 2]], thread = [4, 4, 1], workgroup = [32, 64, 0]}>} ins(%arg0, %arg1 : tensor<100x12xf32>, tensor<12x90xf32>) outs(%1 : tensor<100x90xf32>) -> tensor<100x90xf32>
//     %2 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<50x70xf64>, tensor<40x70xf64>) outs(%1 : tensor<50x40xf64>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8, 1], [0, 1, 2]], promote_operands = [0, 1], reduction = [0, 0, 16], subgroup_basis = [[2, 2, 1], [0, 1, 2]], thread = [4, 4, 1], workgroup = [32, 64, 0]}>} {

// $ raddle run %s --all
// ok       @small_image
// ok       @strides
// ok       @few_sums
// ok       @doubles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @small_image
// ok       @strides
// ok       @few_sums
// ok       @doubles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @small_image
// ok       @strides
// ok       @few_sums
// ok       @doubles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
