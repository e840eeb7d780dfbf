// One dash or two, `=false`, a pass that runs twice, and options of passes as flags.
// RUN: raddle opt %s --canonicalize --cse --canonicalize
// RUN: raddle opt %s -canonicalize -cse -canonicalize
// RUN: raddle opt %s -mlir-print-op-generic | grep '"func.func"'
// RUN: raddle opt %s --mlir-print-op-generic=true | grep '"func.func"'
// RUN: raddle opt %s --mlir-print-op-generic=false | grep func.func
// RUN: raddle opt %s --run-script=entry-point=start
// RUN: raddle opt %s --run-script={entry-point=start}
// RUN: raddle opt %s --run-script=entri-point=start
// RUN: raddle opt %s --iree-gpu-test-target=gfx942@x | grep func.func
// RUN: raddle opt %s -canonicalise
func.func @f(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %y = arith.addi %x, %c0 : index
  return %y : index
}
func.func @g(%x: index) -> index {
  %y = arith.muli %x, %x : index
  %z = arith.muli %x, %x : index
  %s = arith.addi %y, %z : index
  return %s : index
}

// $ raddle opt %s --canonicalize --cse --canonicalize
// module {
//   func.func @f(%arg0: index) -> index {
//     return %arg0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.muli %arg0, %arg0 : index
//     %1 = arith.addi %0, %0 : index
//     return %1 : index
//   }
// }

// $ raddle opt %s -canonicalize -cse -canonicalize
// module {
//   func.func @f(%arg0: index) -> index {
//     return %arg0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.muli %arg0, %arg0 : index
//     %1 = arith.addi %0, %0 : index
//     return %1 : index
//   }
// }

// $ raddle opt %s -mlir-print-op-generic | grep '"func.func"'
//   "func.func"() <{function_type = (index) -> index, sym_name = "f"}> ({
//   "func.func"() <{function_type = (index) -> index, sym_name = "g"}> ({

// $ raddle opt %s --mlir-print-op-generic=true | grep '"func.func"'
//   "func.func"() <{function_type = (index) -> index, sym_name = "f"}> ({
//   "func.func"() <{function_type = (index) -> index, sym_name = "g"}> ({

// $ raddle opt %s --mlir-print-op-generic=false | grep func.func
//   func.func @f(%arg0: index) -> index {
//   func.func @g(%arg0: index) -> index {

// $ raddle opt %s --run-script=entry-point=start
// error[E0906]: there is no sequence `@start` to carry out
//  --> opt/flags_are_those_of_other_tools.mlir:1:1
//   |
// 1 | // One dash or two, `=false`, a pass that runs twice, and options of passes as flags.
//   | ^
//   |
//   = help: write `transform.named_sequence @__transform_main(%root: !transform.any_op) { … transform.yield }`
// [exit status 1]

// $ raddle opt %s --run-script={entry-point=start}
// error[E0906]: there is no sequence `@start` to carry out
//  --> opt/flags_are_those_of_other_tools.mlir:1:1
//   |
// 1 | // One dash or two, `=false`, a pass that runs twice, and options of passes as flags.
//   | ^
//   |
//   = help: write `transform.named_sequence @__transform_main(%root: !transform.any_op) { … transform.yield }`
// [exit status 1]

// $ raddle opt %s --run-script=entri-point=start
// error[E0901]: `run-script` has no option `entri-point`
//  |
//  = help: did you mean `entry-point`?
// [exit status 2]

// $ raddle opt %s --iree-gpu-test-target=gfx942@x | grep func.func
//   func.func @f(%arg0: index) -> index {
//   func.func @g(%arg0: index) -> index {

// $ raddle opt %s -canonicalise
// error: unexpected argument '--canonicalise' found
//
//   tip: a similar argument exists: '--canonicalize'
//
// Usage: raddle opt --canonicalize[=<OPTIONS>] <FILE>
//
// For more information, try '--help'.
// [exit status 2]
