// Each lane sorts its elements into a small array of its own.
// with N = 8 24 32 64; K = 2 3 4 8; S = 8 32
// threads $N
// in in: ${N*K}xf32
// out out: ${N*K}xf32
// bug uninitialised at `memref.load %p`: `memref.store %x, %p[%i]` -> `memref.store %x, %p[%c0]`
// bug bounds at `memref.`: `to %c$K step %c1 { // fill` -> `to %c${K+1} step %c1 { // fill`
// bug bounds at `memref.load %p`: `arith.subi %c${K-1}, %i` -> `arith.subi %c$K, %i`
// bug race at `memref.store %y, %out`: `arith.muli %t, %c$K` -> `arith.muli %t, %c${K-1}`
// bug bounds at `memref.load %in`: `arith.muli %t, %c$K` -> `arith.muli %t, %c${K+2}`
  %t = gpu.thread_id x
  %first = arith.muli %t, %c$K : index
  %p = memref.alloca() : memref<$Kxf32, #gpu.address_space<private>>
  scf.for %i = %c0 to %c$K step %c1 { // fill
    %at = arith.addi %first, %i : index
    %x = memref.load %in[%at] : memref<${N*K}xf32>
    memref.store %x, %p[%i] : memref<$Kxf32, #gpu.address_space<private>>
  }
  scf.for %i = %c0 to %c$K step %c1 {
    %back = arith.subi %c${K-1}, %i : index
    %at = arith.addi %first, %i : index
    %y = memref.load %p[%back] : memref<$Kxf32, #gpu.address_space<private>>
    memref.store %y, %out[%at] : memref<${N*K}xf32>
  }
