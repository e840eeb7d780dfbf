// Rows of 80 elements, as several models have them: where instructions read keys and values from shared memory, tiles have
// 96 columns of which the last ones are zeros, and both products are such instructions.
// RUN: raddle build %s --target=sm_90a -o - | grep -c -e m64n96k16 -e m64n64k16
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --target=sm_90a --compare=vector,distributed | grep correct
func.func @attention(%q: tensor<2x130x80xf16>, %k: tensor<2x140x80xf16>, %v: tensor<2x140x80xf16>) -> tensor<2x130x80xf16> {
  %e = tensor.empty() : tensor<2x130x80xf16>
  %s = arith.constant 0.125 : f16
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, p) -> (b, m, k)>, affine_map<(b, m, n, k, p) -> (b, p, k)>, affine_map<(b, m, n, k, p) -> (b, p, n)>, affine_map<(b, m, n, k, p) -> ()>, affine_map<(b, m, n, k, p) -> (b, m, n)>]} ins(%q, %k, %v, %s : tensor<2x130x80xf16>, tensor<2x140x80xf16>, tensor<2x140x80xf16>, f16) outs(%e : tensor<2x130x80xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<2x130x80xf16>
  return %r : tensor<2x130x80xf16>
}

// $ raddle build %s --target=sm_90a -o - | grep -c -e m64n96k16 -e m64n64k16
// 12

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 20800 elements agree with the reference within 5.92e-4 + 1.95e-3·|expected| (13133 bit for bit)

// $ raddle run %s --target=sm_90a --compare=vector,distributed | grep correct
// correct: stage `vector`, all 20800 elements agree with the reference within 5.92e-4 + 1.95e-3·|expected| (13134 bit for bit)
// correct: stage `distributed`, all 20800 elements agree with the reference within 5.92e-4 + 1.95e-3·|expected| (13133 bit for bit)
// correct: stage `distributed`, all 20800 elements agree with stage `vector` within 5.92e-4 + 1.95e-3·|expected| (20790 bit for bit)
