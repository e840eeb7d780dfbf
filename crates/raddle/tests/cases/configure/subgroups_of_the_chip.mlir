// Where a function states the threads of a workgroup alone, subgroups are as large as the chip's.
// RUN: raddle run %s --quiet
// RUN: raddle opt %s --to=configured | grep #translation
func.func @f(%a: tensor<128x128xf16>, %b: tensor<128x128xf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = LLVMGPUVectorDistribute workgroup_size = [128, 1, 1]>} {
  %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<128x128xf16>, tensor<128x128xf16>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// $ raddle run %s --quiet
// correct: all 16384 elements agree with the reference within 8.37e-5 + 2.38e-7·|expected| (2662 bit for bit)

// $ raddle opt %s --to=configured | grep #translation
// #translation = #iree_codegen.translation_info<pipeline = LLVMGPUVectorDistribute workgroup_size = [128, 1, 1] subgroup_size = 32>
//   func.func @f(%arg0: tensor<128x128xf16>, %arg1: tensor<128x128xf16>, %arg2: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {translation_info = #translation} {
