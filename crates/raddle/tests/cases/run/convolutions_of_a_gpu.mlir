// Convolutions with channels first are products of matrices on GPUs, too: the windows are written out by a kernel of their
// own, so that their tiles are copied ahead. Small ones stay one kernel.

// RUN: raddle build %s --function=large --emit=ptx | grep -c 'cp.async.cg'
// RUN: raddle build %s --function=large --emit=ptx | grep '.entry'
// RUN: raddle build %s --function=small --emit=ptx | grep '.entry'
// RUN: raddle build %s --function=groups --emit=ptx | grep '.entry'
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942

func.func @large(%x: tensor<1x32x18x18xf16>, %w: tensor<64x32x3x3xf16>) -> tensor<1x64x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x16x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x32x18x18xf16>, tensor<64x32x3x3xf16>) outs(%none : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  return %y : tensor<1x64x16x16xf32>
}

func.func @small(%x: tensor<1x8x9x9xf16>, %w: tensor<16x8x3x3xf16>) -> tensor<1x16x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x7x7xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x8x9x9xf16>, tensor<16x8x3x3xf16>) outs(%none : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  return %y : tensor<1x16x7x7xf32>
}

// Each group of channels is a product of matrices of its own, and what is added to each channel is added in its kernel.
func.func @groups(%x: tensor<1x120x14x14xf16>, %w: tensor<120x24x3x3xf16>, %bias: tensor<120xf32>) -> tensor<1x120x14x14xf32> {
  %none = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : f16
  } : tensor<1x120x14x14xf16> to tensor<1x120x16x16xf16>
  %xs = tensor.expand_shape %padded [[0], [1, 2], [3], [4]] output_shape [1, 5, 24, 16, 16] : tensor<1x120x16x16xf16> into tensor<1x5x24x16x16xf16>
  %ws = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [5, 24, 24, 3, 3] : tensor<120x24x3x3xf16> into tensor<5x24x24x3x3xf16>
  %empty = tensor.empty() : tensor<1x5x24x14x14xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x24x14x14xf32>) -> tensor<1x5x24x14x14xf32>
  %ys = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%xs, %ws : tensor<1x5x24x16x16xf16>, tensor<5x24x24x3x3xf16>) outs(%init : tensor<1x5x24x14x14xf32>) -> tensor<1x5x24x14x14xf32>
  %y = tensor.collapse_shape %ys [[0], [1, 2], [3], [4]] : tensor<1x5x24x14x14xf32> into tensor<1x120x14x14xf32>
  %out = tensor.empty() : tensor<1x120x14x14xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %bias : tensor<1x120x14x14xf32>, tensor<120xf32>) outs(%out : tensor<1x120x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x120x14x14xf32>
  return %sum : tensor<1x120x14x14xf32>
}

// $ raddle build %s --function=large --emit=ptx | grep -c 'cp.async.cg'
// 8

// $ raddle build %s --function=large --emit=ptx | grep '.entry'
// .visible .entry large_kernel_0(
// .visible .entry large_kernel_1(
// .visible .entry large_kernel_2(

// $ raddle build %s --function=small --emit=ptx | grep '.entry'
// .visible .entry small(

// $ raddle build %s --function=groups --emit=ptx | grep '.entry'
// .visible .entry groups_kernel_0(
// .visible .entry groups_kernel_1(

// $ raddle run %s --all
// ok       @large
// ok       @small
// ok       @groups
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @large
// ok       @small
// ok       @groups
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
