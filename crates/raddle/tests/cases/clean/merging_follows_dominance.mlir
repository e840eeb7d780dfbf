// What is equal merges where the first of the two dominates; siblings do not.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: index, %y: index, %b: i1, %m: memref<64xindex>) {
  %outer = arith.addi %x, %y : index
  scf.if %b {
    %p = arith.addi %y, %x : index
    %q = arith.muli %p, %p : index
    memref.store %q, %m[%p] : memref<64xindex>
  } else {
    %q = arith.muli %outer, %outer : index
    memref.store %q, %m[%y] : memref<64xindex>
  }
  return
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: i1, %arg3: memref<64xindex>) {
//     %0 = arith.addi %arg0, %arg1 : index
//     scf.if %arg2 {
//       %1 = arith.muli %0, %0 : index
//       memref.store %1, %arg3[%0] : memref<64xindex>
//     } else {
//       %1 = arith.muli %0, %0 : index
//       memref.store %1, %arg3[%arg1] : memref<64xindex>
//     }
//     return
//   }
// }
