// A function without a body, which a program calls, is nobody's kernel.
// RUN: raddle opt %s --admit
// RUN: raddle run %s --function=main
func.func private @print(f32)
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  func.call @print(%x) : (f32) -> ()
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// $ raddle opt %s --admit
// module {
//   func.func private @print(f32)
//   func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
//     %c0 = arith.constant 0 : index
//     %extracted = tensor.extract %arg0[%c0] : tensor<4xf32>
//     call @print(%extracted) : (f32) -> ()
//     %0 = tensor.empty() : tensor<4xf32>
//     %1 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
//     return %1 : tensor<4xf32>
//   }
// }

// $ raddle run %s --function=main
// error[E0801]: the host cannot call `@print`, which has no body
//  --> admit/declared_functions_are_no_launches.mlir:4:1
//   |
// 4 | func.func private @print(f32)
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
