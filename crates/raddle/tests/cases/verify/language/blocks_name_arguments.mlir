// The label of the first block names the arguments of a function that names none itself.
// RUN: raddle check %s --split-input-file
func.func @f(i32) {
  return
}

// -----
func.func @f(%a: i32, f32) { return }

// -----
func.func @f(f32, %a: i32) { return }

// $ raddle check %s --split-input-file
// error[E0201]: 'func.func' op has a body whose arguments differ from its type
//  --> verify/language/blocks_name_arguments.mlir:3:1
//   |
// 3 | func.func @f(i32) {
//   | ^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected SSA identifier, as the arguments in front have names, found `f32`
//  --> verify/language/blocks_name_arguments.mlir:8:23
//   |
// 8 | func.func @f(%a: i32, f32) { return }
//   |                       ^^^ expected SSA identifier, as the arguments in front have names
//
// error[E0101]: expected type instead of SSA identifier, as the arguments in front have no names, found `%a`
//   --> verify/language/blocks_name_arguments.mlir:11:19
//    |
// 11 | func.func @f(f32, %a: i32) { return }
//    |                   ^^ expected type instead of SSA identifier, as the arguments in front have no names
//
// 3 diagnostics
// [exit status 1]
