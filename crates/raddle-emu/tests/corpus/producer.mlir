// The first half of the subgroups fills a row, the other half reads it: they meet at barriers of their own.
// with N = 32 64 128; K = 2 5; S = 8 16
// threads $N
// in in: ${N/2*K}xf32
// out out: ${N/2}xf32
// bug barrier at `nvvm.barrier`: `nvvm.barrier id = %full number_of_threads = %all // come` -> ``
// bug barrier at `nvvm.barrier`: `nvvm.barrier id = %free number_of_threads = %all // wait` -> ``
// bug deadlock at `nvvm.barrier`: `nvvm.barrier.arrive id = %free number_of_threads = %all` -> ``
// bug deadlock|barrier at `nvvm.barrier`: `id = %full number_of_threads = %all // come` -> `id = %free number_of_threads = %all // come`
  %s = memref.alloc() : memref<${N/2}xf32, $shared>
  %z = arith.constant 0.0 : f32
  %full = arith.constant 1 : i32
  %free = arith.constant 2 : i32
  %all = arith.constant $N : i32
  %t = gpu.thread_id x
  %fills = arith.cmpi ult, %t, %c${N/2} : index
  scf.if %fills {
    scf.for %i = %c0 to %c$K step %c1 {
      %row = arith.muli %i, %c${N/2} : index
      %at = arith.addi %row, %t : index
      %x = memref.load %in[%at] : memref<${N/2*K}xf32>
      nvvm.barrier id = %free number_of_threads = %all // wait
      memref.store %x, %s[%t] : memref<${N/2}xf32, $shared>
      nvvm.barrier.arrive id = %full number_of_threads = %all
    }
  } else {
    %own = arith.subi %t, %c${N/2} : index
    %m = arith.subi %c${N/2-1}, %own : index
    %sum = scf.for %i = %c0 to %c$K step %c1 iter_args(%a = %z) -> (f32) {
      nvvm.barrier.arrive id = %free number_of_threads = %all
      nvvm.barrier id = %full number_of_threads = %all // come
      %y = memref.load %s[%m] : memref<${N/2}xf32, $shared>
      %b = arith.addf %a, %y : f32
      scf.yield %b : f32
    }
    memref.store %sum, %out[%own] : memref<${N/2}xf32>
  }
