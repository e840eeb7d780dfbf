// What costs little is made again, what costs much is converted, and the remark says what each would have cost.
// RUN: raddle opt %s --lay-out --remarks
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x64xf32>, %out: memref<16x64xf32>, %n: index) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %m = vector.create_mask %c4, %n : vector<16x64xi1>
  %x = arith.mulf %a, %a : vector<16x64xf32>
  %s = arith.select %m, %x, %a : vector<16x64xi1>, vector<16x64xf32>
  %b = iree_vector_ext.to_layout %x to layout(#b) : vector<16x64xf32>
  %t = arith.select %m, %b, %b : vector<16x64xi1>, vector<16x64xf32>
  vector.transfer_write %s, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  vector.transfer_write %t, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  return
}

// $ raddle opt %s --lay-out --remarks
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x64xf32>, %arg1: memref<16x64xf32>, %arg2: index) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested]} : memref<16x64xf32>, vector<16x64xf32>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) {layouts = [#nested]} : vector<16x64xf32>
//     %2 = vector.create_mask %c4, %arg2 {layouts = [#nested1]} : vector<16x64xi1>
//     %3 = vector.create_mask %c4, %arg2 {layouts = [#nested]} : vector<16x64xi1>
//     %4 = arith.mulf %1, %1 {layouts = [#nested]} : vector<16x64xf32>
//     %5 = arith.select %3, %4, %1 {layouts = [#nested]} : vector<16x64xi1>, vector<16x64xf32>
//     %6 = iree_vector_ext.to_layout %4 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf32>
//     %7 = arith.select %2, %6, %6 {layouts = [#nested1]} : vector<16x64xi1>, vector<16x64xf32>
//     vector.transfer_write %5, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
//     vector.transfer_write %7, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
//     return
//   }
// }
// remark[E0403]: `vector.create_mask` is made again for `arith.select`
//   --> lay_out/the_cheapest_way_is_taken_and_told.mlir:13:3
//    |
// 13 |   %m = vector.create_mask %c4, %n : vector<16x64xi1>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it has nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
//    = note: needed is nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
//    = note: making it again costs 32, converting it costs 70
//
// remark[E0403]: this anchor converts, through shared memory
//   --> lay_out/the_cheapest_way_is_taken_and_told.mlir:16:3
//    |
// 16 |   %b = iree_vector_ext.to_layout %x to layout(#b) : vector<16x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it is given nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
