// Where a function states its launch and the configuration of a named operation, this and others around it are taken.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
func.func @products(%a: tensor<2x64x96xf16>, %b: tensor<2x96x64xf16>) -> tensor<2x64x64xf32> attributes {translation_info = #launch} {
  %f = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %s = linalg.batch_matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 64, 64, 0], reduction = [0, 0, 0, 32], subgroup_basis = [[1, 2, 2, 1], [0, 1, 2, 3]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<2x64x96xf16>, tensor<2x96x64xf16>) outs(%f : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  return %s : tensor<2x64x64xf32>
}
func.func @biased(%a: tensor<64x96xf16>, %b: tensor<96x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #launch} {
  %f = arith.constant dense<0.0> : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %s = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<64x96xf16>, tensor<96x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.add ins(%s, %c : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// $ raddle run %s --all
// ok       @products
// ok       @biased
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @products
// ok       @biased
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
