// Windows that share nothing, as the patches that a vision transformer embeds, are rows of a matrix, also where they are larger
// than the image of their places: images stay in front, and the bias and the narrow result are the product's.

// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s | grep -c correct:
// RUN: raddle run %s --device=ptx-emu | grep -c correct:

func.func @patches(%x: tensor<2x3x96x96xf16>, %k: tensor<128x3x16x16xf16>, %bias: tensor<128xf32>) -> tensor<2x128x6x6xf16> {
  %empty = tensor.empty() : tensor<2x128x6x6xf32>
  %start = linalg.broadcast ins(%bias : tensor<128xf32>) outs(%empty : tensor<2x128x6x6xf32>) dimensions = [0, 2, 3]
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<16> : vector<2xi64>}
    ins(%x, %k : tensor<2x3x96x96xf16>, tensor<128x3x16x16xf16>) outs(%start : tensor<2x128x6x6xf32>) -> tensor<2x128x6x6xf32>
  %narrow = tensor.empty() : tensor<2x128x6x6xf16>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%sums : tensor<2x128x6x6xf32>) outs(%narrow : tensor<2x128x6x6xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x128x6x6xf16>
  return %r : tensor<2x128x6x6xf16>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @patches_kernel_0(%arg0: tensor<2x3x96x96xf16>) -> tensor<2x6x6x3x16x16xf16> attributes {translation_info = #translation} {
//   func.func @patches_kernel_1(%arg0: tensor<128xf32>, %arg1: tensor<128x768xf16>, %arg2: tensor<2x36x768xf16>) -> tensor<2x128x36xf16> attributes {translation_info = #translation1} {

// $ raddle run %s | grep -c correct:
// 1

// $ raddle run %s --device=ptx-emu | grep -c correct:
// 1
