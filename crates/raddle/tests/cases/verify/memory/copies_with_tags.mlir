// Copies in the background name a source, a destination and a tag, each with its indices.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"() : () -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg3, %arg3, %arg3, %arg3) : (index, index, index, index) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg0, %arg3, %arg3, %arg3) : (memref<2x2xf32>, index, index, index) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg0, %arg4, %arg3, %arg1, %arg3, %arg3, %arg2) : (memref<2x2xf32>, f32, index, memref<2xf32, 1>, index, index, memref<i32, 2>) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3, %arg4) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index, f32) -> ()
  return
}

// -----
func.func @f(%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32) {
  memref.dma_wait %arg1[], %arg3 : memref<2xf32, 1>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.dma_start' op expected at least 4 operands
//   --> verify/memory/copies_with_tags.mlir:10:3
//    |
// 10 |   "memref.dma_start"() : () -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_start' op expected source to be of memref type
//   --> verify/memory/copies_with_tags.mlir:16:3
//    |
// 16 |   "memref.dma_start"(%arg3, %arg3, %arg3, %arg3) : (index, index, index, index) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_start' op expected at least 6 operands
//   --> verify/memory/copies_with_tags.mlir:22:3
//    |
// 22 |   "memref.dma_start"(%arg0, %arg3, %arg3, %arg3) : (memref<2x2xf32>, index, index, index) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_start' op expected source indices to be of index type
//   --> verify/memory/copies_with_tags.mlir:28:3
//    |
// 28 |   "memref.dma_start"(%arg0, %arg4, %arg3, %arg1, %arg3, %arg3, %arg2) : (memref<2x2xf32>, f32, index, memref<2xf32, 1>, index, index, memref<i32, 2>) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_start' op incorrect number of operands
//   --> verify/memory/copies_with_tags.mlir:34:3
//    |
// 34 |   "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_start' op expected stride and num elements per stride to be of type index
//   --> verify/memory/copies_with_tags.mlir:40:3
//    |
// 40 |   "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3, %arg4) : (memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>, index, f32) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 0
//   --> verify/memory/copies_with_tags.mlir:46:3
//    |
// 46 |   memref.dma_wait %arg1[], %arg3 : memref<2xf32, 1>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
