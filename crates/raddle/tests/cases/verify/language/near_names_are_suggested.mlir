// Names that are nearly right are suggested.
// RUN: raddle check %s --split-input-file
func.func @f() { %0 = arith.adf }

// -----
func.func @f(%value: f32) { return %valu : f32 }

// $ raddle check %s --split-input-file
// error[E0102]: the dialect `arith` has no operation `arith.adf` that raddle knows
//  --> verify/language/near_names_are_suggested.mlir:3:23
//   |
// 3 | func.func @f() { %0 = arith.adf }
//   |                       ^^^^^^^^^ unknown operation
//   |
//   = help: did you mean `arith.addf`?
//
// error[E0103]: use of undeclared SSA value name `%valu`
//  --> verify/language/near_names_are_suggested.mlir:6:36
//   |
// 6 | func.func @f(%value: f32) { return %valu : f32 }
//   |                                    ^^^^^ no value has this name here
//   |
//   = help: did you mean `%value`?
//
// 2 diagnostics
// [exit status 1]
