// An integer without bits is 0, of whatever sign, alone and as an element.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = 0 : i0} : () -> ()
"t.op"() {a = 0 : si0} : () -> ()
"t.op"() {a = 0 : ui0} : () -> ()
"t.op"() {a = dense<0> : tensor<4xi0>} : () -> ()
"t.op"() {a = dense<0> : tensor<ui0>} : () -> ()
"t.op"() {a = array<i0: 0>} : () -> ()
"t.op"() {a = 0x000 : i0} : () -> ()
"t.op"() {a = dense<[0, 0]> : tensor<2xi0>} : () -> ()
"t.op"() {a = dense<"0x"> : tensor<3xi0>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = 0 : i0} : () -> ()
//   "t.op"() {a = 0 : si0} : () -> ()
//   "t.op"() {a = 0 : ui0} : () -> ()
//   "t.op"() {a = dense<0> : tensor<4xi0>} : () -> ()
//   "t.op"() {a = dense<0> : tensor<ui0>} : () -> ()
//   "t.op"() {a = array<i0: 0>} : () -> ()
//   "t.op"() {a = 0 : i0} : () -> ()
//   "t.op"() {a = dense<0> : tensor<2xi0>} : () -> ()
//   "t.op"() {a = dense<0> : tensor<3xi0>} : () -> ()
// }
