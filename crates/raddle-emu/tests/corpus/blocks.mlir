// Each workgroup copies its stretch.
// with N = 8 16 32 64 96; G = 2 3 5; S = 8 32
// threads $N
// grid $G
// in in: ${N*G}xf32
// out out: ${N*G}xf32
// bug race at `memref.store %x`: `%b = gpu.block_id x` -> `%b = arith.addi %c0, %c0 : index`
// bug race at `memref.store %x`: `arith.muli %b, %c$N` -> `arith.muli %b, %c${N-1}`
// bug bounds at `memref.load %in`: `arith.muli %b, %c$N` -> `arith.muli %b, %c${N+1}`
// bug race at `memref.store %x`: `%out[%at]` -> `%out[%t]`
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %first = arith.muli %b, %c$N : index
  %at = arith.addi %first, %t : index
  %x = memref.load %in[%at] : memref<${N*G}xf32>
  memref.store %x, %out[%at] : memref<${N*G}xf32>
