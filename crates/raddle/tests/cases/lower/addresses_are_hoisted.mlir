// What does not change in the loop is computed in front of it; the loop's own part and the constant come last.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<64x32xf32>, %o: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %init = arith.constant dense<0.0> : vector<1xf32>
  %s = scf.for %k = %c0 to %c32 step %c4 iter_args(%acc = %init) -> vector<1xf32> {
    %k3 = affine.apply affine_map<(d0) -> (d0 + 3)>(%k)
    %v = vector.transfer_read %m[%t, %k3], %z {in_bounds = [true]} : memref<64x32xf32>, vector<1xf32>
    %n = arith.addf %acc, %v : vector<1xf32>
    scf.yield %n : vector<1xf32>
  }
  vector.transfer_write %s, %o[%t] {in_bounds = [true]} : vector<1xf32>, memref<64xf32>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<2048xf32>, %arg1: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.muli %thread_id_x, %c32 : index
//     %1 = scf.for %arg2 = %c0 to %c32 step %c4 iter_args(%arg3 = %cst) -> (f32) {
//       %2 = arith.addi %0, %arg2 : index
//       %3 = arith.addi %2, %c3 : index
//       %4 = memref.load %arg0[%3] : memref<2048xf32>
//       %5 = arith.addf %arg3, %4 : f32
//       scf.yield %5 : f32
//     }
//     memref.store %1, %arg1[%thread_id_x] : memref<64xf32>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
