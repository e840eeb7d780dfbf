// Reductions of parallel loops: one region for each result.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: index, %arg1: f32) {
    %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
      scf.reduce(%arg1 : f32) {
      ^bb0(%arg3: f32, %arg4: f32):
        %1 = arith.addf %arg3, %arg4 : f32
        scf.reduce.return %1 : f32
      }
    }
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
