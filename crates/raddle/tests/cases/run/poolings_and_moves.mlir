// Poolings go along the images, not along their windows: also where every other element is read. What is only moved has
// vectors, and so have sums of products of few rows.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --device=ptx-emu
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @channels_first(%a: tensor<1x5x9x41xf32>) -> tensor<1x5x4x20xf32> {
  %z = arith.constant 0xFF800000 : f32
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x5x4x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x4x20xf32>) -> tensor<1x5x4x20xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%a, %k : tensor<1x5x9x41xf32>, tensor<3x3xf32>) outs(%f : tensor<1x5x4x20xf32>) -> tensor<1x5x4x20xf32>
  return %r : tensor<1x5x4x20xf32>
}
func.func @channels_last(%a: tensor<2x6x7x33xi8>) -> tensor<2x4x3x33xi8> {
  %z = arith.constant 0 : i8
  %k = tensor.empty() : tensor<3x3xi8>
  %e = tensor.empty() : tensor<2x4x3x33xi8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<2x4x3x33xi8>) -> tensor<2x4x3x33xi8>
  %r = linalg.pooling_nhwc_sum {dilations = dense<[1, 2]> : vector<2xi64>} ins(%a, %k : tensor<2x6x7x33xi8>, tensor<3x3xi8>) outs(%f : tensor<2x4x3x33xi8>) -> tensor<2x4x3x33xi8>
  return %r : tensor<2x4x3x33xi8>
}
func.func @slice(%a: tensor<4x50x41xf16>) -> tensor<3x40x20xf16> {
  %r = tensor.extract_slice %a[1, 5, 1] [3, 40, 20] [1, 1, 2] : tensor<4x50x41xf16> to tensor<3x40x20xf16>
  return %r : tensor<3x40x20xf16>
}
func.func @padding(%a: tensor<3x30x40xf32>) -> tensor<3x33x45xf32> {
  %z = arith.constant 1.5 : f32
  %r = tensor.pad %a low[0, 1, 2] high[0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<3x30x40xf32> to tensor<3x33x45xf32>
  return %r : tensor<3x33x45xf32>
}
func.func @concatenation(%a: tensor<5x30xf32>, %b: tensor<5x17xf32>, %c: tensor<5x3xf32>) -> tensor<5x50xf32> {
  %r = tensor.concat dim(1) %a, %b, %c : (tensor<5x30xf32>, tensor<5x17xf32>, tensor<5x3xf32>) -> tensor<5x50xf32>
  return %r : tensor<5x50xf32>
}
func.func @few_rows(%a: tensor<3x100xf16>, %b: tensor<21x100xf16>) -> tensor<3x21xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x21xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x21xf32>) -> tensor<3x21xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x100xf16>, tensor<21x100xf16>) outs(%f : tensor<3x21xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %u = arith.mulf %p, %q : f32
    %v = arith.addf %o, %u : f32
    linalg.yield %v : f32
  } -> tensor<3x21xf32>
  return %r : tensor<3x21xf32>
}

// $ raddle run %s --all
// ok       @channels_first
// ok       @channels_last
// ok       @slice
// ok       @padding
// ok       @concatenation
// ok       @few_rows
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @channels_first
// ok       @channels_last
// ok       @slice
// ok       @padding
// ok       @concatenation
// ok       @few_rows
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @channels_first
// ok       @channels_last
// ok       @slice
// ok       @padding
// ok       @concatenation
// ok       @few_rows
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs
