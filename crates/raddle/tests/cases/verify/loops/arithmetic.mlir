// Conditions, constants, powers and flags of scalars and shapes.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = arith.select %arg1, %arg2, %arg2 : tensor<4xi1, "e">, tensor<4xf32>
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = arith.select %arg1, %arg4, %arg4 : tensor<4xi1, "e">, vector<4xf32>
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = arith.constant 0 : ui32
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = arith.constant dense<0> : tensor<2xsi8>
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = arith.constant dense<[0, 1]> : vector<[2]xi8>
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = math.fpowi %arg4, %arg3 : vector<4xf32>, i32
  return
}

// -----
func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
  %0 = "arith.addf"(%arg4, %arg4) <{fastmath = #arith.fastmath<nnan,slow>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'arith.select' op expected condition type to have the same shape as the result type: 'tensor<4xi1, "e">' chooses for 'tensor<4xf32>'
//  --> verify/loops/arithmetic.mlir:4:3
//   |
// 4 |   %0 = arith.select %arg1, %arg2, %arg2 : tensor<4xi1, "e">, tensor<4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.select' op expected condition type to have the same shape as the result type: 'tensor<4xi1, "e">' chooses for 'vector<4xf32>'
//   --> verify/loops/arithmetic.mlir:10:3
//    |
// 10 |   %0 = arith.select %arg1, %arg4, %arg4 : tensor<4xi1, "e">, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.constant' op integer return type must be signless
//   --> verify/loops/arithmetic.mlir:16:3
//    |
// 16 |   %0 = arith.constant 0 : ui32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.constant' op integer return type must be signless
//   --> verify/loops/arithmetic.mlir:22:3
//    |
// 22 |   %0 = arith.constant dense<0> : tensor<2xsi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.constant' op initializing scalable vectors with elements attribute is not supported unless it's a vector splat
//   --> verify/loops/arithmetic.mlir:28:3
//    |
// 28 |   %0 = arith.constant dense<[0, 1]> : vector<[2]xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'math.fpowi' op requires the same shape for all operands and results
//   --> verify/loops/arithmetic.mlir:34:3
//    |
// 34 |   %0 = math.fpowi %arg4, %arg3 : vector<4xf32>, i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.addf' op cannot have this value for `fastmath`
//   --> verify/loops/arithmetic.mlir:40:3
//    |
// 40 |   %0 = "arith.addf"(%arg4, %arg4) <{fastmath = #arith.fastmath<nnan,slow>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
