// A transposed convolution is one of an image with zeros between its elements. These are not multiplied: each place of a
// period has a filter of its own, of those elements that meet elements of the image.
// RUN: raddle opt %s --normalize | grep insert_slice
// RUN: raddle run %s --all --quiet
// RUN: raddle run %s --all --quiet --target=gfx942
// RUN: raddle run %s --all --quiet --device=ptx-emu --target=sm_90a

#id2 = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>

// With a bias, and what follows.
func.func @line(%x: tensor<1x16x20xf16>, %w: tensor<8x16x16xf16>, %bias: tensor<8xf32>) -> tensor<1x8x160xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x16x175xf16>
  %zeros = linalg.fill ins(%zero : f16) outs(%e : tensor<1x16x175xf16>) -> tensor<1x16x175xf16>
  %s = tensor.insert_slice %x into %zeros[0, 0, 11] [1, 16, 20] [1, 1, 8] : tensor<1x16x20xf16> into tensor<1x16x175xf16>
  %e1 = tensor.empty() : tensor<1x8x160xf32>
  %start = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e1 : tensor<1x8x160xf32>) dimensions = [0, 2]
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %w : tensor<1x16x175xf16>, tensor<8x16x16xf16>) outs(%start : tensor<1x8x160xf32>) -> tensor<1x8x160xf32>
  %e2 = tensor.empty() : tensor<1x8x160xf16>
  %n = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<1x8x160xf32>) outs(%e2 : tensor<1x8x160xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x8x160xf16>
  %p = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n : tensor<1x8x160xf16>) outs(%e2 : tensor<1x8x160xf16>) {
  ^bb0(%in: f16, %out: f16):
    %t = arith.maximumf %in, %zero : f16
    linalg.yield %t : f16
  } -> tensor<1x8x160xf16>
  return %p : tensor<1x8x160xf16>
}

// Filters that end inside of a period, an image that begins with its first element, and sums that begin with a tensor.
func.func @image(%x: tensor<2x8x5x6xf32>, %w: tensor<4x8x3x5xf32>, %start: tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x10x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x10x16xf32>) -> tensor<2x8x10x16xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 1, 4] [2, 8, 5, 6] [1, 1, 2, 2] : tensor<2x8x5x6xf32> into tensor<2x8x10x16xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%s, %w : tensor<2x8x10x16xf32>, tensor<4x8x3x5xf32>) outs(%start : tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
  return %r : tensor<2x4x8x12xf32>
}

// Channels last, elements that stand apart along one side only, and nothing that filters share.
func.func @channels_last(%x: tensor<1x6x5x8xf16>, %w: tensor<3x2x8x16xf16>) -> tensor<1x6x10x16xf32> {
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x11x8xf16>
  %zeros = linalg.fill ins(%zero : f16) outs(%e : tensor<1x8x11x8xf16>) -> tensor<1x8x11x8xf16>
  %s = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [1, 6, 5, 8] [1, 1, 2, 1] : tensor<1x6x5x8xf16> into tensor<1x8x11x8xf16>
  %e1 = tensor.empty() : tensor<1x6x10x16xf32>
  %start = linalg.fill ins(%zero32 : f32) outs(%e1 : tensor<1x6x10x16xf32>) -> tensor<1x6x10x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%s, %w : tensor<1x8x11x8xf16>, tensor<3x2x8x16xf16>) outs(%start : tensor<1x6x10x16xf32>) -> tensor<1x6x10x16xf32>
  return %r : tensor<1x6x10x16xf32>
}

// Groups of channels, and one after the other.
func.func @groups(%x: tensor<1x2x8x7xf32>, %w: tensor<2x4x8x4xf32>) -> tensor<1x2x4x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x8x17xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x8x17xf32>) -> tensor<1x2x8x17xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 0, 2] [1, 2, 8, 7] [1, 1, 1, 2] : tensor<1x2x8x7xf32> into tensor<1x2x8x17xf32>
  %e1 = tensor.empty() : tensor<1x2x4x14xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x2x4x14xf32>) -> tensor<1x2x4x14xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, q, c, t) -> (n, g, c, q + t)>, affine_map<(n, g, f, q, c, t) -> (g, f, c, t)>, affine_map<(n, g, f, q, c, t) -> (n, g, f, q)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%s, %w : tensor<1x2x8x17xf32>, tensor<2x4x8x4xf32>) outs(%start : tensor<1x2x4x14xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %m : f32
    linalg.yield %sum : f32
  } -> tensor<1x2x4x14xf32>
  return %r : tensor<1x2x4x14xf32>
}

// Results that end inside of a period are a slice of those of whole ones.
func.func @odd(%x: tensor<1x8x7xf32>, %w: tensor<4x8x4xf32>) -> tensor<1x4x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x16xf32>) -> tensor<1x8x16xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 8, 7] [1, 1, 2] : tensor<1x8x7xf32> into tensor<1x8x16xf32>
  %e1 = tensor.empty() : tensor<1x4x13xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4x13xf32>) -> tensor<1x4x13xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %w : tensor<1x8x16xf32>, tensor<4x8x4xf32>) outs(%start : tensor<1x4x13xf32>) -> tensor<1x4x13xf32>
  return %r : tensor<1x4x13xf32>
}

// Both places of a period meet the same elements of the image, from one place in front of the result on.
func.func @even(%x: tensor<1x8x5x6xf32>, %w: tensor<4x8x4x4xf32>, %start: tensor<1x4x10x12xf32>) -> tensor<1x4x10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x13x15xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x13x15xf32>) -> tensor<1x8x13x15xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 2, 2] [1, 8, 5, 6] [1, 1, 2, 2] : tensor<1x8x5x6xf32> into tensor<1x8x13x15xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%s, %w : tensor<1x8x13x15xf32>, tensor<4x8x4x4xf32>) outs(%start : tensor<1x4x10x12xf32>) -> tensor<1x4x10x12xf32>
  return %r : tensor<1x4x10x12xf32>
}

// $ raddle opt %s --normalize | grep insert_slice

// $ raddle run %s --all --quiet
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --quiet --target=gfx942
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --quiet --device=ptx-emu --target=sm_90a
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs
