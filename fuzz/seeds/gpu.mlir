module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90">] {
    gpu.func @k(%a: memref<16x16xf16, 3>) workgroup(%w: memref<4xf32, 3>) kernel {
      %i = gpu.thread_id x upper_bound 32
      %0 = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
      gpu.barrier
      gpu.return
    }
  }
  func.func @host(%n: index, %a: memref<16x16xf16, 3>) {
    %t = gpu.wait async
    %u = gpu.launch_func async [%t] @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<16x16xf16, 3>)
    return
  }
}
