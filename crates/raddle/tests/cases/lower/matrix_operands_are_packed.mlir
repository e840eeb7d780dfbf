// Matrix instructions take their operands packed, slots in order.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<64x2xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = arith.constant dense<1.0> : vector<4x2xf16>
  %b = arith.constant dense<2.0> : vector<2x2xf16>
  %i = arith.constant dense<0.0> : vector<2x2xf32>
  %c = nvgpu.mma.sync(%a, %b, %i) {mmaShape = [16, 8, 16]}
    : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %r = vector.extract %c[1] : vector<2xf32> from vector<2x2xf32>
  vector.transfer_write %r, %m[%t, %c0] {in_bounds = [true]} : vector<2xf32>, memref<64x2xf32>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<128xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %0 = vector.from_elements %cst, %cst, %cst, %cst, %cst, %cst, %cst, %cst : vector<4x2xf16>
//     %1 = vector.from_elements %cst_0, %cst_0, %cst_0, %cst_0 : vector<2x2xf16>
//     %2 = vector.from_elements %cst_1, %cst_1, %cst_1, %cst_1 : vector<2x2xf32>
//     %3 = nvgpu.mma.sync(%0, %1, %2) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
//     %4:4 = vector.to_elements %3 : vector<2x2xf32>
//     %5 = vector.from_elements %4#2, %4#3 : vector<2xf32>
//     %thread_id_x = gpu.thread_id x
//     %6 = arith.muli %thread_id_x, %c2 : index
//     vector.store %5, %arg0[%6] : memref<128xf32>, vector<2xf32>
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
