// Copies in the background name a source, a destination and a tag, each with its indices.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>'
module {
  func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
    memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3], %arg3, %arg2[] : memref<2x2xf32>, memref<2xf32, 1>, memref<i32, 2>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
    memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3], %arg3, %arg2[], %arg3, %arg3 {note} : memref<2x2xf32>, memref<2xf32, 1>, memref<i32, 2>
    memref.dma_wait %arg2[], %arg3 : memref<i32, 2>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2'
//     "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>) -> ()
//     "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3, %arg3) {note} : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index, index) -> ()

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>'
//     "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>) -> ()
//     "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3, %arg3) {note} : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index, index) -> ()
