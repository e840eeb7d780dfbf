// One thread brings a box of rows into shared memory, and all read it when its bytes have come.
// with N = 64 128; S = 16 32; H = 4 8
// threads $N
// in in: ${H}x32xf32
// out out: $Nxf32
// bug async|race at `memref.load %s` and `nvgpu.tma.async.load`: `nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared>` -> ``
// bug async|race at `memref.load %s` and `nvgpu.tma.async.load`: `%b[%c0], %even` -> `%b[%c0], %odd`
// bug deadlock at `try_wait.parity`: `arrive.expect_tx %b[%c0], %c${H*128}` -> `arrive.expect_tx %b[%c0], %c${H*128+16}`
// bug deadlock at `try_wait.parity`: `nvgpu.tma.async.load %desc[%c0, %c0], %b[%c0] to %s, predicate = %first` -> `nvgpu.tma.async.load %desc[%c0, %c0], %b[%c0] to %s, predicate = %never`
// bug async at `memref.store %zero` and `nvgpu.tma.async.load`: `nvgpu.mbarrier.try_wait` -> `scf.if %first { memref.store %zero, %s[%c0, %c0] : memref<${H}x32xf32, $shared> }\n  nvgpu.mbarrier.try_wait`
// bug bounds at `memref.load %s`: `%s[%row, %column]` -> `%s[%row, %t]`
  %s = memref.alloc() : memref<${H}x32xf32, $shared>
  %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = $shared>
  %t = gpu.thread_id x
  %zero = arith.constant 0.0 : f32
  %even = arith.constant 0 : i1
  %odd = arith.constant 1 : i1
  %first = arith.cmpi eq, %t, %c0 : index
  %never = arith.cmpi eq, %t, %c9999 : index
  %any = memref.cast %in : memref<${H}x32xf32> to memref<*xf32>
  %desc = nvgpu.tma.create.descriptor %any box[%c$H, %c32] : memref<*xf32> -> !nvgpu.tensormap.descriptor<tensor = memref<${H}x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !nvgpu.mbarrier.group<memorySpace = $shared>
  gpu.barrier
  nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c${H*128}, predicate = %first : !nvgpu.mbarrier.group<memorySpace = $shared>
  nvgpu.tma.async.load %desc[%c0, %c0], %b[%c0] to %s, predicate = %first : !nvgpu.tensormap.descriptor<tensor = memref<${H}x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = $shared> -> memref<${H}x32xf32, $shared>
  nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared>
  %row = arith.remui %t, %c$H : index
  %column = arith.remui %t, %c32 : index
  %x = memref.load %s[%row, %column] : memref<${H}x32xf32, $shared>
  memref.store %x, %out[%t] : memref<$Nxf32>
