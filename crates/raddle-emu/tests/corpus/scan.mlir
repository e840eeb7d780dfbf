// Running sums: in each step a thread adds what lies `distance` before it.
// with N = 8 16 32 64 128; S = 4 16 32
// threads $N
// in in: $Nxf32
// out out: $Nxf32
// bug race at `memref.store %sum, %s` and `memref.load %s`: `gpu.barrier // all have read` -> ``
// bug race at `memref.store` and `memref.load %s`: `gpu.barrier // all have written` -> ``
// bug race at `memref.store` and `memref.load %s`: `gpu.barrier // before the steps` -> ``
// bug bounds at `memref.load %s`: `arith.cmpi uge, %t, %distance` -> `arith.cmpi uge, %t, %c0`
// bug barrier at `gpu.barrier`: `scf.yield %more : f32\n    } else` -> `gpu.barrier\n      scf.yield %more : f32\n    } else`
// bug bounds at `memref.store %x, %s`: `memref.store %x, %s[%t]` -> `memref.store %x, %s[%after]`
  %s = memref.alloc() : memref<$Nxf32, $shared>
  %t = gpu.thread_id x
  %after = arith.addi %t, %c1 : index
  %x = memref.load %in[%t] : memref<$Nxf32>
  memref.store %x, %s[%t] : memref<$Nxf32, $shared>
  gpu.barrier // before the steps
  %end, %far = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %x, %distance = %c1) -> (f32, index) {
    %some = arith.cmpi uge, %t, %distance : index
    %sum = scf.if %some -> f32 {
      %back = arith.subi %t, %distance : index
      %y = memref.load %s[%back] : memref<$Nxf32, $shared>
      %more = arith.addf %acc, %y : f32
      scf.yield %more : f32
    } else {
      scf.yield %acc : f32
    }
    gpu.barrier // all have read
    memref.store %sum, %s[%t] : memref<$Nxf32, $shared>
    gpu.barrier // all have written
    %twice = arith.muli %distance, %c2 : index
    scf.yield %sum, %twice : f32, index
  }
  memref.store %end, %out[%t] : memref<$Nxf32>
