// Values that are used ahead of their definition make circles, which no fold goes round: in blocks that nothing leads
// to, and in regions that run in no order.
// RUN: raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
func.func @f() {
  "t.graph"() ({
    %c0 = arith.constant 0 : i32
    %1 = arith.addi %2, %c0 : i32
    %2 = arith.addi %1, %c0 : i32
    "t.use"(%1) : (i32) -> ()
  }) : () -> ()
  return
^dead:
  %c0 = arith.constant 0 : i32
  %1 = arith.addi %2, %c0 : i32
  cf.br ^other
^other:
  %2 = arith.addi %1, %c0 : i32
  cf.br ^dead
}

// $ raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
// module {
//   func.func @f() {
//     "t.graph"() ({
//       %c0_i32 = arith.constant 0 : i32
//       %0 = arith.addi %1, %c0_i32 : i32
//       %1 = arith.addi %0, %c0_i32 : i32
//       "t.use"(%0) : (i32) -> ()
//     }) : () -> ()
//     return
//   }
// }
