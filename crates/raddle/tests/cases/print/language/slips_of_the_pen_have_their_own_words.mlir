// Names, literals and expressions that mean nothing are told apart.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = sparse<[[1, 1]], 1> : tensor<2x2xi8>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = sparse<1, 1> : tensor<2x2xi8>} : () -> ()
// }
