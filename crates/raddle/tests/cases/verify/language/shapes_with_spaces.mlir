// Spaces part the tokens of a shape like any others, and `0x` starts no number there.
// RUN: raddle check %s --allow-unregistered-dialect
"t.op"() {a = tensor<2 3xf32>} : () -> ()

// $ raddle check %s --allow-unregistered-dialect
// error[E0101]: expected `x` in dimension list, and the next extent or the element type, found `3`
//  --> verify/language/shapes_with_spaces.mlir:3:24
//   |
// 3 | "t.op"() {a = tensor<2 3xf32>} : () -> ()
//   |                        ^ expected `x` in dimension list, and the next extent or the element type
// [exit status 1]
