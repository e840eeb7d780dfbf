// Values are named by what their locations are called, regions can be left out, and comments say who uses what.
// RUN: raddle opt %s --mlir-use-nameloc-as-prefix
// RUN: raddle opt %s --mlir-print-value-users
// RUN: raddle opt %s --mlir-print-skip-regions -mlir-print-op-generic
func.func @f(%x: index loc("a tile"), %y: index loc("arg1"), %z: index loc("arg1")) -> index {
  %s = arith.addi %x, %y : index loc(callsite("sum" at "here"))
  %t = arith.cmpi eq, %s, %x : index
  %i = scf.if %t -> index { scf.yield %s : index } else { scf.yield %z : index } loc(fused["f.mlir":1:2, "3rd"])
  return %i : index
}

// $ raddle opt %s --mlir-use-nameloc-as-prefix
// module {
//   func.func @f(%a_tile: index, %arg1: index, %arg1_: index) -> index {
//     %sum = arith.addi %a_tile, %arg1 : index
//     %0 = arith.cmpi eq, %sum, %a_tile : index
//     %_3rd = scf.if %0 -> (index) {
//       scf.yield %sum : index
//     } else {
//       scf.yield %arg1_ : index
//     }
//     return %_3rd : index
//   }
// }

// $ raddle opt %s --mlir-print-value-users
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: index) -> index {
//     // %arg0 is used by %2, %1
//     // %arg1 is used by %1
//     // %arg2 is used by %5
//     %1 = arith.addi %arg0, %arg1 : index // users: %5, %2
//     %2 = arith.cmpi eq, %1, %arg0 : index // user: %3
//     %3 = scf.if %2 -> (index) {
//       scf.yield %1 : index // id: %5
//     } else {
//       scf.yield %arg2 : index // id: %5
//     } // user: %4
//     return %3 : index // id: %4
//   }
// }

// $ raddle opt %s --mlir-print-skip-regions -mlir-print-op-generic
// "builtin.module"() ({...}) : () -> ()
