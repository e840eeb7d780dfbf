// What is called otherwise elsewhere is answered with what MLIR calls it.
// RUN: raddle check %s --split-input-file
func @f(%x: f32) -> f32 {
  return %x : f32
}

// -----
import torch

// -----
func.func @f(%x: tensor<4xfp16>) -> tensor<4xbfloat16> {
  return
}

// -----
func.func @f(%x: tensor<4xuint8>) {
  return
}

// -----
func.func @f(%a: f32) -> f32 {
  return %b : f32
}

// -----
func.func @f(%sum: f32) -> f32 {
  return %sun : f32
}

// -----
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.gelu %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----
func.func @f(%x: f32) -> f32 {
  %0 = "my.operation"(%x) : (f32) -> f32
  return %0 : f32
}

// $ raddle check %s --split-input-file
// error[E0102]: `func` is not an operation: the names of these begin with a dialect, as in `arith.addf`
//  --> verify/words_from_elsewhere.mlir:3:1
//   |
// 3 | func @f(%x: f32) -> f32 {
//   | ^^^^ unknown operation
//   |
//   = help: did you mean `func.func`?
//
// error[E0102]: `import` is not an operation: the names of these begin with a dialect, as in `arith.addf`
//  --> verify/words_from_elsewhere.mlir:8:1
//   |
// 8 | import torch
//   | ^^^^^^ unknown operation
//   |
//   = help: what is read is the text of MLIR, such as `func.func @f(%x: tensor<4xf32>) { … }`
//
// error[E0101]: expected non-function type, found `fp16`
//   --> verify/words_from_elsewhere.mlir:11:27
//    |
// 11 | func.func @f(%x: tensor<4xfp16>) -> tensor<4xbfloat16> {
//    |                           ^^^^ expected non-function type
//    |
//    = help: MLIR calls it `f16`
//
// error[E0101]: expected non-function type, found `uint8`
//   --> verify/words_from_elsewhere.mlir:16:27
//    |
// 16 | func.func @f(%x: tensor<4xuint8>) {
//    |                           ^^^^^ expected non-function type
//    |
//    = help: MLIR calls it `ui8`
//
// error[E0103]: use of undeclared SSA value name `%b`
//   --> verify/words_from_elsewhere.mlir:22:10
//    |
// 22 |   return %b : f32
//    |          ^^ no value has this name here
//
// error[E0103]: use of undeclared SSA value name `%sun`
//   --> verify/words_from_elsewhere.mlir:27:10
//    |
// 27 |   return %sun : f32
//    |          ^^^^ no value has this name here
//    |
//    = help: did you mean `%sum`?
//
// error[E0102]: the dialect `math` has no operation `math.gelu` that raddle knows
//   --> verify/words_from_elsewhere.mlir:32:8
//    |
// 32 |   %0 = math.gelu %x : tensor<8xf32>
//    |        ^^^^^^^^^ unknown operation
//    |
//    = help: write it in generic form and allow unregistered dialects to keep it as it is
//
// error[E0102]: `my.operation` belongs to no dialect that raddle knows
//   --> verify/words_from_elsewhere.mlir:38:8
//    |
// 38 |   %0 = "my.operation"(%x) : (f32) -> f32
//    |        ^^^^^^^^^^^^^^ unknown operation
//    |
//    = help: where unregistered dialects are allowed, it is kept as it is
//
// 8 diagnostics
// [exit status 1]
