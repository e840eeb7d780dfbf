// A string holds any bytes, also those that are not text.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = "\00\FFa"} : () -> ()
"t.op"() {a = "h\C3\A9"} : () -> ()
"t.op"() {a = "\C3"} : () -> ()
"t.op"() {a = "\F4\8F\BF\BF"} : () -> ()
"t.op"() {a = "hé􏿿"} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = "\00\FFa"} : () -> ()
//   "t.op"() {a = "h\C3\A9"} : () -> ()
//   "t.op"() {a = "\C3"} : () -> ()
//   "t.op"() {a = "\F4\8F\BF\BF"} : () -> ()
//   "t.op"() {a = "h\C3\A9\F4\8F\BF\BF"} : () -> ()
// }
