// Elements that may lie outside are read under a condition; where index and extent are multiples of the width, the
// condition is one, and so is the access.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<100xf32>, %o: memref<64x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
  %v = vector.transfer_read %m[%i], %z {in_bounds = [false]} : memref<100xf32>, vector<4xf32>
  vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<4xf32>, memref<64x4xf32>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<100xf32>, %arg1: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.muli %thread_id_x, %c4 : index
//     %1 = arith.cmpi ult, %0, %c100 : index
//     %2:4 = scf.if %1 -> (f32, f32, f32, f32) {
//       %4 = vector.load %arg0[%0] : memref<100xf32>, vector<4xf32>
//       %5:4 = vector.to_elements %4 : vector<4xf32>
//       scf.yield %5#0, %5#1, %5#2, %5#3 : f32, f32, f32, f32
//     } else {
//       scf.yield %cst, %cst, %cst, %cst : f32, f32, f32, f32
//     }
//     %3 = vector.from_elements %2#0, %2#1, %2#2, %2#3 : vector<4xf32>
//     vector.store %3, %arg1[%0] : memref<256xf32>, vector<4xf32>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
