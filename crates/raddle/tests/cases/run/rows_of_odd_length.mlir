// Results of a product whose rows have an odd length are stored one by one, by lanes that go along a row together: they write a
// third of the sectors that the lanes of a matrix instruction would.
// RUN: raddle run %s --stats | grep memref.store
// RUN: raddle run %s --quiet
// RUN: raddle run %s --device=ptx-emu --target=sm_90a --quiet | grep -c correct
// RUN: raddle run %s --target=gfx942 --quiet | grep -c correct

func.func @logits(%a: tensor<512x128xf16>, %b: tensor<1025x128xf16>) -> tensor<512x1025xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x1025xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x1025xf32>) -> tensor<512x1025xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<512x128xf16>, tensor<1025x128xf16>) outs(%init : tensor<512x1025xf32>) -> tensor<512x1025xf32>
  %to = tensor.empty() : tensor<512x1025xf16>
  %short = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<512x1025xf32>) outs(%to : tensor<512x1025xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<512x1025xf16>
  return %short : tensor<512x1025xf16>
}

// $ raddle run %s --stats | grep memref.store
// line 19  16 x memref.store              16640    98.6 %             ·           ·       ·       1049600    64000   33024         ·         ·       ·

// $ raddle run %s --quiet
// correct: all 524800 elements agree with the reference within 8.84e-2 + 1.95e-3·|expected| (524313 bit for bit)

// $ raddle run %s --device=ptx-emu --target=sm_90a --quiet | grep -c correct
// 1

// $ raddle run %s --target=gfx942 --quiet | grep -c correct
// 1
