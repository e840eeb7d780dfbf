// Conditions, constants, powers and flags of scalars and shapes.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: tensor<*xi32>, %arg1: tensor<4xi1, "e">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>) {
    %0 = arith.cmpi eq, %arg0, %arg0 : tensor<*xi32>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
