// Sums of windows of each channel by itself, and the sum of each image that they make, as a network that weighs its channels
// has them: one kernel, in which a workgroup has whole images, and a thread several places that share their weights.
// RUN: raddle opt %s --to configured | grep -e func.func -e lowering_config
// RUN: raddle run %s | grep correct
func.func @sums(%x: tensor<2x16x18x18xf16>, %w: tensor<16x5x5xf16>) -> (tensor<2x16x14x14xf32>, tensor<2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x14x14xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<2x16x18x18xf16>, tensor<16x5x5xf16>) outs(%zeros : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
  %f = tensor.empty() : tensor<2x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%f : tensor<2x16xf32>) -> tensor<2x16xf32>
  %r = linalg.reduce { arith.addf } ins(%sums : tensor<2x16x14x14xf32>) outs(%none : tensor<2x16xf32>) dimensions = [2, 3]
  return %sums, %r : tensor<2x16x14x14xf32>, tensor<2x16xf32>
}

// $ raddle opt %s --to configured | grep -e func.func -e lowering_config
//   func.func @sums(%arg0: tensor<2x16x18x18xf16>, %arg1: tensor<16x5x5xf16>) -> (tensor<2x16x14x14xf32>, tensor<2x16xf32>) attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%3, %arg1 : tensor<2x16x14x5x14x5xf16>, tensor<16x5x5xf16>) outs(%1 : tensor<2x16x14x14xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 4, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 5, 5], subgroup_basis = [[1, 2, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 2, 2, 1, 1, 1], workgroup = [1, 0, 0, 1, 0, 0]}>} {

// $ raddle run %s | grep correct
// correct: result 0, all 6272 elements agree with the reference within 6.32e-5 + 2.38e-7·|expected| (2405 bit for bit)
// correct: result 1, all 32 elements agree with the reference within 7.46e-4 + 2.38e-7·|expected| (6 bit for bit)
