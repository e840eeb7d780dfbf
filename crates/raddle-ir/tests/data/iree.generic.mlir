"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "bindings"}> ({
  ^bb0(%arg32: index):
    %21 = "arith.constant"() <{value = 0 : index}> : () -> index
    %22 = "hal.interface.constant.load"() <{layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, ordinal = 0 : index}> : () -> i32
    %23 = "hal.interface.workgroup.id"() <{dimension = 0 : index}> : () -> index
    %24 = "hal.interface.workgroup.count"() <{dimension = 1 : index}> : () -> index
    %25 = "arith.index_castui"(%22) : (i32) -> index
    %26 = "util.assume.int"(%25) <{assumptions = [[#util.int.assumption<umin = 1, umax = 64>, #util.int.assumption<umin = 128>]]}> : (index) -> index
    %27 = "iree_tensor_ext.dispatch.workload.ordinal"(%26) <{ordinal = 0 : index}> : (index) -> index
    %28 = "hal.interface.binding.subspan"(%21, %27) <{alignment = 64 : index, binding = 0 : index, descriptor_flags = 1 : i32, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
    %29 = "hal.interface.binding.subspan"() <{binding = 1 : index, descriptor_flags = 3 : i32, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
    %30 = "iree_tensor_ext.dispatch.tensor.load"(%28, %27, %27) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>, index, index) -> tensor<?x64xf16>
    %31 = "iree_codegen.load_from_buffer"(%29) : (memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>) -> tensor<64x64xf16>
    %32 = "hal.interface.binding.subspan"() <{binding = 1 : index, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 0, 0>}> : () -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    "iree_tensor_ext.dispatch.tensor.store"(%31, %32, %23) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 1, 1>}> : (tensor<64x64xf16>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>, index) -> ()
    "func.return"() : () -> ()
  }) {hal.executable.target = #hal.executable.target<"rocm", "rocm-hsaco-fb">} : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4xf16>, tensor<3x5x4xf16>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>, sym_name = "tiles"}> ({
  ^bb0(%arg28: tensor<2x3x4xf16>, %arg29: tensor<3x5x4xf16>, %arg30: tensor<2x5x4xf32>):
    %18 = "iree_codegen.inner_tiled"(%arg28, %arg29, %arg30) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, operandSegmentSizes = array<i32: 2, 1>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}> {lowering_config = #iree_gpu.lowering_config<{promote_operands = [0, 1], reduction = [0, 0, 4], workgroup = [64, 64, 0]}>} : (tensor<2x3x4xf16>, tensor<3x5x4xf16>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %19 = "iree_gpu.barrier_region"(%18) ({
    ^bb0(%arg31: tensor<2x5x4xf32>):
      "iree_gpu.yield"(%arg31) : (tensor<2x5x4xf32>) -> ()
    }) : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %20 = "iree_gpu.value_barrier"(%19) : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    "func.return"(%20) : (tensor<2x5x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4096x64xf16>, vector<8xindex>, vector<8x64xf16>, vector<8x64xi1>, tensor<20x64xf16>, tensor<1x64xf16>) -> (vector<8x64xf16>, tensor<1x64xf16>), sym_name = "gathers"}> ({
  ^bb0(%arg22: memref<4096x64xf16>, %arg23: vector<8xindex>, %arg24: vector<8x64xf16>, %arg25: vector<8x64xi1>, %arg26: tensor<20x64xf16>, %arg27: tensor<1x64xf16>):
    %14 = "arith.constant"() <{value = 0 : index}> : () -> index
    %15 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %16 = "iree_vector_ext.transfer_gather"(%arg22, %14, %14, %arg23, %15, %arg25) <{indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>, affine_map<(d0, d1)[s0] -> (d0, d1)>], operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (memref<4096x64xf16>, index, index, vector<8xindex>, f16, vector<8x64xi1>) -> vector<8x64xf16>
    "iree_vector_ext.transfer_scatter"(%arg22, %arg24, %14, %14, %arg23) <{indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>], operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>}> : (memref<4096x64xf16>, vector<8x64xf16>, index, index, vector<8xindex>) -> ()
    %17 = "iree_gpu.async_dma"(%arg26, %14, %14, %arg27, %14, %14) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 2>, transfer_type = vector<1x64xf16>}> : (tensor<20x64xf16>, index, index, tensor<1x64xf16>, index, index) -> tensor<1x64xf16>
    "func.return"(%16, %17) : (vector<8x64xf16>, tensor<1x64xf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x128xf32>, tensor<4xf32>, tensor<4xi32>, tensor<2x34x34x640xf32>, tensor<2x1024x5760xf32>, memref<16x16xf32>, vector<4x128xf32>, vector<4xf32>, vector<4xi32>) -> tensor<4xf32>, sym_name = "extended"}> ({
  ^bb0(%arg9: tensor<4x128xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xi32>, %arg12: tensor<2x34x34x640xf32>, %arg13: tensor<2x1024x5760xf32>, %arg14: memref<16x16xf32>, %arg15: vector<4x128xf32>, %arg16: vector<4xf32>, %arg17: vector<4xi32>):
    %8:2 = "iree_linalg_ext.arg_compare"(%arg9, %arg10, %arg11) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %13 = "arith.cmpf"(%arg20, %arg21) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "iree_linalg_ext.yield"(%13) : (i1) -> ()
    }) : (tensor<4x128xf32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    %9 = "iree_linalg_ext.im2col"(%arg12, %arg13) <{batch_pos = array<i64: 0>, dilations = array<i64: 1, 1>, input_k_perm = array<i64: 0, 1, 2>, k_pos = array<i64: 3>, m_pos = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, output_perm = array<i64: 0, 1, 2>, static_input_pad_high = array<i64>, static_input_pad_low = array<i64>, static_kernel_size = array<i64: 3, 3>, static_offsets = array<i64: 0, 0, 0>, static_output_pad_high = array<i64>, static_output_pad_low = array<i64>, static_output_sizes = [array<i64: 2>, array<i64: 32, 32>, array<i64: 3, 3, 640>], strides = array<i64: 1, 1>}> : (tensor<2x34x34x640xf32>, tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
    %10:2 = "iree_vector_ext.arg_compare"(%arg15, %arg16, %arg17) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> ({
    ^bb0(%arg18: f32, %arg19: f32):
      %12 = "arith.cmpf"(%arg18, %arg19) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "iree_vector_ext.yield"(%12) : (i1) -> ()
    }) : (vector<4x128xf32>, vector<4xf32>, vector<4xi32>) -> (vector<4xf32>, vector<4xi32>)
    %11 = "linalg.softmax"(%arg9, %arg9) <{dimension = 1 : i64}> : (tensor<4x128xf32>, tensor<4x128xf32>) -> tensor<4x128xf32>
    "func.return"(%8#0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "util.func"() <{function_type = (tensor<64x64xf32>, tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>, sym_name = "packed", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg7: tensor<64x64xf32>, %arg8: tensor<4x4x16x16xf32>):
    %6 = "linalg.pack"(%arg7, %arg8) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 16, 16>}> : (tensor<64x64xf32>, tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
    %7 = "util.optimization_barrier"(%6) : (tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
    "util.return"(%7) : (tensor<4x4x16x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4x1xf32>, vector<2x3xf16>, vector<1x3xf16>) -> (vector<4x1xf32>, vector<5x3xf16>), sym_name = "conversions"}> ({
  ^bb0(%arg1: vector<4x1xf32>, %arg2: vector<2x3xf16>, %arg3: vector<1x3xf16>):
    %1:2 = "util.hoistable_conversion"(%arg1, %arg2) <{inverseTag = "one", tag = "two"}> ({
    ^bb0(%arg5: vector<4x1xf32>, %arg6: vector<2x3xf16>):
      %5 = "vector.shape_cast"(%arg5) : (vector<4x1xf32>) -> vector<4xf32>
      "util.return"(%5, %arg6) : (vector<4xf32>, vector<2x3xf16>) -> ()
    }) : (vector<4x1xf32>, vector<2x3xf16>) -> (vector<4xf32>, vector<2x3xf16>)
    %2 = "util.hoistable_conversion"(%1#0) <{inverseTag = "none", tag = "one"}> ({
    ^bb0(%arg4: vector<4xf32>):
      %4 = "vector.shape_cast"(%arg4) : (vector<4xf32>) -> vector<4x1xf32>
      "util.return"(%4) : (vector<4x1xf32>) -> ()
    }) : (vector<4xf32>) -> vector<4x1xf32>
    %3 = "vector.shuffle"(%1#1, %arg3) <{mask = array<i64: 0, 2, 1, -1, 0>}> : (vector<2x3xf16>, vector<1x3xf16>) -> vector<5x3xf16>
    "func.return"(%2, %3) : (vector<4x1xf32>, vector<5x3xf16>) -> ()
  }) : () -> ()
  "transform.named_sequence"() <{arg_attrs = [{transform.readonly}], function_type = (!transform.any_op) -> (), sym_name = "__transform_main"}> ({
  ^bb0(%arg0: !transform.any_op):
    %0 = "transform.structured.match"(%arg0) <{ops = ["func.func"]}> : (!transform.any_op) -> !transform.any_op
    "transform.apply_patterns"(%0) <{max_iterations = -1 : i64, max_num_rewrites = -1 : i64}> ({
      "transform.apply_patterns.iree.lower_inner_tiled"() : () -> ()
      "transform.apply_patterns.canonicalization"() : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.apply_cse"(%0) : (!transform.any_op) -> ()
    "transform.iree.test_gpu_vector_distribution"(%0) <{workgroup_size = array<i64>}> : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()
