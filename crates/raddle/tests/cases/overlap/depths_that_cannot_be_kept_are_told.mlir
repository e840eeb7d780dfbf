// What cannot be kept is an error with a number that can, or a remark.
// RUN: raddle opt %s --split-input-file --to=lowered --remarks 2>&1 | grep -e error -e help -e iterations, -e effect
func.func @product(%A: tensor<64x2048xf16>, %B: tensor<2048x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 12}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x2048xf16>, tensor<2048x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// -----
func.func @product(%A: tensor<64x2048xf16>, %B: tensor<2048x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 99}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x2048xf16>, tensor<2048x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// -----
func.func @product(%A: tensor<64x2048xf16>, %B: tensor<2048x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 3, store_stage = 0}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x2048xf16>, tensor<2048x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// -----
func.func @product(%A: tensor<64x2048xf16>, %B: tensor<2048x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 3, gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 5>}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x2048xf16>, tensor<2048x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// -----
func.func @product(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 3}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// -----
func.func @product(%A: tensor<64x20xf16>, %B: tensor<20x64xf16>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32, {pipeline_depth = 3}>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>}
      ins(%A, %B : tensor<64x20xf16>, tensor<20x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// $ raddle opt %s --split-input-file --to=lowered --remarks 2>&1 | grep -e error -e help -e iterations, -e effect
// error[E0702]: `pipeline_depth = 12` takes 12 slots of 16384 bytes of shared memory
//   = help: `pipeline_depth = 10` fits, or smaller tiles in `workgroup` and `reduction`
// error[E0301]: `pipeline_depth = 99` is not a depth
//    = help: `pipeline_depth` is at most 16
// error[E0301]: `store_stage = 0`: an asynchronous copy stores one stage behind the one that begins it
//    = help: write `store_stage = 1`
// error[E0301]: `pipeline_depth = 3` and `prefetch_num_stages = 5` differ
//    = help: state one of the two
// remark[E0403]: the loop has 2 iterations, and as many slots are enough for `pipeline_depth = 3`
// remark[E0403]: `pipeline_depth` has no effect: no loop multiplies by matrix instructions
// [exit status 1]
