// A sort compares pairs of elements of each output.
// RUN: raddle check %s --split-input-file
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(2) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x9xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x9xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i64):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %a : f32
  }
  return
}

// -----
func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s, %s : i1, i1
  }
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.sort' op dimension must be within (0, 2]
//   --> verify/linalg_ext/sort.mlir:14:3
//    |
// 14 |   iree_linalg_ext.sort dimension(2) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op expected operand 1 to be rank 2, same as other operands
//   --> verify/linalg_ext/sort.mlir:24:3
//    |
// 24 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op expected operand 1 to have same shape as other operands
//   --> verify/linalg_ext/sort.mlir:34:3
//    |
// 34 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x9xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op region block argument #3 should be of type 'i32' but got 'i64'
//   --> verify/linalg_ext/sort.mlir:44:3
//    |
// 44 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op region block should have 4 arguments
//   --> verify/linalg_ext/sort.mlir:54:3
//    |
// 54 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op should yield i1 type
//   --> verify/linalg_ext/sort.mlir:64:3
//    |
// 64 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.sort' op should yield exactly one operand
//   --> verify/linalg_ext/sort.mlir:74:3
//    |
// 74 |   iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
