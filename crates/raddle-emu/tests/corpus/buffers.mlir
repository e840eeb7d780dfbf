// Two rows of shared memory take turns: one is filled while the other one is read.
// with N = 8 16 32 64; K = 3 4 7; S = 4 16 32
// threads $N
// in in: ${N*K}xf32
// out out: $Nxf32
// bug race at `memref.store %next, %s` and `memref.load %s`: `gpu.barrier // filled` -> ``
// bug race at `memref.store %next, %s` and `memref.load %s`: `arith.andi %j, %c1` -> `arith.andi %j, %c0`
// bug bounds at `memref.load %in`: `to %c${K-1} step` -> `to %c$K step`
// bug barrier at `gpu.barrier`: `gpu.barrier // filled` -> `scf.if %odd { gpu.barrier }`
// bug uninitialised at `memref.load %s`: `memref.store %x, %s[%c0, %t]` -> `memref.store %x, %s[%c1, %t]`
// bug bounds|race at `memref.store %next, %s`: `arith.andi %j, %c1` -> `arith.andi %j, %c2`
  %s = memref.alloc() : memref<2x$Nxf32, $shared>
  %t = gpu.thread_id x
  %bit = arith.andi %t, %c1 : index
  %odd = arith.cmpi eq, %bit, %c1 : index
  %mirror = arith.subi %c${N-1}, %t : index
  %zero = arith.constant 0.0 : f32
  %x = memref.load %in[%t] : memref<${N*K}xf32>
  memref.store %x, %s[%c0, %t] : memref<2x$Nxf32, $shared>
  gpu.barrier
  %sum = scf.for %i = %c0 to %c${K-1} step %c1 iter_args(%acc = %zero) -> f32 {
    %j = arith.addi %i, %c1 : index
    %row = arith.andi %i, %c1 : index
    %other = arith.andi %j, %c1 : index
    %first = arith.muli %j, %c$N : index
    %at = arith.addi %first, %t : index
    %next = memref.load %in[%at] : memref<${N*K}xf32>
    memref.store %next, %s[%other, %t] : memref<2x$Nxf32, $shared>
    %y = memref.load %s[%row, %mirror] : memref<2x$Nxf32, $shared>
    %more = arith.addf %acc, %y : f32
    gpu.barrier // filled
    scf.yield %more : f32
  }
  memref.store %sum, %out[%t] : memref<$Nxf32>
