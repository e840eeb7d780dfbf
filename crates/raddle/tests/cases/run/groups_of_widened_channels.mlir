// What is widened is read as it is in memory by each kernel, also in another shape: the sums of channels and what follows from
// those of groups both read f16, and no tensor of f32 lies between them.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --to=configured | grep 'func.func'
func.func @norm(%x: tensor<4x64x4096xf16>) -> (tensor<4x64xf32>, tensor<4x8x8x4096xf16>) {
  %0 = tensor.empty() : tensor<4x64x4096xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(b, c, i) -> (b, c, i)>, affine_map<(b, c, i) -> (b, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x64x4096xf16>) outs(%0 : tensor<4x64x4096xf32>) {
    ^bb0(%a: f16, %o: f32):
      %f = arith.extf %a : f16 to f32
      linalg.yield %f : f32
  } -> tensor<4x64x4096xf32>
  %zero = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<4x64xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %channels = linalg.generic {indexing_maps = [affine_map<(b, c, i) -> (b, c, i)>, affine_map<(b, c, i) -> (b, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%wide : tensor<4x64x4096xf32>) outs(%2 : tensor<4x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
  } -> tensor<4x64xf32>
  %grouped = tensor.expand_shape %wide [[0], [1, 2], [3]] output_shape [4, 8, 8, 4096] : tensor<4x64x4096xf32> into tensor<4x8x8x4096xf32>
  %3 = tensor.empty() : tensor<4x8xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %groups = linalg.generic {indexing_maps = [affine_map<(b, g, c, i) -> (b, g, c, i)>, affine_map<(b, g, c, i) -> (b, g)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%grouped : tensor<4x8x8x4096xf32>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.mulf %a, %a : f32
      %s = arith.addf %q, %o : f32
      linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %5 = tensor.empty() : tensor<4x8x8x4096xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, g, c, i) -> (b, g, c, i)>, affine_map<(b, g, c, i) -> (b, g)>, affine_map<(b, g, c, i) -> (b, g, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%grouped, %groups : tensor<4x8x8x4096xf32>, tensor<4x8xf32>) outs(%5 : tensor<4x8x8x4096xf16>) {
    ^bb0(%a: f32, %s: f32, %o: f16):
      %i = math.rsqrt %s : f32
      %n = arith.mulf %a, %i : f32
      %t = arith.truncf %n : f32 to f16
      linalg.yield %t : f16
  } -> tensor<4x8x8x4096xf16>
  return %channels, %r : tensor<4x64xf32>, tensor<4x8x8x4096xf16>
}

// $ raddle run %s --all
// ok       @norm
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @norm
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep 'func.func'
//   func.func @norm_kernel_0(%arg0: tensor<4x64x4096xf16>) -> tensor<4x64xf32> attributes {translation_info = #translation} {
//   func.func @norm_kernel_1(%arg0: tensor<4x64x4096xf16>) -> tensor<4x8x8x4096xf16> attributes {translation_info = #translation1} {
