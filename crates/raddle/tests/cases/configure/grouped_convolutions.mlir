// Convolutions of groups of few channels: a thread has several places of several filters of a group, which share what they read
// of its images.

// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --function=grouped | grep correct
// RUN: raddle run %s --function=grouped --device=ptx-emu | grep correct
// RUN: raddle run %s --function=strides | grep correct
// RUN: raddle run %s --function=strides --target=gfx942 | grep correct

func.func @grouped(%x: tensor<2x3x4x17x21xf16>, %w: tensor<3x4x4x3x3xf16>) -> tensor<2x3x4x15x19xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x15x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x4x15x19xf32>) -> tensor<2x3x4x15x19xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<2x3x4x17x21xf16>, tensor<3x4x4x3x3xf16>) outs(%f : tensor<2x3x4x15x19xf32>) -> tensor<2x3x4x15x19xf32>
  return %0 : tensor<2x3x4x15x19xf32>
}

// As PyTorch has it: channels are groups behind the padding.
func.func @strides(%x: tensor<2x16x14x13xf32>, %w: tensor<16x8x3x3xf32>) -> tensor<2x2x8x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<2x16x14x13xf32> to tensor<2x16x16x15xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [2, 2, 8, 16, 15] : tensor<2x16x16x15xf32> into tensor<2x2x8x16x15xf32>
  %v = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 8, 8, 3, 3] : tensor<16x8x3x3xf32> into tensor<2x8x8x3x3xf32>
  %e = tensor.empty() : tensor<2x2x8x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2x8x7x7xf32>) -> tensor<2x2x8x7x7xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%g, %v : tensor<2x2x8x16x15xf32>, tensor<2x8x8x3x3xf32>) outs(%f : tensor<2x2x8x7x7xf32>) -> tensor<2x2x8x7x7xf32>
  return %0 : tensor<2x2x8x7x7xf32>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg1, %3 : tensor<3x4x4x3x3xf16>, tensor<2x3x4x15x3x19x3xf16>) outs(%1 : tensor<2x3x4x15x19xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 1, 32, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7]], partial_reduction = [0, 0, 0, 0, 0, 3, 3, 4], subgroup_basis = [[1, 1, 1, 2, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7]], thread = [1, 1, 1, 2, 1, 1, 1, 1], workgroup = [1, 1, 1, 4, 32, 0, 0, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded_0, %3 : tensor<2x8x8x3x3xf32>, tensor<2x2x8x7x3x7x3xf32>) outs(%1 : tensor<2x2x8x7x7xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 2, 2, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7]], partial_reduction = [0, 0, 0, 0, 0, 3, 3, 8], subgroup_basis = [[1, 1, 1, 2, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7]], thread = [1, 1, 1, 1, 1, 1, 1, 1], workgroup = [1, 1, 2, 4, 8, 0, 0, 0]}>} {

// $ raddle run %s --function=grouped | grep correct
// correct: all 6840 elements agree with the reference within 3.24e-5 + 2.38e-7·|expected| (2120 bit for bit)

// $ raddle run %s --function=grouped --device=ptx-emu | grep correct
// correct: all 6840 elements agree with the reference within 3.24e-5 + 2.38e-7·|expected| (2120 bit for bit)

// $ raddle run %s --function=strides | grep correct
// correct: all 1568 elements agree with the reference within 4.48e-5 + 2.38e-7·|expected| (351 bit for bit)

// $ raddle run %s --function=strides --target=gfx942 | grep correct
// correct: all 1568 elements agree with the reference within 4.48e-5 + 2.38e-7·|expected| (327 bit for bit)
