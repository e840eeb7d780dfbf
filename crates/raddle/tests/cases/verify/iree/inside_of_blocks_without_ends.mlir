// What is wrong inside a block is said before that it has no end.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<?xf32>) {
  iree_codegen.ukernel.generic "foo" outs(%a : tensor<?xf32>)
}

// -----
func.func @f() {
  %0 = arith.constant 0 : i32
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_codegen.ukernel.generic' op expected the number of tensor results (0) to be equal to the number of output tensors (1)
//  --> verify/iree/inside_of_blocks_without_ends.mlir:4:3
//   |
// 4 |   iree_codegen.ukernel.generic "foo" outs(%a : tensor<?xf32>)
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0203]: block with no terminator: a block of `func.func` ends with `func.return`
//  --> verify/iree/inside_of_blocks_without_ends.mlir:9:3
//   |
// 9 |   %0 = arith.constant 0 : i32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
