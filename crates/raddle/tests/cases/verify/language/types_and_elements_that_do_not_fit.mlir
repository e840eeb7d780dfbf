// What a container cannot hold, a memory space cannot be, and a list of elements cannot say.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
"t.op"() {a = vector<2xcomplex<f32>>} : () -> ()

// -----
"t.op"() {a = tensor<2xmemref<f32>>} : () -> ()

// -----
"t.op"() {a = tensor<*xtensor<f32>>} : () -> ()

// -----
"t.op"() {a = memref<2xtensor<f32>>} : () -> ()

// -----
"t.op"() {a = complex<index>} : () -> ()

// -----
"t.op"() {a = memref<2xf32, i8>} : () -> ()

// -----
"t.op"() {a = memref<*xf32, [1]>} : () -> ()

// -----
"t.op"() {a = memref<2xf32, 0, 0>} : () -> ()

// -----
"t.op"() {a = dense<[0, 1]> : tensor<2xcomplex<i8>>} : () -> ()

// -----
"t.op"() {a = dense<"00"> : tensor<1xi8>} : () -> ()

// -----
"t.op"() {a = dense_resource<key> : i32} : () -> ()

// -----
"t.op"() {a = array<i7>} : () -> ()

// -----
"t.op"() {a = array<i1: 0>} : () -> ()

// -----
"t.op"() {a = affine_map<(i)[j, i] -> (j)>} : () -> ()

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0101]: invalid vector element type: vectors hold no `complex<f32>` (failed to verify 'elementType': VectorElementTypeInterface instance)
//  --> verify/language/types_and_elements_that_do_not_fit.mlir:3:24
//   |
// 3 | "t.op"() {a = vector<2xcomplex<f32>>} : () -> ()
//   |                        ^^^^^^^
//
// error[E0101]: invalid tensor element type: tensors hold no `memref<f32>`
//  --> verify/language/types_and_elements_that_do_not_fit.mlir:6:24
//   |
// 6 | "t.op"() {a = tensor<2xmemref<f32>>} : () -> ()
//   |                        ^^^^^^
//
// error[E0101]: invalid tensor element type: tensors hold no `tensor<f32>`
//  --> verify/language/types_and_elements_that_do_not_fit.mlir:9:24
//   |
// 9 | "t.op"() {a = tensor<*xtensor<f32>>} : () -> ()
//   |                        ^^^^^^
//
// error[E0101]: invalid memref element type: memrefs hold no `tensor<f32>`
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:12:24
//    |
// 12 | "t.op"() {a = memref<2xtensor<f32>>} : () -> ()
//    |                        ^^^^^^
//
// error[E0101]: invalid element type for complex: it is an integer or a float
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:15:23
//    |
// 15 | "t.op"() {a = complex<index>} : () -> ()
//    |                       ^^^^^
//
// error[E0101]: unsupported memory space Attribute: it is an integer, a string, a dictionary, or a dialect's own
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:18:29
//    |
// 18 | "t.op"() {a = memref<2xf32, i8>} : () -> ()
//    |                             ^^
//
// error[E0101]: unsupported memory space Attribute: it is an integer, a string, a dictionary, or a dialect's own
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:21:29
//    |
// 21 | "t.op"() {a = memref<*xf32, [1]>} : () -> ()
//    |                             ^
//
// error[E0101]: multiple memory spaces specified in memref type: it has at most one
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:24:32
//    |
// 24 | "t.op"() {a = memref<2xf32, 0, 0>} : () -> ()
//    |                                ^
//
// error[E0101]: a complex number is a pair such as `(1.0, 0.0)`
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:27:15
//    |
// 27 | "t.op"() {a = dense<[0, 1]> : tensor<2xcomplex<i8>>} : () -> ()
//    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected string containing hex digits starting with `0x`
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:30:21
//    |
// 30 | "t.op"() {a = dense<"00"> : tensor<1xi8>} : () -> ()
//    |                     ^^^^
//
// error[E0101]: `dense_resource` expected a shaped type
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:33:37
//    |
// 33 | "t.op"() {a = dense_resource<key> : i32} : () -> ()
//    |                                     ^^^
//
// error[E0101]: element type bitwidth must be a multiple of 8, or one bit
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:36:21
//    |
// 36 | "t.op"() {a = array<i7>} : () -> ()
//    |                     ^^
//
// error[E0101]: expected `true` or `false` values for i1 type
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:39:25
//    |
// 39 | "t.op"() {a = array<i1: 0>} : () -> ()
//    |                         ^
//
// error[E0101]: redefinition of identifier 'i'
//   --> verify/language/types_and_elements_that_do_not_fit.mlir:42:33
//    |
// 42 | "t.op"() {a = affine_map<(i)[j, i] -> (j)>} : () -> ()
//    |                                 ^
//
// 14 diagnostics
// [exit status 1]
