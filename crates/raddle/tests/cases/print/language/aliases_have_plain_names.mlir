// An alias has no dot in its name; its attribute may state a type.
// RUN: raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
#a = #t.x<1> : i8
"t.op"() {x = #a} : () -> ()

// $ raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
// module {
//   "t.op"() {x = #t.x<1> : i8} : () -> ()
// }
