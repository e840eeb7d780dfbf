// The lanes of a basis are the lanes of a subgroup.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 12], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[8, 16], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 16], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// $ raddle check %s --split-input-file
// error[E0206]: `lane_basis` multiplies to 48, but a subgroup has 64 lanes
//  --> verify/layouts/bases_that_do_not_make_a_subgroup.mlir:5:3
//   |
// 5 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 12], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: subgroup 0, lanes 0 and 48 would hold the same element
//
// error[E0206]: `lane_basis` multiplies to 128, but a subgroup has 64 lanes
//   --> verify/layouts/bases_that_do_not_make_a_subgroup.mlir:12:3
//    |
// 12 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[8, 16], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: subgroup 0, lane 64 does not exist, and the element that it would hold has no owner
//
// 2 diagnostics
// [exit status 1]
