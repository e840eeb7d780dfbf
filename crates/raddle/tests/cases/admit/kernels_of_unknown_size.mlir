// A kernel that does not say how many threads a workgroup has is refused by itself, and the other kernels of its file are
// compiled.
// RUN: raddle run %s --all
gpu.module @m {
  gpu.func @known(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @unknown(%a: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%t] : memref<64xf32>
    gpu.return
  }
}

// $ raddle run %s --all
// ok       @known
// refused  @unknown: line 12, error[E0803]: the kernel does not say how many threads a workgroup has
// 2 functions: 1 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]
