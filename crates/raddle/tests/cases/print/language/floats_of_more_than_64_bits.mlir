// Decimals of `f80` and `f128` are those of an `f64`, with the digits of their own format where more are needed; bits
// that no `f64` has stay bits.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = 0.1 : f80} : () -> ()
"t.op"() {a = -0.1 : f128} : () -> ()
"t.op"() {a = 1.0e-300 : f80} : () -> ()
"t.op"() {a = 0x3FFF8000000000000000 : f80} : () -> ()
"t.op"() {a = 0x80000000000000000000 : f80} : () -> ()
"t.op"() {a = 1.0e400 : f128} : () -> ()
"t.op"() {a = 0x7FFF8000000000000000 : f80} : () -> ()
"t.op"() {a = 0x3fff8000000000000001 : f80} : () -> ()
"t.op"() {a = 0x1 : f128} : () -> ()
"t.op"() {a = 0x3FFF4000000000000000 : f80} : () -> ()
"t.op"() {a = 0x8000000000000000 : f80} : () -> ()
"t.op"() {a = dense<[1.0, 0x3FFF8000000000000001]> : tensor<2xf80>} : () -> ()
"t.op"() {a = dense<"0x00000000000000C0FF3F"> : tensor<2xf80>} : () -> ()
"t.op"() {a = dense<(1.0, 2.5)> : tensor<complex<f128>>} : () -> ()
"t.op"() {a = 0x7F800001 : f32} : () -> ()
"t.op"() {a = 0x7C01 : f16} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = 0.100000000000000005551 : f80} : () -> ()
//   "t.op"() {a = -0.100000000000000005551115123125782702 : f128} : () -> ()
//   "t.op"() {a = 1.00000000000000002506E-300 : f80} : () -> ()
//   "t.op"() {a = 1.000000e+00 : f80} : () -> ()
//   "t.op"() {a = -0.000000e+00 : f80} : () -> ()
//   "t.op"() {a = 0x7FFF0000000000000000000000000000 : f128} : () -> ()
//   "t.op"() {a = 0x7FFF8000000000000000 : f80} : () -> ()
//   "t.op"() {a = 0x3FFF8000000000000001 : f80} : () -> ()
//   "t.op"() {a = 0x00000000000000000000000000000001 : f128} : () -> ()
//   "t.op"() {a = 0x7FFF4000000000000000 : f80} : () -> ()
//   "t.op"() {a = 0x00018000000000000000 : f80} : () -> ()
//   "t.op"() {a = dense<[1.000000e+00, 0x3FFF8000000000000001]> : tensor<2xf80>} : () -> ()
//   "t.op"() {a = dense<1.500000e+00> : tensor<2xf80>} : () -> ()
//   "t.op"() {a = dense<(1.000000e+00,2.500000e+00)> : tensor<complex<f128>>} : () -> ()
//   "t.op"() {a = 0x7F800001 : f32} : () -> ()
//   "t.op"() {a = 0x7C01 : f16} : () -> ()
// }
