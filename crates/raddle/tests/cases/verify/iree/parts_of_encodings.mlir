// What an encoding needs to say, and what can be packed.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<operand_index = 0>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<operand_index = 0, op_type = matmul>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<operand_index = 0, op_type = matmul, element_types = [i4]>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi4, #iree_encoding.layout<[#iree_encoding.unknown]>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi4, #iree_encoding.packed_storage>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi12, #iree_encoding.packed_storage>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi12, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi3, #iree_encoding.packed_storage>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xi3, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xf32, #iree_encoding.packed_storage>) {
  return
}

// -----
func.func @f(%a: tensor<?x4xf32, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
  return
}

// $ raddle check %s --split-input-file
// error[E0107]: struct is missing required parameter: operand_index
//  --> verify/iree/parts_of_encodings.mlir:3:33
//   |
// 3 | func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<>>) {
//   |                                 ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: struct is missing required parameter: op_type
//  --> verify/iree/parts_of_encodings.mlir:8:33
//   |
// 8 | func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<operand_index = 0>>) {
//   |                                 ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: struct is missing required parameter: element_types
//   --> verify/iree/parts_of_encodings.mlir:13:33
//    |
// 13 | func.func @f(%a: tensor<?x4xi4, #iree_encoding.encoding<operand_index = 0, op_type = matmul>>) {
//    |                                 ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected all the layout attributes to implement SerializableAttr
//   --> verify/iree/parts_of_encodings.mlir:23:33
//    |
// 23 | func.func @f(%a: tensor<?x4xi4, #iree_encoding.layout<[#iree_encoding.unknown]>>) {
//    |                                 ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 12 but packed_storage is currently only supported for sub-byte types
//   --> verify/iree/parts_of_encodings.mlir:33:34
//    |
// 33 | func.func @f(%a: tensor<?x4xi12, #iree_encoding.packed_storage>) {
//    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 12 but packed_storage is currently only supported for sub-byte types
//   --> verify/iree/parts_of_encodings.mlir:38:34
//    |
// 38 | func.func @f(%a: tensor<?x4xi12, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
//    |                                  ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 3 but packed_storage currently only supports types with power-of-two bitwidth
//   --> verify/iree/parts_of_encodings.mlir:43:33
//    |
// 43 | func.func @f(%a: tensor<?x4xi3, #iree_encoding.packed_storage>) {
//    |                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 3 but packed_storage currently only supports types with power-of-two bitwidth
//   --> verify/iree/parts_of_encodings.mlir:48:33
//    |
// 48 | func.func @f(%a: tensor<?x4xi3, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
//    |                                 ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 32 but packed_storage is currently only supported for sub-byte types
//   --> verify/iree/parts_of_encodings.mlir:53:34
//    |
// 53 | func.func @f(%a: tensor<?x4xf32, #iree_encoding.packed_storage>) {
//    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: bit-width of the element type is 32 but packed_storage is currently only supported for sub-byte types
//   --> verify/iree/parts_of_encodings.mlir:58:34
//    |
// 58 | func.func @f(%a: tensor<?x4xf32, #iree_encoding.layout<[#iree_encoding.packed_storage]>>) {
//    |                                  ^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
