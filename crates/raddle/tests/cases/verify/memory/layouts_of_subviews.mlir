// A layout follows from the offsets, sizes and strides of a view; a map that is a sum of multiples is such a layout.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x5xf32, strided<[16, 2], offset: 36>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2, 0] [1, 5] [1, 1] : memref<8x16xf32> to memref<5xf32, strided<[1], offset: 32>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[%arg2, 0] [3, 5] [1, 1] : memref<8x16xf32> to memref<3x5xf32, affine_map<(d0, d1)[s0] -> (d0 * 16 + s0 + d1)>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg1[0, 3] [%arg2, 1] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32, strided<[?], offset: 3>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x5xf32>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x6xf32, strided<[16, 2], offset: 36>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2, 4] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32, strided<[16, 2], offset: 36>>
  return
}

// -----
func.func @f(%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index) {
  %0 = memref.subview %arg0[2] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.subview' op expected result type to be 'memref<3x5xf32, strided<[16, 2], offset: 36>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<3x5xf32>'
//   --> verify/memory/layouts_of_subviews.mlir:28:3
//    |
// 28 |   %0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.subview' op expected result type to be 'memref<3x5xf32, strided<[16, 2], offset: 36>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<3x6xf32, strided<[16, 2], offset: 36>>'
//   --> verify/memory/layouts_of_subviews.mlir:34:3
//    |
// 34 |   %0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x6xf32, strided<[16, 2], offset: 36>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.subview' op slice along dimension 1 runs out-of-bounds: 20 >= 16
//   --> verify/memory/layouts_of_subviews.mlir:40:3
//    |
// 40 |   %0 = memref.subview %arg0[2, 4] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32, strided<[16, 2], offset: 36>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.subview' op expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed
//   --> verify/memory/layouts_of_subviews.mlir:46:3
//    |
// 46 |   %0 = memref.subview %arg0[2] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
