// A sum in shared memory: half as many threads add in each step.
// with N = 8 16 32 64 128; S = 4 8 16 32
// threads $N
// in in: $Nxf32
// out out: 1xf32
// bug race at `memref.store %sum, %s` and `memref.load %s`: `gpu.barrier // behind each step` -> ``
// bug race at `memref.store %x, %s`: `gpu.barrier // before the steps` -> ``
// bug barrier|deadlock at `gpu.barrier`: `}\n    gpu.barrier // behind each step` -> `  gpu.barrier\n    }`
// bug race|bounds at `memref.load %s`: `arith.cmpi ult, %t, %width` -> `arith.cmpi ule, %t, %width`
// bug bounds at `memref.load %s`: `arith.addi %t, %width` -> `arith.addi %t, %c$N`
// bug race at `memref.store %all, %out`: `arith.cmpi eq, %t, %c0` -> `arith.cmpi ule, %t, %c1`
  %s = memref.alloc() : memref<$Nxf32, $shared>
  %t = gpu.thread_id x
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %s[%t] : memref<$Nxf32, $shared>
  gpu.barrier // before the steps
  %last = scf.for %i = %c1 to %c$N step %c1 iter_args(%wide = %c$N) -> index {
    %width = arith.divui %wide, %c2 : index
    %some = arith.cmpi ult, %t, %width : index
    scf.if %some {
      %other = arith.addi %t, %width : index
      %a = memref.load %s[%t] : memref<$Nxf32, $shared>
      %b = memref.load %s[%other] : memref<$Nxf32, $shared>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%t] : memref<$Nxf32, $shared>
    }
    gpu.barrier // behind each step
    scf.yield %width : index
  }
  %one = arith.cmpi eq, %t, %c0 : index
  scf.if %one {
    %all = memref.load %s[%c0] : memref<$Nxf32, $shared>
    memref.store %all, %out[%c0] : memref<1xf32>
  }
