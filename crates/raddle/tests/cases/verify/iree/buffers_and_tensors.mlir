// Buffers and tensors that pass into one another hold the same elements.
// RUN: raddle check %s --split-input-file
func.func @f(%b: memref<4x?xf32>) {
  %t = iree_codegen.load_from_buffer %b : memref<4x?xf32> -> tensor<?x8xf32>
  return
}

// -----
func.func @f(%b: memref<5xf32>) {
  %t = iree_codegen.load_from_buffer %b : memref<5xf32> -> tensor<4xf32>
  return
}

// -----
func.func @f(%b: memref<4xf32>) {
  %t = iree_codegen.load_from_buffer %b : memref<4xf32> -> tensor<4xf16>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_codegen.load_from_buffer' op buffer and tensor shapes must be compatible and element types must match
//   --> verify/iree/buffers_and_tensors.mlir:10:3
//    |
// 10 |   %t = iree_codegen.load_from_buffer %b : memref<5xf32> -> tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.load_from_buffer' op buffer and tensor shapes must be compatible and element types must match
//   --> verify/iree/buffers_and_tensors.mlir:16:3
//    |
// 16 |   %t = iree_codegen.load_from_buffer %b : memref<4xf32> -> tensor<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
