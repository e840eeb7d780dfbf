"builtin.module"() ({
  "func.func"() <{function_type = (i1, tensor<4x8xf32>, tensor<8x4xf32>, index, memref<?x4xf32>, vector<4xf32>, f32, tensor<4x8xi32>, tensor<1x5x5x3xf32>, tensor<1x5x5x2xf32>, tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>, tensor<3x3xf32>) -> f32, sym_name = "f"}> ({
  ^bb0(%arg13: i1, %arg14: tensor<4x8xf32>, %arg15: tensor<8x4xf32>, %arg16: index, %arg17: memref<?x4xf32>, %arg18: vector<4xf32>, %arg19: f32, %arg20: tensor<4x8xi32>, %arg21: tensor<1x5x5x3xf32>, %arg22: tensor<1x5x5x2xf32>, %arg23: tensor<1x7x7x3xf32>, %arg24: tensor<3x3x3x2xf32>, %arg25: tensor<3x3xf32>):
    %7 = "linalg.transpose"(%arg14, %arg15) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg69: f32, %arg70: f32):
      "linalg.yield"(%arg69) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %8 = "tensor.empty"() : () -> tensor<4xf32>
    %9 = "linalg.reduce"(%arg14, %8) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg67: f32, %arg68: f32):
      %57 = "arith.addf"(%arg67, %arg68) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%57) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "linalg.reduce"(%arg14, %8) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg65: f32, %arg66: f32):
      %56 = "arith.addf"(%arg66, %arg65) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%56) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = "linalg.broadcast"(%8, %arg14) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg63: f32, %arg64: f32):
      "linalg.yield"(%arg63) : (f32) -> ()
    }) : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %12 = "linalg.map"(%arg14, %arg14, %arg14) ({
    ^bb0(%arg60: f32, %arg61: f32, %arg62: f32):
      %55 = "arith.addf"(%arg60, %arg61) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%55) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %13 = "linalg.exp"(%arg14, %arg14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg58: f32, %arg59: f32):
      %54 = "math.exp"(%arg58) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%54) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %14 = "linalg.add"(%arg14, %arg14, %arg14) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg55: f32, %arg56: f32, %arg57: f32):
      %53 = "arith.addf"(%arg55, %arg56) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%53) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %15 = "linalg.max"(%arg20, %arg20, %arg20) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg52: i32, %arg53: i32, %arg54: i32):
      %52 = "arith.maxsi"(%arg52, %arg53) : (i32, i32) -> i32
      "linalg.yield"(%52) : (i32) -> ()
    }) : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %16 = "linalg.conv_2d_nhwc_hwcf"(%arg23, %arg24, %arg22) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32, %arg51: f32):
      %50 = "arith.mulf"(%arg49, %arg50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %51 = "arith.addf"(%arg51, %50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%51) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>, tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
    %17 = "linalg.square"(%arg14, %arg14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg47: f32, %arg48: f32):
      %49 = "arith.mulf"(%arg47, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%49) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %18 = "linalg.reciprocal"(%arg14, %arg14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg45: f32, %arg46: f32):
      %47 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
      %48 = "arith.divf"(%47, %arg45) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%48) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %19 = "linalg.elementwise"(%arg14, %arg14, %arg14) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], kind = #linalg.elementwise_kind<add>, operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg42: f32, %arg43: f32, %arg44: f32):
      %46 = "arith.addf"(%arg42, %arg43) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%46) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %20 = "linalg.pooling_nhwc_max"(%arg23, %arg25, %arg21) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg39: f32, %arg40: f32, %arg41: f32):
      %45 = "arith.maximumf"(%arg41, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%45) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]} : (tensor<1x7x7x3xf32>, tensor<3x3xf32>, tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
    %21:2 = "scf.while"(%arg16, %arg19) ({
    ^bb0(%arg37: index, %arg38: f32):
      "scf.condition"(%arg13, %arg37, %arg38) : (i1, index, f32) -> ()
    }, {
    ^bb0(%arg35: index, %arg36: f32):
      "scf.yield"(%arg35, %arg36) : (index, f32) -> ()
    }) : (index, f32) -> (index, f32)
    %22 = "scf.execute_region"() ({
      "cf.br"()[^bb1] : () -> ()
    ^bb1:  // pred: ^bb0
      "scf.yield"(%arg19) : (f32) -> ()
    }) : () -> f32
    %23 = "scf.parallel"(%arg16, %arg16, %arg16, %arg16, %arg16, %arg16, %arg19) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
    ^bb0(%arg31: index, %arg32: index):
      "scf.reduce"(%arg19) ({
      ^bb0(%arg33: f32, %arg34: f32):
        %44 = "arith.addf"(%arg33, %arg34) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%44) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, index, index, index, f32) -> f32
    "scf.parallel"(%arg16, %arg16, %arg16) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%arg30: index):
      "scf.reduce"() : () -> ()
    }) : (index, index, index) -> ()
    %24 = "scf.index_switch"(%arg16) <{cases = array<i64: 2>}> ({
      "scf.yield"(%arg19) : (f32) -> ()
    }, {
      "scf.yield"(%arg19) : (f32) -> ()
    }) : (index) -> f32
    %25 = "affine.for"(%arg16, %arg19) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%arg28: index, %arg29: f32):
      %43 = "affine.load"(%arg17, %arg28) <{map = affine_map<(d0) -> (d0 + 1, d0 mod 4)>}> : (memref<?x4xf32>, index) -> f32
      "affine.store"(%43, %arg17, %arg28) <{map = affine_map<(d0) -> (d0, 0)>}> : (f32, memref<?x4xf32>, index) -> ()
      "affine.yield"(%arg29) : (f32) -> ()
    }) : (index, f32) -> f32
    "affine.for"(%arg16, %arg16, %arg16) <{lowerBoundMap = affine_map<(d0) -> (0, d0)>, operandSegmentSizes = array<i32: 1, 2, 0>, step = 1 : index, upperBoundMap = affine_map<(d0)[s0] -> (d0, s0)>}> ({
    ^bb0(%arg27: index):
      "affine.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "affine.if"(%arg16, %arg16) <{condition = affine_set<(d0)[s0] : (d0 - s0 >= 0)>}> ({
      "affine.yield"() : () -> ()
    }, {
      "affine.yield"() : () -> ()
    }) : (index, index) -> ()
    %26 = "affine.max"(%arg16, %arg16) <{map = affine_map<(d0)[s0] -> (d0, s0)>}> : (index, index) -> index
    %27 = "vector.outerproduct"(%arg18, %arg18) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x4xf32>
    %28 = "vector.outerproduct"(%arg18, %arg18, %27) <{kind = #vector.kind<mul>}> : (vector<4xf32>, vector<4xf32>, vector<4x4xf32>) -> vector<4x4xf32>
    %29 = "vector.outerproduct"(%arg18, %arg19) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<4xf32>
    %30 = "gpu.warp_execute_on_lane_0"(%arg16, %arg18) <{warp_size = 32 : i64}> ({
    ^bb0(%arg26: vector<128xf32>):
      "gpu.yield"(%arg19) : (f32) -> ()
    }) : (index, vector<4xf32>) -> f32
    "gpu.warp_execute_on_lane_0"(%arg16) <{warp_size = 32 : i64}> ({
      "gpu.yield"() : () -> ()
    }) : (index) -> ()
    %31 = "gpu.block_dim"() <{dimension = #gpu.dim<x>}> : () -> index
    %32 = "gpu.all_reduce"(%arg19) <{op = #gpu.all_reduce_op<add>, uniform}> ({
    }) : (f32) -> f32
    %33 = "vector.broadcast"(%arg13) : (i1) -> vector<4xi1>
    %34 = "vector.mask"(%33) ({
      %42 = "vector.reduction"(%arg18) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>) -> f32
      "vector.yield"(%42) : (f32) -> ()
    }) : (vector<4xi1>) -> f32
    "vector.mask"(%33) ({
      "vector.yield"() : () -> ()
    }) : (vector<4xi1>) -> ()
    "iree_codegen.workgroup_count_hint"(%arg16, %arg16) <{static_sizes = array<i64: -9223372036854775808, 2, -9223372036854775808>}> : (index, index) -> ()
    %35:2 = "gpu.rotate"(%arg19) <{offset = 1 : i32, width = 32 : i32}> : (f32) -> (f32, i1)
    %36 = "gpu.subgroup_broadcast"(%arg19) <{broadcast_type = #gpu.broadcast<first_active_lane>}> : (f32) -> f32
    %37 = "memref.transpose"(%arg17) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<?x4xf32>) -> memref<4x?xf32, strided<[1, 4]>>
    %38:6 = "memref.extract_strided_metadata"(%37) : (memref<4x?xf32, strided<[1, 4]>>) -> (memref<f32>, index, index, index, index, index)
    "vector.print"(%arg18) <{punctuation = #vector.punctuation<newline>}> : (vector<4xf32>) -> ()
    %39 = "memref.atomic_rmw"(%arg19, %arg17, %arg16, %arg16) <{kind = 0 : i64}> : (f32, memref<?x4xf32>, index, index) -> f32
    "cf.cond_br"(%arg13, %arg19)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> ()
  ^bb1(%40: f32):  // 2 preds: ^bb0, ^bb1
    %41 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    "cf.switch"(%41, %arg19)[^bb2, ^bb1] <{case_operand_segments = array<i32: 1>, case_values = dense<42> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, f32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    "func.return"(%arg19) : (f32) -> ()
  }) : () -> ()
  "memref.global"() <{alignment = 16 : i64, constant, initial_value = dense<1.000000e+00> : tensor<2xf32>, sym_name = "g", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "h", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{sym_name = "h2", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = (complex<f32>, tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>) -> (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>), sym_name = "complex_numbers"}> ({
  ^bb0(%arg0: complex<f32>, %arg1: tensor<4xcomplex<f32>>, %arg2: tensor<2x2xcomplex<f64>>):
    %0 = "linalg.fill"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: complex<f32>, %arg12: complex<f32>):
      "linalg.yield"(%arg11) : (complex<f32>) -> ()
    }) : (complex<f32>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %1 = "linalg.add"(%0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg8: complex<f32>, %arg9: complex<f32>, %arg10: complex<f32>):
      %6 = "complex.add"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (complex<f32>, complex<f32>) -> complex<f32>
      "linalg.yield"(%6) : (complex<f32>) -> ()
    }) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %2 = "linalg.copy"(%1, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: complex<f32>, %arg7: complex<f32>):
      "linalg.yield"(%arg6) : (complex<f32>) -> ()
    }) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = "linalg.matmul"(%arg2, %arg2, %arg2) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: complex<f64>, %arg4: complex<f64>, %arg5: complex<f64>):
      %4 = "complex.mul"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (complex<f64>, complex<f64>) -> complex<f64>
      %5 = "complex.add"(%arg5, %4) <{fastmath = #arith.fastmath<none>}> : (complex<f64>, complex<f64>) -> complex<f64>
      "linalg.yield"(%5) : (complex<f64>) -> ()
    }) : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    "func.return"(%2, %3) : (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>) -> ()
  }) : () -> ()
}) : () -> ()
