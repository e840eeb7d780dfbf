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
// error[E0102]: `foo` is not an operation: the names of these begin with a dialect, as in `arith.addf`
//   --> commands/parts_are_checked.mlir:10:1
//    |
// 10 | foo
//    | ^^^ unknown operation
//    |
//    = help: what is read is the text of MLIR, such as `func.func @f(%x: tensor<4xf32>) { … }`
// [exit status 1]

// $ raddle check %s --split-input-file
// error[E0102]: `foo` is not an operation: the names of these begin with a dialect, as in `arith.addf`
//   --> commands/parts_are_checked.mlir:10:1
//    |
// 10 | foo
//    | ^^^ unknown operation
//    |
//    = help: what is read is the text of MLIR, such as `func.func @f(%x: tensor<4xf32>) { … }`
// [exit status 1]
