// Bitcasts of bitcasts, of nothing, and of what a cast forgot.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%x: tensor<?x8xi8>, %n: index) {
  %y = iree_tensor_ext.bitcast %x : tensor<?x8xi8>{%n} -> tensor<?x2xi32>{%n}
  %z = iree_tensor_ext.bitcast %y : tensor<?x2xi32>{%n} -> tensor<?x8xi8>{%n}
  "test.use"(%z) : (tensor<?x8xi8>) -> ()
  return
}

// -----
func.func @f(%x: tensor<?x8xi8>, %n: index, %m: index) {
  %y = iree_tensor_ext.bitcast %x : tensor<?x8xi8>{%n} -> tensor<?x2xi32>{%n}
  %z = iree_tensor_ext.bitcast %y : tensor<?x2xi32>{%n} -> tensor<?x8xi8>{%m}
  "test.use"(%z) : (tensor<?x8xi8>) -> ()
  return
}

// -----
func.func @f(%n: index, %m: index) {
  %e = tensor.empty(%n) : tensor<?xi32>
  %z = iree_tensor_ext.bitcast %e : tensor<?xi32>{%n} -> tensor<?xi8>{%m}
  "test.use"(%z) : (tensor<?xi8>) -> ()
  return
}

// -----
func.func @f(%x: tensor<4x8xi8>, %n: index) {
  %c = tensor.cast %x : tensor<4x8xi8> to tensor<?x8xi8>
  %z = iree_tensor_ext.bitcast %c : tensor<?x8xi8>{%n} -> tensor<?x2xi32>{%n}
  "test.use"(%z) : (tensor<?x2xi32>) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<?x8xi8>, %arg1: index) {
//     "test.use"(%arg0) : (tensor<?x8xi8>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<?x8xi8>, %arg1: index, %arg2: index) {
//     %0 = iree_tensor_ext.bitcast %arg0 : tensor<?x8xi8>{%arg1} -> tensor<?x8xi8>{%arg2}
//     "test.use"(%0) : (tensor<?x8xi8>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0 = tensor.empty(%arg1) : tensor<?xi8>
//     "test.use"(%0) : (tensor<?xi8>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<4x8xi8>, %arg1: index) {
//     %0 = iree_tensor_ext.bitcast %arg0 : tensor<4x8xi8> -> tensor<4x2xi32>
//     %cast = tensor.cast %0 : tensor<4x2xi32> to tensor<?x2xi32>
//     "test.use"(%cast) : (tensor<?x2xi32>) -> ()
//     return
//   }
// }
