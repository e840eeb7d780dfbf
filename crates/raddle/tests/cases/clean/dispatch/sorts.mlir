// What is sorted along with the keys and used by nobody.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%k: tensor<9xf32>, %v: tensor<9xi8>) {
  %r:2 = iree_linalg_ext.sort dimension(0) outs(%k, %v : tensor<9xf32>, tensor<9xi8>) {
  ^bb0(%a: f32, %b: f32, %c: i8, %d: i8):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<9xf32>, tensor<9xi8>
  "test.use"(%r#0) : (tensor<9xf32>) -> ()
  return
}

// -----
func.func @f(%k: tensor<9xf32>, %v: tensor<9xi8>) {
  %r:2 = iree_linalg_ext.sort dimension(0) outs(%k, %v : tensor<9xf32>, tensor<9xi8>) {
  ^bb0(%a: f32, %b: f32, %c: i8, %d: i8):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<9xf32>, tensor<9xi8>
  "test.use"(%r#1) : (tensor<9xi8>) -> ()
  return
}

// -----
func.func @f(%k: tensor<9xf32>, %v: tensor<9xi8>) {
  %r:2 = iree_linalg_ext.sort dimension(0) outs(%k, %v : tensor<9xf32>, tensor<9xi8>) {
  ^bb0(%a: f32, %b: f32, %c: i8, %d: i8):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<9xf32>, tensor<9xi8>
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<9xf32>, %arg1: tensor<9xi8>) {
//     %0 = iree_linalg_ext.sort dimension(0) outs(%arg0 : tensor<9xf32>) {
//     ^bb0(%arg2: f32, %arg3: f32):
//       %1 = arith.cmpf olt, %arg2, %arg3 : f32
//       iree_linalg_ext.yield %1 : i1
//     } -> tensor<9xf32>
//     "test.use"(%0) : (tensor<9xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9xf32>, %arg1: tensor<9xi8>) {
//     %0:2 = iree_linalg_ext.sort dimension(0) outs(%arg0, %arg1 : tensor<9xf32>, tensor<9xi8>) {
//     ^bb0(%arg2: f32, %arg3: f32, %arg4: i8, %arg5: i8):
//       %1 = arith.cmpf olt, %arg2, %arg3 : f32
//       iree_linalg_ext.yield %1 : i1
//     } -> tensor<9xf32>, tensor<9xi8>
//     "test.use"(%0#1) : (tensor<9xi8>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9xf32>, %arg1: tensor<9xi8>) {
//     return
//   }
// }
