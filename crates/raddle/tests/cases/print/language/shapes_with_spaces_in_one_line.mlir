// Spaces part the tokens of a shape like any others, and `0x` starts no number there.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = vector<1x2 x f32>} : () -> ()
"t.op"() {a = vector< 1 x [ 2 ]x f32>} : () -> ()
"t.op"() {a = tensor<* x f32>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = vector<1x2xf32>} : () -> ()
//   "t.op"() {a = vector<1x[2]xf32>} : () -> ()
//   "t.op"() {a = tensor<*xf32>} : () -> ()
// }
