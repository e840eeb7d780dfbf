// A kernel has memory of its workgroup and of each thread behind its arguments.
// RUN: raddle check %s --split-input-file
gpu.module @kernels<#gpu.select_object<#nvvm.target>> [#nvvm.target<chip = "sm_90">] attributes {note} {
  gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) workgroup(%arg2 : memref<32xf32, #gpu.address_space<private>> {llvm.align = 8 : i64}) private(%arg3 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  gpu.func @plain(%arg0: f32) -> f32 {
    gpu.return %arg0 : f32
  }
  func.func @f() {
    return
  }
}

// -----
gpu.module @kernels<#gpu.select_object<#nvvm.target>> [#nvvm.target<chip = "sm_90">] attributes {note} {
  gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) workgroup(%arg2 : memref<32xf32, 3> {llvm.align = 8 : i64}) private(%arg3 : memref<1xf32, 5>) attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  gpu.func @plain(%arg0: f32) -> f32 kernel {
    gpu.return %arg0 : f32
  }
  func.func @f() {
    return
  }
}

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.func' op expected memory space workgroup in attribution
//  --> verify/gpu/kernels.mlir:4:3
//   |
// 4 |   gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) workgroup(%arg2 : memref<32xf32, #gpu.address_space<private>> {llvm.align = 8 : i64}) private(%arg3 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op expected void return type for kernel function
//   --> verify/gpu/kernels.mlir:20:3
//    |
// 20 |   gpu.func @plain(%arg0: f32) -> f32 kernel {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
