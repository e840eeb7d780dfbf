// A test whose sums are of another order than its author's is right if both are roundings of the exact result, and a
// result that is none is still wrong.
// RUN: raddle run %s --all
func.func @exact() {
  %in = util.unfoldable_constant dense<0.001> : tensor<2x40960xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%in : tensor<2x40960xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  check.expect_almost_eq_const(%r, dense<40.96> : tensor<2xf32>) : tensor<2xf32>
  return
}
func.func @one_by_one_in_f32() {
  %in = util.unfoldable_constant dense<0.001> : tensor<2x40960xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%in : tensor<2x40960xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  check.expect_almost_eq_const(%r, dense<40.949123> : tensor<2xf32>) : tensor<2xf32>
  return
}
func.func @neither() {
  %in = util.unfoldable_constant dense<0.001> : tensor<2x40960xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%in : tensor<2x40960xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  check.expect_almost_eq_const(%r, dense<41.5> : tensor<2xf32>) : tensor<2xf32>
  return
}

// $ raddle run %s --all
// ok       @exact
// ok       @one_by_one_in_f32: within rounding of the exact result; result 0: 2 of 2 elements differ; [0]: got 40.96000289916992, expected 40.94912338256836
// WRONG    @neither: result 0: 2 of 2 elements differ; [0]: got 40.96000289916992, expected 41.5; WRONG as written: result 0: 2 of 2 elements differ; [0]: got 40.94912338256836, expected 41.5
// 3 functions: 2 right, 0 refused, 1 wrong, 0 bugs
// [exit status 1]
