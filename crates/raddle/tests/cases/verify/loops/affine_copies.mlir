// Prefetches and copies by affine indices.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
  affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], change, locality<3>, instr {tag} : memref<8x8xf32>
  affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
  affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
  return
}

// -----
func.func @f(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
  affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<3>, code {tag} : memref<8x8xf32>
  affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
  affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
  return
}

// -----
func.func @f(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
  affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<4>, instr {tag} : memref<8x8xf32>
  affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
  affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
  return
}

// -----
func.func @f(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
  affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<3>, instr {tag} : memref<8x8xf32>
  affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
  affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
  return
}

// $ raddle check %s --split-input-file
// error[E0101]: rw specifier has to be 'read' or 'write'
//  --> verify/loops/affine_copies.mlir:4:52
//   |
// 4 |   affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], change, locality<3>, instr {tag} : memref<8x8xf32>
//   |                                                    ^^^^^^
//
// error[E0101]: cache type has to be 'data' or 'instr'
//   --> verify/loops/affine_copies.mlir:12:72
//    |
// 12 |   affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<3>, code {tag} : memref<8x8xf32>
//    |                                                                        ^^^^
//
// error[E0201]: 'affine.prefetch' op needs a number from 0 to 3 for `localityHint`
//   --> verify/loops/affine_copies.mlir:20:3
//    |
// 20 |   affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<4>, instr {tag} : memref<8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: a copy has a number of elements, or this and two stride related operands
//   --> verify/loops/affine_copies.mlir:29:20
//    |
// 29 |   affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
//    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
