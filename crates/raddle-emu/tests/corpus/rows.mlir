// Each thread adds up a row of a matrix.
// with R = 4 8 16 33 64; C = 3 5 6; S = 4 32
// threads $R
// in in: $Rx$Cxf32
// out out: $Rxf32
// bug bounds at `memref.load %in`: `to %c$C step` -> `to %c${C+1} step`
// bug bounds at `memref.load %in`: `%in[%t, %i]` -> `%in[%i, %t]`
// bug bounds at `memref.load %in`: `%in[%t, %i]` -> `%in[%after, %i]`
// bug race at `memref.store %sum`: `%out[%t]` -> `%out[%c0]`
// bug uninitialised at `memref.load %out`: `%zero = arith.constant 0.0 : f32` -> `%zero = memref.load %out[%t] : memref<$Rxf32>`
// bug undefined at `scf.for`: `%c$C step %c1` -> `%c$C step %c0`
  %t = gpu.thread_id x
  %after = arith.addi %t, %c1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c$C step %c1 iter_args(%acc = %zero) -> f32 {
    %x = memref.load %in[%t, %i] : memref<$Rx$Cxf32>
    %more = arith.addf %acc, %x : f32
    scf.yield %more : f32
  }
  memref.store %sum, %out[%t] : memref<$Rxf32>
