// Spaces part the tokens of a shape like any others, and `0x` starts no number there.
// RUN: raddle opt %s --split-input-file --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
"t.op"() {a = tensor< ? x
 0x0x0xf32>} : () -> ()

// -----
"t.op"() {a = memref<2x // two
 3xf32>} : () -> ()

// $ raddle opt %s --split-input-file --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
// module {
//   "t.op"() {a = tensor<?x0x0x0xf32>} : () -> ()
// }
// module {
//   "t.op"() {a = memref<2x3xf32>} : () -> ()
// }
