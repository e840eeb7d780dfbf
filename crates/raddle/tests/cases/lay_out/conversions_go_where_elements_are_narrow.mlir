// Values are converted while they are narrow, whichever side the anchors stand on.
// RUN: raddle opt %s --split-input-file --lay-out --remarks
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x64xf16>, %out: memref<16x64xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %v = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x64xf16>, vector<16x64xf16>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf16>
  %w = arith.extf %a : vector<16x64xf16> to vector<16x64xf32>
  %s = arith.addf %w, %w : vector<16x64xf32>
  %b = iree_vector_ext.to_layout %s to layout(#b) : vector<16x64xf32>
  vector.transfer_write %b, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x64xf32>, %out: memref<16x64xf16>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %s = arith.addf %a, %a : vector<16x64xf32>
  %w = arith.truncf %s : vector<16x64xf32> to vector<16x64xf16>
  %b = iree_vector_ext.to_layout %w to layout(#b) : vector<16x64xf16>
  vector.transfer_write %b, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<16x64xf16>
  return
}

// $ raddle opt %s --split-input-file --lay-out --remarks
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x64xf16>, %arg1: memref<16x64xf32>) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %cst_0 = arith.constant 0.000000e+00 : f16
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst_0 {in_bounds = [true, true], layouts = [#nested]} : memref<16x64xf16>, vector<16x64xf16>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) {layouts = [#nested]} : vector<16x64xf16>
//     %2 = iree_vector_ext.to_layout %1 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf16>
//     %3 = arith.extf %2 {layouts = [#nested1]} : vector<16x64xf16> to vector<16x64xf32>
//     %4 = arith.addf %3, %3 {layouts = [#nested1]} : vector<16x64xf32>
//     %5 = iree_vector_ext.to_layout %4 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf32>
//     vector.transfer_write %5, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
//     return
//   }
// }
//
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x64xf32>, %arg1: memref<16x64xf16>) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested]} : memref<16x64xf32>, vector<16x64xf32>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) {layouts = [#nested]} : vector<16x64xf32>
//     %2 = arith.addf %1, %1 {layouts = [#nested]} : vector<16x64xf32>
//     %3 = arith.truncf %2 {layouts = [#nested]} : vector<16x64xf32> to vector<16x64xf16>
//     %4 = iree_vector_ext.to_layout %3 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf16>
//     vector.transfer_write %4, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<16x64xf16>
//     return
//   }
// }
// remark[E0403]: `arith.addf` takes another layout than it was offered: 88 against 156
//   --> lay_out/conversions_go_where_elements_are_narrow.mlir:15:3
//    |
// 15 |   %s = arith.addf %w, %w : vector<16x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it takes nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
//    = note: it was offered nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
//    = note: the numbers are what conversions and accesses around it cost
//    = note: so do 1 operations beside it
//
// remark[E0403]: the result of `iree_vector_ext.to_layout` is converted for `arith.extf`, through shared memory
//   --> lay_out/conversions_go_where_elements_are_narrow.mlir:13:3
//    |
// 13 |   %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it has nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
//    = note: needed is nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
//    = note: converting it costs 88
// remark[E0403]: this anchor converts, through shared memory
//   --> lay_out/conversions_go_where_elements_are_narrow.mlir:34:3
//    |
// 34 |   %b = iree_vector_ext.to_layout %w to layout(#b) : vector<16x64xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it is given nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
