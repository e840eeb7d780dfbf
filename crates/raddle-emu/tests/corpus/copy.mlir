// Each thread copies one element.
// with N = 32 40 64 100 128; S = 8 16 32
// threads $N
// in in: $Nxf32
// out out: $Nxf32
// bug bounds at `memref.load %in`: `%in[%t]` -> `%in[%after]`
// bug bounds at `memref.store %x`: `%out[%t]` -> `%out[%after]`
// bug race at `memref.store %x`: `%out[%t]` -> `%out[%c3]`
// bug race at `memref.store %x`: `%out[%t]` -> `%out[%half]`
// bug uninitialised at `memref.load %out`: `%in[%t] : memref<$Nxf32>` -> `%out[%t] : memref<$Nxf32>`
  %t = gpu.thread_id x
  %after = arith.addi %t, %c1 : index
  %half = arith.divui %t, %c2 : index
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %out[%t] : memref<$Nxf32>
