// What a kernel could not do right is refused at the operation that asks for it.
// RUN: raddle opt %s --split-input-file --admit
#layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>
func.func @f() {
  %a = hal.interface.binding.subspan layout(#layout) binding(0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>>
  %t = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>> -> tensor<4x4xf32>
  %c16 = arith.constant 16 : index
  %b = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c16) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
  iree_tensor_ext.dispatch.tensor.store %t, %b, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
  return
}

// -----
#layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>
func.func @f() {
  %c6 = arith.constant 6 : index
  %a = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c6) : memref<4xf32>
  return
}

// $ raddle opt %s --split-input-file --admit
//
// error[E0303]: a store to binding 0 overwrites what the dispatch reads there
//  --> admit/what_cannot_be_a_kernel_is_refused.mlir:9:3
//   |
// 9 |   iree_tensor_ext.dispatch.tensor.store %t, %b, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: the two parts overlap, and are not the same
// error[E0303]: `hal.interface.binding.subspan` cannot become a part of a kernel
//   --> admit/what_cannot_be_a_kernel_is_refused.mlir:17:3
//    |
// 17 |   %a = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c6) : memref<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: its offset is not a multiple of the bytes of an element
// [exit status 1]
