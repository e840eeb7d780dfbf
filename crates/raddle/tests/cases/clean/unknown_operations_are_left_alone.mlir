// Operations outside the table keep their place and their operands.
// RUN: raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%x: index):
    %0 = "foo.bar"(%x) : (index) -> index
    %1 = "foo.bar"(%x) : (index) -> index
    "func.return"() : () -> ()
  }) {sym_name = "f", function_type = (index) -> ()} : () -> ()
}) : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index) {
//     %0 = "foo.bar"(%arg0) : (index) -> index
//     %1 = "foo.bar"(%arg0) : (index) -> index
//     return
//   }
// }
