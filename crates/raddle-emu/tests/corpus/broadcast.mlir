// One thread writes to shared memory what all threads read.
// with N = 16 32 64 128 256; S = 8 16 32
// threads $N
// in in: 4xf32
// out out: $Nxf32
// bug race at `memref.store %x, %s` and `memref.load %s`: `gpu.barrier` -> ``
// bug race at `memref.store %x, %s`: `arith.cmpi eq, %t, %c5` -> `arith.cmpi uge, %t, %c5`
// bug uninitialised at `memref.load %s`: `arith.cmpi eq, %t, %c5` -> `arith.cmpi eq, %t, %c${N+5}`
// bug uninitialised at `memref.load %s`: `memref.load %s[%c0]` -> `memref.load %s[%c1]`
// bug bounds at `memref.load %s`: `memref.load %s[%c0]` -> `memref.load %s[%c2]`
// bug barrier at `gpu.barrier`: `}\n  gpu.barrier` -> `  gpu.barrier\n  }`
// bug bounds at `memref.load %in`: `%in[%c3]` -> `%in[%c4]`
  %s = memref.alloc() : memref<2xf32, $shared>
  %t = gpu.thread_id x
  %one = arith.cmpi eq, %t, %c5 : index
  scf.if %one {
    %x = memref.load %in[%c3] : memref<4xf32>
    memref.store %x, %s[%c0] : memref<2xf32, $shared>
  }
  gpu.barrier
  %y = memref.load %s[%c0] : memref<2xf32, $shared>
  memref.store %y, %out[%t] : memref<$Nxf32>
