// A map of places to themselves is a copy, unless it masks or pads.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>, %m: i1) {
  %true = arith.constant true
  %r = iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i, %j, %true : index, index, i1
  } : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
  "test.use"(%r) : (tensor<?x4xf32>) -> ()
  return
}

// -----
func.func @f(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>, %m: i1) {
  %true = arith.constant true
  %r = iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i, %j, %m : index, index, i1
  } : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
  "test.use"(%r) : (tensor<?x4xf32>) -> ()
  return
}

// -----
func.func @f(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>, %m: i1) {
  %true = arith.constant true
  %r = iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %j, %i, %true : index, index, i1
  } : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
  "test.use"(%r) : (tensor<?x4xf32>) -> ()
  return
}

// -----
func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %p: f32) {
  %r = iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %p : index, f32
  } : tensor<4xf32> into tensor<4xf32> -> tensor<4xf32>
  "test.use"(%r) : (tensor<4xf32>) -> ()
  return
}

// -----
func.func @f(%x: tensor<?xf32>, %o: tensor<?xf32>, %p: f32) {
  %r = iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %p : index, f32
  } : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  "test.use"(%r) : (tensor<?xf32>) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: i1) {
//     %0 = linalg.copy ins(%arg0 : tensor<?x4xf32>) outs(%arg1 : tensor<?x4xf32>) -> tensor<?x4xf32>
//     "test.use"(%0) : (tensor<?x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: i1) {
//     %0 = iree_linalg_ext.map_store %arg0 into %arg1 {
//     ^bb0(%arg3: index, %arg4: index):
//       iree_linalg_ext.yield %arg3, %arg4, %arg2 : index, index, i1
//     } : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
//     "test.use"(%0) : (tensor<?x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: i1) {
//     %true = arith.constant true
//     %0 = iree_linalg_ext.map_store %arg0 into %arg1 {
//     ^bb0(%arg3: index, %arg4: index):
//       iree_linalg_ext.yield %arg4, %arg3, %true : index, index, i1
//     } : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
//     "test.use"(%0) : (tensor<?x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: f32) {
//     %0 = linalg.copy ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
//     "test.use"(%0) : (tensor<4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: f32) {
//     %0 = iree_linalg_ext.map_load %arg0 into %arg1 {
//     ^bb0(%arg3: index):
//       iree_linalg_ext.yield %arg3, %arg2 : index, f32
//     } : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
//     "test.use"(%0) : (tensor<?xf32>) -> ()
//     return
//   }
// }
