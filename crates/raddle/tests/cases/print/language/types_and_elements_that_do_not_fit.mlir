// What a container cannot hold, a memory space cannot be, and a list of elements cannot say.
// RUN: raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
"t.op"() {a = tensor<2xvector<2xf32>>} : () -> ()
"t.op"() {a = memref<2xmemref<*xf32>>} : () -> ()
"t.op"() {a = memref<2xf32, "near">} : () -> ()
"t.op"() {a = memref<2xcomplex<i3>>} : () -> ()
"t.op"() {a = memref<2xf32, affine_map<(i)[s] -> (i)>, false>} : () -> ()
"t.op"() {a = affine_set<(i) : ()>} : () -> ()

// $ raddle opt %s --allow-unregistered-dialect --mlir-print-local-scope --verify-roundtrip
// module {
//   "t.op"() {a = tensor<2xvector<2xf32>>} : () -> ()
//   "t.op"() {a = memref<2xmemref<*xf32>>} : () -> ()
//   "t.op"() {a = memref<2xf32, "near">} : () -> ()
//   "t.op"() {a = memref<2xcomplex<i3>>} : () -> ()
//   "t.op"() {a = memref<2xf32>} : () -> ()
//   "t.op"() {a = affine_set<(d0) : (0 == 0)>} : () -> ()
// }
