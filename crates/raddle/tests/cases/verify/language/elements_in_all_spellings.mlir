// Elements are read in every spelling and printed in one; long lists are printed as their bytes.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
"t.op"() {a = dense<"0x00"> : tensor<2xi16>} : () -> ()

// -----
"t.op"() {a = dense<["a", 1]> : tensor<2x!t.s>} : () -> ()

// -----
"t.op"() {a = dense<[1, 2]> : tensor<3xi8>} : () -> ()

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0104]: elements hex data size is invalid for provided type
//  --> verify/language/elements_in_all_spellings.mlir:3:15
//   |
// 3 | "t.op"() {a = dense<"0x00"> : tensor<2xi16>} : () -> ()
//   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected a string, as the other elements are
//  --> verify/language/elements_in_all_spellings.mlir:6:27
//   |
// 6 | "t.op"() {a = dense<["a", 1]> : tensor<2x!t.s>} : () -> ()
//   |                           ^
//
// error[E0104]: inferred shape of elements literal ([2]) does not match type ([3])
//  --> verify/language/elements_in_all_spellings.mlir:9:15
//   |
// 9 | "t.op"() {a = dense<[1, 2]> : tensor<3xi8>} : () -> ()
//   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
