// Complex numbers have two parts of their own type.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: complex<f32>, %arg1: i32) {
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}

// -----
func.func @f(%arg0: complex<f32>, %arg1: i32) {
  %0 = complex.constant [1.0 : f32, 2.0 : f64] : complex<f64>
  return
}

// -----
func.func @f(%arg0: complex<f32>, %arg1: i32) {
  %0 = complex.bitcast %arg1 : i32 to f32
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'complex.constant' op requires 'value' to be a complex constant, represented as array of two values
//  --> verify/loops/complex_numbers.mlir:4:3
//   |
// 4 |   %0 = complex.constant [1.0 : f32] : complex<f32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'complex.constant' op requires attribute's element types ('f32', 'f64') to match the element type of the op's return type ('f64')
//   --> verify/loops/complex_numbers.mlir:10:3
//    |
// 10 |   %0 = complex.constant [1.0 : f32, 2.0 : f64] : complex<f64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'complex.bitcast' op requires that either input or output has a complex type
//   --> verify/loops/complex_numbers.mlir:16:3
//    |
// 16 |   %0 = complex.bitcast %arg1 : i32 to f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
