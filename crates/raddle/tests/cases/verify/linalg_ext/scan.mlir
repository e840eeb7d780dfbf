// A scan keeps its shape; what it accumulates has a dimension less.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4xf32>
  return
}

// -----
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4xf16>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4xf16>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4xf16>
  return
}

// -----
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4x6xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4x6xf32>
  return
}

// -----
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<5xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<5xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<5xf32>
  return
}

// -----
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(7) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4xf32>
  return
}

// -----
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<4xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.scan' op expected input/accumulator element types to be identical
//   --> verify/linalg_ext/scan.mlir:14:3
//    |
// 14 |   %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scan' op expected accumulator rank to be equal to input rank - 1
//   --> verify/linalg_ext/scan.mlir:24:3
//    |
// 24 |   %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scan' op incompatible input/accumulator shapes
//   --> verify/linalg_ext/scan.mlir:34:3
//    |
// 34 |   %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scan' op incompatible input/accumulator shapes
//   --> verify/linalg_ext/scan.mlir:44:3
//    |
// 44 |   %r:2 = iree_linalg_ext.scan dimension(7) inclusive(true) ins(%x : tensor<4x6xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scan' op expected accumulator rank to be equal to input rank - 1
//   --> verify/linalg_ext/scan.mlir:54:3
//    |
// 54 |   %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<4xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
