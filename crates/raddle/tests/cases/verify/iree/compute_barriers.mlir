// A barrier on a tensor keeps its type.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<4xf32>) {
  %y = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @f(%x: tensor<4xf32>) {
  %y = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_tensor_ext.compute_barrier.start' op value and result types must match
//   --> verify/iree/compute_barriers.mlir:10:3
//    |
// 10 |   %y = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
