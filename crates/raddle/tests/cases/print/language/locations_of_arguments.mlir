// Arguments of functions and blocks have locations, too.
// RUN: raddle opt %s --mlir-print-debuginfo --mlir-print-local-scope
// RUN: raddle opt %s | grep loc
func.func @f(%a: i32 loc("a":1:2), %b: i32) -> i32 {
  cf.br ^x(%a : i32)
^x(%c: i32 loc("c")):
  return %c : i32
}

// $ raddle opt %s --mlir-print-debuginfo --mlir-print-local-scope
// module {
//   func.func @f(%arg0: i32 loc("a":1:2), %arg1: i32 loc("print/language/locations_of_arguments.mlir":4:36)) -> i32 {
//     cf.br ^bb1(%arg0 : i32) loc("print/language/locations_of_arguments.mlir":5:3)
//   ^bb1(%0: i32 loc("c")):  // pred: ^bb0
//     return %0 : i32 loc("print/language/locations_of_arguments.mlir":7:3)
//   } loc("print/language/locations_of_arguments.mlir":4:1)
// } loc("print/language/locations_of_arguments.mlir":0:0)

// $ raddle opt %s | grep loc
