// Configurations of IREE's pipeline `TileAndFuse`: steps along k and tiles of subgroups count instructions, the tile of a
// workgroup and that of a thread say how many threads there are, and what needs a row behind its reduction goes along it
// again. A convolution by a matrix instruction is configured as another operation, and computed as the compiler chooses.
// RUN: raddle run %s --all --target=sm_80
// RUN: raddle run %s --all --target=sm_80 --device=ptx-emu
// RUN: raddle run %s --all --device=cpu
// RUN: raddle opt %s --to=configured --target=sm_80 | grep -e lowering_config
// RUN: raddle opt %s --to=configured --target=sm_80 --remarks | grep "has no effect"

#product = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>
func.func @product(%a: tensor<2x100x96xf16>, %b: tensor<2x96x72xf16>) -> tensor<2x100x72xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x100x72xf32>
  %o = tensor.empty() : tensor<2x100x72xf16>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x100x72xf32>) -> tensor<2x100x72xf32>
  %p = linalg.batch_matmul {compilation_info = #iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, padding = [1, 64, 64, 32], promote_operands = [0, 1], reduction = [0, 0, 0, 2], subgroup = [1, 2, 4, 0], workgroup = [1, 64, 64, 0]>, translation_info = #product>} ins(%a, %b : tensor<2x100x96xf16>, tensor<2x96x72xf16>) outs(%f : tensor<2x100x72xf32>) -> tensor<2x100x72xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x100x72xf32>) outs(%o : tensor<2x100x72xf16>) {
  ^bb0(%x: f32, %out: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x100x72xf16>
  return %r : tensor<2x100x72xf16>
}

#threads = #iree_codegen.translation_info<pipeline = LLVMGPUTileAndFuse workgroup_size = [64, 1, 1]>
func.func @threads(%a: tensor<30x50xf32>, %b: tensor<50x30xf32>) -> tensor<30x50xf32> attributes {translation_info = #threads} {
  %o = tensor.empty() : tensor<30x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<30x50xf32>, tensor<50x30xf32>) outs(%o : tensor<30x50xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{thread = [1, 2], workgroup = [8, 16]}>} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}

#rows = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @again(%a: tensor<40x90xf32>) -> tensor<40x90xf32> attributes {translation_info = #rows} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40xf32>
  %o = tensor.empty() : tensor<40x90xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<40x90xf32>) outs(%f : tensor<40xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{reduction = [0, 4], thread = [1, 0], workgroup = [32, 0]}>} {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %out : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %m : tensor<40x90xf32>, tensor<40xf32>) outs(%o : tensor<40x90xf32>) {
  ^bb0(%x: f32, %s: f32, %out: f32):
    %q = arith.divf %x, %s : f32
    linalg.yield %q : f32
  } -> tensor<40x90xf32>
  return %r : tensor<40x90xf32>
}

#windows = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32, {gpu_pipeline_options = #iree_gpu.pipeline_options<use_igemm_convolution = true>}>
func.func @convolution(%a: tensor<2x10x10x16xf16>, %b: tensor<3x3x16x32xf16>) -> tensor<2x8x8x32xf32> attributes {translation_info = #windows} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, padding = [2, 1, 16, 32, 32], promote_operands = [0, 1], reduction = [0, 0, 0, 0, 2], subgroup = [1, 1, 1, 2, 0], workgroup = [2, 1, 16, 32, 0]}>} ins(%a, %b : tensor<2x10x10x16xf16>, tensor<3x3x16x32xf16>) outs(%f : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  return %r : tensor<2x8x8x32xf32>
}

// $ raddle run %s --all --target=sm_80
// ok       @product
// ok       @threads
// ok       @again
// ok       @convolution
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_80 --device=ptx-emu
// ok       @product
// ok       @threads
// ok       @again
// ok       @convolution
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @product
// ok       @threads
// ok       @again
// ok       @convolution
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --target=sm_80 | grep -e lowering_config
//     %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x100x96xf16>, tensor<2x96x72xf16>) outs(%2 : tensor<2x100x72xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, padding = [1, 64, 64, 32], promote_operands = [0, 1], reduction = [0, 0, 0, 32], subgroup_basis = [[1, 2, 2, 1], [0, 1, 2, 3]], workgroup = [1, 64, 64, 0]}>} {
//     %1 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<30x50xf32>, tensor<50x30xf32>) outs(%0 : tensor<30x50xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]], subgroup_basis = [[2, 1], [0, 1]], thread = [1, 2], workgroup = [8, 16]}>} {
//     %3 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<40x90xf32>) outs(%2 : tensor<40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32, 1], [0, 1]], reduction = [0, 4], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 1], workgroup = [32, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%3, %arg1 : tensor<2x8x3x8x3x16xf16>, tensor<3x3x16x32xf16>) outs(%1 : tensor<2x8x8x32xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 0, 0, 1, 1, 16], subgroup_basis = [[1, 1, 1, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], workgroup = [1, 1, 16, 16, 0, 0, 0]}>} {

// $ raddle opt %s --to=configured --target=sm_80 --remarks | grep "has no effect"
// remark[E0301]: `lowering_config` has no effect: it counts the loops of a product that is not written out here
//   --> configure/tile_and_fuse.mlir:60:3
//    |
// 60 |   %r = linalg.conv_2d_nhwc_hwcf {lowering_confi...tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// remark[E0403]: the tile of a workgroup is 16 x 16 x 16 for 1 x 2 subgroups: about 9032 clocks, most of them for the arrival of copies
//   --> configure/tile_and_fuse.mlir:60:3
//    |
// 60 |   %r = linalg.conv_2d_nhwc_hwcf {lowering_confi...tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: the next one would be 16 x 32 x 16 for 1 x 4 subgroups: about 9064 clocks, most of them for the arrival of copies
