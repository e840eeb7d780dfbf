// What a global begins with is of its type.
// RUN: raddle check %s --split-input-file
util.global @g : i3 = 2 : i3

// -----
util.global @g = 2 : i3

// -----
util.global @g : i3 = 2

// -----
util.global @g : tensor<2xf32> = dense_resource<r> : tensor<2xf32>

// -----
util.global @g : tensor<2xf32> = dense_resource<r> : tensor<2xf64>

// -----
func.func @f() -> tensor<2xf32> {
  %0 = "arith.constant"() {value = dense_resource<r> : tensor<2xf64>} : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// $ raddle check %s --split-input-file
// error[E0201]: 'util.global' op initial value type mismatch: the global is 'i3'
//  --> verify/language/globals_begin_with_values_of_their_type.mlir:9:1
//   |
// 9 | util.global @g : i3 = 2
//   | ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.global' op initial value type mismatch: the global is 'tensor<2xf32>'
//   --> verify/language/globals_begin_with_values_of_their_type.mlir:15:1
//    |
// 15 | util.global @g : tensor<2xf32> = dense_resource<r> : tensor<2xf64>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.constant' op has a value that is not of its type 'tensor<2xf32>'
//   --> verify/language/globals_begin_with_values_of_their_type.mlir:19:3
//    |
// 19 |   %0 = "arith.constant"() {value = dense_resource<r> : tensor<2xf64>} : () -> tensor<2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
