// Assumptions stand in rows of one length, one for each operand.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: index, %arg1: index) {
  %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[#util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>], [#util.int.assumption<umin = 1>]]}> : (index, index) -> (index, index)
  return
}

// -----
func.func @f(%arg0: index, %arg1: index) {
  %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[#util.int.assumption<umin = 1>]]}> : (index, index) -> (index, index)
  return
}

// -----
func.func @f(%arg0: index, %arg1: index) {
  %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[#util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>], [#util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>]]}> : (index, index) -> (index, index)
  return
}

// -----
func.func @f(%arg0: index, %arg1: index) {
  %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[32], [32]]}> : (index, index) -> (index, index)
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'util.assume.int' op expected 2 assumption rows to match number of operands
//   --> verify/host/assumptions.mlir:10:3
//    |
// 10 |   %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[#util.int.assumption<umin = 1>]]}> : (index, index) -> (index, index)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.assume.int' op expected operand #1 to have 3 assumptions but it has 2
//   --> verify/host/assumptions.mlir:16:3
//    |
// 16 |   %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[#util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>], [#util.int.assumption<umin = 1>, #util.int.assumption<umin = 1>]]}> : (index, index) -> (index, index)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.assume.int' op attribute 'assumptions' failed to satisfy constraint: lists of `#util.int.assumption`
//   --> verify/host/assumptions.mlir:22:3
//    |
// 22 |   %0:2 = "util.assume.int"(%arg0, %arg1) <{assumptions = [[32], [32]]}> : (index, index) -> (index, index)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
