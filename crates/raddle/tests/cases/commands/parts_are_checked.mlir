// `check` cuts files into parts as `opt` does, and counts lines in the whole file.
// RUN: raddle check %s
// RUN: raddle check %s --split-input-file
func.func private @f()

// -----
func.func private @f()

// -----
foo

// -----

// $ raddle check %s
// error[E0102]: `foo` belongs to no dialect that raddle knows
//   --> commands/parts_are_checked.mlir:10:1
//    |
// 10 | foo
//    | ^^^ unknown operation
//    |
//    = help: write it in generic form and allow unregistered dialects to keep it as it is
// [exit status 1]

// $ raddle check %s --split-input-file
// error[E0102]: `foo` belongs to no dialect that raddle knows
//   --> commands/parts_are_checked.mlir:10:1
//    |
// 10 | foo
//    | ^^^ unknown operation
//    |
//    = help: write it in generic form and allow unregistered dialects to keep it as it is
// [exit status 1]
