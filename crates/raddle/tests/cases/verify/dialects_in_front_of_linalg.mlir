// Of a program that stands in front of linalg, it is said how to get there.
// RUN: raddle check %s --split-input-file
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
tt.func public @kernel(%a: !tt.ptr<f32>) {
  tt.return
}

// $ raddle check %s --split-input-file
// error[E0102]: `stablehlo.add` belongs to no dialect that raddle knows
//  --> verify/dialects_in_front_of_linalg.mlir:4:8
//   |
// 4 |   %0 = stablehlo.add %a, %b : tensor<4xf32>
//   |        ^^^^^^^^^^^^^ unknown operation
//   |
//   = help: `iree-compile --compile-to=input program.mlir -o linalg.mlir` writes it with `linalg` and `tensor`
//
// error[E0102]: `tt.func` belongs to no dialect that raddle knows
//  --> verify/dialects_in_front_of_linalg.mlir:9:1
//   |
// 9 | tt.func public @kernel(%a: !tt.ptr<f32>) {
//   | ^^^^^^^ unknown operation
//   |
//   = help: `raddle exec` executes the PTX that Triton makes of it
//
// 2 diagnostics
// [exit status 1]
