// A tile is written by rows and read by columns, with one element of padding in each row.
// with R = 4 8 16; C = 2 6 8 12 20; S = 4 16
// threads ${R*C}
// in in: ${R*C}xf32
// out out: ${R*C}xf32
// bug race at `memref.store %x, %s` and `memref.load %s`: `gpu.barrier` -> ``
// bug race at `memref.store %x, %s`: `%s[%r, %c] :` -> `%s[%r, %c0] :`
// bug bounds at `memref.store %x, %s` when C+1<R: `%s[%r, %c] :` -> `%s[%c, %r] :`
// bug bounds at `memref.load %s`: `%s[%q, %d] :` -> `%s[%below, %d] :`
// bug uninitialised at `memref.load %s`: `%s[%q, %d] :` -> `%s[%q, %right] :`
// bug race at `memref.store %y, %out`: `arith.muli %d, %c$R` -> `arith.muli %d, %c${R-1}`
// bug bounds at `memref.store %y, %out`: `arith.muli %d, %c$R` -> `arith.muli %d, %c${R+1}`
// bug barrier at `gpu.barrier`: `gpu.barrier` -> `scf.if %first { gpu.barrier }`
  %s = memref.alloc() : memref<$Rx${C+1}xf32, $shared>
  %t = gpu.thread_id x
  %r = arith.divui %t, %c$C : index
  %c = arith.remui %t, %c$C : index
  %d = arith.divui %t, %c$R : index
  %q = arith.remui %t, %c$R : index
  %below = arith.addi %q, %c1 : index
  %right = arith.addi %d, %c1 : index
  %first = arith.cmpi ult, %t, %c2 : index
  %x = memref.load %in[%t] : memref<${R*C}xf32>
  memref.store %x, %s[%r, %c] : memref<$Rx${C+1}xf32, $shared>
  gpu.barrier
  %y = memref.load %s[%q, %d] : memref<$Rx${C+1}xf32, $shared>
  %row = arith.muli %d, %c$R : index
  %to = arith.addi %row, %q : index
  memref.store %y, %out[%to] : memref<${R*C}xf32>
