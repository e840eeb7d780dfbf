// A type with extents beside it has one for each that it leaves open.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<?x4xi8>, %n: index) {
  %y = iree_tensor_ext.bitcast %x : tensor<?x4xi8>{%n} -> tensor<8xi32>
  return
}

// -----
func.func @f(%x: tensor<?x4xi8>, %n: index) {
  %y = iree_tensor_ext.bitcast %x : tensor<?x4xi8> -> tensor<8xi32>
  return
}

// -----
func.func @f(%x: tensor<?x4xi8>, %n: index) {
  %y = iree_tensor_ext.bitcast %x : tensor<?x4xi8>{%n, %n} -> tensor<8xi32>
  return
}

// -----
func.func @f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index) {
  %y = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n} -> tensor<4xf32>
  return
}

// -----
func.func @f(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index) {
  %y = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>> -> tensor<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_tensor_ext.bitcast' op value set has 1 dynamic dimensions but only 0 dimension values are attached
//   --> verify/iree/extents_beside_types.mlir:10:3
//    |
// 10 |   %y = iree_tensor_ext.bitcast %x : tensor<?x4xi8> -> tensor<8xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.bitcast' op value set has 1 dynamic dimensions but only 2 dimension values are attached
//   --> verify/iree/extents_beside_types.mlir:16:3
//    |
// 16 |   %y = iree_tensor_ext.bitcast %x : tensor<?x4xi8>{%n, %n} -> tensor<8xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.dispatch.tensor.load' op value set has 1 dynamic dimensions but only 0 dimension values are attached
//   --> verify/iree/extents_beside_types.mlir:28:3
//    |
// 28 |   %y = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>> -> tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
