// Text that a dialect would understand is kept: as it stands where nobody knows the dialect, else with one space
// where there were several and without comments. Aliases are written out; one that nobody defines would mean
// something else in print.
// RUN: raddle opt %s --split-input-file --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
"t.op"() {a = #vm.x<a   b // > "comment
 c "d  \" ]", { -e } >} : () -> ()

// -----
#a = 1 : i8
"t.op"() {x = #t.x<y #a z>} : () -> ()

// $ raddle opt %s --split-input-file --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
// module {
//   "t.op"() {a = #vm.x<a b c "d  \" ]", { -e}>} : () -> ()
// }
// module {
//   "t.op"() {x = #t.x<y 1 : i8 z>} : () -> ()
// }
