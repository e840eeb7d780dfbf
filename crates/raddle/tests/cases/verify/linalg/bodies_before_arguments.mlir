// What is wrong is told where upstream finds it first: the ends of bodies before their arguments.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["random"]} outs(%arg0 : memref<4xf32>) {
  ^bb0(%a: f32):
  linalg.yield %a : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>], iterator_types = ["parallel", "parallel"]} outs(%arg0 : memref<4xf32>) {
  ^bb0(%a: f32):
  linalg.yield %a : f32
  }
  return
}

// -----
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%arg0 : memref<4xf32>) {
  ^bb0(%a: i1):
  linalg.yield %a : i1
  }
  return
}

// -----
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  linalg.map { arith.addf }
  return
}

// -----
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  linalg.transpose permutation = [1, 0]
  return
}

// -----
func.func @f(%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>) {
  %0 = linalg.pooling_nhwc_max_unsigned ins(%arg1, %arg2 : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%arg3 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// -----
func.func @f(%arg0: memref<4xf32>) {
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%arg0 : memref<4xf32>) {
^bb0(%a: f32):
%i = linalg.index 2 : index
linalg.yield %a : f32
}
}

// $ raddle check %s --split-input-file
// error[E0101]: unexpected iterator_type (random): there are `parallel` and `reduction`
//  --> verify/linalg/bodies_before_arguments.mlir:4:92
//   |
// 4 |   linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["random"]} outs(%arg0 : memref<4xf32>) {
//   |                                                                                            ^^^^
//
// error[E0201]: 'linalg.generic' op invalid indexing maps are non-invertible: ((d0, d1) -> (d0 + d1))
//   --> verify/linalg/bodies_before_arguments.mlir:13:3
//    |
// 13 |   linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>], iterator_types = ["parallel", "parallel"]} outs(%arg0 : memref<4xf32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: no operand tells the extent of loop 0
//
// error[E0201]: 'linalg.yield' op type of yield operand 1 ('i1') doesn't match the element type of the enclosing linalg.generic op ('f32')
//   --> verify/linalg/bodies_before_arguments.mlir:24:3
//    |
// 24 |   linalg.yield %a : i1
//    |   ^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: 'linalg.map' op expected 1 or more operands, but found 0
//   --> verify/linalg/bodies_before_arguments.mlir:31:3
//    |
// 31 |   linalg.map { arith.addf }
//    |   ^^^^^^^^^^
//
// error[E0101]: 'linalg.transpose' op expected 2 operands, but found 0
//   --> verify/linalg/bodies_before_arguments.mlir:37:3
//    |
// 37 |   linalg.transpose permutation = [1, 0]
//    |   ^^^^^^^^^^^^^^^^
//
// error[E0201]: `linalg.pooling_nhwc_max_unsigned` cannot act on elements of this type: unsupported operation: unsigned max not on uint
//   --> verify/linalg/bodies_before_arguments.mlir:43:41
//    |
// 43 | ...nsigned ins(%arg1, %arg2 : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%arg3 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
//    |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.index' op expected dim (2) to be lower than the number of loops (1) of the enclosing LinalgOp
//   --> verify/linalg/bodies_before_arguments.mlir:51:1
//    |
// 51 | %i = linalg.index 2 : index
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
