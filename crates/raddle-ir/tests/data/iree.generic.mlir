"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "bindings"}> ({
  ^bb0(%arg26: index):
    %16 = "arith.constant"() <{value = 0 : index}> : () -> index
    %17 = "hal.interface.constant.load"() <{layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, ordinal = 0 : index}> : () -> i32
    %18 = "hal.interface.workgroup.id"() <{dimension = 0 : index}> : () -> index
    %19 = "hal.interface.workgroup.count"() <{dimension = 1 : index}> : () -> index
    %20 = "arith.index_castui"(%17) : (i32) -> index
    %21 = "util.assume.int"(%20) <{assumptions = [[#util.int.assumption<umin = 1, umax = 64>, #util.int.assumption<umin = 128>]]}> : (index) -> index
    %22 = "iree_tensor_ext.dispatch.workload.ordinal"(%21) <{ordinal = 0 : index}> : (index) -> index
    %23 = "hal.interface.binding.subspan"(%16, %22) <{alignment = 64 : index, binding = 0 : index, descriptor_flags = 1 : i32, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
    %24 = "hal.interface.binding.subspan"() <{binding = 1 : index, descriptor_flags = 3 : i32, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
    %25 = "iree_tensor_ext.dispatch.tensor.load"(%23, %22, %22) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>, index, index) -> tensor<?x64xf16>
    %26 = "iree_codegen.load_from_buffer"(%24) : (memref<64x64xf16, strided<[64, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>) -> tensor<64x64xf16>
    %27 = "hal.interface.binding.subspan"() <{binding = 1 : index, layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">], flags = Indirect>, operandSegmentSizes = array<i32: 0, 0>}> : () -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>
    "iree_tensor_ext.dispatch.tensor.store"(%26, %27, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 1, 1>}> : (tensor<64x64xf16>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf16>>, index) -> ()
    "func.return"() : () -> ()
  }) {hal.executable.target = #hal.executable.target<"rocm", "rocm-hsaco-fb">} : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4xf16>, tensor<3x5x4xf16>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>, sym_name = "tiles"}> ({
  ^bb0(%arg22: tensor<2x3x4xf16>, %arg23: tensor<3x5x4xf16>, %arg24: tensor<2x5x4xf32>):
    %13 = "iree_codegen.inner_tiled"(%arg22, %arg23, %arg24) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, operandSegmentSizes = array<i32: 2, 1>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}> {lowering_config = #iree_gpu.lowering_config<{promote_operands = [0, 1], reduction = [0, 0, 4], workgroup = [64, 64, 0]}>} : (tensor<2x3x4xf16>, tensor<3x5x4xf16>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %14 = "iree_gpu.barrier_region"(%13) ({
    ^bb0(%arg25: tensor<2x5x4xf32>):
      "iree_gpu.yield"(%arg25) : (tensor<2x5x4xf32>) -> ()
    }) : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %15 = "iree_gpu.value_barrier"(%14) : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    "func.return"(%15) : (tensor<2x5x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4096x64xf16>, vector<8xindex>, vector<8x64xf16>, vector<8x64xi1>, tensor<20x64xf16>, tensor<1x64xf16>) -> (vector<8x64xf16>, tensor<1x64xf16>), sym_name = "gathers"}> ({
  ^bb0(%arg16: memref<4096x64xf16>, %arg17: vector<8xindex>, %arg18: vector<8x64xf16>, %arg19: vector<8x64xi1>, %arg20: tensor<20x64xf16>, %arg21: tensor<1x64xf16>):
    %9 = "arith.constant"() <{value = 0 : index}> : () -> index
    %10 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %11 = "iree_vector_ext.transfer_gather"(%arg16, %9, %9, %arg17, %10, %arg19) <{indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>, affine_map<(d0, d1)[s0] -> (d0, d1)>], operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (memref<4096x64xf16>, index, index, vector<8xindex>, f16, vector<8x64xi1>) -> vector<8x64xf16>
    "iree_vector_ext.transfer_scatter"(%arg16, %arg18, %9, %9, %arg17) <{indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>], operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>}> : (memref<4096x64xf16>, vector<8x64xf16>, index, index, vector<8xindex>) -> ()
    %12 = "iree_gpu.async_dma"(%arg20, %9, %9, %arg21, %9, %9) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 2>, transfer_type = vector<1x64xf16>}> : (tensor<20x64xf16>, index, index, tensor<1x64xf16>, index, index) -> tensor<1x64xf16>
    "func.return"(%11, %12) : (vector<8x64xf16>, tensor<1x64xf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x128xf32>, tensor<4xf32>, tensor<4xi32>, tensor<2x34x34x640xf32>, tensor<2x1024x5760xf32>, memref<16x16xf32>, vector<4x128xf32>, vector<4xf32>, vector<4xi32>) -> tensor<4xf32>, sym_name = "extended"}> ({
  ^bb0(%arg3: tensor<4x128xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xi32>, %arg6: tensor<2x34x34x640xf32>, %arg7: tensor<2x1024x5760xf32>, %arg8: memref<16x16xf32>, %arg9: vector<4x128xf32>, %arg10: vector<4xf32>, %arg11: vector<4xi32>):
    %3:2 = "iree_linalg_ext.arg_compare"(%arg3, %arg4, %arg5) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> ({
    ^bb0(%arg14: f32, %arg15: f32):
      %8 = "arith.cmpf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "iree_linalg_ext.yield"(%8) : (i1) -> ()
    }) : (tensor<4x128xf32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    %4 = "iree_linalg_ext.im2col"(%arg6, %arg7) <{batch_pos = array<i64: 0>, dilations = array<i64: 1, 1>, input_k_perm = array<i64: 0, 1, 2>, k_pos = array<i64: 3>, m_pos = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, output_perm = array<i64: 0, 1, 2>, static_input_pad_high = array<i64>, static_input_pad_low = array<i64>, static_kernel_size = array<i64: 3, 3>, static_offsets = array<i64: 0, 0, 0>, static_output_pad_high = array<i64>, static_output_pad_low = array<i64>, static_output_sizes = [array<i64: 2>, array<i64: 32, 32>, array<i64: 3, 3, 640>], strides = array<i64: 1, 1>}> : (tensor<2x34x34x640xf32>, tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
    %5:2 = "iree_vector_ext.arg_compare"(%arg9, %arg10, %arg11) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      %7 = "arith.cmpf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "iree_vector_ext.yield"(%7) : (i1) -> ()
    }) : (vector<4x128xf32>, vector<4xf32>, vector<4xi32>) -> (vector<4xf32>, vector<4xi32>)
    %6 = "linalg.softmax"(%arg3, %arg3) <{dimension = 1 : i64}> : (tensor<4x128xf32>, tensor<4x128xf32>) -> tensor<4x128xf32>
    "func.return"(%3#0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "util.func"() <{function_type = (tensor<64x64xf32>, tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>, sym_name = "packed", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg1: tensor<64x64xf32>, %arg2: tensor<4x4x16x16xf32>):
    %1 = "linalg.pack"(%arg1, %arg2) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 16, 16>}> : (tensor<64x64xf32>, tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
    %2 = "util.optimization_barrier"(%1) : (tensor<4x4x16x16xf32>) -> tensor<4x4x16x16xf32>
    "util.return"(%2) : (tensor<4x4x16x16xf32>) -> ()
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
