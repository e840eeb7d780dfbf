// Subgroups work on their own window of shared memory.
// with W = 2 3 4; S = 4 8 16 32; V = 1 2
// threads ${W*S}
// in in: ${W*S}xf32
// out out: ${W*S}xf32
// bug race at `memref.store %x, %v`: `%s[%first] [$S]` -> `%s[%c0] [$S]`
// bug bounds at `memref.subview`: `arith.muli %w, %c$S : index` -> `arith.muli %w, %c${S+1} : index`
// bug bounds at `memref.store %x, %v`: `memref.store %x, %v[%lane]` -> `memref.store %x, %v[%t]`
// bug race at `memref.store %x, %v` and `memref.load %v`: `gpu.barrier` -> ``
// bug uninitialised at `memref.load %other`: `memref.load %v[%mate] : memref<$Sxf32, strided<[1], offset: ?>, $shared>` -> `memref.load %other[%mate] : memref<$Sxf32, $shared>`
  %s = memref.alloc() : memref<${W*S}xf32, $shared>
  %t = gpu.thread_id x
  %w = arith.divui %t, %c$S : index
  %lane = arith.remui %t, %c$S : index
  %rotated = arith.addi %lane, %c$V : index
  %mate = arith.remui %rotated, %c$S : index
  %first = arith.muli %w, %c$S : index
  %other = memref.alloc() : memref<${S}xf32, $shared>
  %v = memref.subview %s[%first] [$S] [1] : memref<${W*S}xf32, $shared> to memref<$Sxf32, strided<[1], offset: ?>, $shared>
  %x = memref.load %in[%t] : memref<${W*S}xf32>
  memref.store %x, %v[%lane] : memref<$Sxf32, strided<[1], offset: ?>, $shared>
  gpu.barrier
  %y = memref.load %v[%mate] : memref<$Sxf32, strided<[1], offset: ?>, $shared>
  memref.store %y, %out[%t] : memref<${W*S}xf32>
