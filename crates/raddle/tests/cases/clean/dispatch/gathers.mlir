// A gather of one slice: where the indices say, in the shape of the output.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%s: tensor<9x4xf32>, %i: tensor<1xi32>, %o: tensor<1x4xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf32>, tensor<1xi32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
  "test.use"(%r) : (tensor<1x4xf32>) -> ()
  return
}

// -----
func.func @f(%s: tensor<9x4xf32>, %i: tensor<1x1xi32>, %o: tensor<1x4xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf32>, tensor<1x1xi32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
  "test.use"(%r) : (tensor<1x4xf32>) -> ()
  return
}

// -----
func.func @f(%s: tensor<9x4xf32>, %i: tensor<1x1x1xi32>, %o: tensor<1x1x4xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf32>, tensor<1x1x1xi32>) outs(%o : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  "test.use"(%r) : (tensor<1x1x4xf32>) -> ()
  return
}

// -----
func.func @f(%s: tensor<9x8x4xf32>, %i: tensor<2xi32>, %o: tensor<4xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [1, 0] ins(%s, %i : tensor<9x8x4xf32>, tensor<2xi32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  "test.use"(%r) : (tensor<4xf32>) -> ()
  return
}

// -----
func.func @f(%s: tensor<9x4xf32>, %i: tensor<2xi32>, %o: tensor<2x4xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf32>, tensor<2xi32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  "test.use"(%r) : (tensor<2x4xf32>) -> ()
  return
}

// -----
func.func @f(%s: tensor<9x?xf32>, %i: tensor<1xi32>, %o: tensor<1x?xf32>) {
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x?xf32>, tensor<1xi32>) outs(%o : tensor<1x?xf32>) -> tensor<1x?xf32>
  "test.use"(%r) : (tensor<1x?xf32>) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<9x4xf32>, %arg1: tensor<1xi32>, %arg2: tensor<1x4xf32>) {
//     %c0 = arith.constant 0 : index
//     %extracted = tensor.extract %arg1[%c0] : tensor<1xi32>
//     %0 = arith.index_cast %extracted : i32 to index
//     %extracted_slice = tensor.extract_slice %arg0[%0, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
//     "test.use"(%extracted_slice) : (tensor<1x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9x4xf32>, %arg1: tensor<1x1xi32>, %arg2: tensor<1x4xf32>) {
//     %c0 = arith.constant 0 : index
//     %extracted = tensor.extract %arg1[%c0, %c0] : tensor<1x1xi32>
//     %0 = arith.index_cast %extracted : i32 to index
//     %extracted_slice = tensor.extract_slice %arg0[%0, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
//     "test.use"(%extracted_slice) : (tensor<1x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9x4xf32>, %arg1: tensor<1x1x1xi32>, %arg2: tensor<1x1x4xf32>) {
//     %c0 = arith.constant 0 : index
//     %extracted = tensor.extract %arg1[%c0, %c0, %c0] : tensor<1x1x1xi32>
//     %0 = arith.index_cast %extracted : i32 to index
//     %extracted_slice = tensor.extract_slice %arg0[%0, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
//     %expanded = tensor.expand_shape %extracted_slice [[0, 1], [2]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
//     "test.use"(%expanded) : (tensor<1x1x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9x8x4xf32>, %arg1: tensor<2xi32>, %arg2: tensor<4xf32>) {
//     %c1 = arith.constant 1 : index
//     %c0 = arith.constant 0 : index
//     %extracted = tensor.extract %arg1[%c0] : tensor<2xi32>
//     %0 = arith.index_cast %extracted : i32 to index
//     %extracted_0 = tensor.extract %arg1[%c1] : tensor<2xi32>
//     %1 = arith.index_cast %extracted_0 : i32 to index
//     %extracted_slice = tensor.extract_slice %arg0[%1, %0, 0] [1, 1, 4] [1, 1, 1] : tensor<9x8x4xf32> to tensor<1x1x4xf32>
//     %collapsed = tensor.collapse_shape %extracted_slice [[0, 1, 2]] : tensor<1x1x4xf32> into tensor<4xf32>
//     "test.use"(%collapsed) : (tensor<4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9x4xf32>, %arg1: tensor<2xi32>, %arg2: tensor<2x4xf32>) {
//     %0 = iree_linalg_ext.gather dimension_map = [0] ins(%arg0, %arg1 : tensor<9x4xf32>, tensor<2xi32>) outs(%arg2 : tensor<2x4xf32>) -> tensor<2x4xf32>
//     "test.use"(%0) : (tensor<2x4xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<9x?xf32>, %arg1: tensor<1xi32>, %arg2: tensor<1x?xf32>) {
//     %0 = iree_linalg_ext.gather dimension_map = [0] ins(%arg0, %arg1 : tensor<9x?xf32>, tensor<1xi32>) outs(%arg2 : tensor<1x?xf32>) -> tensor<1x?xf32>
//     "test.use"(%0) : (tensor<1x?xf32>) -> ()
//     return
//   }
// }
