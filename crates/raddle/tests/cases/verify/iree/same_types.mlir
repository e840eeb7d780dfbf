// What comes out of a barrier has the types of what goes in, one by one.
// RUN: raddle check %s --split-input-file
func.func @f(%x: i32, %y: f32) {
  %a:2 = "util.optimization_barrier"(%x, %y) : (i32, f32) -> (i32, f32)
  return
}

// -----
func.func @f(%x: i32, %y: f32) {
  %a:2 = "util.optimization_barrier"(%x, %y) : (i32, f32) -> (i32, i32)
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'util.optimization_barrier' op failed to verify that all of {operands, results} have same type
//   --> verify/iree/same_types.mlir:10:3
//    |
// 10 |   %a:2 = "util.optimization_barrier"(%x, %y) : (i32, f32) -> (i32, i32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
