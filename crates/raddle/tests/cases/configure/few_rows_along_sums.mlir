// Products of few rows that have no matrix instruction, as layers of f32 for a small batch: lanes go along the sums, which
// are rows of the larger factor in memory, whichever side that is, and add up once behind the loop.
// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx1100
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @layer(%x: tensor<7x512xf32>, %w: tensor<500x512xf32>, %b: tensor<500xf32>) -> tensor<7x500xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x500xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7x500xf32>) -> tensor<7x500xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<7x512xf32>, tensor<500x512xf32>) outs(%f : tensor<7x500xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<7x500xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%r, %b : tensor<7x500xf32>, tensor<500xf32>) outs(%e : tensor<7x500xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<7x500xf32>
  return %t : tensor<7x500xf32>
}
func.func @columns(%x: tensor<3x200x333xf64>, %w: tensor<3x2x333xf64>) -> tensor<3x200x2xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x200x2xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<3x200x2xf64>) -> tensor<3x200x2xf64>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%x, %w : tensor<3x200x333xf64>, tensor<3x2x333xf64>) outs(%f : tensor<3x200x2xf64>) -> tensor<3x200x2xf64>
  return %r : tensor<3x200x2xf64>
}
func.func @shared_sums(%x: tensor<10x4096xf32>, %w: tensor<12x4096xf32>) -> tensor<10x12xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<10x4096xf32>, tensor<12x4096xf32>) outs(%f : tensor<10x12xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<7x512xf32>, tensor<500x512xf32>) outs(%1 : tensor<7x500xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], reduction = [0, 0, 128], subgroup_basis = [[1, 4, 1], [0, 1, 2]], thread = [7, 1, 4], workgroup = [7, 4, 0]}>} {
//     %2 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x200x333xf64>, tensor<3x2x333xf64>) outs(%1 : tensor<3x200x2xf64>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 32], [0, 1, 2, 3]], reduction = [0, 0, 0, 32], subgroup_basis = [[1, 4, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 2, 1], workgroup = [1, 4, 2, 0]}>} {
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<10x4096xf32>, tensor<12x4096xf32>) outs(%1 : tensor<10x12xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], reduction = [0, 0, 512], subgroup_basis = [[1, 1, 4], [0, 1, 2]], thread = [10, 1, 4], workgroup = [10, 1, 0]}>} {

// $ raddle run %s --all
// ok       @layer
// ok       @columns
// ok       @shared_sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @layer
// ok       @columns
// ok       @shared_sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @layer
// ok       @columns
// ok       @shared_sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
