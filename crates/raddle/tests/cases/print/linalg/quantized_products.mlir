// The factors of a quantized product lie above their zeros.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '"arith.'
module {
  func.func @f(%arg0: tensor<4x8xi8>, %arg1: tensor<8x16xi8>, %arg2: i32, %arg3: tensor<4x16xi32>) {
    %0 = linalg.quantized_matmul ins(%arg0, %arg1, %arg2, %arg2 : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32) outs(%arg3 : tensor<4x16xi32>) -> tensor<4x16xi32>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '"arith.'
//       %1 = "arith.extsi"(%arg4) : (i8) -> i32
//       %2 = "arith.subi"(%1, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
//       %3 = "arith.extsi"(%arg5) : (i8) -> i32
//       %4 = "arith.subi"(%3, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
//       %5 = "arith.muli"(%2, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
//       %6 = "arith.addi"(%arg8, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
