// Three rows of different lengths: their number is fixed, their length is not, and the rest stays.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(2) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4x1xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4x1xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(1) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<1xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<1xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<5xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<5xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x7x9xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %c: tensor<4xindex>) {
  %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32>
  return
}

// -----
func.func private @f(tensor<4x5xf32, #iree_tensor_ext.ragged_shape<1>>)

// -----
func.func @f(%x: tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>, %n: index) {
  %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x9xf32>{%n}
  return
}

// -----
func.func @f(%x: tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>, %n: index) {
  %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x8xf32>{%n}
  return
}

// -----
func.func @f(%x: tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>, %n: index) {
  %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?xf32>{%n}
  return
}

// -----
func.func @f(%x: tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>, %n: index) {
  %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x9xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected `ragged_dim` to be less than 2, i.e the rank of source
//   --> verify/iree/ragged_shapes.mlir:10:3
//    |
// 10 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(2) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected `column_lengths` to be of rank 1
//   --> verify/iree/ragged_shapes.mlir:16:3
//    |
// 16 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4x1xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected result rank to be 3, i.e. one more than the source rank, but got 4
//   --> verify/iree/ragged_shapes.mlir:22:3
//    |
// 22 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op mismatch in specified `ragged_dim` value of 1 and `raggedRow` value in the sparse encoding 0
//   --> verify/iree/ragged_shapes.mlir:28:3
//    |
// 28 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(1) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected shape of `column_lengths` to be static and greater than 1 when `num_ragged_rows` is unspecified, i.e. number of ragged rows is statically known
//   --> verify/iree/ragged_shapes.mlir:34:3
//    |
// 34 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<1xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected shape of dimension 0 of result, i.e. the `ragged_dim`, to be static and equal to 4 when `num_ragged_rows` is unspecified, i.e number of ragged rows is statically known
//   --> verify/iree/ragged_shapes.mlir:40:3
//    |
// 40 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<5xindex>) -> tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected dimension 1 of result, i.e. `ragged_dim` + 1, to be dynamic
//   --> verify/iree/ragged_shapes.mlir:46:3
//    |
// 46 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x7x9xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected shape of dimension 2 of result to match the shape of dimension 1 of source, but got 8 and 9 respectively
//   --> verify/iree/ragged_shapes.mlir:52:3
//    |
// 52 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x8xf32, #iree_tensor_ext.ragged_shape<0>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.cast_to_ragged_shape' op expected result type to have an encoding attribute that implements the `SparseShapeAttrInterface`
//   --> verify/iree/ragged_shapes.mlir:58:3
//    |
// 58 |   %y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim(0) column_lengths(%c) : (tensor<7x9xf32>, tensor<4xindex>) -> tensor<3x?x9xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: sparse dimensions specified are greater than the rank of the shaped type
//   --> verify/iree/ragged_shapes.mlir:63:38
//    |
// 63 | func.func private @f(tensor<4x5xf32, #iree_tensor_ext.ragged_shape<1>>)
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.linearize_ragged_dims' op expected source dimension 2 with size 9 to be preserved in result dimension 1 but got size 8
//   --> verify/iree/ragged_shapes.mlir:73:3
//    |
// 73 |   %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x8xf32>{%n}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.linearize_ragged_dims' op expected result rank to be 2 (source rank - number of sparse dimensions + 1), but got 1
//   --> verify/iree/ragged_shapes.mlir:79:3
//    |
// 79 |   %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?xf32>{%n}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_tensor_ext.linearize_ragged_dims' op value set has 1 dynamic dimensions but only 0 dimension values are attached
//   --> verify/iree/ragged_shapes.mlir:85:3
//    |
// 85 |   %y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, #iree_tensor_ext.ragged_shape<0>> -> tensor<?x9xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 13 diagnostics
// [exit status 1]
