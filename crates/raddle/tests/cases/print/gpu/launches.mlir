// A launch names ids and sizes, perhaps of clusters, and memory; its body sees what is around it.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes'
module {
  func.func @f(%arg0: index, %arg1: i32, %arg2: !llvm.ptr) {
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
      gpu.terminator
    }
    return
  }
}

// -----
module {
  func.func @f(%arg0: index, %arg1: i32, %arg2: !llvm.ptr) {
    %0 = gpu.launch async <%arg2 : !llvm.ptr> blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) dynamic_shared_memory_size %arg1 module(@m) function(@k) workgroup(%arg15 : memref<4xf32, 3>) {
      gpu.terminator
    } {note}
    return
  }
}

// -----
module {
  func.func @f(%arg0: index, %arg1: i32, %arg2: !llvm.ptr) {
    gpu.launch clusters(%arg15, %arg16, %arg17) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
      gpu.terminator
    }
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes'
//     "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0>}> ({
//     %0 = "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1, %arg2) <{function = @k, module = @m, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1>, workgroup_attributions = 1 : i64}> ({
//     "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0>}> ({
