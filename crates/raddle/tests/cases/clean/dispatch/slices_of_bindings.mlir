// Known offsets, sizes and strides of a binding's slice go into the slice and its type.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %w: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c4 = arith.constant 4 : index  %t = iree_tensor_ext.dispatch.tensor.load %b, offsets = [%n, %c0], sizes = [%c1, %c4], strides = [%c1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> tensor<?xf32>
  "test.use"(%t) : (tensor<?xf32>) -> ()
  return
}

// -----
func.func @f(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %w: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %n: index, %m: memref<?xindex>, %v: tensor<4x?xf32>) {
  %c4 = arith.constant 4 : index  %u = tensor.cast %v : tensor<4x?xf32> to tensor<?x?xf32>
  iree_tensor_ext.dispatch.tensor.store %u, %w, offsets = [0, 0], sizes = [%c4, %n], strides = [1, 1] : tensor<?x?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>
  return
}

// -----
func.func @f(%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %w: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index  %t = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], sizes = [%n, 9], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> tensor<?x9xf32>
  %d = tensor.dim %t, %c0 : tensor<?x9xf32>
  memref.store %d, %m[%c0] : memref<?xindex>
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %arg2: index, %arg3: memref<?xindex>) {
//     %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [%arg2, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> tensor<4xf32>
//     %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
//     "test.use"(%cast) : (tensor<?xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %arg2: index, %arg3: memref<?xindex>, %arg4: tensor<4x?xf32>) {
//     iree_tensor_ext.dispatch.tensor.store %arg4, %arg1, offsets = [0, 0], sizes = [4, %arg2], strides = [1, 1] : tensor<4x?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %arg2: index, %arg3: memref<?xindex>) {
//     %c0 = arith.constant 0 : index
//     %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [%arg2, 9], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> tensor<?x9xf32>
//     memref.store %arg2, %arg3[%c0] : memref<?xindex>
//     return
//   }
// }
