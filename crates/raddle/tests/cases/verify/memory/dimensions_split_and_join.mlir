// Groups of dimensions multiply to the extents of the collapsed side, and lie close together where they are joined.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32, strided<[8, 1]>> into memref<2x3x4xf32, strided<[24, 8, 1]>>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = memref.collapse_shape %arg1 [[0, 1], [2]] : memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>> into memref<6x4xf32, strided<[8, 1], offset: 5>>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = tensor.expand_shape %arg2 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = memref.expand_shape %arg3 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = memref.collapse_shape %arg1 [[0], [1, 2]] : memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>> into memref<2x12xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32, strided<[8, 1]>> into memref<2x3x4xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = tensor.collapse_shape %arg2 [[0, 1]] : tensor<6x4xf32> into tensor<23xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = tensor.collapse_shape %arg2 [[1, 0]] : tensor<6x4xf32> into tensor<24xf32>
  return
}

// -----
func.func @f(%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, %arg2: tensor<6x4xf32>, %arg3: memref<f32>) {
  %0 = tensor.collapse_shape %arg2 [[0, 1, 2]] : tensor<6x4xf32> into tensor<24xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims
//   --> verify/memory/dimensions_split_and_join.mlir:28:3
//    |
// 28 |   %0 = memref.collapse_shape %arg1 [[0], [1, 2]] : memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>> into memref<2x12xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.expand_shape' op expected expanded type to be 'memref<2x3x4xf32, strided<[24, 8, 1]>>' but found 'memref<2x3x4xf32>'
//   --> verify/memory/dimensions_split_and_join.mlir:34:3
//    |
// 34 |   %0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32, strided<[8, 1]>> into memref<2x3x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 24
//   --> verify/memory/dimensions_split_and_join.mlir:40:3
//    |
// 40 |   %0 = tensor.collapse_shape %arg2 [[0, 1]] : tensor<6x4xf32> into tensor<23xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.
//   --> verify/memory/dimensions_split_and_join.mlir:46:3
//    |
// 46 |   %0 = tensor.collapse_shape %arg2 [[1, 0]] : tensor<6x4xf32> into tensor<24xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.
//   --> verify/memory/dimensions_split_and_join.mlir:52:3
//    |
// 52 |   %0 = tensor.collapse_shape %arg2 [[0, 1, 2]] : tensor<6x4xf32> into tensor<24xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
