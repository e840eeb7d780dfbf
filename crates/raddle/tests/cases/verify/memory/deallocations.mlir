// A deallocation gives one flag for each memref that is kept.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1) {
  bufferization.dealloc (%arg0 : memref<2xf32>) if (%arg2, %arg2)
  return
}

// -----
func.func @f(%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1) {
  "bufferization.dealloc"(%arg0) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> ()
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate
//  --> verify/memory/deallocations.mlir:4:3
//   |
// 4 |   bufferization.dealloc (%arg0 : memref<2xf32>) if (%arg2, %arg2)
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'bufferization.dealloc' op must have the same number of updated conditions (results) as retained operands
//   --> verify/memory/deallocations.mlir:10:3
//    |
// 10 |   "bufferization.dealloc"(%arg0) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
