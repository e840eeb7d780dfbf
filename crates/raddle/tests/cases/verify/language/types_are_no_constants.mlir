// A type of a dialect that nobody knows is not a constant, whatever type stands behind it.
// RUN: raddle check %s --split-input-file
%c = arith.constant !t.x<1> : vector<4xf32>

// -----
util.global @g = !t.x<1> : i32

// $ raddle check %s --split-input-file
// error[E0101]: a constant is a number, `true`, `false`, or dense elements
//  --> verify/language/types_are_no_constants.mlir:3:21
//   |
// 3 | %c = arith.constant !t.x<1> : vector<4xf32>
//   |                     ^^^^^^^^
//
// error[E0101]: the value has no type
//  --> verify/language/types_are_no_constants.mlir:6:18
//   |
// 6 | util.global @g = !t.x<1> : i32
//   |                  ^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
