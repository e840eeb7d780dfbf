// A barrier behind a barrier, and ordinals of constants, of ordinals and of arguments with other uses.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%x: tensor<4xf32>) {
  %a = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<4xf32>
  %b = iree_tensor_ext.compute_barrier.start %a : tensor<4xf32> -> tensor<4xf32>
  %c = iree_tensor_ext.compute_barrier.end %b : tensor<4xf32> -> tensor<4xf32>
  "test.use"(%c) : (tensor<4xf32>) -> ()
  return
}

// -----
func.func @f(%n: index) {
  %c = arith.constant 7 : index  %a = iree_tensor_ext.dispatch.workload.ordinal %c, 0 : index
  "test.use"(%a, %n) : (index, index) -> ()
  return
}

// -----
func.func @f(%n: index) {
  %b = iree_tensor_ext.dispatch.workload.ordinal %n, 1 : index  %a = iree_tensor_ext.dispatch.workload.ordinal %b, 1 : index
  "test.use"(%a) : (index) -> ()
  return
}

// -----
func.func @f(%n: index) {
  "test.use"(%n) : (index) -> ()
  %a = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
  "test.use"(%a, %n) : (index, index) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<4xf32>) {
//     %0 = iree_tensor_ext.compute_barrier.start %arg0 : tensor<4xf32> -> tensor<4xf32>
//     %1 = iree_tensor_ext.compute_barrier.end %0 : tensor<4xf32> -> tensor<4xf32>
//     "test.use"(%1) : (tensor<4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index) {
//     %c7 = arith.constant 7 : index
//     "test.use"(%c7, %arg0) : (index, index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index) {
//     %0 = iree_tensor_ext.dispatch.workload.ordinal %arg0, 1 : index
//     "test.use"(%0) : (index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index) {
//     %0 = iree_tensor_ext.dispatch.workload.ordinal %arg0, 0 : index
//     "test.use"(%0) : (index) -> ()
//     "test.use"(%0, %0) : (index, index) -> ()
//     return
//   }
// }
