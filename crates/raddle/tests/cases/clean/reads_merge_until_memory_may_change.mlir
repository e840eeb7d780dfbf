// Of equal reads one is left where nothing between them may write, wait, or run again.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%m: memref<8xf32>, %o: memref<8xf32>, %i: index, %n: index) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%i] : memref<8xf32>
  %q = arith.divsi %i, %n : index
  %b = memref.load %m[%i] : memref<8xf32>
  memref.store %b, %o[%q] : memref<8xf32>
  %c = memref.load %m[%i] : memref<8xf32>
  gpu.barrier
  %d = memref.load %m[%i] : memref<8xf32>
  scf.for %k = %c0 to %n step %c1 {
    %e = memref.load %m[%i] : memref<8xf32>
    memref.store %e, %m[%k] : memref<8xf32>
  }
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: index) -> (f32, f32, f32, f32) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %0 = memref.load %arg0[%arg2] : memref<8xf32>
//     %1 = arith.divsi %arg2, %arg3 : index
//     memref.store %0, %arg1[%1] : memref<8xf32>
//     %2 = memref.load %arg0[%arg2] : memref<8xf32>
//     gpu.barrier
//     %3 = memref.load %arg0[%arg2] : memref<8xf32>
//     scf.for %arg4 = %c0 to %arg3 step %c1 {
//       %4 = memref.load %arg0[%arg2] : memref<8xf32>
//       memref.store %4, %arg0[%arg4] : memref<8xf32>
//     }
//     return %0, %0, %2, %3 : f32, f32, f32, f32
//   }
// }
