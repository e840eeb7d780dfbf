// A basis that leaves lanes or subgroups with the same elements is legal, and worth a warning.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[4, 1], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[2, 1], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// $ raddle check %s --split-input-file
// warning[E0206]: `lane_basis` multiplies to 32, but a subgroup has 64 lanes
//  --> verify/layouts/suspicious_bases_are_warnings.mlir:5:3
//   |
// 5 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: subgroup 0, lanes 0 and 32 would hold the same element
//
// warning[E0206]: `subgroup_basis` multiplies to 1, but the workgroup has 2 subgroups
//   --> verify/layouts/suspicious_bases_are_warnings.mlir:12:3
//    |
// 12 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: subgroups 0 and 1, lane 0 would hold the same element
//
// warning[E0206]: `subgroup_basis` multiplies to 4, but the workgroup has 2 subgroups
//   --> verify/layouts/suspicious_bases_are_warnings.mlir:19:3
//    |
// 19 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[4, 1], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: subgroup 2, lane 0 does not exist, and the element that it would hold has no owner
//
// 3 diagnostics
