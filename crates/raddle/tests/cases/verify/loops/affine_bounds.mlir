// Bounds and steps of affine loops, and maps that choose among results.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to affine_map<(d0) -> (d0, 8)>(%arg1) {
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to min affine_map<(d0) -> ()>(%arg1) {
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 step -1 {
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  %0 = affine.max affine_map<(d0) -> ()>(%arg1)
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  "affine.if"() <{condition = affine_set<() : ()>}> ({
  ^bb0(%x: index):
    affine.yield
  }, {
  }) : () -> ()
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  %0 = affine.vector_load %arg0[0] : memref<8xf32>, vector<4xf16>
  return
}

// $ raddle check %s --split-input-file
// error[E0101]: upper loop bound affine map with multiple results requires 'min' prefix
//  --> verify/loops/affine_bounds.mlir:4:27
//   |
// 4 |   affine.for %arg2 = 0 to affine_map<(d0) -> (d0, 8)>(%arg1) {
//   |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.for' op expected upper bound map to have at least one result
//   --> verify/loops/affine_bounds.mlir:11:3
//    |
// 11 |   affine.for %arg2 = 0 to min affine_map<(d0) -> ()>(%arg1) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected step to be representable as a positive signed integer
//   --> verify/loops/affine_bounds.mlir:18:29
//    |
// 18 |   affine.for %arg2 = 0 to 8 step -1 {
//    |                             ^^^^^^^^
//
// error[E0201]: 'affine.max' op affine map expect at least one result
//   --> verify/loops/affine_bounds.mlir:25:3
//    |
// 25 |   %0 = affine.max affine_map<(d0) -> ()>(%arg1)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.if' op region #0 should have no arguments
//   --> verify/loops/affine_bounds.mlir:31:3
//    |
// 31 |   "affine.if"() <{condition = affine_set<() : ()>}> ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.vector_load' op requires memref and vector types of the same elemental type
//   --> verify/loops/affine_bounds.mlir:41:3
//    |
// 41 |   %0 = affine.vector_load %arg0[0] : memref<8xf32>, vector<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
