// What the host does may wait for tokens and give one.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0>'
module attributes {gpu.container_module} {
gpu.binary @b [#gpu.object<#nvvm.target, "">]
  gpu.module @m {
    gpu.func @k(%a: f32, %b: memref<?xf32>) kernel {
      gpu.return
    }
  }
  func.func @f(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: i64, %arg4: memref<*xf32>) {
    %0 = gpu.wait async
    %memref, %asyncToken = gpu.alloc async [%0] host_shared (%arg0) : memref<?xf32>
    %1 = gpu.memcpy async [%asyncToken, %0] %memref, %arg1 : memref<?xf32>, memref<?xf32>
    gpu.memset [%1] %memref, %arg2 : memref<?xf32>, f32
    gpu.dealloc %memref : memref<?xf32>
    gpu.host_register %arg4 : memref<*xf32>
    gpu.launch_func @b::@k blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
    %2 = gpu.launch_func async [%1] @m::@k clusters in (%arg3, %arg3, %arg3) blocks in (%arg3, %arg3, %arg3) threads in (%arg3, %arg3, %arg3) : i64 args(%arg2 : f32, %arg1 : memref<?xf32>)
    gpu.wait [%2]
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
//   gpu.binary @b [#gpu.object<#nvvm.target, "">]
//     gpu.func @k(%arg0: f32, %arg1: memref<?xf32>) kernel {
//     %1:2 = gpu.alloc async [%0] host_shared (%arg0) : memref<?xf32>
//     %2 = gpu.memcpy async [%1#1, %0] %1#0, %arg1 : memref<?xf32>, memref<?xf32>
//     gpu.memset [%2] %1#0, %arg2 : memref<?xf32>, f32
//     gpu.dealloc %1#0 : memref<?xf32>
//     %3 = gpu.launch_func async [%2] @m::@k clusters in (%arg3, %arg3, %arg3) blocks in (%arg3, %arg3, %arg3) threads in (%arg3, %arg3, %arg3) : i64 args(%arg2 : f32, %arg1 : memref<?xf32>)
//     gpu.wait [%3]

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0>'
//     %3 = "gpu.launch_func"(%2, %arg3, %arg3, %arg3, %arg3, %arg3, %arg3, %arg3, %arg3, %arg3, %arg2, %arg1) <{kernel = @m::@k, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0>}> : (!gpu.async.token, i64, i64, i64, i64, i64, i64, i64, i64, i64, f32, memref<?xf32>) -> !gpu.async.token
