// Lists that are too long, tiles that nobody can count, and an instruction for what is not a product.
// RUN: raddle run %s --all --target=sm_80
#info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @long_workgroup(%a: tensor<30x50xf32>) -> tensor<30x50xf32> attributes {translation_info = #info} {
  %o = tensor.empty() : tensor<30x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<30x50xf32>) outs(%o : tensor<30x50xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{thread = [1, 2], workgroup = [8, 16, 4]}>} {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
func.func @long_subgroup(%a: tensor<30x50xf32>) -> tensor<30x50xf32> attributes {translation_info = #info} {
  %o = tensor.empty() : tensor<30x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<30x50xf32>) outs(%o : tensor<30x50xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{subgroup = [1, 2, 3], workgroup = [8, 16]}>} {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
func.func @huge(%a: tensor<30x50xf32>) -> tensor<30x50xf32> attributes {translation_info = #info} {
  %o = tensor.empty() : tensor<30x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<30x50xf32>) outs(%o : tensor<30x50xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{thread = [9223372036854775807, 2], workgroup = [9223372036854775807, 16]}>} {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
func.func @no_product(%a: tensor<30x50xf32>) -> tensor<30x50xf32> attributes {translation_info = #info} {
  %o = tensor.empty() : tensor<30x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<30x50xf32>) outs(%o : tensor<30x50xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, subgroup = [1, 1], workgroup = [16, 16]}>} {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}

// $ raddle run %s --all --target=sm_80
// refused  @long_workgroup: line 6, error[E0301]: `workgroup` has 3 entries for 2 loops
// refused  @long_subgroup: line 15, error[E0301]: `subgroup` has 3 entries for 2 loops
// refused  @huge: line 24, error[E0301]: the tiles of this configuration are not a layout: the layout has more than 2^63 - 1 elements
// refused  @no_product: line 33, error[E0301]: `NV_MMA_SYNC_F32_16x8x16_F16` needs a contraction with loops for m, n and k
// 4 functions: 0 right, 4 refused, 0 wrong, 0 bugs
// [exit status 1]
