// A value that is a function is called as its type says.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: (i32) -> f32, %arg1: i32, %arg2: f32) {
  %0 = call_indirect %arg0(%arg2) : (i32) -> f32
  return
}

// -----
func.func @f(%arg0: (i32) -> f32, %arg1: i32, %arg2: f32) {
  %0 = "func.call_indirect"(%arg0, %arg2) : ((i32) -> f32, f32) -> f32
  return
}

// $ raddle check %s --split-input-file
// error[E0104]: use of value `%arg2` expects different type than prior uses: `i32` vs `f32`
//  --> verify/language/indirect_calls.mlir:4:28
//   |
// 3 | func.func @f(%arg0: (i32) -> f32, %arg1: i32, %arg2: f32) {
//   |                                               ----- prior use here
// 4 |   %0 = call_indirect %arg0(%arg2) : (i32) -> f32
//   |                            ^^^^^
//
// error[E0201]: 'func.call_indirect' op does not call what it calls as '(i32) -> f32'
//   --> verify/language/indirect_calls.mlir:10:3
//    |
// 10 |   %0 = "func.call_indirect"(%arg0, %arg2) : ((i32) -> f32, f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
