// Reads that nobody uses go, writes and barriers stay, and with them what they need.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%m: memref<64xf32>, %i: index, %b: i1) {
  %unused = memref.load %m[%i] : memref<64xf32>
  %x = memref.load %m[%i] : memref<64xf32>
  scf.if %b {
    %y = arith.addf %x, %x : f32
  }
  gpu.barrier
  memref.store %x, %m[%i] : memref<64xf32>
  return
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: memref<64xf32>, %arg1: index, %arg2: i1) {
//     %0 = memref.load %arg0[%arg1] : memref<64xf32>
//     gpu.barrier
//     memref.store %0, %arg0[%arg1] : memref<64xf32>
//     return
//   }
// }
