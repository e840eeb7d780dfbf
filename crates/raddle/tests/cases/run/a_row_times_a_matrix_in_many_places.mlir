// A product that is written along a loop that neither factor has, as one learned query for each image of a batch, is no
// contraction: the sum of a row and a column is there many times.
// RUN: raddle run %s --target=sm_80 --quiet
// RUN: raddle run %s --target=gfx942 --quiet
// RUN: raddle run %s --device=ptx-emu --target=sm_90a --quiet
func.func @query(%row: tensor<96xf16>, %w: tensor<96x96xf16>) -> tensor<2x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x96xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<2x96xf32>) -> tensor<2x96xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(b, n, k) -> (k)>, affine_map<(b, n, k) -> (n, k)>, affine_map<(b, n, k) -> (b, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%row, %w : tensor<96xf16>, tensor<96x96xf16>) outs(%fill : tensor<2x96xf32>) {
  ^bb0(%x: f16, %z: f16, %out: f32):
    %a = arith.extf %x : f16 to f32
    %b = arith.extf %z : f16 to f32
    %c = arith.mulf %a, %b : f32
    %d = arith.addf %out, %c : f32
    linalg.yield %d : f32
  } -> tensor<2x96xf32>
  return %y : tensor<2x96xf32>
}

// $ raddle run %s --target=sm_80 --quiet
// correct: all 192 elements agree with the reference within 6.34e-5 + 2.38e-7·|expected| (68 bit for bit)

// $ raddle run %s --target=gfx942 --quiet
// correct: all 192 elements agree with the reference within 6.34e-5 + 2.38e-7·|expected| (68 bit for bit)

// $ raddle run %s --device=ptx-emu --target=sm_90a --quiet
// correct: all 192 elements agree with the reference within 6.34e-5 + 2.38e-7·|expected| (68 bit for bit)
