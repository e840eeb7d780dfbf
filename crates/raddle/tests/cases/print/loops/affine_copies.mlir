// Prefetches and copies by affine indices.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'isDataCache = false, isWrite = true, localityHint = 3 : i32'
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '"affine.dma_start"(%arg0, %arg3, %arg1, %arg3, %arg2, %arg3, %arg3, %arg3)'
module {
  func.func @f(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
    affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<3>, instr {tag} : memref<8x8xf32>
    affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3, %arg3 : memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>
    affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'isDataCache = false, isWrite = true, localityHint = 3 : i32'
//     "affine.prefetch"(%arg0, %arg3, %arg3) <{isDataCache = false, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)[s0] -> (d0, s0 + 1)>}> {tag} : (memref<8x8xf32>, index, index) -> ()

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '"affine.dma_start"(%arg0, %arg3, %arg1, %arg3, %arg2, %arg3, %arg3, %arg3)'
//     "affine.dma_start"(%arg0, %arg3, %arg1, %arg3, %arg2, %arg3, %arg3, %arg3) <{dst_map = affine_map<(d0) -> (d0, 2)>, src_map = affine_map<(d0) -> (d0 + 1, 0)>, tag_map = affine_map<() -> (0)>}> : (memref<8x8xf32>, index, memref<8x8xf32, 1>, index, memref<1xi32>, index, index, index) -> ()
