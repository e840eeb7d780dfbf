// Loops of no and of one iteration, a branch that is taken, values that a loop only carries.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: f32, %y: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %never = scf.for %i = %c8 to %c8 step %c1 iter_args(%a = %x) -> f32 {
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  }
  %once = scf.for %i = %c0 to %c1 step %c8 iter_args(%a = %never) -> f32 {
    %b = arith.mulf %a, %a : f32
    scf.yield %b : f32
  }
  %taken = scf.if %true -> f32 {
    %b = arith.subf %once, %y : f32
    scf.yield %b : f32
  } else {
    scf.yield %x : f32
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %taken, %same = %y) -> (f32, f32) {
    %b = arith.addf %a, %same : f32
    scf.yield %b, %same : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: f32, %arg1: f32, %arg2: index) -> (f32, f32) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %0 = arith.mulf %arg0, %arg0 : f32
//     %1 = arith.subf %0, %arg1 : f32
//     %2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %1) -> (f32) {
//       %3 = arith.addf %arg4, %arg1 : f32
//       scf.yield %3 : f32
//     }
//     return %2, %arg1 : f32, f32
//   }
// }
