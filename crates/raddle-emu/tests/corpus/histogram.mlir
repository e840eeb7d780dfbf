// Threads of all workgroups count their numbers in shared memory, and add up in global memory.
// with N = 16 32 64; G = 1 2 3; S = 8 16 32
// threads $N
// grid $G
// in in: ${N*G}xi32
// in sums: 4xi32
// bug race at `memref.store %one`: `%o = memref.atomic_rmw addi %one, %s[%bin] : (i32, memref<4xi32, $shared>) -> i32` -> `memref.store %one, %s[%bin] : memref<4xi32, $shared>`
// bug race at `memref.atomic_rmw addi %one` and `memref.store %zero`: `gpu.barrier // cleared` -> ``
// bug race at `memref.atomic_rmw addi %one` and `memref.load %s`: `gpu.barrier // counted` -> ``
// bug race at `memref.store %n` when G>1: `%p = memref.atomic_rmw addi %n, %sums[%t] : (i32, memref<4xi32>) -> i32` -> `memref.store %n, %sums[%t] : memref<4xi32>`
// bug uninitialised|race at `memref.atomic_rmw addi %one`: `cmpi ult, %t, %c4 : index // clear` -> `cmpi ult, %t, %c2 : index // clear`
// bug bounds at `memref.atomic_rmw addi %one`: `andi %at, %c3` -> `addi %at, %c4`
  %s = memref.alloc() : memref<4xi32, $shared>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %first = arith.muli %b, %c$N : index
  %at = arith.addi %first, %t : index
  %clear = arith.cmpi ult, %t, %c4 : index // clear
  scf.if %clear {
    memref.store %zero, %s[%t] : memref<4xi32, $shared>
  }
  gpu.barrier // cleared
  %bin = arith.andi %at, %c3 : index
  %o = memref.atomic_rmw addi %one, %s[%bin] : (i32, memref<4xi32, $shared>) -> i32
  gpu.barrier // counted
  %some = arith.cmpi ult, %t, %c4 : index
  scf.if %some {
    %n = memref.load %s[%t] : memref<4xi32, $shared>
    %p = memref.atomic_rmw addi %n, %sums[%t] : (i32, memref<4xi32>) -> i32
  }
