// A wish of an anchor reaches the reads that its value is made from; what is read is copied once, in a layout in
// which each thread's accesses are as wide as they can be, and the anchor stays.
// RUN: raddle opt %s --target=gfx942 --split-input-file --promote
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
func.func @f(%m: memref<16x16xf16>, %n: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %a = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %b = vector.transfer_read %n[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %s = arith.addf %a, %b : vector<16x16xf16>
  %t = vector.transpose %s, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
  %x = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = #iree_gpu.derived_thread_config} : vector<16x16xf16>
  return %x : vector<16x16xf16>
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
func.func @f(%m: memref<16x16xf16>, %n: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %a = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %b = vector.transfer_read %n[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %s = arith.addf %a, %b : vector<16x16xf16>
  %t = vector.transpose %s, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
  %x = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = #iree_gpu.derived_thread_config} : vector<16x16xf16>
  %y = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = #iree_gpu.use_global_load_dma} : vector<16x16xf16>
  return %x : vector<16x16xf16>
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
func.func @f(%m: memref<16x16xf16>, %n: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %a = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %b = vector.transfer_read %n[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %s = arith.addf %a, %b : vector<16x16xf16>
  %t = vector.transpose %s, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
  %x = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = "wrong"} : vector<16x16xf16>
  return %x : vector<16x16xf16>
}

// $ raddle opt %s --target=gfx942 --split-input-file --promote
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [4, 1]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
// module {
//   func.func @f(%arg0: memref<16x16xf16>, %arg1: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #translation} {
//     gpu.barrier memfence [#gpu.address_space<workgroup>]
//     gpu.barrier memfence [#gpu.address_space<workgroup>]
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f16
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<16x16xf16>, vector<16x16xf16>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) : vector<16x16xf16>
//     %2 = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %c0_0 = arith.constant 0 : index
//     %3 = vector.transfer_write %1, %2[%c0_0, %c0_0] {in_bounds = [true, true]} : vector<16x16xf16>, tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %4 = iree_gpu.value_barrier %3 : tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %5 = ub.poison : f16
//     %6 = vector.transfer_read %4[%c0_0, %c0_0], %5 {in_bounds = [true, true]} : tensor<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
//     %7 = vector.transfer_read %arg1[%c0, %c0], %cst : memref<16x16xf16>, vector<16x16xf16>
//     %8 = iree_vector_ext.to_layout %7 to layout(#nested) : vector<16x16xf16>
//     %9 = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %c0_1 = arith.constant 0 : index
//     %10 = vector.transfer_write %8, %9[%c0_1, %c0_1] {in_bounds = [true, true]} : vector<16x16xf16>, tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %11 = iree_gpu.value_barrier %10 : tensor<16x16xf16, #gpu.address_space<workgroup>>
//     %12 = ub.poison : f16
//     %13 = vector.transfer_read %11[%c0_1, %c0_1], %12 {in_bounds = [true, true]} : tensor<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
//     %14 = arith.addf %6, %13 : vector<16x16xf16>
//     %15 = vector.transpose %14, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
//     %16 = iree_vector_ext.to_layout %15 to layout(#nested1) : vector<16x16xf16>
//     return %16 : vector<16x16xf16>
//   }
// }
//
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
// module {
//   func.func @f(%arg0: memref<16x16xf16>, %arg1: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f16
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<16x16xf16>, vector<16x16xf16>
//     %1 = vector.transfer_read %arg1[%c0, %c0], %cst : memref<16x16xf16>, vector<16x16xf16>
//     %2 = arith.addf %0, %1 : vector<16x16xf16>
//     %3 = vector.transpose %2, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
//     %4 = iree_vector_ext.to_layout %3 to layout(#nested) : vector<16x16xf16>
//     %5 = iree_vector_ext.to_layout %3 to layout(#nested) : vector<16x16xf16>
//     return %4 : vector<16x16xf16>
//   }
// }
//
// error[E0107]: shared_memory_conversion attribute must implement IREE::GPU::PromotionAttr
//   --> tensors/reads_are_copied_where_anchors_wish.mlir:42:3
//    |
// 42 |   %x = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = "wrong"} : vector<16x16xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: known are #iree_gpu.derived_thread_config and #iree_gpu.use_global_load_dma
// [exit status 1]
