// Attributes that are equal in all but their number stay apart, and equal numbers stay together.
// RUN: raddle check %s --allow-unregistered-dialect
"t.op"() {a = distinct[0]<1>, b = distinct[0]<2>} : () -> ()

// $ raddle check %s --allow-unregistered-dialect
// error[E0101]: referenced attribute does not match previous definition: 1 : i64
//  --> verify/language/distinct_attributes.mlir:3:44
//   |
// 3 | "t.op"() {a = distinct[0]<1>, b = distinct[0]<2>} : () -> ()
//   |                                            ^^^^^
// [exit status 1]
