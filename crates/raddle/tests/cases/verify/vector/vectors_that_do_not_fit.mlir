// What a mask, a product or a deinterleaving asks of its parts.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: vector<8xi32>, %arg1: vector<16xi1>) {
  %0 = vector.mask %arg1 { vector.reduction <add>, %arg0 : vector<8xi32> into i32 } : vector<16xi1> -> i32
  return
}

// -----
func.func @f(%arg0: vector<8xf32>, %arg1: vector<8xi1>) {
  %0 = vector.mask %arg1 { arith.addf %arg0, %arg0 : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}

// -----
func.func @f(%arg0: vector<[4]xf32>, %arg1: vector<4xf32>) {
  %0 = vector.outerproduct %arg0, %arg1 : vector<[4]xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%arg0: vector<3xf32>) {
  %0, %1 = vector.deinterleave %arg0 : vector<3xf32> -> vector<1xf32>
  return
}

// -----
func.func @f(%arg0: vector<4xf32>) {
  %0, %1 = vector.deinterleave %arg0 : vector<4xf32> -> vector<4xf32>
  return
}

// -----
func.func @f(%arg0: memref<?xi8>, %arg1: index) {
  %0 = vector.load %arg0[%arg1] : memref<?xi8>, vector<4x4xi8>
  return
}

// -----
func.func @f(%arg0: vector<4xf32>) {
  vector.print %arg0 : vector<4xf32> str "x"
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'vector.mask' op expects a 'vector<8xi1>' mask for the maskable operation
//  --> verify/vector/vectors_that_do_not_fit.mlir:4:3
//   |
// 4 |   %0 = vector.mask %arg1 { vector.reduction <add>, %arg0 : vector<8xi32> into i32 } : vector<16xi1> -> i32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.mask' op expects a MaskableOpInterface within the mask region
//   --> verify/vector/vectors_that_do_not_fit.mlir:10:3
//    |
// 10 |   %0 = vector.mask %arg1 { arith.addf %arg0, %arg0 : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.outerproduct' op expected either both or only #2 operand dim to be scalable
//   --> verify/vector/vectors_that_do_not_fit.mlir:16:3
//    |
// 16 |   %0 = vector.outerproduct %arg0, %arg1 : vector<[4]xf32>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements
//   --> verify/vector/vectors_that_do_not_fit.mlir:22:3
//    |
// 22 |   %0, %1 = vector.deinterleave %arg0 : vector<3xf32> -> vector<1xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension: 'vector<4xf32>' of 'vector<4xf32>'
//   --> verify/vector/vectors_that_do_not_fit.mlir:28:3
//    |
// 28 |   %0, %1 = vector.deinterleave %arg0 : vector<4xf32> -> vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.load' op destination memref has lower rank than the result vector
//   --> verify/vector/vectors_that_do_not_fit.mlir:34:3
//    |
// 34 |   %0 = vector.load %arg0[%arg1] : memref<?xi8>, vector<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.print' op `source` or `punctuation` are not set when printing strings
//   --> verify/vector/vectors_that_do_not_fit.mlir:40:3
//    |
// 40 |   vector.print %arg0 : vector<4xf32> str "x"
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
