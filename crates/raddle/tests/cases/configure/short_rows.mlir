// Copies of short rows: neighbours along outer loops are more subgroups and more elements of a thread, so that a workgroup
// has enough to do. What is read by windows is read element by element, and written by words.
// RUN: raddle run %s --function=windows --target=sm_90a | grep launch
// RUN: raddle run %s --function=windows --target=sm_90a --device=ptx-emu --quiet
// RUN: raddle run %s --function=windows --target=gfx942 --quiet
// RUN: raddle run %s --function=behind --target=sm_90a | grep launch
// RUN: raddle run %s --function=behind --target=sm_90a --device=ptx-emu --quiet
// RUN: raddle run %s --function=behind --target=gfx942 --quiet
// RUN: raddle run %s --function=largest --target=sm_90a | grep launch
// RUN: raddle run %s --function=largest --target=sm_90a --device=ptx-emu --quiet
// RUN: raddle run %s --function=largest --target=gfx942 --quiet
#read = affine_map<(n, c, kh, kw, h, w) -> (n, c, h + kh, w + kw)>
#all = affine_map<(n, c, kh, kw, h, w) -> (n, c, kh, kw, h, w)>
func.func @windows(%x: tensor<8x64x16x16xf16>) -> tensor<8x64x3x3x14x14xf16> {
  %0 = tensor.empty() : tensor<8x64x3x3x14x14xf16>
  %1 = linalg.generic {indexing_maps = [#read, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x64x16x16xf16>) outs(%0 : tensor<8x64x3x3x14x14xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
  } -> tensor<8x64x3x3x14x14xf16>
  return %1 : tensor<8x64x3x3x14x14xf16>
}
// One more word behind a cache.
func.func @behind(%cache: tensor<8x1023x64xf16>, %word: tensor<8x1x64xf16>) -> tensor<8x1024x64xf16> {
  %0 = tensor.concat dim(1) %cache, %word : (tensor<8x1023x64xf16>, tensor<8x1x64xf16>) -> tensor<8x1024x64xf16>
  return %0 : tensor<8x1024x64xf16>
}
func.func @largest(%x: tensor<8x32x57x57xf16>) -> tensor<8x32x28x28xf16> {
  %low = arith.constant 0xFC00 : f16
  %w = tensor.empty() : tensor<3x3xf16>
  %0 = tensor.empty() : tensor<8x32x28x28xf16>
  %1 = linalg.fill ins(%low : f16) outs(%0 : tensor<8x32x28x28xf16>) -> tensor<8x32x28x28xf16>
  %2 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<8x32x57x57xf16>, tensor<3x3xf16>) outs(%1 : tensor<8x32x28x28xf16>) -> tensor<8x32x28x28xf16>
  return %2 : tensor<8x32x28x28xf16>
}

// $ raddle run %s --function=windows --target=sm_90a | grep launch
// launch     grid 3x64x8, each workgroup 128 threads: 4 subgroups of 32 lanes

// $ raddle run %s --function=windows --target=sm_90a --device=ptx-emu --quiet
// correct: all 903168 elements equal the reference bit for bit

// $ raddle run %s --function=windows --target=gfx942 --quiet
// correct: all 903168 elements equal the reference bit for bit

// $ raddle run %s --function=behind --target=sm_90a | grep launch
// launch     grid 64x8x1, each workgroup 128 threads: 4 subgroups of 32 lanes

// $ raddle run %s --function=behind --target=sm_90a --device=ptx-emu --quiet
// correct: all 524288 elements equal the reference bit for bit

// $ raddle run %s --function=behind --target=gfx942 --quiet
// correct: all 524288 elements equal the reference bit for bit

// $ raddle run %s --function=largest --target=sm_90a | grep launch
// launch     grid 4x32x8, each workgroup 256 threads: 8 subgroups of 32 lanes

// $ raddle run %s --function=largest --target=sm_90a --device=ptx-emu --quiet
// correct: all 200704 elements equal the reference bit for bit

// $ raddle run %s --function=largest --target=gfx942 --quiet
// correct: all 200704 elements equal the reference bit for bit
