// Aliases of locations stand behind the module unless something in it needs them in front.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-debuginfo
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope
#b = loc("b":1:1)
module {
  func.func private @f() loc(#a)
  "t.op"() {l = #b} : () -> () loc(#a)
} loc(unknown)
#c = loc("c")
#a = loc("n"(#c))

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-debuginfo
// #loc2 = loc("b":1:1)
// module {
//   func.func private @f() loc(#loc3)
//   "t.op"() {l = #loc2} : () -> () loc(#loc3)
// } loc(#loc)
// #loc = loc(unknown)
// #loc1 = loc("c")
// #loc3 = loc("n"(#loc1))

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope
// module {
//   func.func private @f() loc("n"("c"))
//   "t.op"() {l = loc("b":1:1)} : () -> () loc("n"("c"))
// } loc(unknown)
