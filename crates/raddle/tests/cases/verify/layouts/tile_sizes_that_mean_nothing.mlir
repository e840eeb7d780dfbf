// Tile sizes are not negative, and the counts of a basis are positive and mapped one by one.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{workgroup = [-1, 0]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{thread = [1, -4]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[0, 64], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 64], [0, 0]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 64], [0, 2]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[64]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %c = arith.constant 0.0 : f32
  %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[9223372036854775807, 2], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// $ raddle check %s --split-input-file
// error[E0206]: `workgroup` has the tile size -1 for loop 0: sizes are positive, or 0
//  --> verify/layouts/tile_sizes_that_mean_nothing.mlir:5:3
//   |
// 5 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{workgroup = [-1, 0]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `thread` has the tile size -4 for loop 1: sizes are positive, or 0
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:12:3
//    |
// 12 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{thread = [1, -4]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `lane_basis` has the count 0: counts are positive
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:19:3
//    |
// 19 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[0, 64], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `lane_basis` maps loops 0 and 1 to one count
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:26:3
//    |
// 26 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 64], [0, 0]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `lane_basis` maps loop 1 to count 2 of 2
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:33:3
//    |
// 33 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 64], [0, 2]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `lane_basis` is a list of counts and a list that maps loops to them
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:40:3
//    |
// 40 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[64]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0206]: `subgroup_basis` multiplies to more than 64 bits
//   --> verify/layouts/tile_sizes_that_mean_nothing.mlir:47:3
//    |
// 47 |   %0 = linalg.fill {lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[9223372036854775807, 2], [0, 1]]}>} ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
