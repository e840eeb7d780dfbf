// What only touches shared memory has nothing to compare, but it can race.
// RUN: raddle run %s --function=apart | grep done
// RUN: raddle run %s --function=together
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @apart(%a: memref<64xf32>) attributes {translation_info = #launch} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %v = memref.load %a[%t] : memref<64xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  return
}
func.func @together(%a: memref<64xf32>) attributes {translation_info = #launch} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %v = memref.load %a[%t] : memref<64xf32>
  memref.store %v, %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
  return
}

// $ raddle run %s --function=apart | grep done
// done: nothing to compare with

// $ raddle run %s --function=together
// error[E0813]: race: thread 1 (subgroup 0, lane 1) writes element [0] of shared memory (byte 0), which thread 0 (subgroup 0, lane 0) wrote, and no barrier stands between the two
//   --> run/kernels_without_results_run.mlir:18:3
//    |
// 18 |   memref.store %v, %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |   |
//    |   in `memref.store`
//    |   thread 0 (subgroup 0, lane 0) wrote it here, in `memref.store`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 1
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]
