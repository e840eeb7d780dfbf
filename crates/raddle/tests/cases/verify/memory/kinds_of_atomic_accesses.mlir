// The number of a kind of atomic access is that of `iree-opt` 3.12.0.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>) {
  %0 = memref.atomic_rmw mulf %arg1, %arg0[%arg2] : (i32, memref<4xi32>) -> i32
  return
}

// -----
func.func @f(%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>) {
  %0 = memref.atomic_rmw andi %arg3, %arg4[%arg2] : (f32, memref<4xf32>) -> f32
  return
}

// -----
func.func @f(%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>) {
  %0 = memref.generic_atomic_rmw %arg4[%arg2] : memref<4xf32> {
  ^bb0(%a: i32):
  memref.atomic_yield %arg3 : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>) {
  %0 = memref.generic_atomic_rmw %arg4[%arg2] : memref<4xf32> {
  ^bb0(%a: f32):
  memref.atomic_yield %arg1 : i32
  }
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.atomic_rmw' op with kind 'mulf' expects a floating-point type
//  --> verify/memory/kinds_of_atomic_accesses.mlir:4:3
//   |
// 4 |   %0 = memref.atomic_rmw mulf %arg1, %arg0[%arg2] : (i32, memref<4xi32>) -> i32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.atomic_rmw' op with kind 'andi' expects an integer type
//   --> verify/memory/kinds_of_atomic_accesses.mlir:10:3
//    |
// 10 |   %0 = memref.atomic_rmw andi %arg3, %arg4[%arg2] : (f32, memref<4xf32>) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.generic_atomic_rmw' op expected block argument of the same type result type
//   --> verify/memory/kinds_of_atomic_accesses.mlir:16:3
//    |
// 16 |   %0 = memref.generic_atomic_rmw %arg4[%arg2] : memref<4xf32> {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'
//   --> verify/memory/kinds_of_atomic_accesses.mlir:27:3
//    |
// 27 |   memref.atomic_yield %arg1 : i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
