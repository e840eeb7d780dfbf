// Sums, products and quotients are read to the form that MLIR gives them, and mean the same.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + 3 - d1 + 4)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (s0 * 2 + d0)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 * 2 + d0 * 3)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d1 - d1)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 - (d0 floordiv 16) * 16)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + s0 * 64 - (d1 floordiv 16) * 16)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + s0 * 64 - (d0 floordiv 16) * 16)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> (d1 + d0)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> ((d0 * 4 + 8) floordiv 4)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> ((d0 * 4 + d1) mod 4)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> ((d1 * 6) floordiv 3)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> ((d0 mod 8) mod 4)>} : () -> ()
"t.op"() {a = affine_map<(d0, d1)[s0] -> ((d0 * 2) * s0)>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 - d1 + 7)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 * 5)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (0)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 mod 16)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 - (d1 floordiv 16) * 16 + s0 * 64)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 mod 16 + s0 * 64)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + d1)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 + 2)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d1 mod 4)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d1 * 2)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> (d0 mod 4)>} : () -> ()
//   "t.op"() {a = affine_map<(d0, d1)[s0] -> ((d0 * s0) * 2)>} : () -> ()
// }
