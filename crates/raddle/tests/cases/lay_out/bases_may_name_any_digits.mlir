// A configuration whose bases name digits in another order than the loops, and digits that no loop has.
// RUN: raddle opt %s --split-input-file --lay-out --remarks
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4, 2, 2], [2, 0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4], [0, 0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4], [0, 1, 2]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 16], [0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[32, 1, 1], [0, 1, 2]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
  return
}

// $ raddle opt %s --split-input-file --lay-out --remarks
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 2], outer_tile = [1, 1, 1], thread_tile = [2, 2, 4], element_tile = [1, 2, 1], subgroup_strides = [0, 0, 0], thread_strides = [2, 16, 4]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [2, 2, 4], element_tile = [1, 2, 2], subgroup_strides = [0, 0, 0], thread_strides = [2, 16, 4]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<2x4x8xf32>, %arg1: memref<2x4x8xf32>) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %cst {in_bounds = [true, true, true], layouts = [#nested], lowering_config = #iree_gpu.lowering_config<{lane_basis = [[2, 4, 2, 2], [2, 0, 1]], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested1) {layouts = [#nested1]} : vector<2x4x8xf32>
//     vector.transfer_write %1, %arg1[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x4x8xf32>, memref<2x4x8xf32>
//     return
//   }
// }
//
//
//
//
// remark[E0403]: the result of `vector.transfer_read` is converted for `vector.transfer_write`, through shared memory
//   --> lay_out/bases_may_name_any_digits.mlir:11:3
//    |
// 11 |   %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4, 2, 2], [2, 0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it has nested_layout<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 2], outer_tile = [1, 1, 1], thread_tile = [2, 2, 4], element_tile = [1, 2, 1], subgroup_strides = [0, 0, 0], thread_strides = [2, 16, 4]>
//    = note: needed is nested_layout<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [2, 2, 4], element_tile = [1, 2, 2], subgroup_strides = [0, 0, 0], thread_strides = [2, 16, 4]>
//    = note: converting it costs 16, reading it again costs 264
// error[E0206]: `lane_basis` maps loops 0 and 1 to one count
//   --> lay_out/bases_may_name_any_digits.mlir:25:3
//    |
// 25 |   %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4], [0, 0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error[E0206]: `lane_basis` maps loop 2 to count 2 of 2
//   --> lay_out/bases_may_name_any_digits.mlir:39:3
//    |
// 39 |   %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 4], [0, 1, 2]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error[E0402]: the `lowering_config` of `vector.transfer_read` does not fit
//   --> lay_out/bases_may_name_any_digits.mlir:53:3
//    |
// 53 |   %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[2, 16], [0, 1]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it has 3 loops, and the configuration speaks of 2
// error[E0402]: the `lowering_config` of `vector.transfer_read` does not fit
//   --> lay_out/bases_may_name_any_digits.mlir:67:3
//    |
// 67 |   %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], lane_basis = [[32, 1, 1], [0, 1, 2]], thread = [1, 2, 0]}>} : memref<2x4x8xf32>, vector<2x4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: its tiles do not divide the 2 steps of loop 0
// [exit status 1]
