// The first subgroups produce, the others consume.
// with W = 2 4 6; S = 4 8 16 32; V = 1 3
// threads ${W*S}
// in in: ${W*S/2}xf32
// out out: ${W*S/2}xf32
// bug race at `memref.store %v, %s` and `memref.load %s`: `gpu.barrier` -> ``
// bug deadlock at `gpu.barrier`: `}\n  gpu.barrier` -> `  gpu.barrier\n  }`
// bug uninitialised at `memref.load %s`: `arith.cmpi ult, %t, %c${W*S/2}` -> `arith.cmpi ult, %t, %c${W*S/2-1}`
// bug bounds at `memref.load %s`: `arith.cmpi uge, %t, %c${W*S/2}` -> `arith.cmpi uge, %t, %c${W*S/2-1}`
// bug bounds at `memref.load %in`: `arith.cmpi ult, %t, %c${W*S/2}` -> `arith.cmpi ule, %t, %c${W*S/2}`
// bug barrier at `gpu.barrier`: `gpu.barrier` -> `scf.if %some { gpu.barrier }`
  %s = memref.alloc() : memref<${W*S/2}xf32, $shared>
  %t = gpu.thread_id x
  %some = arith.cmpi ult, %t, %c2 : index
  %scale = arith.constant $V.0 : f32
  %producer = arith.cmpi ult, %t, %c${W*S/2} : index
  %consumer = arith.cmpi uge, %t, %c${W*S/2} : index
  %mine = arith.subi %t, %c${W*S/2} : index
  scf.if %producer {
    %x = memref.load %in[%t] : memref<${W*S/2}xf32>
    %v = arith.mulf %x, %scale : f32
    memref.store %v, %s[%t] : memref<${W*S/2}xf32, $shared>
  }
  gpu.barrier
  scf.if %consumer {
    %y = memref.load %s[%mine] : memref<${W*S/2}xf32, $shared>
    memref.store %y, %out[%mine] : memref<${W*S/2}xf32>
  }
