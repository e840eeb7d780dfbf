// One access of 64 bits where the thread's place is a multiple of four elements.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<8x64xf16>, %o: memref<64x4x1xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %d:2 = affine.delinearize_index %t into (4, 16) : index, index
  %col = affine.apply affine_map<(d0) -> (d0 * 4)>(%d#1)
  %v = vector.transfer_read %m[%d#0, %col], %z {in_bounds = [true, true]} : memref<8x64xf16>, vector<1x4xf16>
  %w = vector.transpose %v, [1, 0] : vector<1x4xf16> to vector<4x1xf16>
  vector.transfer_write %w, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x1xf16>, memref<64x4x1xf16>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<512xf16>, %arg1: memref<256xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.shrui %thread_id_x, %c4 : index
//     %1 = arith.muli %0, %c64 : index
//     %2 = arith.andi %thread_id_x, %c15 : index
//     %3 = arith.muli %2, %c4 : index
//     %4 = arith.addi %1, %3 : index
//     %5 = vector.load %arg0[%4] : memref<512xf16>, vector<4xf16>
//     %6 = arith.muli %thread_id_x, %c4 : index
//     vector.store %5, %arg1[%6] : memref<256xf16>, vector<4xf16>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
