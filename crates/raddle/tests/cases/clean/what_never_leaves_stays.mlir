// A region that ends where nothing is said to come has nothing to give, so that its operation stays.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = scf.execute_region -> i32 {
    memref.store %c0, %m[] : memref<i32>
    ub.unreachable
  }
  return %r : i32
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: memref<i32>) -> i32 {
//     %c0_i32 = arith.constant 0 : i32
//     %0 = scf.execute_region -> i32 {
//       memref.store %c0_i32, %arg0[] : memref<i32>
//       ub.unreachable
//     }
//     return %0 : i32
//   }
// }
