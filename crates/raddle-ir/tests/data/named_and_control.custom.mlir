#map = affine_map<(d0) -> (0, d0)>
#map1 = affine_map<(d0)[s0] -> (d0, s0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
module {
  func.func @f(%arg0: i1, %arg1: tensor<4x8xf32>, %arg2: tensor<8x4xf32>, %arg3: index, %arg4: memref<?x4xf32>, %arg5: vector<4xf32>, %arg6: f32, %arg7: tensor<4x8xi32>, %arg8: tensor<1x5x5x3xf32>, %arg9: tensor<1x5x5x2xf32>, %arg10: tensor<1x7x7x3xf32>, %arg11: tensor<3x3x3x2xf32>, %arg12: tensor<3x3xf32>) -> f32 {
    %transposed = linalg.transpose ins(%arg1 : tensor<4x8xf32>) outs(%arg2 : tensor<8x4xf32>) permutation = [1, 0] 
    %0 = tensor.empty() : tensor<4xf32>
    %reduced = linalg.reduce ins(%arg1 : tensor<4x8xf32>) outs(%0 : tensor<4xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %25 = arith.addf %in, %init : f32
        linalg.yield %25 : f32
      }
    %reduced_0 = linalg.reduce { arith.addf } ins(%arg1 : tensor<4x8xf32>) outs(%0 : tensor<4xf32>) dimensions = [1] 
    %broadcasted = linalg.broadcast ins(%0 : tensor<4xf32>) outs(%arg1 : tensor<4x8xf32>) dimensions = [1] 
    %mapped = linalg.map { arith.addf } ins(%arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>)
    %1 = linalg.exp ins(%arg1 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.add ins(%arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = linalg.max ins(%arg7, %arg7 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg7 : tensor<4x8xi32>) -> tensor<4x8xi32>
    %4 = linalg.conv_2d_nhwc_hwcf ins(%arg10, %arg11 : tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>) outs(%arg9 : tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
    %5 = linalg.square ins(%arg1 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = linalg.reciprocal ins(%arg1 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg10, %arg12 : tensor<1x7x7x3xf32>, tensor<3x3xf32>) outs(%arg8 : tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
    %9:2 = scf.while (%arg13 = %arg3, %arg14 = %arg6) : (index, f32) -> (index, f32) {
      scf.condition(%arg0) %arg13, %arg14 : index, f32
    } do {
    ^bb0(%arg13: index, %arg14: f32):
      scf.yield %arg13, %arg14 : index, f32
    }
    %10 = scf.execute_region -> f32 {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      scf.yield %arg6 : f32
    }
    %11 = scf.parallel (%arg13, %arg14) = (%arg3, %arg3) to (%arg3, %arg3) step (%arg3, %arg3) init (%arg6) -> f32 {
      scf.reduce(%arg6 : f32) {
      ^bb0(%arg15: f32, %arg16: f32):
        %25 = arith.addf %arg15, %arg16 : f32
        scf.reduce.return %25 : f32
      }
    }
    scf.parallel (%arg13) = (%arg3) to (%arg3) step (%arg3) {
      scf.reduce 
    }
    %12 = scf.index_switch %arg3 -> f32 
    case 2 {
      scf.yield %arg6 : f32
    }
    default {
      scf.yield %arg6 : f32
    }
    %13 = affine.for %arg13 = 0 to %arg3 step 2 iter_args(%arg14 = %arg6) -> (f32) {
      %25 = affine.load %arg4[%arg13 + 1, %arg13 mod 4] : memref<?x4xf32>
      affine.store %25, %arg4[%arg13, 0] : memref<?x4xf32>
      affine.yield %arg14 : f32
    }
    affine.for %arg13 = max #map(%arg3) to min #map1(%arg3)[%arg3] {
    }
    affine.if #set(%arg3)[%arg3] {
    } else {
    }
    %14 = affine.max #map1(%arg3)[%arg3]
    %15 = vector.outerproduct %arg5, %arg5 : vector<4xf32>, vector<4xf32>
    %16 = vector.outerproduct %arg5, %arg5, %15 {kind = #vector.kind<mul>} : vector<4xf32>, vector<4xf32>
    %17 = vector.outerproduct %arg5, %arg6 : vector<4xf32>, f32
    %18 = gpu.warp_execute_on_lane_0(%arg3)[32] args(%arg5 : vector<4xf32>) -> (f32) {
    ^bb0(%arg13: vector<128xf32>):
      gpu.yield %arg6 : f32
    }
    gpu.warp_execute_on_lane_0(%arg3)[32] {
    }
    %block_dim_x = gpu.block_dim x
    %19 = gpu.all_reduce add %arg6 uniform {
    } : (f32) -> f32
    %20 = vector.broadcast %arg0 : i1 to vector<4xi1>
    %21 = vector.mask %20 { vector.reduction <add>, %arg5 : vector<4xf32> into f32 } : vector<4xi1> -> f32
    vector.mask %20 { vector.yield } : vector<4xi1>
    iree_codegen.workgroup_count_hint(%arg3, 2, %arg3)
    %rotateResult, %valid = gpu.rotate %arg6, 1, 32 : f32
    %22 = gpu.subgroup_broadcast %arg6, first_active_lane : f32
    %transpose = memref.transpose %arg4 (d0, d1) -> (d1, d0) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %transpose : memref<4x?xf32, strided<[1, 4]>> -> memref<f32>, index, index, index, index, index
    vector.print %arg5 : vector<4xf32>
    %23 = memref.atomic_rmw addf %arg6, %arg4[%arg3, %arg3] : (f32, memref<?x4xf32>) -> f32
    cf.cond_br %arg0, ^bb1(%arg6 : f32), ^bb2
  ^bb1(%24: f32):  // 2 preds: ^bb0, ^bb1
    %c4_i32 = arith.constant 4 : i32
    cf.switch %c4_i32 : i32, [
      default: ^bb2,
      42: ^bb1(%arg6 : f32)
    ]
  ^bb2:  // 2 preds: ^bb0, ^bb1
    return %arg6 : f32
  }
  memref.global "private" constant @g : memref<2xf32> = dense<1.000000e+00> alignment = 16
  memref.global @h : memref<2xf32> = uninitialized
  memref.global @h2 : memref<2xf32>
  func.func @complex_numbers(%arg0: complex<f32>, %arg1: tensor<4xcomplex<f32>>, %arg2: tensor<2x2xcomplex<f64>>) -> (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>) {
    %0 = linalg.fill ins(%arg0 : complex<f32>) outs(%arg1 : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %1 = linalg.add ins(%0, %arg1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%arg1 : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %2 = linalg.copy ins(%1 : tensor<4xcomplex<f32>>) outs(%arg1 : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = linalg.matmul ins(%arg2, %arg2 : tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) outs(%arg2 : tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    return %2, %3 : tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>
  }
}
