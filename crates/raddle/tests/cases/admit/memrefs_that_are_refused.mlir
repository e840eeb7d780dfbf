// What is not a tensor says why.
// RUN: raddle opt %s --split-input-file --hoist-dispatches --admit
func.func @strided(%a: memref<4x4xf32, strided<[?, 1], offset: ?>>, %o: memref<4x4xf32>) {
  linalg.exp ins(%a : memref<4x4xf32, strided<[?, 1], offset: ?>>) outs(%o : memref<4x4xf32>)
  return
}

// -----
func.func private @print(memref<*xf32>)
func.func @unranked(%a: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  func.call @print(%u) : (memref<*xf32>) -> ()
  return
}

// -----
func.func @calls_itself(%a: memref<4xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @calls_itself(%a, %v) : (memref<4xf32>, f32) -> ()
  return
}

// $ raddle opt %s --split-input-file --hoist-dispatches --admit
//
//
// error[E0303]: `@strided` cannot work on tensors instead of memrefs
//  --> admit/memrefs_that_are_refused.mlir:3:1
//   |
// 3 | func.func @strided(%a: memref<4x4xf32, strided<[?, 1], offset: ?>>, %o: memref<4x4xf32>) {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: the elements of an argument do not lie side by side in memory
//   = help: bufferize with `function-boundary-type-conversion=identity-layout-map`
// error[E0303]: `func.call` cannot work on tensors instead of memrefs
//   --> admit/memrefs_that_are_refused.mlir:13:3
//    |
// 13 |   func.call @print(%u) : (memref<*xf32>) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it uses a memref, and there is no rule for the tensor that this holds
// error[E0303]: `@calls_itself` cannot take in what it calls
//   --> admit/memrefs_that_are_refused.mlir:20:3
//    |
// 20 |   call @calls_itself(%a, %v) : (memref<4xf32>, f32) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it calls itself, or there are more than 256 calls of functions on memrefs, or in bodies
// [exit status 1]
