// The place of the best element along a dimension.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(3) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(0) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x8xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x8xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xf32>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xf32>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi32>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi32>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf64>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf64>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf64>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<3xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<3xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %c: i1):
    %s = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// -----
func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %b : f32
  } -> tensor<2xf32>, tensor<2xi64>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.arg_compare' op reduction dimension exceeds or equals input rank. got dimension: 3, but input rank is: 2
//   --> verify/linalg_ext/arg_compare.mlir:15:3
//    |
// 15 |   %r:2 = iree_linalg_ext.arg_compare dimension(3) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op output shape must match input shape with reduction dimension removed. Expected: [9], but got: [2]
//   --> verify/linalg_ext/arg_compare.mlir:26:3
//    |
// 26 |   %r:2 = iree_linalg_ext.arg_compare dimension(0) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op explicit-index mode: value and index inputs must have the same shape. Value shape: [2, 9], index shape: [2, 8]
//   --> verify/linalg_ext/arg_compare.mlir:37:3
//    |
// 37 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x8xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op explicit-index mode: index input must have integer or index element type, but got 'f32'
//   --> verify/linalg_ext/arg_compare.mlir:48:3
//    |
// 48 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op explicit-index mode: input and output index element types must match. Input index type: 'i32', output index type: 'i64'
//   --> verify/linalg_ext/arg_compare.mlir:59:3
//    |
// 59 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op input and output value element types must match. Input type: 'f32', output value type: 'f64'
//   --> verify/linalg_ext/arg_compare.mlir:70:3
//    |
// 70 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op output indices/values shape must match. Output value shape: [2], output index shape: [3]
//   --> verify/linalg_ext/arg_compare.mlir:81:3
//    |
// 81 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op comparator arguments must match input value element type. Expected: 'f32', but got: 'f32' and 'i1'
//   --> verify/linalg_ext/arg_compare.mlir:92:3
//    |
// 92 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op region block should have 2 arguments, but got 3
//    --> verify/linalg_ext/arg_compare.mlir:103:3
//     |
// 103 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.arg_compare' op region block must end with a linalg_ext.yield i1, but got: 'f32'
//    --> verify/linalg_ext/arg_compare.mlir:114:3
//     |
// 114 |   %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
