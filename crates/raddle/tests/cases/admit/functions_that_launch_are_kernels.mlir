// A function that does nothing but launch is the kernel; its grid may depend on its arguments.
// RUN: raddle opt %s --admit
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
func.func @launched(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %g = arith.ceildivui %n, %c64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %m = arith.muli %bx, %sx : index
    %i = arith.addi %m, %tx : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %0 = memref.load %x[%i] : memref<?xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %y[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

func.func @an_iteration_for_each_thread(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = scf.for %l = %c0 to %k step %c1 iter_args(%acc = %z) -> f32 {
      %x = memref.load %a[%i, %l] : memref<?x?xf32>
      %y = memref.load %b[%l, %j] : memref<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %acc, %p : f32
      scf.yield %q : f32
    }
    memref.store %s, %c[%i, %j] : memref<?x?xf32>
  }
  return
}

func.func @steps(%a: memref<20x9xi32>, %o: memref<20x9xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c20 = arith.constant 20 : index
  scf.parallel (%i, %j) = (%c1, %c2) to (%c20, %c9) step (%c3, %c2) {
    %x = memref.load %a[%i, %j] : memref<20x9xi32>
    memref.store %x, %o[%i, %j] : memref<20x9xi32>
  }
  return
}

// $ raddle opt %s --admit
// #map = affine_map<()[s0] -> (s0 ceildiv 64, 1, 1)>
// #map1 = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 128, 1, 1)>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
// #translation1 = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
// module {
//   func.func @launched(%arg0: memref<?xf32>, %arg1: memref<?xf32>) attributes {raddle.grid = {map = #map, of = [array<i64: 0, 0>]}, translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c64 = arith.constant 64 : index
//     %dim = memref.dim %arg0, %c0 : memref<?xf32>
//     %0 = arith.ceildivui %dim, %c64 : index
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %block_id_y = gpu.block_id y
//     %thread_id_y = gpu.thread_id y
//     %block_id_z = gpu.block_id z
//     %thread_id_z = gpu.thread_id z
//     %1 = arith.muli %block_id_x, %c64 : index
//     %2 = arith.addi %1, %thread_id_x : index
//     %3 = arith.cmpi ult, %2, %dim : index
//     scf.if %3 {
//       %4 = memref.load %arg0[%2] : memref<?xf32>
//       %5 = math.exp %4 : f32
//       memref.store %5, %arg1[%2] : memref<?xf32>
//     }
//     return
//   }
//   func.func @an_iteration_for_each_thread(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) attributes {raddle.grid = {map = #map1, of = [array<i64: 0, 0>, array<i64: 1, 1>]}, translation_info = #translation1} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
//     %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
//     %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %c128 = arith.constant 128 : index
//     %0 = arith.muli %block_id_x, %c128 : index
//     %1 = arith.addi %0, %thread_id_x : index
//     %2 = arith.subi %dim_1, %c0 : index
//     %3 = arith.ceildivsi %2, %c1 : index
//     %4 = arith.remui %1, %3 : index
//     %5 = arith.divui %1, %3 : index
//     %6 = arith.muli %4, %c1 : index
//     %7 = arith.addi %c0, %6 : index
//     %8 = arith.subi %dim, %c0 : index
//     %9 = arith.ceildivsi %8, %c1 : index
//     %10 = arith.remui %5, %9 : index
//     %11 = arith.divui %5, %9 : index
//     %12 = arith.muli %10, %c1 : index
//     %13 = arith.addi %c0, %12 : index
//     %c0_2 = arith.constant 0 : index
//     %14 = arith.cmpi eq, %11, %c0_2 : index
//     scf.if %14 {
//       %15 = scf.for %arg3 = %c0 to %dim_0 step %c1 iter_args(%arg4 = %cst) -> (f32) {
//         %16 = memref.load %arg0[%13, %arg3] : memref<?x?xf32>
//         %17 = memref.load %arg1[%arg3, %7] : memref<?x?xf32>
//         %18 = arith.mulf %16, %17 : f32
//         %19 = arith.addf %arg4, %18 : f32
//         scf.yield %19 : f32
//       }
//       memref.store %15, %arg2[%13, %7] : memref<?x?xf32>
//     }
//     return
//   }
//   func.func @steps(%arg0: memref<20x9xi32>, %arg1: memref<20x9xi32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation1} {
//     %c1 = arith.constant 1 : index
//     %c2 = arith.constant 2 : index
//     %c3 = arith.constant 3 : index
//     %c9 = arith.constant 9 : index
//     %c20 = arith.constant 20 : index
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %c128 = arith.constant 128 : index
//     %0 = arith.muli %block_id_x, %c128 : index
//     %1 = arith.addi %0, %thread_id_x : index
//     %2 = arith.subi %c9, %c2 : index
//     %3 = arith.ceildivsi %2, %c2 : index
//     %4 = arith.remui %1, %3 : index
//     %5 = arith.divui %1, %3 : index
//     %6 = arith.muli %4, %c2 : index
//     %7 = arith.addi %c2, %6 : index
//     %8 = arith.subi %c20, %c1 : index
//     %9 = arith.ceildivsi %8, %c3 : index
//     %10 = arith.remui %5, %9 : index
//     %11 = arith.divui %5, %9 : index
//     %12 = arith.muli %10, %c3 : index
//     %13 = arith.addi %c1, %12 : index
//     %c0 = arith.constant 0 : index
//     %14 = arith.cmpi eq, %11, %c0 : index
//     scf.if %14 {
//       %15 = memref.load %arg0[%13, %7] : memref<20x9xi32>
//       memref.store %15, %arg1[%13, %7] : memref<20x9xi32>
//     }
//     return
//   }
// }

// $ raddle run %s --all
// ok       @launched
// ok       @an_iteration_for_each_thread
// ok       @steps
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @launched
// ok       @an_iteration_for_each_thread
// ok       @steps
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @launched
// ok       @an_iteration_for_each_thread
// ok       @steps
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
