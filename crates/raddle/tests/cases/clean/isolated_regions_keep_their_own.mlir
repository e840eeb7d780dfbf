// What no region may use from outside is neither moved out of it nor merged with what stands outside.
// RUN: raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%x: index):
    %0 = "arith.constant"() {value = 7 : index} : () -> index
    %1 = "arith.addi"(%0, %0) : (index, index) -> index
    "foo.region"(%1) ({
    ^bb0(%y: index):
      %2 = "arith.constant"() {value = 7 : index} : () -> index
      %3 = "arith.addi"(%y, %2) : (index, index) -> index
      %4 = "arith.constant"() {value = 7 : index} : () -> index
      %5 = "arith.addi"(%y, %4) : (index, index) -> index
      "foo.end"(%3, %5) : (index, index) -> ()
    }, {
      %6 = "arith.constant"() {value = 7 : index} : () -> index
      "foo.end"(%6) : (index) -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) {sym_name = "f", function_type = (index) -> ()} : () -> ()
}) : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index) {
//     %c14 = arith.constant 14 : index
//     "foo.region"(%c14) ({
//     ^bb0(%arg1: index):
//       %c7 = arith.constant 7 : index
//       %0 = arith.addi %arg1, %c7 : index
//       "foo.end"(%0, %0) : (index, index) -> ()
//     }, {
//       %c7 = arith.constant 7 : index
//       "foo.end"(%c7) : (index) -> ()
//     }) : (index) -> ()
//     return
//   }
// }
