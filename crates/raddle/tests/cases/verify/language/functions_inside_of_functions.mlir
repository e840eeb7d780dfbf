// What has a name stands among what is found by names.
// RUN: raddle check %s
func.func @f() {
  func.func private @g()
  return
}

// $ raddle check %s
// error[E0201]: 'func.func' op symbol's parent must have the SymbolTable trait
//  --> verify/language/functions_inside_of_functions.mlir:4:3
//   |
// 4 |   func.func private @g()
//   |   ^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
