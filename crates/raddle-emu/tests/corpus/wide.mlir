// Sums of long integers: each thread adds its neighbour's, through shared memory.
// with N = 32 64 128; W = 96 200; S = 16 32
// threads $N
// in in: $Nxi$W
// out out: $Nxi$W
// bug race at `memref.store %x` and `memref.load %s`: `gpu.barrier` -> ``
// bug bounds at `memref.load %s`: `%s[%next]` -> `%s[%after]`
// bug race|uninitialised at `memref.load %s`: `memref<$Nxi$W, $shared>\n  %t` -> `memref<$Nxi$W, $shared>\n  %q = memref.alloc() : memref<$Nxi$W, $shared>\n  %w = memref.load %s[%c0] : memref<$Nxi$W, $shared>\n  %t`
  %s = memref.alloc() : memref<$Nxi$W, $shared>
  %t = gpu.thread_id x
  %after = arith.addi %t, %c1 : index
  %next = arith.remui %after, %c$N : index
  %x = memref.load %in[%t] : memref<$Nxi$W>
  memref.store %x, %s[%t] : memref<$Nxi$W, $shared>
  gpu.barrier
  %y = memref.load %s[%next] : memref<$Nxi$W, $shared>
  %z = arith.muli %x, %y : i$W
  %sum = arith.addi %z, %y : i$W
  memref.store %sum, %out[%t] : memref<$Nxi$W>
