// The number of a kind of atomic access is that of `iree-opt` 3.12.0.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'kind = 15 : i64'
module {
  func.func @f(%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>) {
    %0 = memref.atomic_rmw xori %arg1, %arg0[%arg2] : (i32, memref<4xi32>) -> i32
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'kind = 15 : i64'
//     %0 = "memref.atomic_rmw"(%arg1, %arg0, %arg2) <{kind = 15 : i64}> : (i32, memref<4xi32>, index) -> i32
