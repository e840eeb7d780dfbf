// Rows of shared memory take turns: one is read while the next ones are on their way.
// with N = 16 32 64; R = 2 3 4; S = 8 16 32
// threads $N
// in in: 8x$Nxf32
// out out: $Nxf32
// bug async at `memref.load %s` and `device_async_copy`: `numGroups = ${R-1}` -> `numGroups = $R`
// bug async at `memref.load %s` and `device_async_copy`: `nvgpu.device_async_wait %g1 {numGroups = ${R-1} : i32}` -> ``
// bug race at `device_async_copy` and `memref.load %s`: `gpu.barrier // filled` -> ``
// bug race at `device_async_copy` and `memref.load %s`: `gpu.barrier // read` -> ``
  %s = memref.alloc() : memref<$Rx$Nxf32, $shared>
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c${N-1}, %t : index
  scf.for %i = %c0 to %c${R-1} step %c1 {
    %k = nvgpu.device_async_copy %in[%i, %t], %s[%i, %t], 1 : memref<8x$Nxf32> to memref<$Rx$Nxf32, $shared>
    %g = nvgpu.device_async_create_group %k
  }
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %z) -> (f32) {
    %next = arith.addi %i, %c${R-1} : index
    %to = arith.remui %next, %c$R : index
    %here = arith.remui %i, %c$R : index
    %k1 = nvgpu.device_async_copy %in[%next, %t], %s[%to, %t], 1 : memref<8x$Nxf32> to memref<$Rx$Nxf32, $shared>
    %g1 = nvgpu.device_async_create_group %k1
    nvgpu.device_async_wait %g1 {numGroups = ${R-1} : i32}
    gpu.barrier // filled
    %x = memref.load %s[%here, %m] : memref<$Rx$Nxf32, $shared>
    %b = arith.addf %a, %x : f32
    gpu.barrier // read
    scf.yield %b : f32
  }
  memref.store %sum, %out[%t] : memref<$Nxf32>
