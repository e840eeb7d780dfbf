// Tensors whose bits cannot be counted are refused before anything multiplies their extents.
// RUN: raddle build %s -o -
// RUN: raddle opt %s --to=configured
func.func @f(%a: tensor<4x9223372036854775807xf32>, %b: tensor<9223372036854775807x40xf32>) -> tensor<4x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x40xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x40xf32>) -> tensor<4x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x9223372036854775807xf32>, tensor<9223372036854775807x40xf32>) outs(%i : tensor<4x40xf32>) -> tensor<4x40xf32>
  return %r : tensor<4x40xf32>
}

// $ raddle build %s -o -
// error[E0904]: a tensor has more than 2^59 bytes
//  --> build/tensors_that_nothing_holds.mlir:4:1
//   |
// 4 | func.func @f(%a: tensor<4x9223372036854775807xf32>, %b: tensor<9223372036854775807x40xf32>) -> tensor<4x40xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: make it smaller: no memory holds it
// [exit status 3]

// $ raddle opt %s --to=configured
// error[E0904]: a tensor has more than 2^59 bytes
//  --> build/tensors_that_nothing_holds.mlir:4:1
//   |
// 4 | func.func @f(%a: tensor<4x9223372036854775807xf32>, %b: tensor<9223372036854775807x40xf32>) -> tensor<4x40xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: make it smaller: no memory holds it
// [exit status 3]
