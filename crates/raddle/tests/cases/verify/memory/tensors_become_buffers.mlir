// Tensors and their buffers have one shape, and what is written there fits.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>) {
  %0 = bufferization.to_buffer %arg0 : tensor<4x?xf32> to memref<4x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>) {
  %0 = bufferization.alloc_tensor(%arg2) copy(%arg0) : tensor<4x?xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>) {
  %0 = bufferization.alloc_tensor() : tensor<4x?xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>) {
  bufferization.materialize_in_destination %arg3 in %arg1 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>) {
  bufferization.materialize_in_destination %arg0 in writable %arg1 : (tensor<4x?xf32>, memref<4xf32>) -> ()
  return
}

// -----
func.func private @f(tensor<4xf32> {bufferization.access = "some"})

// -----
func.func private @f(tensor<4xf32> {bufferization.access = "read-write"})

// $ raddle check %s --split-input-file
// error[E0201]: 'bufferization.to_buffer' op failed to verify that specified tensor and buffer types match
//  --> verify/memory/tensors_become_buffers.mlir:4:3
//   |
// 4 |   %0 = bufferization.to_buffer %arg0 : tensor<4x?xf32> to memref<4x8xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: shapes do not match
//
// error[E0201]: 'bufferization.alloc_tensor' op dynamic sizes not needed when copying a tensor
//   --> verify/memory/tensors_become_buffers.mlir:10:3
//    |
// 10 |   %0 = bufferization.alloc_tensor(%arg2) copy(%arg0) : tensor<4x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 0, expected 1
//   --> verify/memory/tensors_become_buffers.mlir:16:3
//    |
// 16 |   %0 = bufferization.alloc_tensor() : tensor<4x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type
//   --> verify/memory/tensors_become_buffers.mlir:22:3
//    |
// 22 |   bufferization.materialize_in_destination %arg3 in %arg1 : (tensor<4xf32>, memref<4xf32>) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'bufferization.materialize_in_destination' op rank mismatch between source and destination shape
//   --> verify/memory/tensors_become_buffers.mlir:28:3
//    |
// 28 |   bufferization.materialize_in_destination %arg0 in writable %arg1 : (tensor<4x?xf32>, memref<4xf32>) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op invalid value for 'bufferization.access'
//   --> verify/memory/tensors_become_buffers.mlir:33:1
//    |
// 33 | func.func private @f(tensor<4xf32> {bufferization.access = "some"})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
