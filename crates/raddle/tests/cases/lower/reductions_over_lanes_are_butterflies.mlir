// Partners at distance 4, then 8: sixteen lanes in clusters of four.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%o: memref<64xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %o[%t] : memref<64xf16>
  %s = gpu.subgroup_reduce maxnumf %x cluster(size = 4, stride = 4) : (f16) -> f16
  memref.store %s, %o[%t] : memref<64xf16>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<64xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %thread_id_x = gpu.thread_id x
//     %0 = memref.load %arg0[%thread_id_x] : memref<64xf16>
//     %shuffleResult, %valid = gpu.shuffle xor %0, %c4_i32, %c32_i32 : f16
//     %1 = arith.maxnumf %0, %shuffleResult : f16
//     %shuffleResult_0, %valid_1 = gpu.shuffle xor %1, %c8_i32, %c32_i32 : f16
//     %2 = arith.maxnumf %1, %shuffleResult_0 : f16
//     memref.store %2, %arg0[%thread_id_x] : memref<64xf16>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
