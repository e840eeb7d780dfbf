// An integer without bits is 0, of whatever sign, alone and as an element.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
"t.op"() {a = 1 : i0} : () -> ()

// -----
"t.op"() {a = -1 : i0} : () -> ()

// -----
"t.op"() {a = 1 : ui0} : () -> ()

// -----
"t.op"() {a = -1 : si0} : () -> ()

// -----
"t.op"() {a = dense<1> : tensor<2xi0>} : () -> ()

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0101]: integer constant out of range for attribute: it does not fit 0 bits
//  --> verify/language/integers_without_bits.mlir:3:15
//   |
// 3 | "t.op"() {a = 1 : i0} : () -> ()
//   |               ^
//
// error[E0101]: integer constant out of range for attribute: it does not fit 0 bits
//  --> verify/language/integers_without_bits.mlir:6:15
//   |
// 6 | "t.op"() {a = -1 : i0} : () -> ()
//   |               ^^
//
// error[E0101]: integer constant out of range for attribute: it does not fit 0 bits
//  --> verify/language/integers_without_bits.mlir:9:15
//   |
// 9 | "t.op"() {a = 1 : ui0} : () -> ()
//   |               ^
//
// error[E0101]: integer constant out of range for attribute: it does not fit 0 bits
//   --> verify/language/integers_without_bits.mlir:12:15
//    |
// 12 | "t.op"() {a = -1 : si0} : () -> ()
//    |               ^^
//
// error[E0101]: integer constant out of range for attribute: it does not fit 0 bits
//   --> verify/language/integers_without_bits.mlir:15:21
//    |
// 15 | "t.op"() {a = dense<1> : tensor<2xi0>} : () -> ()
//    |                     ^
//
// 5 diagnostics
// [exit status 1]
