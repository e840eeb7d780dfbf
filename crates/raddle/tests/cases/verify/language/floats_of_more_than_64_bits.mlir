// Decimals of `f80` and `f128` are those of an `f64`, with the digits of their own format where more are needed; bits
// that no `f64` has stay bits.
// RUN: raddle check %s --allow-unregistered-dialect
"t.op"() {a = 0x100000000000000000000 : f80} : () -> ()

// $ raddle check %s --allow-unregistered-dialect
// error[E0101]: hexadecimal float constant out of range for type: it has 80 bits
//  --> verify/language/floats_of_more_than_64_bits.mlir:4:15
//   |
// 4 | "t.op"() {a = 0x100000000000000000000 : f80} : () -> ()
//   |               ^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
