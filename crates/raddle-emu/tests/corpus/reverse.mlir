// Threads store to shared memory, and read it backwards.
// with N = 16 32 64 128 256; S = 8 16 32
// threads $N
// in in: $Nxf32
// out out: $Nxf32
// bug race at `memref.store %x, %s` and `memref.load %s`: `gpu.barrier` -> ``
// bug race at `memref.store %x, %s` and `memref.load %s`: `memref.store %x, %s[%t] : memref<$Nxf32, $shared>\n  gpu.barrier` -> `gpu.barrier\n  memref.store %x, %s[%t] : memref<$Nxf32, $shared>`
// bug bounds at `memref.load %s`: `%c${N-1}, %t` -> `%c$N, %t`
// bug race at `memref.store %x, %s`: `%s[%t]` -> `%s[%even]`
// bug uninitialised at `memref.load %s`: `memref.store %x, %s[%t] : memref<$Nxf32, $shared>` -> `scf.if %odd { memref.store %x, %s[%t] : memref<$Nxf32, $shared> }`
// bug barrier at `gpu.barrier`: `gpu.barrier` -> `scf.if %odd { gpu.barrier }`
// bug race at `memref.store %x, %s`: `%s[%t]` -> `%s[%half]`
  %s = memref.alloc() : memref<$Nxf32, $shared>
  %t = gpu.thread_id x
  %half = arith.divui %t, %c2 : index
  %bit = arith.andi %t, %c1 : index
  %even = arith.xori %t, %bit : index
  %odd = arith.cmpi eq, %bit, %c1 : index
  %other = arith.subi %c${N-1}, %t : index
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %s[%t] : memref<$Nxf32, $shared>
  gpu.barrier
  %y = memref.load %s[%other] : memref<$Nxf32, $shared>
  memref.store %y, %out[%t] : memref<$Nxf32>
