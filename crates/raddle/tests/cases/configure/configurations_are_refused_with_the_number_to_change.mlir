// Each rule of the check, by an operation that breaks only this one.
// RUN: raddle opt %s --split-input-file --configure --tile --remarks | grep func.func
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[1, 2, 2], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, workgroup = [64, 12, 0], reduction = [0, 0, 32], subgroup_basis = [[1, 1, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, workgroup = [16, 16, 0], partial_reduction = [0, 0, 16], subgroup_basis = [[1, 1, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 4]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 4, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], lane_basis = [[4, 6, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], promote_operands = [2]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// $ raddle opt %s --split-input-file --configure --tile --remarks | grep func.func
// error[E0301]: subgroups cannot share loop 2, along which `NV_MMA_SYNC_F32_16x8x16_F16` sums
//  --> configure/configurations_are_refused_with_the_number_to_change.mlir:4:3
//   |
// 4 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: let `subgroup_basis` have 1 there
// error[E0301]: the tile 12 of loop 1 is not a multiple of 8: 8 for each subgroup, the size of the matrix instruction
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:10:3
//    |
// 10 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: 16 is one
// error[E0301]: `NV_MMA_SYNC_F32_16x8x16_F16` keeps one accumulator along loop 2: `partial_reduction` does not go there
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:16:3
//    |
// 16 |   %r = linalg.matmul {lowering_config = #iree_g...(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: use `reduction`
// error[E0301]: loop 2 is a reduction, and workgroups cannot share it
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:22:3
//    |
// 22 |   %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 4]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: tile it with `reduction` or `partial_reduction`
// error[E0301]: `reduction` steps through loop 1, which is not a reduction
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:28:3
//    |
// 28 |   %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 4, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error[E0301]: `lane_basis` must multiply to a divisor of the subgroup size, 32
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:34:3
//    |
// 34 |   %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], lane_basis = [[4, 6, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error[E0301]: `promote_operands` names input 2 of 2
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:40:3
//    |
// 40 |   %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], promote_operands = [2]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error[E0605]: one thread would compute points: 262144 in one step
//   --> configure/configurations_are_refused_with_the_number_to_change.mlir:46:3
//    |
// 46 |   %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 64]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: the limit is 32768
//    = help: smaller tiles in `workgroup`, `reduction` or `partial_reduction`, or more threads, need less
// [exit status 3]
