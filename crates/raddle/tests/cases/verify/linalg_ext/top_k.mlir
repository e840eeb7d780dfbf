// The largest elements: fewer along one dimension, with their places.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(2) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf64>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf64>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf64>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %c: i1):
    %s = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<5x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<5x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(2) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf64>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf64>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf64>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %c: i1):
    %s = arith.cmpf ogt, %a, %a : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<5x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<5x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi64>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi64>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %i: tensor<7x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<7x9xf32>, tensor<7x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi64>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi64>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<7x9xf32>, %i: tensor<7x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<7x9xf32>, tensor<7x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x11xf32>, %j: tensor<4x11xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x11xf32>, tensor<4x11xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x11xf32>, tensor<4x11xi32>
  return
}

// -----
func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x0xf32>, %j: tensor<4x0xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x0xf32>, tensor<4x0xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x0xf32>, tensor<4x0xi32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.topk_v2' op dimension exceeds rank
//   --> verify/linalg_ext/top_k.mlir:15:3
//    |
// 15 |   %r:2 = iree_linalg_ext.topk_v2 dimension(2) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op expected input/output value types to be identical
//   --> verify/linalg_ext/top_k.mlir:26:3
//    |
// 26 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op region block types must match input value type
//   --> verify/linalg_ext/top_k.mlir:37:3
//    |
// 37 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op region block must end with a linalg_ext.yield i1
//   --> verify/linalg_ext/top_k.mlir:48:3
//    |
// 48 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op input values/indices shape must match
//   --> verify/linalg_ext/top_k.mlir:59:3
//    |
// 59 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<5x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op dimension exceeds rank
//   --> verify/linalg_ext/top_k.mlir:81:3
//    |
// 81 |   %r:2 = iree_linalg_ext.topk dimension(2) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op expected input/output value types to be identical
//   --> verify/linalg_ext/top_k.mlir:92:3
//    |
// 92 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op region block types must match input
//    --> verify/linalg_ext/top_k.mlir:103:3
//     |
// 103 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op region block must end with a linalg_ext.yield i1!
//    --> verify/linalg_ext/top_k.mlir:114:3
//     |
// 114 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op input indices/values shape must match
//    --> verify/linalg_ext/top_k.mlir:125:3
//     |
// 125 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<5x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op expected input/output indices types to be int32
//    --> verify/linalg_ext/top_k.mlir:136:3
//     |
// 136 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi64>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk' op incompatible input/output shapes
//    --> verify/linalg_ext/top_k.mlir:147:3
//     |
// 147 |   %r:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<7x9xf32>, tensor<7x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op expected input/output indices element types to be identical
//    --> verify/linalg_ext/top_k.mlir:158:3
//     |
// 158 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi64>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op incompatible input/output shapes at dimension 0
//    --> verify/linalg_ext/top_k.mlir:169:3
//     |
// 169 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<7x9xf32>, tensor<7x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op output dimension must not exceed input, got 11 > 9
//    --> verify/linalg_ext/top_k.mlir:180:3
//     |
// 180 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.topk_v2' op output dimension must be positive
//    --> verify/linalg_ext/top_k.mlir:191:3
//     |
// 191 |   %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 16 diagnostics
// [exit status 1]
