// An atomic update only computes, and what it gives is an element.
// RUN: raddle check %s --split-input-file
func.func @f(%m: memref<8xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
  ^bb0(%a: f32):
  %b = arith.divf %a, %a : f32
  memref.atomic_yield %a : f32
  }
  return
}

// -----
func.func @f(%m: memref<8xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
  ^bb0(%a: f32):
  memref.store %a, %m[%i] : memref<8xf32>
  memref.atomic_yield %a : f32
  }
  return
}

// -----
func.func @f(%m: memref<8xf32>, %i: index) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%a: f32):
  memref.atomic_yield %a : f32
  }) : (memref<8xf32>, index) -> i32
  return
}

// -----
func.func private @f(memref<2x2xf32, affine_map<(d0) -> (d0)>>)

// $ raddle check %s --split-input-file
// error[E0201]: body of 'memref.generic_atomic_rmw' should contain only operations with no side effects
//   --> verify/memory/atomic_updates_only_compute.mlir:16:3
//    |
// 16 |   memref.store %a, %m[%i] : memref<8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.generic_atomic_rmw' op failed to verify that result type matches element type of memref
//   --> verify/memory/atomic_updates_only_compute.mlir:24:3
//    |
// 24 |   %0 = "memref.generic_atomic_rmw"(%m, %i) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: `result` has type 'i32', and `memref` 'memref<8xf32>'
//
// error[E0101]: memref layout mismatch between rank and affine map: 2 != 1
//   --> verify/memory/atomic_updates_only_compute.mlir:32:38
//    |
// 32 | func.func private @f(memref<2x2xf32, affine_map<(d0) -> (d0)>>)
//    |                                      ^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
