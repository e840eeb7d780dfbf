#executable_target_rocm_hsaco_fb = #hal.executable.target<"rocm", "rocm-hsaco-fb">
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1)[s0] -> (s0, d1)>
#map4 = affine_map<(d0, d1)[s0] -> (d0)>
#map5 = affine_map<(d0, d1)[s0] -> (d0, d1)>
#pipeline_layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>
module attributes {transform.with_named_sequence} {
  func.func @bindings(%arg0: index) attributes {hal.executable.target = #executable_target_rocm_hsaco_fb} {
    %c0 = arith.constant 0 : index
    %0 = hal.interface.constant.load layout(#pipeline_layout) ordinal(0) : i32
    %workgroup_id_x = hal.interface.workgroup.id[0] : index
    %workgroup_count_y = hal.interface.workgroup.count[1] : index
    %1 = arith.index_castui %0 : i32 to index
    %2 = util.assume.int %1[<umin = 1, umax = 64>, <umin = 128>] : index
    %3 = iree_tensor_ext.dispatch.workload.ordinal %2, 0 : index
    %4 = hal.interface.binding.subspan layout(#pipeline_layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>{%3}
    %5 = hal.interface.binding.subspan layout(#pipeline_layout) binding(1) flags("ReadOnly|Indirect") : memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
    %6 = iree_tensor_ext.dispatch.tensor.load %4, offsets = [0, 0], sizes = [%3, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>{%3} -> tensor<?x64xf16>
    %7 = iree_codegen.load_from_buffer %5 : memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<64x64xf16>
    %8 = hal.interface.binding.subspan layout(#pipeline_layout) binding(1) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    iree_tensor_ext.dispatch.tensor.store %7, %8, offsets = [%workgroup_id_x, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    return
  }
  func.func @tiles(%arg0: tensor<2x3x4xf16>, %arg1: tensor<3x5x4xf16>, %arg2: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
    %0 = iree_codegen.inner_tiled ins(%arg0, %arg1) outs(%arg2) {indexing_maps = [#map, #map1, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, lowering_config = #iree_gpu.lowering_config<{promote_operands = [0, 1], reduction = [0, 0, 4], workgroup = [64, 64, 0]}>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : tensor<2x3x4xf16>, tensor<3x5x4xf16> into tensor<2x5x4xf32>
    %1 = iree_gpu.barrier_region ins(%0 : tensor<2x5x4xf32>) {
    ^bb0(%arg3: tensor<2x5x4xf32>):
      iree_gpu.yield %arg3 : tensor<2x5x4xf32>
    } : tensor<2x5x4xf32>
    %2 = iree_gpu.value_barrier %1 : tensor<2x5x4xf32>
    return %2 : tensor<2x5x4xf32>
  }
  func.func @gathers(%arg0: memref<4096x64xf16>, %arg1: vector<8xindex>, %arg2: vector<8x64xf16>, %arg3: vector<8x64xi1>, %arg4: tensor<20x64xf16>, %arg5: tensor<1x64xf16>) -> (vector<8x64xf16>, tensor<1x64xf16>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f16
    %0 = iree_vector_ext.transfer_gather %arg0[%c0, %c0] [%arg1 : vector<8xindex>], %cst, %arg3 {indexing_maps = [#map3, #map4, #map5]} : memref<4096x64xf16>, vector<8x64xf16>, vector<8x64xi1>
    iree_vector_ext.transfer_scatter %arg2 into %arg0[%c0, %c0] [%arg1 : vector<8xindex>] {indexing_maps = [#map3, #map4]} : vector<8x64xf16>, memref<4096x64xf16>
    %1 = iree_gpu.async_dma %arg4[%c0, %c0] to %arg5[%c0, %c0], vector<1x64xf16> in_bounds [true, true] : tensor<20x64xf16>, tensor<1x64xf16> -> tensor<1x64xf16>
    return %0, %1 : vector<8x64xf16>, tensor<1x64xf16>
  }
  func.func @extended(%arg0: tensor<4x128xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>, %arg3: tensor<2x34x34x640xf32>, %arg4: tensor<2x1024x5760xf32>, %arg5: memref<16x16xf32>, %arg6: vector<4x128xf32>, %arg7: vector<4xf32>, %arg8: vector<4xi32>) -> tensor<4xf32> {
    %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%arg0 : tensor<4x128xf32>) outs(%arg1, %arg2 : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%arg9: f32, %arg10: f32):
      %3 = arith.cmpf ogt, %arg9, %arg10 : f32
      iree_linalg_ext.yield %3 : i1
    } -> tensor<4xf32>, tensor<4xi32>
    %1 = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] ins(%arg3 : tensor<2x34x34x640xf32>) outs(%arg4 : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
    %result_value, %result_index = iree_vector_ext.arg_compare dimension(1) ins(%arg6 : vector<4x128xf32>) inits(%arg7, %arg8 : vector<4xf32>, vector<4xi32>) {
    ^bb0(%arg9: f32, %arg10: f32):
      %3 = arith.cmpf ogt, %arg9, %arg10 : f32
      iree_vector_ext.yield %3 : i1
    } -> vector<4xf32>, vector<4xi32>
    %2 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x128xf32>) outs(%arg0 : tensor<4x128xf32>) -> tensor<4x128xf32>
    return %0#0 : tensor<4xf32>
  }
  util.func public @packed(%arg0: tensor<64x64xf32>, %arg1: tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32> {
    %pack = linalg.pack %arg0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %arg1 : tensor<64x64xf32> -> tensor<4x4x16x16xf32>
    %0 = util.optimization_barrier %pack : tensor<4x4x16x16xf32>
    util.return %0 : tensor<4x4x16x16xf32>
  }
  func.func @conversions(%arg0: vector<4x1xf32>, %arg1: vector<2x3xf16>, %arg2: vector<1x3xf16>) -> (vector<4x1xf32>, vector<5x3xf16>) {
    %0:2 = util.hoistable_conversion "two" inverts("one") (%arg3 = %arg0, %arg4 = %arg1) : (vector<4x1xf32>, vector<2x3xf16>) -> (vector<4xf32>, vector<2x3xf16>) {
      %3 = vector.shape_cast %arg3 : vector<4x1xf32> to vector<4xf32>
      util.return %3, %arg4 : vector<4xf32>, vector<2x3xf16>
    }
    %1 = util.hoistable_conversion "one" inverts("none") (%arg3 = %0#0) : (vector<4xf32>) -> vector<4x1xf32> {
      %3 = vector.shape_cast %arg3 : vector<4xf32> to vector<4x1xf32>
      util.return %3 : vector<4x1xf32>
    }
    %2 = vector.shuffle %0#1, %arg2 [0, 2, 1, -1, 0] : vector<2x3xf16>, vector<1x3xf16>
    return %1, %2 : vector<4x1xf32>, vector<5x3xf16>
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %0 {
      transform.apply_patterns.iree.lower_inner_tiled
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %0 : !transform.any_op
    transform.iree.test_gpu_vector_distribution %0 : !transform.any_op
    transform.yield 
  }
}
