// The extents of a tensor for a dispatch stand beside its type, those of its encoding do not.
// RUN: raddle check %s --split-input-file
#b = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#e = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iteration_sizes = [?, ?, ?]>
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.binding.subspan layout(#b) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32, #e>>{%n, %n}
  return
}

// -----
#b = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#e = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iteration_sizes = [?, ?, ?]>
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.binding.subspan layout(#b) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32, #e>>{%n}
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'hal.interface.binding.subspan' op value set has 2 dynamic dimensions but only 1 dimension values are attached
//   --> verify/iree/extents_of_encoded_tensors.mlir:16:3
//    |
// 16 |   %0 = hal.interface.binding.subspan layout(#b) binding(0) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32, #e>>{%n}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
