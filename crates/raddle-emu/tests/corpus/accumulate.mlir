// Each thread adds to its own element of a buffer, in every workgroup another one.
// with N = 8 16 32 64; G = 2 3 4 7; S = 8 32
// threads $N
// grid 1 $G
// in io: $Gx$Nxf32
// bug race at `memref.store %y`: `memref.store %y, %io[%b, %t]` -> `memref.store %y, %io[%c0, %t]`
// bug race at `memref.store %y`: `memref.store %y, %io[%b, %t]` -> `memref.store %y, %io[%b, %next]`
// bug race at `memref.store %y`: `%x = memref.load %io[%b, %t]` -> `%x = memref.load %io[%c0, %t]`
// bug bounds|race at `memref.load`: `%x = memref.load %io[%b, %t]` -> `%x = memref.load %io[%b, %after]`
  %t = gpu.thread_id x
  %b = gpu.block_id y
  %after = arith.addi %t, %c1 : index
  %next = arith.remui %after, %c$N : index
  %x = memref.load %io[%b, %t] : memref<$Gx$Nxf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %io[%b, %t] : memref<$Gx$Nxf32>
