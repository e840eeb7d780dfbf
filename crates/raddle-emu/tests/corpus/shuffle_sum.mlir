// Subgroups sum by shuffles; the first thread of each stores its sum, and the first of all adds them.
// with N = 32 64 96 128 160; S = 8 16 32
// threads $N
// in in: $Nxf32
// out out: 1xf32
// bug race at `memref.store %sum, %s` and `memref.load %s` when N>S: `gpu.barrier` -> ``
// bug race at `memref.store %sum, %s`: `arith.cmpi eq, %lane, %c0` -> `arith.cmpi ule, %lane, %c1`
// bug barrier at `gpu.shuffle`: `%sum, %beyond = scf.for` -> `scf.if %low { %l, %m = gpu.shuffle xor %x, %one, %wide : f32 }\n  %sum, %beyond = scf.for`
// bug uninitialised at `memref.load %s`: `to %c${N/S} step %c1 iter_args(%acc = %zero)` -> `to %c${N/S+1} step %c1 iter_args(%acc = %zero)`
// bug barrier at `gpu.barrier`: `gpu.barrier` -> `scf.if %low { gpu.barrier }`
// bug undefined at `gpu.shuffle`: `%wide = arith.constant $S : i32` -> `%wide = arith.constant ${S-1} : i32`
  %s = memref.alloc() : memref<${N/S+1}xf32, $shared>
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %subgroup = arith.divui %t, %c$S : index
  %low = arith.cmpi ult, %t, %c3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant $S : i32
  %x = memref.load %in[%t] : memref<$Nxf32>
  %sum, %beyond = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %x, %at = %one) -> (f32, i32) {
    %inside = arith.cmpi ult, %at, %wide : i32
    %safe = arith.select %inside, %at, %one : i32
    %other, %valid = gpu.shuffle xor %acc, %safe, %wide : f32
    %more = arith.addf %acc, %other : f32
    %next = arith.select %inside, %more, %acc : f32
    %twice = arith.muli %at, %two : i32
    scf.yield %next, %twice : f32, i32
  }
  %first = arith.cmpi eq, %lane, %c0 : index
  scf.if %first {
    memref.store %sum, %s[%subgroup] : memref<${N/S+1}xf32, $shared>
  }
  gpu.barrier
  %leader = arith.cmpi eq, %t, %c0 : index
  scf.if %leader {
    %zero = arith.constant 0.0 : f32
    %all = scf.for %i = %c0 to %c${N/S} step %c1 iter_args(%acc = %zero) -> f32 {
      %y = memref.load %s[%i] : memref<${N/S+1}xf32, $shared>
      %more = arith.addf %acc, %y : f32
      scf.yield %more : f32
    }
    memref.store %all, %out[%c0] : memref<1xf32>
  }
