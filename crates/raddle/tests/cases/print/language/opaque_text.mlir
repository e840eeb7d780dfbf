// Text that a dialect would understand is kept: as it stands where nobody knows the dialect, else with one space
// where there were several and without comments. Aliases are written out; one that nobody defines would mean
// something else in print.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = !vm.x< = y>} : () -> ()
"t.op"() {a = !vm.x<a  ->  [b]>} : () -> ()
"t.op"() {a = #vm.x<a -  >} : () -> ()
"t.op"() {a = #t.x<a   b[1,2 ],{c=3}, http://x>} : () -> ()
"t.op"() {a = !t.x<  a ->  b>} : () -> ()
"t.op"() {a = #t<a  b>} : () -> ()
"t.op"() {a = #t<a< b >>} : () -> ()
"t.op"() {a = #t<a>} : () -> ()
"t.op"() {a = !t<a<b>>} : () -> ()
"t.op"() {a = !t<a<b><c>>} : () -> ()
"t.op"() {a = !llvm<ptr>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = !vm.x< = y>} : () -> ()
//   "t.op"() {a = !vm.x<a -> [b]>} : () -> ()
//   "t.op"() {a = #vm.x<a - >} : () -> ()
//   "t.op"() {a = #t.x<a   b[1,2 ],{c=3}, http://x>} : () -> ()
//   "t.op"() {a = !t.x<  a ->  b>} : () -> ()
//   "t.op"() {a = #t<a  b>} : () -> ()
//   "t.op"() {a = #t.a< b >} : () -> ()
//   "t.op"() {a = #t.a} : () -> ()
//   "t.op"() {a = !t.a<b>} : () -> ()
//   "t.op"() {a = !t<a<b><c>>} : () -> ()
//   "t.op"() {a = !llvm.ptr} : () -> ()
// }
