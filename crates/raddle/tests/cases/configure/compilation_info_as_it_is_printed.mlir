// The translation inside a `compilation_info` has no name in front, as MLIR prints it.
// RUN: raddle run %s --all
// RUN: raddle opt %s
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %5 = linalg.matmul {compilation_info = #iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<workgroup = [32, 32, 0], reduction = [0, 0, 8]>, translation_info = <pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>>} ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

// $ raddle run %s --all
// ok       @f
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// #compilation = #iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<workgroup = [32, 32, 0], reduction = [0, 0, 8]>, translation_info = #translation>
// module {
//   func.func @f(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> {
//     %0 = linalg.matmul {compilation_info = #compilation} ins(%arg0, %arg1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
//     return %0 : tensor<64x64xf32>
//   }
// }
