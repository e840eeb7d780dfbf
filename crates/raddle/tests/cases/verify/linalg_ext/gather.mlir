// A gather takes slices from where indices say.
// RUN: raddle check %s --split-input-file
func.func @f(%s: memref<9x4xf16>, %i: memref<3x1xi64>, %o: memref<3x4xf16>) {
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
  return
}

// -----
func.func @f(%s: memref<9x4xf16>, %i: memref<3x1xi64>, %o: memref<3x5xf16>) {
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x5xf16>)
  return
}

// -----
func.func @f(%s: memref<9x4xf16>, %i: memref<3x1xi64>, %o: memref<2x4xf16>) {
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<2x4xf16>)
  return
}

// -----
func.func @f(%s: memref<9x4xf16>, %i: memref<3x1xi64>, %o: memref<3x4xf16>) {
  iree_linalg_ext.gather dimension_map = [1, 0, 2] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
  return
}

// -----
func.func @f(%s: tensor<9x4xf16>, %i: memref<3x1xi64>, %o: memref<3x4xf16>) {
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.gather' op shape of output value dim#1 must match source value at dim#1
//   --> verify/linalg_ext/gather.mlir:10:3
//    |
// 10 |   iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x5xf16>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.gather' op mismatch in shape of indices and output value at dim#0
//   --> verify/linalg_ext/gather.mlir:16:3
//    |
// 16 |   iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<2x4xf16>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.gather' op expected output to be at least the rank of non indexed source dims
//   --> verify/linalg_ext/gather.mlir:22:3
//    |
// 22 |   iree_linalg_ext.gather dimension_map = [1, 0, 2] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.gather' op expected operation that implements LinalgExtInterface to have either pure buffer semantics or pure tensor semantics
//   --> verify/linalg_ext/gather.mlir:28:3
//    |
// 28 |   iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
