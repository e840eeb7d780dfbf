#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>
#config = #iree_gpu.lowering_config<{promote_operands = [0, 1], reduction = [0, 0, 4], workgroup = [64, 64, 0]}>
#target = #hal.executable.target<"rocm", "rocm-hsaco-fb">
module attributes {transform.with_named_sequence} {
  func.func @bindings(%n: index) attributes {hal.executable.target = #target} {
    %c0 = arith.constant 0 : index
    %k = hal.interface.constant.load layout(#layout) ordinal(0) : i32
    %x = hal.interface.workgroup.id[0] : index
    %y = hal.interface.workgroup.count[1] : index
    %m = arith.index_castui %k : i32 to index
    %o = util.assume.int %m[<umin = 1, umax = 64>, <umin = 128>] : index
    %w = iree_tensor_ext.dispatch.workload.ordinal %o, 0 : index
    %a = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>{%w}
    %b = hal.interface.binding.subspan layout(#layout) binding(1) flags("ReadOnly|Indirect") : memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
    %t = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [%w, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>{%w} -> tensor<?x64xf16>
    %u = iree_codegen.load_from_buffer %b : memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<64x64xf16>
    %out = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    iree_tensor_ext.dispatch.tensor.store %u, %out, offsets = [%x, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    return
  }
  func.func @tiles(%lhs: tensor<2x3x4xf16>, %rhs: tensor<3x5x4xf16>, %acc: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
    %0 = iree_codegen.inner_tiled ins(%lhs, %rhs) outs(%acc) {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
      kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, lowering_config = #config,
      semantics = #iree_gpu.mma_semantics<opaque = false, distributed = true>
    } : tensor<2x3x4xf16>, tensor<3x5x4xf16> into tensor<2x5x4xf32>
    %1 = iree_gpu.barrier_region ins(%0 : tensor<2x5x4xf32>) {
    ^bb0(%in: tensor<2x5x4xf32>):
      iree_gpu.yield %in : tensor<2x5x4xf32>
    } : tensor<2x5x4xf32>
    %2 = iree_gpu.value_barrier %1 : tensor<2x5x4xf32>
    return %2 : tensor<2x5x4xf32>
  }
  func.func @gathers(%base: memref<4096x64xf16>, %at: vector<8xindex>, %v: vector<8x64xf16>, %m: vector<8x64xi1>, %t: tensor<20x64xf16>, %d: tensor<1x64xf16>) -> (vector<8x64xf16>, tensor<1x64xf16>) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f16
    %0 = iree_vector_ext.transfer_gather %base[%c0, %c0] [%at : vector<8xindex>], %p, %m {
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>, affine_map<(d0, d1)[s0] -> (d0, d1)>]
    } : memref<4096x64xf16>, vector<8x64xf16>, vector<8x64xi1>
    iree_vector_ext.transfer_scatter %v into %base[%c0, %c0] [%at : vector<8xindex>] {
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>]
    } : vector<8x64xf16>, memref<4096x64xf16>
    %1 = iree_gpu.async_dma %t[%c0, %c0] to %d[%c0, %c0], vector<1x64xf16> in_bounds [true, true] : tensor<20x64xf16>, tensor<1x64xf16> -> tensor<1x64xf16>
    return %0, %1 : vector<8x64xf16>, tensor<1x64xf16>
  }
  func.func @extended(%in: tensor<4x128xf32>, %v: tensor<4xf32>, %i: tensor<4xi32>, %x: tensor<2x34x34x640xf32>, %e: tensor<2x1024x5760xf32>, %mem: memref<16x16xf32>, %vec: vector<4x128xf32>, %vv: vector<4xf32>, %vi: vector<4xi32>) -> tensor<4xf32> {
    %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%in : tensor<4x128xf32>) outs(%v, %i : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf ogt, %a, %b : f32
      iree_linalg_ext.yield %c : i1
    } -> tensor<4xf32>, tensor<4xi32>
    %1 = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] ins(%x : tensor<2x34x34x640xf32>) outs(%e : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
    %2:2 = iree_vector_ext.arg_compare dimension(1) ins(%vec : vector<4x128xf32>) inits(%vv, %vi : vector<4xf32>, vector<4xi32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf ogt, %a, %b : f32
      iree_vector_ext.yield %c : i1
    } -> vector<4xf32>, vector<4xi32>
    %3 = linalg.softmax dimension(1) ins(%in : tensor<4x128xf32>) outs(%in : tensor<4x128xf32>) -> tensor<4x128xf32>
    return %0#0 : tensor<4xf32>
  }
  util.func public @packed(%arg: tensor<64x64xf32>, %d: tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32> {
    %pack = linalg.pack %arg outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %d : tensor<64x64xf32> -> tensor<4x4x16x16xf32>
    %kept = util.optimization_barrier %pack : tensor<4x4x16x16xf32>
    util.return %kept : tensor<4x4x16x16xf32>
  }
  func.func @conversions(%x: vector<4x1xf32>, %y: vector<2x3xf16>, %z: vector<1x3xf16>) -> (vector<4x1xf32>, vector<5x3xf16>) {
    %0:2 = util.hoistable_conversion "two" inverts("one") (%a = %x, %b = %y) : (vector<4x1xf32>, vector<2x3xf16>) -> (vector<4xf32>, vector<2x3xf16>) {
      %1 = vector.shape_cast %a : vector<4x1xf32> to vector<4xf32>
      util.return %1, %b : vector<4xf32>, vector<2x3xf16>
    }
    %2 = util.hoistable_conversion "one" inverts("none") (%a = %0#0) : (vector<4xf32>) -> vector<4x1xf32> {
      %3 = vector.shape_cast %a : vector<4xf32> to vector<4x1xf32>
      util.return %3 : vector<4x1xf32>
    }
    %4 = vector.shuffle %0#1, %z [0, 2, 1, -1, 0] : vector<2x3xf16>, vector<1x3xf16>
    return %2, %4 : vector<4x1xf32>, vector<5x3xf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.iree.lower_inner_tiled
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.iree.test_gpu_vector_distribution %func : !transform.any_op
    transform.yield
  }
}
