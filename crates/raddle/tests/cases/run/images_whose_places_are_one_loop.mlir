// On CPUs, convolutions without windows are products of matrices whose columns are all places of an image, and the windows of
// groups of channels are written with their places last, as those of all channels are.
// RUN: raddle run %s --all --target=x86-64-v4 --quiet
// RUN: raddle run %s --all --device=cpu --quiet
// RUN: raddle opt %s --target=x86-64-v4 --normalize --partition | grep call

func.func @without_windows(%x: tensor<1x24x5x7xf32>, %w: tensor<20x24x1x1xf32>, %v: tensor<16x20x1x1xf32>) -> tensor<1x16x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x20x5x7xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x20x5x7xf32>) -> tensor<1x20x5x7xf32>
  %a = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x24x5x7xf32>, tensor<20x24x1x1xf32>) outs(%zeros : tensor<1x20x5x7xf32>) -> tensor<1x20x5x7xf32>
  %e1 = tensor.empty() : tensor<1x16x5x7xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x16x5x7xf32>) -> tensor<1x16x5x7xf32>
  %b = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%a, %v : tensor<1x20x5x7xf32>, tensor<16x20x1x1xf32>) outs(%zeros1 : tensor<1x16x5x7xf32>) -> tensor<1x16x5x7xf32>
  return %b : tensor<1x16x5x7xf32>
}

func.func @groups(%x: tensor<1x32x6x6xf32>, %w: tensor<2x12x16x3x3xf32>) -> tensor<1x2x12x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<1x32x6x6xf32> to tensor<1x32x8x8xf32>
  %x1 = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 16, 8, 8] : tensor<1x32x8x8xf32> into tensor<1x2x16x8x8xf32>
  %e = tensor.empty() : tensor<1x2x12x6x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x12x6x6xf32>) -> tensor<1x2x12x6x6xf32>
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x1, %w : tensor<1x2x16x8x8xf32>, tensor<2x12x16x3x3xf32>) outs(%zeros : tensor<1x2x12x6x6xf32>) -> tensor<1x2x12x6x6xf32>
  return %r : tensor<1x2x12x6x6xf32>
}

// $ raddle run %s --all --target=x86-64-v4 --quiet
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu --quiet
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --target=x86-64-v4 --normalize --partition | grep call
//     %0 = call @without_windows_kernel_0(%collapsed_0, %collapsed) : (tensor<24x35xf32>, tensor<20x24xf32>) -> tensor<20x35xf32>
//     %1 = call @without_windows_kernel_1(%0, %collapsed_1) : (tensor<20x35xf32>, tensor<16x20xf32>) -> tensor<16x35xf32>
//     %0 = call @groups_kernel_0(%collapsed) : (tensor<32x6x6xf32>) -> tensor<2x16x3x3x6x6xf32>
//     %1 = call @groups_kernel_1(%collapsed_0, %collapsed_1) : (tensor<2x144x36xf32>, tensor<2x12x144xf32>) -> tensor<2x12x36xf32>
