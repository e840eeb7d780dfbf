// What a result takes the storage of is an argument.
// RUN: raddle check %s --split-input-file
"util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [-1 : index]}> ({
^bb0(%a: i32):
  "util.return"(%a) : (i32) -> ()
}) : () -> ()

// -----
"util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [0 : index]}> ({
^bb0(%a: i32):
  "util.return"(%a) : (i32) -> ()
}) : () -> ()

// -----
"util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [-2 : index]}> ({
^bb0(%a: i32):
  "util.return"(%a) : (i32) -> ()
}) : () -> ()

// -----
"util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [1 : index]}> ({
^bb0(%a: i32):
  "util.return"(%a) : (i32) -> ()
}) : () -> ()

// $ raddle check %s --split-input-file
// error[E0201]: 'util.func' op result #0 tied to invalid operand index -2
//   --> verify/host/tied_results.mlir:15:1
//    |
// 15 | "util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [-2 : index]}> ({
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.func' op result #0 tied to invalid operand index 1
//   --> verify/host/tied_results.mlir:21:1
//    |
// 21 | "util.func"() <{function_type = (i32) -> i32, sym_name = "f", tied_operands = [1 : index]}> ({
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
