// On a CPU, a convolution of single channels that lie in front of the image has vectors along the rows of the image, and
// several of these at a time: a row that neighbours share is read once, under one mask. A stride of two takes every other
// element of two vectors. Poolings of small images go the same way.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle run %s --all --target=aarch64
func.func @padded(%x: tensor<3x6x20xf32>, %k: tensor<3x3x3xf32>, %o: tensor<3x6x20xf32>) -> tensor<3x6x20xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] { ^bb0(%c: index, %i: index, %j: index): tensor.yield %z : f32 } : tensor<3x6x20xf32> to tensor<3x8x22xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%p, %k : tensor<3x8x22xf32>, tensor<3x3x3xf32>) outs(%o : tensor<3x6x20xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<3x6x20xf32>
  return %r : tensor<3x6x20xf32>
}
func.func @every_other(%x: tensor<1x3x14x14xf32>, %k: tensor<3x5x5xf32>, %o: tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 2] high[0, 0, 2, 2] { ^bb0(%n: index, %c: index, %i: index, %j: index): tensor.yield %z : f32 } : tensor<1x3x14x14xf32> to tensor<1x3x18x18xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>} ins(%p, %k : tensor<1x3x18x18xf32>, tensor<3x5x5xf32>) outs(%o : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
  return %r : tensor<1x3x7x7xf32>
}
func.func @halves(%x: tensor<1x2x9x12xf16>, %k: tensor<2x2x3xf16>, %o: tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x2x9x12xf16>, tensor<2x2x3xf16>) outs(%o : tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}
func.func @line(%x: tensor<5x37xf32>, %k: tensor<5x4xf32>, %o: tensor<5x37xf32>) -> tensor<5x37xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 3] high[0, 0] { ^bb0(%c: index, %i: index): tensor.yield %z : f32 } : tensor<5x37xf32> to tensor<5x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, w, j) -> (c, w + j)>, affine_map<(c, w, j) -> (c, j)>, affine_map<(c, w, j) -> (c, w)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %k : tensor<5x40xf32>, tensor<5x4xf32>) outs(%o : tensor<5x37xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<5x37xf32>
  return %r : tensor<5x37xf32>
}
func.func @open(%x: tensor<3x?x?xf32>, %k: tensor<3x3x3xf32>, %o: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] { ^bb0(%c: index, %i: index, %j: index): tensor.yield %z : f32 } : tensor<3x?x?xf32> to tensor<3x?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%p, %k : tensor<3x?x?xf32>, tensor<3x3x3xf32>) outs(%o : tensor<3x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<3x?x?xf32>
  return %r : tensor<3x?x?xf32>
}
func.func @pooled(%a: tensor<1x3x13x13xf32>) -> tensor<1x3x7x7xf32> {
  %z = arith.constant 0xFF800000 : f32
  %p = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] { ^bb0(%n: index, %c: index, %i: index, %j: index): tensor.yield %z : f32 } : tensor<1x3x13x13xf32> to tensor<1x3x15x15xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%p, %k : tensor<1x3x15x15xf32>, tensor<3x3xf32>) outs(%f : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
  return %r : tensor<1x3x7x7xf32>
}
func.func @sums(%a: tensor<1x2x11x19xf16>) -> tensor<1x2x9x17xf16> {
  %z = arith.constant 0.0 : f16
  %k = tensor.empty() : tensor<3x3xf16>
  %e = tensor.empty() : tensor<1x2x9x17xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<1x2x9x17xf16>) -> tensor<1x2x9x17xf16>
  %r = linalg.pooling_nchw_sum ins(%a, %k : tensor<1x2x11x19xf16>, tensor<3x3xf16>) outs(%f : tensor<1x2x9x17xf16>) -> tensor<1x2x9x17xf16>
  return %r : tensor<1x2x9x17xf16>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @padded
// ok       @every_other
// ok       @halves
// ok       @line
// ok       @open
// ok       @pooled
// ok       @sums
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @padded
// ok       @every_other
// ok       @halves
// ok       @line
// ok       @open
// ok       @pooled
// ok       @sums
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=aarch64
// ok       @padded
// ok       @every_other
// ok       @halves
// ok       @line
// ok       @open
// ok       @pooled
// ok       @sums
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs
