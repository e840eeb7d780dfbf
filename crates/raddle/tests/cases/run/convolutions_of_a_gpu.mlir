// Convolutions with channels first are products of matrices on GPUs, too: the windows are written out by a kernel of their
// own, so that their tiles are copied ahead. Small ones stay one kernel.

// RUN: raddle build %s --function=large --emit=ptx | grep -c 'cp.async.cg'
// RUN: raddle build %s --function=large --emit=ptx | grep '.entry'
// RUN: raddle build %s --function=small --emit=ptx | grep '.entry'
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

// $ raddle build %s --function=large --emit=ptx | grep -c 'cp.async.cg'
// 16

// $ raddle build %s --function=large --emit=ptx | grep '.entry'
// .visible .entry large_kernel_0(
// .visible .entry large_kernel_1(

// $ raddle build %s --function=small --emit=ptx | grep '.entry'
// .visible .entry small(

// $ raddle run %s --all
// ok       @large
// ok       @small
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @large
// ok       @small
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
