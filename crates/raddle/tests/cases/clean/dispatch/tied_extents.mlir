// The extents beside a binding are those that it was tied to.
// RUN: raddle opt %s --allow-unregistered-dialect --canonicalize
func.func @f(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index, %m: index) {
  %t = flow.dispatch.tie_shape %b : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n}
  %u = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%m} -> tensor<4xf32>
  "test.use"(%u) : (tensor<4xf32>) -> ()
  return
}

// $ raddle opt %s --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg1: index, %arg2: index) {
//     %0 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%arg1}
//     %1 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%arg1} -> tensor<4xf32>
//     "test.use"(%1) : (tensor<4xf32>) -> ()
//     return
//   }
// }
