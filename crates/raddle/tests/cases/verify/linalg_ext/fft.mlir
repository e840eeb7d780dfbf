// The length of a transform is a power of two.
// RUN: raddle check %s --split-input-file
func.func @f(%s: index, %x: memref<64xf32>, %y: memref<64xf32>) {
  iree_linalg_ext.fft ins(%s : index) outs(%x, %y : memref<64xf32>, memref<64xf32>)
  return
}

// -----
func.func @f(%s: index, %x: memref<48xf32>, %y: memref<48xf32>) {
  iree_linalg_ext.fft ins(%s : index) outs(%x, %y : memref<48xf32>, memref<48xf32>)
  return
}

// -----
func.func @f(%s: tensor<index>, %x: memref<64xf32>, %y: memref<64xf32>) {
  iree_linalg_ext.fft ins(%s : tensor<index>) outs(%x, %y : memref<64xf32>, memref<64xf32>)
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.fft' op only powers of 2 are handled currently
//   --> verify/linalg_ext/fft.mlir:10:3
//    |
// 10 |   iree_linalg_ext.fft ins(%s : index) outs(%x, %y : memref<48xf32>, memref<48xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.fft' op expected to carry `stage` input
//   --> verify/linalg_ext/fft.mlir:16:3
//    |
// 16 |   iree_linalg_ext.fft ins(%s : tensor<index>) outs(%x, %y : memref<64xf32>, memref<64xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
