// A launch names ids and sizes, perhaps of clusters, and memory; its body sees what is around it.
// RUN: raddle check %s
func.func @f(%arg0: index, %arg1: i32, %arg2: !llvm.ptr) {
  gpu.launch blocks(%arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
    gpu.terminator
  }
  return
}

// $ raddle check %s
// error[E0101]: `blocks` has three ids and three sizes
//  --> verify/gpu/launches.mlir:4:20
//   |
// 4 |   gpu.launch blocks(%arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0,...
//   |                    ^
// [exit status 1]
