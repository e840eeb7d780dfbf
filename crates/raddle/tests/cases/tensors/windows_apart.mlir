// A convolution of each channel by itself, and the largest of its channels, all of which a workgroup of one kernel would
// have: the sums of many large windows are a kernel of their own, in which a thread has several places that share their
// weights, and goes through a window without a loop. So are fewer sums that one kernel would leave to few workgroups. Few
// places, and what is said to be one kernel, stay one.
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
// RUN: raddle run %s --target=sm_90a --function=few_places | grep correct
func.func @many_places(%x: tensor<8x32x62x62xf16>, %w: tensor<32x7x7xf16>) -> tensor<8x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x32x56x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32x56x56xf32>) -> tensor<8x32x56x56xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<8x32x62x62xf16>, tensor<32x7x7xf16>) outs(%zeros : tensor<8x32x56x56xf32>) -> tensor<8x32x56x56xf32>
  %f = tensor.empty() : tensor<8x56x56xf32>
  %lows = linalg.fill ins(%low : f32) outs(%f : tensor<8x56x56xf32>) -> tensor<8x56x56xf32>
  %r = linalg.reduce { arith.maximumf } ins(%sums : tensor<8x32x56x56xf32>) outs(%lows : tensor<8x56x56xf32>) dimensions = [1]
  return %r : tensor<8x56x56xf32>
}

func.func @few_places(%x: tensor<1x32x8x8xf16>, %w: tensor<32x3x3xf16>) -> tensor<1x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x32x6x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x32x8x8xf16>, tensor<32x3x3xf16>) outs(%zeros : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %f = tensor.empty() : tensor<1x6x6xf32>
  %lows = linalg.fill ins(%low : f32) outs(%f : tensor<1x6x6xf32>) -> tensor<1x6x6xf32>
  %r = linalg.reduce { arith.maximumf } ins(%sums : tensor<1x32x6x6xf32>) outs(%lows : tensor<1x6x6xf32>) dimensions = [1]
  return %r : tensor<1x6x6xf32>
}

func.func @few_workgroups(%x: tensor<8x64x15x15xf16>, %w: tensor<64x9x9xf16>) -> tensor<8x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x64x7x7xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x7x7xf32>) -> tensor<8x64x7x7xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<8x64x15x15xf16>, tensor<64x9x9xf16>) outs(%zeros : tensor<8x64x7x7xf32>) -> tensor<8x64x7x7xf32>
  %f = tensor.empty() : tensor<8x7x7xf32>
  %lows = linalg.fill ins(%low : f32) outs(%f : tensor<8x7x7xf32>) -> tensor<8x7x7xf32>
  %r = linalg.reduce { arith.maximumf } ins(%sums : tensor<8x64x7x7xf32>) outs(%lows : tensor<8x7x7xf32>) dimensions = [1]
  return %r : tensor<8x7x7xf32>
}

func.func @stated(%x: tensor<8x32x62x62xf16>, %w: tensor<32x7x7xf16>) -> tensor<8x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x32x56x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32x56x56xf32>) -> tensor<8x32x56x56xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 4, 7], subgroup_basis = [[1, 2, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 1, 1, 1, 1, 1], workgroup = [1, 2, 64, 0, 0, 0]}>} ins(%x, %w : tensor<8x32x62x62xf16>, tensor<32x7x7xf16>) outs(%zeros : tensor<8x32x56x56xf32>) -> tensor<8x32x56x56xf32>
  %f = tensor.empty() : tensor<8x56x56xf32>
  %lows = linalg.fill ins(%low : f32) outs(%f : tensor<8x56x56xf32>) -> tensor<8x56x56xf32>
  %r = linalg.reduce { arith.maximumf } ins(%sums : tensor<8x32x56x56xf32>) outs(%lows : tensor<8x56x56xf32>) dimensions = [1]
  return %r : tensor<8x56x56xf32>
}

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
//   func.func @few_places(%arg0: tensor<1x32x8x8xf16>, %arg1: tensor<32x3x3xf16>) -> tensor<1x6x6xf32> attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%3, %arg1 : tensor<1x32x6x3x6x3xf16>, tensor<32x3x3xf16>) outs(%1 : tensor<1x32x6x6xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 2, 8, 2, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 3, 3], subgroup_basis = [[1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 1, 1, 1, 1, 1], workgroup = [1, 2, 8, 0, 0, 0]}>} {
//   func.func @stated(%arg0: tensor<8x32x62x62xf16>, %arg1: tensor<32x7x7xf16>) -> tensor<8x56x56xf32> attributes {translation_info = #translation1} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%3, %arg1 : tensor<8x32x56x7x56x7xf16>, tensor<32x7x7xf16>) outs(%1 : tensor<8x32x56x56xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 4, 7], subgroup_basis = [[1, 2, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 1, 1, 1, 1, 1], workgroup = [1, 2, 64, 0, 0, 0]}>} {
//   func.func @many_places_kernel_0(%arg0: tensor<8x32x62x62xf16>, %arg1: tensor<32x7x7xf16>) -> tensor<8x32x56x56xf32> attributes {translation_info = #translation2} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%1, %arg1 : tensor<8x32x56x7x56x7xf16>, tensor<32x7x7xf16>) outs(%3 : tensor<8x32x56x56xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 7, 7], subgroup_basis = [[1, 2, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 8, 2, 1, 1, 1], workgroup = [2, 16, 64, 1, 0, 0]}>} {
//   func.func @many_places_kernel_1(%arg0: tensor<8x32x56x56xf32>) -> tensor<8x56x56xf32> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<8x32x56x56xf32>) outs(%1 : tensor<8x56x56xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 2, 16], [0, 1, 2, 3]], partial_reduction = [0, 32, 0, 0], subgroup_basis = [[1, 8, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 4], workgroup = [1, 0, 2, 64]}>} {
//   func.func @few_workgroups_kernel_0(%arg0: tensor<8x64x15x15xf16>, %arg1: tensor<64x9x9xf16>) -> tensor<8x64x7x7xf32> attributes {translation_info = #translation2} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%1, %arg1 : tensor<8x64x7x9x7x9xf16>, tensor<64x9x9xf16>) outs(%3 : tensor<8x64x7x7xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 4, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 9, 9], subgroup_basis = [[1, 1, 1, 2, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 2, 1, 1, 1, 1], workgroup = [2, 8, 8, 2, 0, 0]}>} {
//   func.func @few_workgroups_kernel_1(%arg0: tensor<8x64x7x7xf32>) -> tensor<8x7x7xf32> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<8x64x7x7xf32>) outs(%1 : tensor<8x7x7xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 4, 8], [0, 1, 2, 3]], partial_reduction = [0, 32, 0, 0], subgroup_basis = [[1, 8, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 1], workgroup = [1, 0, 4, 8]}>} {

// $ raddle run %s --target=sm_90a --function=few_places | grep correct
// correct: all 36 elements agree with the reference within 4.96e-5 + 2.38e-7·|expected| (27 bit for bit)
