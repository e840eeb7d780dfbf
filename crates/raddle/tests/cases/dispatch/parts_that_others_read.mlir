// Columns of a binding are computed from other columns of it: other threads would read what is written already. Without a
// configuration, results have memory of their own; a kernel that is configured is refused.
// RUN: raddle run --all %s --target=sm_80
func.func @several() {
  %c0 = arith.constant 0 : index
  %b = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], sizes = [128, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>> -> tensor<128x40xf32>
  %e = tensor.empty() : tensor<128x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x40xf32>) outs(%e : tensor<128x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<128x40xf32>
  iree_tensor_ext.dispatch.tensor.store %r, %b, offsets = [0, 16], sizes = [128, 40], strides = [1, 1] : tensor<128x40xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>>
  return
}
func.func @configured() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %b = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], sizes = [128, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>> -> tensor<128x40xf32>
  %e = tensor.empty() : tensor<128x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x40xf32>) outs(%e : tensor<128x40xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{thread = [1, 1], workgroup = [1, 32]}>} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<128x40xf32>
  iree_tensor_ext.dispatch.tensor.store %r, %b, offsets = [0, 16], sizes = [128, 40], strides = [1, 1] : tensor<128x40xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf32>>
  return
}

// $ raddle run --all %s --target=sm_80
// ok       @several
// refused  @configured: line 27, error[E0301]: `tensor.insert_slice` cannot be tiled
// 2 functions: 1 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]
