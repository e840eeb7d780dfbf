// Each thread copies its elements to shared memory by itself, and reads those of its mirror.
// with N = 16 32 64 128; V = 1 2 4; S = 8 16 32
// threads $N
// in in: ${N*V}xf32
// out out: $Nxf32
// bug async at `memref.load %s` and `device_async_copy`: `nvgpu.device_async_wait %g {numGroups = 0 : i32}` -> ``
// bug async at `memref.load %s` and `device_async_copy`: `numGroups = 0` -> `numGroups = 1`
// bug async|race at `memref.load %s` and `device_async_copy`: `nvgpu.device_async_wait %g {numGroups = 0 : i32}\n  gpu.barrier` -> `gpu.barrier\n  nvgpu.device_async_wait %g {numGroups = 0 : i32}`
// bug race at `device_async_copy` and `memref.load %s`: `gpu.barrier` -> ``
// bug misaligned at `device_async_copy` when V>1: `%in[%at]` -> `%in[%t]`
// bug bounds at `device_async_copy`: `%in[%at]` -> `%in[%after]`
// bug bounds at `device_async_copy`: `%s[%at], $V` -> `%s[%after], $V`
// bug async at `memref.store %z` and `device_async_copy`: `%g = nvgpu` -> `memref.store %z, %s[%at] : memref<${N*V}xf32, $shared>\n  %g = nvgpu`
  %s = memref.alloc() : memref<${N*V}xf32, $shared>
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %at = arith.muli %t, %c$V : index
  %after = arith.addi %at, %c$V : index
  %m = arith.subi %c${N-1}, %t : index
  %from = arith.muli %m, %c$V : index
  %k = nvgpu.device_async_copy %in[%at], %s[%at], $V : memref<${N*V}xf32> to memref<${N*V}xf32, $shared>
  %g = nvgpu.device_async_create_group %k
  nvgpu.device_async_wait %g {numGroups = 0 : i32}
  gpu.barrier
  %x = memref.load %s[%from] : memref<${N*V}xf32, $shared>
  memref.store %x, %out[%t] : memref<$Nxf32>
