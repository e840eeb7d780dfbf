// What the emulator finds is the program's fault: status 1, with a code and a place.
// RUN: raddle run %s --function=right | grep correct
// RUN: raddle run %s --function=past_the_end
// RUN: raddle run %s --function=race
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @right(%m: memref<64xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %v = arith.constant 1.0 : f32
  memref.store %v, %m[%t] : memref<64xf32>
  return
}
func.func @past_the_end(%m: memref<64xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %v = arith.constant 1.0 : f32
  %i = arith.addi %t, %c1 : index
  memref.store %v, %m[%i] : memref<64xf32>
  return
}
func.func @race(%m: memref<64xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %v = arith.constant 1.0 : f32
  memref.store %v, %m[%c0] : memref<64xf32>
  %r = memref.load %m[%c0] : memref<64xf32>
  return
}

// $ raddle run %s --function=right | grep correct
// correct: all 64 elements equal the reference bit for bit

// $ raddle run %s --function=past_the_end
// error[E0811]: bounds: index 64 is outside dimension 0 of memref argument 0, which has extent 64 there
//   --> run/findings_of_the_emulator_are_status_1.mlir:20:3
//    |
// 20 |   memref.store %v, %m[%i] : memref<64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `memref.store`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 1, lane 31
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]

// $ raddle run %s --function=race
// error[E0813]: race: thread 1 (subgroup 0, lane 1) writes element [0] of memref argument 0 (byte 0), which thread 0 (subgroup 0, lane 0) wrote, and no barrier stands between the two
//   --> run/findings_of_the_emulator_are_status_1.mlir:28:3
//    |
// 28 |   memref.store %v, %m[%c0] : memref<64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |   |
//    |   in `memref.store`
//    |   thread 0 (subgroup 0, lane 0) wrote it here, in `memref.store`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 1
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]
