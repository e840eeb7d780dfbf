"builtin.module"() ({
  "func.func"() <{function_type = (i1, tensor<4x8xf32>, tensor<8x4xf32>, index, memref<?x4xf32>, vector<4xf32>, f32, tensor<4x8xi32>, tensor<1x5x5x3xf32>, tensor<1x5x5x2xf32>, tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>, tensor<3x3xf32>) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: tensor<4x8xf32>, %arg2: tensor<8x4xf32>, %arg3: index, %arg4: memref<?x4xf32>, %arg5: vector<4xf32>, %arg6: f32, %arg7: tensor<4x8xi32>, %arg8: tensor<1x5x5x3xf32>, %arg9: tensor<1x5x5x2xf32>, %arg10: tensor<1x7x7x3xf32>, %arg11: tensor<3x3x3x2xf32>, %arg12: tensor<3x3xf32>):
    %0 = "linalg.transpose"(%arg1, %arg2) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg56: f32, %arg57: f32):
      "linalg.yield"(%arg56) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "tensor.empty"() : () -> tensor<4xf32>
    %2 = "linalg.reduce"(%arg1, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      %50 = "arith.addf"(%arg54, %arg55) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%50) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = "linalg.reduce"(%arg1, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg52: f32, %arg53: f32):
      %49 = "arith.addf"(%arg53, %arg52) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%49) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "linalg.broadcast"(%1, %arg1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg50: f32, %arg51: f32):
      "linalg.yield"(%arg50) : (f32) -> ()
    }) : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "linalg.map"(%arg1, %arg1, %arg1) ({
    ^bb0(%arg47: f32, %arg48: f32, %arg49: f32):
      %48 = "arith.addf"(%arg47, %arg48) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%48) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "linalg.exp"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg45: f32, %arg46: f32):
      %47 = "math.exp"(%arg45) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%47) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "linalg.add"(%arg1, %arg1, %arg1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg42: f32, %arg43: f32, %arg44: f32):
      %46 = "arith.addf"(%arg42, %arg43) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%46) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = "linalg.max"(%arg7, %arg7, %arg7) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg39: i32, %arg40: i32, %arg41: i32):
      %45 = "arith.maxsi"(%arg39, %arg40) : (i32, i32) -> i32
      "linalg.yield"(%45) : (i32) -> ()
    }) : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %9 = "linalg.conv_2d_nhwc_hwcf"(%arg10, %arg11, %arg9) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg36: f32, %arg37: f32, %arg38: f32):
      %43 = "arith.mulf"(%arg36, %arg37) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %44 = "arith.addf"(%arg38, %43) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%44) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>, tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
    %10 = "linalg.square"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg34: f32, %arg35: f32):
      %42 = "arith.mulf"(%arg34, %arg34) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%42) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %11 = "linalg.reciprocal"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg32: f32, %arg33: f32):
      %40 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
      %41 = "arith.divf"(%40, %arg32) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%41) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %12 = "linalg.elementwise"(%arg1, %arg1, %arg1) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], kind = #linalg.elementwise_kind<add>, operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg29: f32, %arg30: f32, %arg31: f32):
      %39 = "arith.addf"(%arg29, %arg30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%39) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %13 = "linalg.pooling_nhwc_max"(%arg10, %arg12, %arg8) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg26: f32, %arg27: f32, %arg28: f32):
      %38 = "arith.maximumf"(%arg28, %arg26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%38) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<1x7x7x3xf32>, tensor<3x3xf32>, tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
    %14:2 = "scf.while"(%arg3, %arg6) ({
    ^bb0(%arg24: index, %arg25: f32):
      "scf.condition"(%arg0, %arg24, %arg25) : (i1, index, f32) -> ()
    }, {
    ^bb0(%arg22: index, %arg23: f32):
      "scf.yield"(%arg22, %arg23) : (index, f32) -> ()
    }) : (index, f32) -> (index, f32)
    %15 = "scf.execute_region"() ({
      "cf.br"()[^bb1] : () -> ()
    ^bb1:  // pred: ^bb0
      "scf.yield"(%arg6) : (f32) -> ()
    }) : () -> f32
    %16 = "scf.parallel"(%arg3, %arg3, %arg3, %arg3, %arg3, %arg3, %arg6) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
    ^bb0(%arg18: index, %arg19: index):
      "scf.reduce"(%arg6) ({
      ^bb0(%arg20: f32, %arg21: f32):
        %37 = "arith.addf"(%arg20, %arg21) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%37) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, index, index, index, f32) -> f32
    "scf.parallel"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%arg17: index):
      "scf.reduce"() : () -> ()
    }) : (index, index, index) -> ()
    %17 = "scf.index_switch"(%arg3) <{cases = array<i64: 2>}> ({
      "scf.yield"(%arg6) : (f32) -> ()
    }, {
      "scf.yield"(%arg6) : (f32) -> ()
    }) : (index) -> f32
    %18 = "affine.for"(%arg3, %arg6) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%arg15: index, %arg16: f32):
      %36 = "affine.load"(%arg4, %arg15) <{map = affine_map<(d0) -> (d0 + 1, d0 mod 4)>}> : (memref<?x4xf32>, index) -> f32
      "affine.store"(%36, %arg4, %arg15) <{map = affine_map<(d0) -> (d0, 0)>}> : (f32, memref<?x4xf32>, index) -> ()
      "affine.yield"(%arg16) : (f32) -> ()
    }) : (index, f32) -> f32
    "affine.for"(%arg3, %arg3, %arg3) <{lowerBoundMap = affine_map<(d0) -> (0, d0)>, operandSegmentSizes = array<i32: 1, 2, 0>, step = 1 : index, upperBoundMap = affine_map<(d0)[s0] -> (d0, s0)>}> ({
    ^bb0(%arg14: index):
      "affine.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "affine.if"(%arg3, %arg3) <{condition = affine_set<(d0)[s0] : (d0 - s0 >= 0)>}> ({
      "affine.yield"() : () -> ()
    }, {
      "affine.yield"() : () -> ()
    }) : (index, index) -> ()
    %19 = "affine.max"(%arg3, %arg3) <{map = affine_map<(d0)[s0] -> (d0, s0)>}> : (index, index) -> index
    %20 = "vector.outerproduct"(%arg5, %arg5) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x4xf32>
    %21 = "vector.outerproduct"(%arg5, %arg5, %20) <{kind = #vector.kind<mul>}> : (vector<4xf32>, vector<4xf32>, vector<4x4xf32>) -> vector<4x4xf32>
    %22 = "vector.outerproduct"(%arg5, %arg6) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<4xf32>
    %23 = "gpu.warp_execute_on_lane_0"(%arg3, %arg5) <{warp_size = 32 : i64}> ({
    ^bb0(%arg13: vector<128xf32>):
      "gpu.yield"(%arg6) : (f32) -> ()
    }) : (index, vector<4xf32>) -> f32
    "gpu.warp_execute_on_lane_0"(%arg3) <{warp_size = 32 : i64}> ({
      "gpu.yield"() : () -> ()
    }) : (index) -> ()
    %24 = "gpu.block_dim"() <{dimension = #gpu.dim<x>}> : () -> index
    %25 = "gpu.all_reduce"(%arg6) <{op = #gpu.all_reduce_op<add>, uniform}> ({
    }) : (f32) -> f32
    %26 = "vector.broadcast"(%arg0) : (i1) -> vector<4xi1>
    %27 = "vector.mask"(%26) ({
      %35 = "vector.reduction"(%arg5) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>) -> f32
      "vector.yield"(%35) : (f32) -> ()
    }) : (vector<4xi1>) -> f32
    "vector.mask"(%26) ({
      "vector.yield"() : () -> ()
    }) : (vector<4xi1>) -> ()
    "iree_codegen.workgroup_count_hint"(%arg3, %arg3) <{static_sizes = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (index, index) -> ()
    %28:2 = "gpu.rotate"(%arg6) <{offset = 1 : i32, width = 32 : i32}> : (f32) -> (f32, i1)
    %29 = "gpu.subgroup_broadcast"(%arg6) <{broadcast_type = #gpu.broadcast<first_active_lane>}> : (f32) -> f32
    %30 = "memref.transpose"(%arg4) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<?x4xf32>) -> memref<4x?xf32, strided<[1, 4]>>
    %31:6 = "memref.extract_strided_metadata"(%30) : (memref<4x?xf32, strided<[1, 4]>>) -> (memref<f32>, index, index, index, index, index)
    "vector.print"(%arg5) <{punctuation = #vector.punctuation<newline>}> : (vector<4xf32>) -> ()
    %32 = "memref.atomic_rmw"(%arg6, %arg4, %arg3, %arg3) <{kind = 0 : i64}> : (f32, memref<?x4xf32>, index, index) -> f32
    "cf.cond_br"(%arg0, %arg6)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> ()
  ^bb1(%33: f32):  // 2 preds: ^bb0, ^bb1
    %34 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    "cf.switch"(%34, %arg6)[^bb2, ^bb1] <{case_operand_segments = array<i32: 1>, case_values = dense<42> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, f32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    "func.return"(%arg6) : (f32) -> ()
  }) : () -> ()
  "memref.global"() <{alignment = 16 : i64, constant, initial_value = dense<1.000000e+00> : tensor<2xf32>, sym_name = "g", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "h", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{sym_name = "h2", type = memref<2xf32>}> : () -> ()
}) : () -> ()
