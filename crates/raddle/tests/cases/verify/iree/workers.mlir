// Workers write results through references that have the shape of the result and the scope of the operation.
// RUN: raddle check %s --split-input-file
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, sync(#pcf.sequential)>) -> (tensor<4x?xi32>{%n}) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, #pcf.test_scope>) -> (tensor<4x?xi32>{%n}) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, #pcf.sequential, i32>) -> (tensor<4x?xi32>{%n}) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<5x?xi32, #pcf.sequential>) -> (tensor<4x?xi32>{%n}) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xf32, #pcf.sequential>) -> (tensor<4x?xi32>{%n}) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, sync(#pcf.sequential)>) -> (i32) {
      pcf.return
    }
  return
}

// -----
func.func @f(%n: index) {
  %r = pcf.generic scope(#pcf.sequential)
      execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, sync(#pcf.sequential)>) -> (tensor<4x?xi32>{%n, %n}) {
      pcf.return
    }
  return
}

// -----
func.func @f() {
  pcf.loop scope(#pcf.sequential) count() execute[] {
      pcf.return
    }
  return
}

// -----
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>) {
  %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32, strided<[?], offset: ?>>
  return
}

// -----
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>) {
  %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32>
  return
}

// -----
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>) {
  %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32, strided<[?]>>
  return
}

// -----
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>) {
  %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32, strided<[1], offset: ?>>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'pcf.generic' op expected region ref argument to be of type !pcf.sref with scope #pcf.sequential
//   --> verify/iree/workers.mlir:13:3
//    |
// 13 |   %r = pcf.generic scope(#pcf.sequential)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.generic' op expected region ref argument to sync on return or is unspecified
//   --> verify/iree/workers.mlir:22:3
//    |
// 22 |   %r = pcf.generic scope(#pcf.sequential)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.generic' op region arg at index 0 with type '!pcf.sref<5x?xi32, #pcf.sequential>' shape mismatch with tied result of type 'tensor<4x?xi32>'
//   --> verify/iree/workers.mlir:31:3
//    |
// 31 |   %r = pcf.generic scope(#pcf.sequential)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.generic' op region arg at index 0 element type mismatch of 'f32' vs 'i32'
//   --> verify/iree/workers.mlir:40:3
//    |
// 40 |   %r = pcf.generic scope(#pcf.sequential)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: result type must be a shaped type
//   --> verify/iree/workers.mlir:50:98
//    |
// 50 |       execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, sync(#pcf.sequential)>) -> (i32) {
//    |                                                                                                  ^^^
//
// error[E0101]: expected 1 dynamic dimension operands for type `tensor<4x?xi32>`, but got 2
//   --> verify/iree/workers.mlir:59:98
//    |
// 59 |       execute(%ref)[%id: index, %count: index] : (!pcf.sref<4x?xi32, sync(#pcf.sequential)>) -> (tensor<4x?xi32>{%n, %n}) {
//    |                                                                                                  ^^^^^^
//
// error[E0201]: 'pcf.loop' op expected at least one iteration count argument
//   --> verify/iree/workers.mlir:67:3
//    |
// 67 |   pcf.loop scope(#pcf.sequential) count() execute[] {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.get_memref' op result memref must have a strided layout attribute, got 'memref<4xf32>'
//   --> verify/iree/workers.mlir:81:3
//    |
// 81 |   %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.get_memref' op result memref layout must have dynamic offset, got 'memref<4xf32, strided<[?]>>'
//   --> verify/iree/workers.mlir:87:3
//    |
// 87 |   %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32, strided<[?]>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'pcf.get_memref' op result memref layout must have all dynamic strides, got 'memref<4xf32, strided<[1], offset: ?>>'
//   --> verify/iree/workers.mlir:93:3
//    |
// 93 |   %m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to memref<4xf32, strided<[1], offset: ?>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
