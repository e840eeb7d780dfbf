// Where nothing is indented, an error is told once, and the next function is read.
// RUN: raddle check %s
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
%c = arith.constant dense<1.0> : tensor<4xf32>
%0 = arith.addff %a, %c : tensor<4xf32>
return %0 : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) attributes {text = "}}}"} {
%0 = arith.mulff %a, %a : tensor<4xf32> // }
return
}
func.func @h(%a: tensor<4xf32>) {
scf.execute_region {
%0 = arith.subff %a, %a : tensor<4xf32>
return
}
func.func @i(%a: tensor<4xf32>) {
%0 = arith.divff %a, %a : tensor<4xf32>
return
}

// $ raddle check %s
// error[E0102]: the dialect `arith` has no operation `arith.addff` that raddle knows
//  --> verify/errors_without_indentation.mlir:5:6
//   |
// 5 | %0 = arith.addff %a, %c : tensor<4xf32>
//   |      ^^^^^^^^^^^ unknown operation
//   |
//   = help: did you mean `arith.addf`?
//
// error[E0102]: the dialect `arith` has no operation `arith.mulff` that raddle knows
//  --> verify/errors_without_indentation.mlir:9:6
//   |
// 9 | %0 = arith.mulff %a, %a : tensor<4xf32> // }
//   |      ^^^^^^^^^^^ unknown operation
//   |
//   = help: did you mean `arith.mulf`?
//
// error[E0102]: the dialect `arith` has no operation `arith.subff` that raddle knows
//   --> verify/errors_without_indentation.mlir:14:6
//    |
// 14 | %0 = arith.subff %a, %a : tensor<4xf32>
//    |      ^^^^^^^^^^^ unknown operation
//    |
//    = help: did you mean `arith.subf`?
//
// error[E0102]: the dialect `arith` has no operation `arith.divff` that raddle knows
//   --> verify/errors_without_indentation.mlir:18:6
//    |
// 18 | %0 = arith.divff %a, %a : tensor<4xf32>
//    |      ^^^^^^^^^^^ unknown operation
//    |
//    = help: did you mean `arith.divf`?
//
// 4 diagnostics
// [exit status 1]
