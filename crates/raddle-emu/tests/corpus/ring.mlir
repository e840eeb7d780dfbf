// Each subgroup hands a value to the next one, several times, through one row of shared memory.
// with W = 2 3 4; S = 4 8 16 32; K = 2 5
// threads ${W*S}
// in in: ${W*S}xf32
// out out: ${W*S}xf32
// bug race at `memref.store %x, %s` and `memref.load %s`: `gpu.barrier // read` -> ``
// bug race at `memref.store %x, %s` and `memref.load %s`: `gpu.barrier // written` -> ``
// bug barrier at `gpu.barrier`: `gpu.barrier // written` -> `scf.if %odd { gpu.barrier }`
// bug barrier at `gpu.barrier`: `gpu.barrier // written` -> `scf.if %leader { gpu.barrier }\n    gpu.barrier`
// bug bounds at `memref.load %s`: `arith.remui %after, %c$W` -> `arith.remui %after, %c${W+1}`
// bug race at `memref.store %x, %s`: `memref.store %x, %s[%w, %lane]` -> `memref.store %x, %s[%c0, %lane]`
  %s = memref.alloc() : memref<$Wx$Sxf32, $shared>
  %t = gpu.thread_id x
  %w = arith.divui %t, %c$S : index
  %lane = arith.remui %t, %c$S : index
  %bit = arith.andi %lane, %c1 : index
  %odd = arith.cmpi eq, %bit, %c1 : index
  %leader = arith.cmpi eq, %w, %c0 : index
  %after = arith.addi %w, %c1 : index
  %next = arith.remui %after, %c$W : index
  %init = memref.load %in[%t] : memref<${W*S}xf32>
  %end = scf.for %i = %c0 to %c$K step %c1 iter_args(%x = %init) -> f32 {
    memref.store %x, %s[%w, %lane] : memref<$Wx$Sxf32, $shared>
    gpu.barrier // written
    %y = memref.load %s[%next, %lane] : memref<$Wx$Sxf32, $shared>
    gpu.barrier // read
    scf.yield %y : f32
  }
  memref.store %end, %out[%t] : memref<${W*S}xf32>
