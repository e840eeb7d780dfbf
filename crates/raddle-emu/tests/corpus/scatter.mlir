// Elements go where a table sends them: `7 i + 3`, modulo a power of two, is a permutation.
// with N = 8 16 32 64 128; S = 4 8 32
// threads $N
// in in: $Nxi32
// out out: $Nxi32
// bug race at `memref.store %x`: `%c7 : index` -> `%c6 : index`
// bug race at `memref.store %x`: `arith.remui %line, %c$N` -> `arith.remui %line, %c${N-1}`
// bug bounds at `memref.store %x`: `arith.remui %line, %c$N` -> `arith.remui %line, %c${N*2}`
// bug race at `memref.store %to, %s` and `memref.load %s`: `gpu.barrier` -> ``
// bug undefined at `arith.remui`: `arith.remui %line, %c$N` -> `arith.remui %line, %c0`
  %s = memref.alloc() : memref<$Nxindex, $shared>
  %t = gpu.thread_id x
  %i = arith.muli %t, %c7 : index
  %line = arith.addi %i, %c3 : index
  %to = arith.remui %line, %c$N : index
  memref.store %to, %s[%t] : memref<$Nxindex, $shared>
  gpu.barrier
  %mirror = arith.subi %c${N-1}, %t : index
  %at = memref.load %s[%mirror] : memref<$Nxindex, $shared>
  %x = memref.load %in[%t] : memref<$Nxi32>
  memref.store %x, %out[%at] : memref<$Nxi32>
