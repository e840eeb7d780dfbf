// Functions do not depend on one another, so that each is told its own mistake.
// RUN: raddle check %s
func.func @a() {
  %0 = foo.bar
  return
}
func.func @b(%x: f32) {
  return
}
func.func @c() {
  return %y : f32
}

// $ raddle check %s
// error[E0102]: `foo.bar` belongs to no dialect that raddle knows
//  --> verify/language/one_bad_function_does_not_hide_the_next.mlir:4:8
//   |
// 4 |   %0 = foo.bar
//   |        ^^^^^^^ unknown operation
//   |
//   = help: write it in generic form and allow unregistered dialects to keep it as it is
//
// error[E0103]: use of undeclared SSA value name `%y`
//   --> verify/language/one_bad_function_does_not_hide_the_next.mlir:11:10
//    |
// 11 |   return %y : f32
//    |          ^^ no value has this name here
//
// 2 diagnostics
// [exit status 1]
