// Attributes that are equal in all but their number stay apart, and equal numbers stay together.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = distinct[7]<"x">, b = distinct[9]<"x">, c = distinct[7]<"x">, d = distinct[2]<>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = distinct[0]<"x">, b = distinct[1]<"x">, c = distinct[0]<"x">, d = distinct[2]<>} : () -> ()
// }
