// Half of the subgroups write numbers, and the others read them when all writers have come to a barrier that counts.
// with N = 64 128; S = 16 32; R = 1 3
// threads $N
// in in: ${N/2}xf32
// out out: ${N/2}xf32
// bug race|uninitialised at `memref.load %s`: `nvgpu.mbarrier.try_wait.parity %full[%c0], %parity, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>` -> ``
// bug race|uninitialised|deadlock at ``: `%full[%c0], %parity` -> `%full[%c0], %other`
// bug race|deadlock at `` when N>S*2: `%full[%c0], %c${N/2}` -> `%full[%c0], %c$S`
// bug deadlock at `try_wait.parity`: `%full[%c0], %c${N/2}` -> `%full[%c0], %c${N/2+1}`
// bug deadlock at `try_wait.parity`: `%come = nvgpu.mbarrier.arrive %full[%c0]` -> `%come = nvgpu.mbarrier.arrive %free[%c0]`
// bug race|deadlock at `` when R>1: `nvgpu.mbarrier.try_wait.parity %free[%c0], %before, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>` -> ``
// bug uninitialised|race at `nvgpu.mbarrier`: `gpu.barrier` -> ``
// bug uninitialised at `nvgpu.mbarrier`: `%full[%c0], %c${N/2}, predicate` -> `%full[%c1], %c${N/2}, predicate`
  %s = memref.alloc() : memref<${N/2}xf32, $shared>
  %full = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
  %free = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  nvgpu.mbarrier.init %full[%c0], %c${N/2}, predicate = %first : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
  nvgpu.mbarrier.init %free[%c0], %c${N/2}, predicate = %first : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
  gpu.barrier
  %writes = arith.cmpi ult, %t, %c${N/2} : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i1
  scf.if %writes {
    %x = memref.load %in[%t] : memref<${N/2}xf32>
    scf.for %i = %c0 to %c$R step %c1 {
      %again = arith.cmpi ugt, %i, %c0 : index
      %last = arith.subi %i, %c1 : index
      %before = arith.index_cast %last : index to i1
      scf.if %again {
        nvgpu.mbarrier.try_wait.parity %free[%c0], %before, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
      }
      memref.store %x, %s[%t] : memref<${N/2}xf32, $shared>
      %come = nvgpu.mbarrier.arrive %full[%c0] : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2> -> !nvgpu.mbarrier.token
    }
  } else {
    %m = arith.subi %c${N-1}, %t : index
    %sum = scf.for %i = %c0 to %c$R step %c1 iter_args(%acc = %zero) -> (f32) {
      %parity = arith.index_cast %i : index to i1
      %other = arith.xori %parity, %one : i1
      nvgpu.mbarrier.try_wait.parity %full[%c0], %parity, %c9 : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2>
      %y = memref.load %s[%m] : memref<${N/2}xf32, $shared>
      %gone = nvgpu.mbarrier.arrive %free[%c0] : !nvgpu.mbarrier.group<memorySpace = $shared, num_barriers = 2> -> !nvgpu.mbarrier.token
      %next = arith.addf %acc, %y : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%m] : memref<${N/2}xf32>
  }
