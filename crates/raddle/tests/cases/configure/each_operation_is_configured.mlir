// IREE configures each operation of a norm, and the tile of a workgroup for one of them: that one decides.
// RUN: raddle run %s --all
// RUN: raddle opt %s --to=tiled --remarks 2>&1 | grep E0301
#row = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 64], subgroup_basis = [[1, 1], [0, 1]], thread = [0, 2], workgroup = [1, 0]}>
#each = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], serial = [0, 64], subgroup_basis = [[1, 1], [0, 1]], thread = [0, 2]}>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @norm(%x: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {translation_info = #launch} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%f : tensor<4xf32>) attrs = {lowering_config = #row} {
  ^bb0(%v: f32, %o: f32):
    %q = arith.mulf %v, %v : f32
    %t = arith.addf %o, %q : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %eo = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x64xf32>, tensor<4xf32>) outs(%eo : tensor<4x64xf32>) attrs = {lowering_config = #each} {
  ^bb0(%v: f32, %q: f32, %o: f32):
    %t = math.rsqrt %q : f32
    %u = arith.mulf %v, %t : f32
    linalg.yield %u : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// $ raddle run %s --all
// ok       @norm
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=tiled --remarks 2>&1 | grep E0301
// remark[E0301]: `lowering_config` has no effect: another operation decides the tiles of this kernel
