// x + 0 is not x for x = -0; x + -0 and x * 1 are.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %neg = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.addf %x, %zero : f32
  %b = arith.addf %x, %neg : f32
  %c = arith.mulf %b, %one : f32
  return %a, %c : f32, f32
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: f32) -> (f32, f32) {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = arith.addf %arg0, %cst : f32
//     return %0, %arg0 : f32, f32
//   }
// }
