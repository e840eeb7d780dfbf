// Neutral elements go, constants meet, and what is left hangs on one constant to the right.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = arith.addi %c5, %x : index
  %b = arith.muli %a, %c1 : index
  %c = arith.addi %b, %c5 : index
  %d = arith.subi %c, %c0 : index
  return %d : index
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index) -> index {
//     %c10 = arith.constant 10 : index
//     %0 = arith.addi %arg0, %c10 : index
//     return %0 : index
//   }
// }
