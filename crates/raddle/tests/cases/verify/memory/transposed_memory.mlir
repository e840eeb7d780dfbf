// Dimensions that change places take their strides with them.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<4x8xf32>) {
  %transpose = memref.transpose %arg0 (i, j) -> (i, i) : memref<4x8xf32> to memref<4x4xf32>
  return
}

// -----
func.func @f(%arg0: memref<4x8xf32>) {
  %transpose = memref.transpose %arg0 (i) -> (i) : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----
func.func @f(%arg0: memref<4x8xf32>) {
  %transpose = memref.transpose %arg0 (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.transpose' op expected a permutation map
//  --> verify/memory/transposed_memory.mlir:4:3
//   |
// 4 |   %transpose = memref.transpose %arg0 (i, j) -> (i, i) : memref<4x8xf32> to memref<4x4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.transpose' op expected a permutation map of same rank as the input
//   --> verify/memory/transposed_memory.mlir:10:3
//    |
// 10 |   %transpose = memref.transpose %arg0 (i) -> (i) : memref<4x8xf32> to memref<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.transpose' op result type 'memref<8x4xf32>' is not equivalent to the canonical transposed input type 'memref<8x4xf32, strided<[1, 8]>>'
//   --> verify/memory/transposed_memory.mlir:16:3
//    |
// 16 |   %transpose = memref.transpose %arg0 (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
