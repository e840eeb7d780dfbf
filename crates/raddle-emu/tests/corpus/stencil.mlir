// Neighbours are added through shared memory with a border of one element on both sides.
// with N = 16 32 64 96 128; S = 8 16 32
// threads $N
// in in: $Nxf32
// out out: $Nxf32
// bug race at `%s[` when N>1: `gpu.barrier` -> ``
// bug uninitialised at `memref.load %s`: `memref.store %zero, %s[%c0]` -> `memref.store %zero, %s[%c${N+1}]`
// bug bounds at `memref.load %s`: `arith.addi %t, %c2` -> `arith.addi %t, %c3`
// bug bounds at `memref.load %s`: `%s[%t] :` -> `%s[%before] :`
// bug race at `memref.store`: `arith.cmpi eq, %t, %c0` -> `arith.cmpi ule, %t, %c1`
// bug race at `memref.store %x, %s`: `memref.store %x, %s[%mid]` -> `memref.store %x, %s[%c1]`
  %s = memref.alloc() : memref<${N+2}xf32, $shared>
  %t = gpu.thread_id x
  %mid = arith.addi %t, %c1 : index
  %right = arith.addi %t, %c2 : index
  %before = arith.subi %t, %c1 : index
  %zero = arith.constant 0.0 : f32
  %edge = arith.cmpi eq, %t, %c0 : index
  scf.if %edge {
    memref.store %zero, %s[%c0] : memref<${N+2}xf32, $shared>
    memref.store %zero, %s[%c${N+1}] : memref<${N+2}xf32, $shared>
  }
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %s[%mid] : memref<${N+2}xf32, $shared>
  gpu.barrier
  %l = memref.load %s[%t] : memref<${N+2}xf32, $shared>
  %r = memref.load %s[%right] : memref<${N+2}xf32, $shared>
  %sum = arith.addf %l, %r : f32
  memref.store %sum, %out[%t] : memref<$Nxf32>
