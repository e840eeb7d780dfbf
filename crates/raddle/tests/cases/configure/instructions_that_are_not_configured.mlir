// A name that `mma_kind` cannot have is refused: with the nearest one that it can, or where such names are listed.
// RUN: raddle opt %s --split-input-file --configure --target=gfx950 | grep -e error -e help
func.func @virtual(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x64x1_F16>}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @misspelt(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x15_F16>}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @scaled(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], mma_kind = #iree_gpu.mma_layout<MFMA_SCALE_F32_16x16x128_B32>}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// $ raddle opt %s --split-input-file --configure --target=gfx950 | grep -e error -e help
// error[E0301]: `lowering_config` names `VDMFMA_F32_8x16x64x1_F16`, which products are not computed with
//  --> configure/instructions_that_are_not_configured.mlir:4:3
//   |
// 4 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: `raddle targets` lists the instructions that products are computed with
// error[E0301]: `lowering_config` names the unknown matrix instruction `MFMA_F32_16x16x15_F16`
//   --> configure/instructions_that_are_not_configured.mlir:10:3
//    |
// 10 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: did you mean `MFMA_F32_16x16x16_F16`?
// error[E0301]: `lowering_config` names `MFMA_SCALE_F32_16x16x128_B32`, which products are not computed with
//   --> configure/instructions_that_are_not_configured.mlir:16:3
//    |
// 16 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: `raddle targets` lists the instructions that products are computed with
// [exit status 1]
