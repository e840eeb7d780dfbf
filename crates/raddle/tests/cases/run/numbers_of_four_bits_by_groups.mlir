// Weights of 4 bits, two in a byte, with a scale for each group of them: what takes them out of the bytes, puts them beside one
// another and scales them is in the kernel of the product of few rows. It was three kernels.
// RUN: raddle opt %s --to=configured | grep 'func.func'
// RUN: raddle run %s --device=ptx-emu | grep correct
#id = affine_map<(n, k) -> (n, k)>
#id3 = affine_map<(n, g, k) -> (n, g, k)>
func.func @product(%x: tensor<4x512xf16>, %w: tensor<128x256xi8>, %scale: tensor<128x4xf16>) -> tensor<4x128xf32> {
  %mask = arith.constant 15 : i8
  %by = arith.constant 4 : i8
  %eight = arith.constant 8.0 : f16
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xi8>
  %low = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<128x256xi8>) outs(%e : tensor<128x256xi8>) {
    ^bb0(%a: i8, %o: i8):
      %r = arith.andi %a, %mask : i8
      linalg.yield %r : i8
  } -> tensor<128x256xi8>
  %high = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<128x256xi8>) outs(%e : tensor<128x256xi8>) {
    ^bb0(%a: i8, %o: i8):
      %r = arith.shrui %a, %by : i8
      linalg.yield %r : i8
  } -> tensor<128x256xi8>
  %low1 = tensor.expand_shape %low [[0], [1, 2]] output_shape [128, 256, 1] : tensor<128x256xi8> into tensor<128x256x1xi8>
  %high1 = tensor.expand_shape %high [[0], [1, 2]] output_shape [128, 256, 1] : tensor<128x256xi8> into tensor<128x256x1xi8>
  %both = tensor.concat dim(2) %low1, %high1 : (tensor<128x256x1xi8>, tensor<128x256x1xi8>) -> tensor<128x256x2xi8>
  %row = tensor.collapse_shape %both [[0], [1, 2]] : tensor<128x256x2xi8> into tensor<128x512xi8>
  %groups = tensor.expand_shape %row [[0], [1, 2]] output_shape [128, 4, 128] : tensor<128x512xi8> into tensor<128x4x128xi8>
  %0 = tensor.empty() : tensor<128x4x128xf16>
  %float = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups : tensor<128x4x128xi8>) outs(%0 : tensor<128x4x128xf16>) {
    ^bb0(%a: i8, %o: f16):
      %r = arith.uitofp %a : i8 to f16
      linalg.yield %r : f16
  } -> tensor<128x4x128xf16>
  %less = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%float : tensor<128x4x128xf16>) outs(%0 : tensor<128x4x128xf16>) {
    ^bb0(%a: f16, %o: f16):
      %r = arith.subf %a, %eight : f16
      linalg.yield %r : f16
  } -> tensor<128x4x128xf16>
  %scaled = linalg.generic {indexing_maps = [#id3, affine_map<(n, g, k) -> (n, g)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%less, %scale : tensor<128x4x128xf16>, tensor<128x4xf16>) outs(%0 : tensor<128x4x128xf16>) {
    ^bb0(%a: f16, %s: f16, %o: f16):
      %r = arith.mulf %a, %s : f16
      linalg.yield %r : f16
  } -> tensor<128x4x128xf16>
  %weights = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<128x4x128xf16> into tensor<128x512xf16>
  %1 = tensor.empty() : tensor<512x128xf16>
  %turned = linalg.transpose ins(%weights : tensor<128x512xf16>) outs(%1 : tensor<512x128xf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<4x128xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<4x128xf32>) -> tensor<4x128xf32>
  %r = linalg.matmul ins(%x, %turned : tensor<4x512xf16>, tensor<512x128xf16>) outs(%3 : tensor<4x128xf32>) -> tensor<4x128xf32>
  return %r : tensor<4x128xf32>
}

// $ raddle opt %s --to=configured | grep 'func.func'
//   func.func @product(%arg0: tensor<4x512xf16>, %arg1: tensor<128x256xi8>, %arg2: tensor<128x4xf16>) -> tensor<4x128xf32> attributes {translation_info = #translation} {

// $ raddle run %s --device=ptx-emu | grep correct
// correct: all 512 elements agree with the reference within 4.07e0 + 2.38e-7·|expected| (0 bit for bit)
