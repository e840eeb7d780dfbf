// One subgroup copies keys and values ahead as several do: it reads them 16 bytes at a time, and all of its keys are under way
// while the first ones come.
// RUN: raddle opt %s --target=sm_80 --to=pipelined --remarks 2>&1 | grep ahead
// RUN: raddle run %s --target=sm_80 --device=ptx-emu --async=eager --quiet
// RUN: raddle run %s --target=sm_90a --device=ptx-emu --quiet
// RUN: raddle run %s --target=gfx942 --quiet
func.func @one_word(%q: tensor<8x1x128xf16>, %k0: tensor<2x256x128xf16>, %v0: tensor<2x256x128xf16>) -> tensor<8x1x128xf16> {
  %cst = arith.constant 0.0883883461 : f32
  %e = tensor.empty() : tensor<2x4x256x128xf16>
  %k1 = linalg.generic {indexing_maps = [affine_map<(d1, d2, d3, d4) -> (d1, d3, d4)>, affine_map<(d1, d2, d3, d4) -> (d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k0 : tensor<2x256x128xf16>) outs(%e : tensor<2x4x256x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x4x256x128xf16>
  %v1 = linalg.generic {indexing_maps = [affine_map<(d1, d2, d3, d4) -> (d1, d3, d4)>, affine_map<(d1, d2, d3, d4) -> (d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v0 : tensor<2x256x128xf16>) outs(%e : tensor<2x4x256x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x4x256x128xf16>
  %k = tensor.collapse_shape %k1 [[0, 1], [2], [3]] : tensor<2x4x256x128xf16> into tensor<8x256x128xf16>
  %v = tensor.collapse_shape %v1 [[0, 1], [2], [3]] : tensor<2x4x256x128xf16> into tensor<8x256x128xf16>
  %o = tensor.empty() : tensor<8x1x128xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} ins(%q, %k, %v, %cst : tensor<8x1x128xf16>, tensor<8x256x128xf16>, tensor<8x256x128xf16>, f32) outs(%o : tensor<8x1x128xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<8x1x128xf16>
  return %r : tensor<8x1x128xf16>
}

// $ raddle opt %s --target=sm_80 --to=pipelined --remarks 2>&1 | grep ahead
// remark[E0403]: copies of this loop's tiles run 1 iterations ahead, through 2 slots

// $ raddle run %s --target=sm_80 --device=ptx-emu --async=eager --quiet
// correct: all 1024 elements agree with the reference within 1.08e-3 + 1.95e-3·|expected| (627 bit for bit)

// $ raddle run %s --target=sm_90a --device=ptx-emu --quiet
// correct: all 1024 elements agree with the reference within 1.08e-3 + 1.95e-3·|expected| (627 bit for bit)

// $ raddle run %s --target=gfx942 --quiet
// correct: all 1024 elements agree with the reference within 1.08e-3 + 1.95e-3·|expected| (627 bit for bit)
