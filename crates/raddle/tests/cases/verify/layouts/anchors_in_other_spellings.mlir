// An anchor may be written in CuTe's spelling or by its bases: it is the nested layout with the same owners.
// RUN: raddle opt %s --lay-out
// RUN: raddle run %s | grep correct
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x16xf32>, %out: memref<16x16xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"((4,8),(2,2),2):((32,1),(16,8),128)", [16, 16]>) : vector<16x16xf32>
  %b = iree_vector_ext.to_layout %a to layout(#raddle.linear<"slot = [(0, 1), (8, 0)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], subgroup = [(0, 8)] -> m 16 x n 16">) : vector<16x16xf32>
  %c = iree_vector_ext.to_layout %b to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [0, 1], thread_strides = [4, 1]>) : vector<16x16xf32>
  vector.transfer_write %c, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// $ raddle opt %s --lay-out
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [0, 1], thread_strides = [4, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested]} : memref<16x16xf32>, vector<16x16xf32>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) {layouts = [#nested]} : vector<16x16xf32>
//     %2 = iree_vector_ext.to_layout %1 to layout(#nested) {layouts = [#nested]} : vector<16x16xf32>
//     %3 = iree_vector_ext.to_layout %2 to layout(#nested) {layouts = [#nested]} : vector<16x16xf32>
//     vector.transfer_write %3, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
//     return
//   }
// }

// $ raddle run %s | grep correct
// correct: all 256 elements equal the reference bit for bit
