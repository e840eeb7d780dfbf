// A division by zero is the program's own; it is neither folded nor moved out of the loop that may not run.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: index, %y: index, %n: index, %m: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.divui %x, %y : index
    %b = arith.divui %x, %c4 : index
    %c = arith.addi %a, %b : index
    memref.store %c, %m[%i] : memref<4xindex>
  }
  return
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4xindex>) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %0 = arith.divui %arg0, %c4 : index
//     scf.for %arg4 = %c0 to %arg2 step %c1 {
//       %1 = arith.divui %arg0, %arg1 : index
//       %2 = arith.addi %1, %0 : index
//       memref.store %2, %arg3[%arg4] : memref<4xindex>
//     }
//     return
//   }
// }
