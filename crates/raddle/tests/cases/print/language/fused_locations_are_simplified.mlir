// What adds nothing to a fused location is left out, as MLIR does.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = loc(fused[])} : () -> ()
"t.op"() {a = loc(fused[unknown, "a"])} : () -> ()
"t.op"() {a = loc(fused["a", "a"])} : () -> ()
"t.op"() {a = loc(fused[fused["a", "b"], "c"])} : () -> ()
"t.op"() {a = loc(fused<"m">[unknown])} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = loc(unknown)} : () -> ()
//   "t.op"() {a = loc("a")} : () -> ()
//   "t.op"() {a = loc("a")} : () -> ()
//   "t.op"() {a = loc(fused["a", "b", "c"])} : () -> ()
//   "t.op"() {a = loc(fused<"m">[unknown])} : () -> ()
// }
