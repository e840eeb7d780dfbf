// Two operations that state the tile of a workgroup cannot share a kernel.
// RUN: raddle opt %s --to=tiled
#row = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 64], subgroup_basis = [[1, 1], [0, 1]], thread = [0, 2], workgroup = [1, 0]}>
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
    %t = arith.addf %o, %v : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %eo = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x64xf32>, tensor<4xf32>) outs(%eo : tensor<4x64xf32>) attrs = {lowering_config = #row} {
  ^bb0(%v: f32, %q: f32, %o: f32):
    %u = arith.subf %v, %q : f32
    linalg.yield %u : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// $ raddle opt %s --to=tiled
// error[E0301]: `linalg.generic` cannot be computed in this kernel
//   --> configure/two_tiles_of_a_workgroup.mlir:18:3
//    |
// 11 |   %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
//    |   ------------------------------------------------------------------------------------------- the other one
// ...
// 18 |   %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: one operation of a kernel decides the tiling: it alone has a `lowering_config`, or a `workgroup` tile in it
//    = help: leave `workgroup` out of one of the two
// [exit status 1]
