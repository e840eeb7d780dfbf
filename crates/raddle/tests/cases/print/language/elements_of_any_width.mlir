// Elements have as many bits as integers have; a list of them takes no more memory than its text lets expect.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = dense<[1, -1]> : tensor<2xi70001>} : () -> ()
"t.op"() {a = dense<3> : tensor<9xi16777215>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = dense<[1, -1]> : tensor<2xi70001>} : () -> ()
//   "t.op"() {a = dense<3> : tensor<9xi16777215>} : () -> ()
// }
