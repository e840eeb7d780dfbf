// A column offset that may be odd allows single elements only; the addresses share all but the constant.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<64x4xf32>, %o: memref<64x2xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %v = vector.transfer_read %m[%t, %c1], %z {in_bounds = [true]} : memref<64x4xf32>, vector<2xf32>
  vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<2xf32>, memref<64x2xf32>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<256xf32>, %arg1: memref<128xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.muli %thread_id_x, %c4 : index
//     %1 = arith.addi %0, %c1 : index
//     %2 = memref.load %arg0[%1] : memref<256xf32>
//     %3 = arith.muli %thread_id_x, %c2 : index
//     %4 = arith.addi %0, %c2 : index
//     %5 = memref.load %arg0[%4] : memref<256xf32>
//     %6 = vector.from_elements %2, %5 : vector<2xf32>
//     vector.store %6, %arg1[%3] : memref<128xf32>, vector<2xf32>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
