// A sparse tensor is not read as if its elements lay one behind another.
// RUN: raddle build %s
// RUN: raddle run %s
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @f(%a: tensor<8x8xf32, #CSR>, %x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.matvec ins(%a, %x : tensor<8x8xf32, #CSR>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// $ raddle build %s
// error[E0603]: `tensor<8x8xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>` is a sparse tensor
//  --> build/sparse_tensors_are_refused.mlir:5:1
//   |
// 5 | func.func @f(%a: tensor<8x8xf32, #CSR>, %x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: kernels take tensors whose elements lie one behind another
//   = help: write it with tensors of its values and of their places
// [exit status 1]

// $ raddle run %s
// error[E0603]: `tensor<8x8xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>` is a sparse tensor
//  --> build/sparse_tensors_are_refused.mlir:5:1
//   |
// 5 | func.func @f(%a: tensor<8x8xf32, #CSR>, %x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: kernels take tensors whose elements lie one behind another
//   = help: write it with tensors of its values and of their places
// [exit status 1]
