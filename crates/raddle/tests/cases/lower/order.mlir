// What stands behind a loop is computed and stored piece by piece, and loads stand together. The place of the thread is
// asked for behind the loop, which does not need it.
// RUN: raddle opt --target=sm_80 --to=lowered %s
func.func @pieces(%a: memref<64x4xf32>, %b: memref<64x4xf32>, %c: memref<64x4xf32>) attributes {
    translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %sums:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%s0 = %zero, %s1 = %zero) -> (f32, f32) {
    %x = memref.load %a[%k, %c0] : memref<64x4xf32>
    %y = memref.load %a[%k, %c1] : memref<64x4xf32>
    %p = arith.addf %s0, %x : f32
    %q = arith.addf %s1, %y : f32
    scf.yield %p, %q : f32, f32
  }
  %row = arith.addi %t, %c0 : index
  %e0 = math.absf %sums#0 : f32
  %e1 = math.absf %sums#1 : f32
  %m0 = arith.mulf %e0, %sums#0 : f32
  %m1 = arith.mulf %e1, %sums#1 : f32
  %b0 = memref.load %b[%row, %c1] : memref<64x4xf32>
  %b1 = memref.load %b[%row, %c2] : memref<64x4xf32>
  %r0 = arith.addf %m0, %b0 : f32
  %r1 = arith.addf %m1, %b1 : f32
  memref.store %r0, %c[%row, %c1] : memref<64x4xf32>
  memref.store %r1, %c[%row, %c2] : memref<64x4xf32>
  return
}

// $ raddle opt --target=sm_80 --to=lowered %s
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
// module {
//   func.func @pieces(%arg0: memref<256xf32>, %arg1: memref<256xf32>, %arg2: memref<256xf32>) attributes {translation_info = #translation} {
//     %c4 = arith.constant 4 : index
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c8 = arith.constant 8 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0:2 = scf.for %arg3 = %c0 to %c8 step %c1 iter_args(%arg4 = %cst, %arg5 = %cst) -> (f32, f32) {
//       %12 = arith.muli %arg3, %c4 : index
//       %13 = memref.load %arg0[%12] : memref<256xf32>
//       %14 = arith.addi %12, %c1 : index
//       %15 = memref.load %arg0[%14] : memref<256xf32>
//       %16 = arith.addf %arg4, %13 : f32
//       %17 = arith.addf %arg5, %15 : f32
//       scf.yield %16, %17 : f32, f32
//     }
//     %1 = math.absf %0#0 : f32
//     %2 = arith.mulf %1, %0#0 : f32
//     %thread_id_x = gpu.thread_id x
//     %3 = arith.muli %thread_id_x, %c4 : index
//     %4 = arith.addi %3, %c1 : index
//     %5 = memref.load %arg1[%4] : memref<256xf32>
//     %c2 = arith.constant 2 : index
//     %6 = arith.addi %3, %c2 : index
//     %7 = memref.load %arg1[%6] : memref<256xf32>
//     %8 = arith.addf %2, %5 : f32
//     memref.store %8, %arg2[%4] : memref<256xf32>
//     %9 = math.absf %0#1 : f32
//     %10 = arith.mulf %9, %0#1 : f32
//     %11 = arith.addf %10, %7 : f32
//     memref.store %11, %arg2[%6] : memref<256xf32>
//     return
//   }
// }
