// Threads exchange numbers through shared memory and then through global memory, each barrier for its own memory.
// with N = 32 64 128; S = 16 32
// threads $N
// in in: $Nxf32
// out space: $Nxf32
// out out: $Nxf32
// bug race at `memref.store %x` and `memref.load %s`: `memfence [$shared]` -> `memfence [#gpu.address_space<global>]`
// bug race at `memref.store %x` and `memref.load %s`: `memfence [$shared]` -> `memfence []`
// bug race at `memref.store %y` and `memref.load %space`: `memfence [#gpu.address_space<global>]` -> `memfence [$shared]`
// bug race at `memref.store %y` and `memref.load %space`: `gpu.barrier memfence [#gpu.address_space<global>]` -> `amdgpu.lds_barrier`
// bug race at `memref.store %y` and `memref.load %space`: `gpu.barrier memfence [#gpu.address_space<global>]` -> ``
// bug bounds at `memref.load %space`: `%space[%m]` -> `%space[%after]`
  %s = memref.alloc() : memref<$Nxf32, $shared>
  %t = gpu.thread_id x
  %m = arith.subi %c${N-1}, %t : index
  %after = arith.addi %t, %c1 : index
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %s[%t] : memref<$Nxf32, $shared>
  gpu.barrier memfence [$shared]
  %y = memref.load %s[%m] : memref<$Nxf32, $shared>
  memref.store %y, %space[%t] : memref<$Nxf32>
  gpu.barrier memfence [#gpu.address_space<global>]
  %z = memref.load %space[%m] : memref<$Nxf32>
  memref.store %z, %out[%t] : memref<$Nxf32>
