// An encoding is set on a tensor that has none, keeps its shape, and has one operand for each extent that it leaves
// open.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x encoding_dims{%n} : tensor<4x8xf32> -> tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
  return
}

// -----
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x8xf32, #iree_encoding.testing<>>
  return
}

// -----
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
  return
}

// -----
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x9xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
  return
}

// -----
func.func @f(%x: tensor<4x8xf32>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
  return
}

// -----
func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 1 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>)

// -----
func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [4], iteration_sizes = [?, 4, 8]>>)

// -----
func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], iteration_sizes = [?, 4, 8]>>)

// -----
func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4]>>)

// -----
func.func private @f() attributes {e = #iree_encoding.layout<[#iree_encoding.padding<[0, ?]>]>}

// -----
func.func private @f() attributes {e = #iree_encoding.layout<[]>}

// -----
func.func private @f() attributes {e = #iree_encoding.padding<[0, -1]>}

// -----
func.func @f(%x: tensor<4xf32, #iree_encoding.testing<>>, %n: index) {
  %y = iree_encoding.set_encoding %x  : tensor<4xf32, #iree_encoding.testing<>> -> tensor<4xf32, #iree_encoding.testing<>>
  return
}

// -----
func.func @f(%x: tensor<4xf32>) {
  %y = iree_encoding.unset_encoding %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_encoding.set_encoding' op encoding expects 1 dynamic encoding dimension(s), but 0 provided
//   --> verify/iree/setting_encodings.mlir:17:3
//    |
// 17 |   %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_encoding.set_encoding' op result of set_encoding op expected to have a valid tensor encoding
//   --> verify/iree/setting_encodings.mlir:23:3
//    |
// 23 |   %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_encoding.set_encoding' op expected to preserve the logical shape of the tensor
//   --> verify/iree/setting_encodings.mlir:29:3
//    |
// 29 |   %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4x9xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_encoding.set_encoding' op cannot change the rank of the tensor
//   --> verify/iree/setting_encodings.mlir:35:3
//    |
// 35 |   %y = iree_encoding.set_encoding %x  : tensor<4x8xf32> -> tensor<4xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: `operandIndex` exceeds the size of `user_indexing_maps`
//   --> verify/iree/setting_encodings.mlir:40:38
//    |
// 40 | func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 1 : i64, op_type = matmul, element_types = [f32, f32, f...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: found a non-composable attribute in `user_indexing_maps` at index: 0
//   --> verify/iree/setting_encodings.mlir:43:38
//    |
// 43 | func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: found `iteration_sizes` without any corresponding `user_indexing_maps`
//   --> verify/iree/setting_encodings.mlir:46:38
//    |
// 46 | func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: found an encoding with 2 iteration sizes, but expected 3 based on the user indexing maps
//   --> verify/iree/setting_encodings.mlir:49:38
//    |
// 49 | func.func private @f(tensor<4x8xf32, #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected non-empty layouts
//   --> verify/iree/setting_encodings.mlir:55:40
//    |
// 55 | func.func private @f() attributes {e = #iree_encoding.layout<[]>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected all padding values need to be non-negative or dynamic
//   --> verify/iree/setting_encodings.mlir:58:40
//    |
// 58 | func.func private @f() attributes {e = #iree_encoding.padding<[0, -1]>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_encoding.set_encoding' op source of set_encoding op cannot have a tensor encoding
//   --> verify/iree/setting_encodings.mlir:62:3
//    |
// 62 |   %y = iree_encoding.set_encoding %x  : tensor<4xf32, #iree_encoding.testing<>> -> tensor<4xf32, #iree_encoding.testing<>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_encoding.unset_encoding' op source of unset_encoding op expected to have a valid tensor encoding
//   --> verify/iree/setting_encodings.mlir:68:3
//    |
// 68 |   %y = iree_encoding.unset_encoding %x : tensor<4xf32> -> tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 12 diagnostics
// [exit status 1]
