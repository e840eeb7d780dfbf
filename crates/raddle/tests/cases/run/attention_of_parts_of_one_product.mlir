// Queries, keys and values are parts of one tensor, as one product gives them: the attention reads them there.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --device=cpu
// RUN: raddle run %s --all --target=gfx942
func.func @columns(%x: tensor<40x192xf16>) -> tensor<40x2x32xf16> {
  %scale = arith.constant 0.125 : f16
  %q = tensor.extract_slice %x[0, 0] [40, 64] [1, 1] : tensor<40x192xf16> to tensor<40x64xf16>
  %k = tensor.extract_slice %x[0, 64] [40, 64] [1, 1] : tensor<40x192xf16> to tensor<40x64xf16>
  %v = tensor.extract_slice %x[0, 128] [40, 64] [1, 1] : tensor<40x192xf16> to tensor<40x64xf16>
  %qx = tensor.expand_shape %q [[0], [1, 2]] output_shape [40, 2, 32] : tensor<40x64xf16> into tensor<40x2x32xf16>
  %kx = tensor.expand_shape %k [[0], [1, 2]] output_shape [40, 2, 32] : tensor<40x64xf16> into tensor<40x2x32xf16>
  %vx = tensor.expand_shape %v [[0], [1, 2]] output_shape [40, 2, 32] : tensor<40x64xf16> into tensor<40x2x32xf16>
  %e = tensor.empty() : tensor<2x40x32xf16>
  %qt = linalg.transpose ins(%qx : tensor<40x2x32xf16>) outs(%e : tensor<2x40x32xf16>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%kx : tensor<40x2x32xf16>) outs(%e : tensor<2x40x32xf16>) permutation = [1, 0, 2]
  %vt = linalg.transpose ins(%vx : tensor<40x2x32xf16>) outs(%e : tensor<2x40x32xf16>) permutation = [1, 0, 2]
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(h, m, n, k, j) -> (h, m, k)>, affine_map<(h, m, n, k, j) -> (h, j, k)>, affine_map<(h, m, n, k, j) -> (h, j, n)>, affine_map<(h, m, n, k, j) -> ()>, affine_map<(h, m, n, k, j) -> (h, m, n)>]} ins(%qt, %kt, %vt, %scale : tensor<2x40x32xf16>, tensor<2x40x32xf16>, tensor<2x40x32xf16>, f16) outs(%e : tensor<2x40x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x40x32xf16>
  %o = tensor.empty() : tensor<40x2x32xf16>
  %t = linalg.transpose ins(%r : tensor<2x40x32xf16>) outs(%o : tensor<40x2x32xf16>) permutation = [1, 0, 2]
  return %t : tensor<40x2x32xf16>
}

func.func @planes(%x: tensor<3x37x128xf16>) -> tensor<37x4x32xf16> {
  %scale = arith.constant 0.125 : f16
  %q = tensor.extract_slice %x[0, 0, 0] [1, 37, 128] [1, 1, 1] : tensor<3x37x128xf16> to tensor<37x128xf16>
  %k = tensor.extract_slice %x[1, 0, 0] [1, 37, 128] [1, 1, 1] : tensor<3x37x128xf16> to tensor<37x128xf16>
  %v = tensor.extract_slice %x[2, 0, 0] [1, 37, 128] [1, 1, 1] : tensor<3x37x128xf16> to tensor<37x128xf16>
  %qx = tensor.expand_shape %q [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf16> into tensor<37x4x32xf16>
  %kx = tensor.expand_shape %k [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf16> into tensor<37x4x32xf16>
  %vx = tensor.expand_shape %v [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf16> into tensor<37x4x32xf16>
  %e = tensor.empty() : tensor<4x37x32xf16>
  %qt = linalg.transpose ins(%qx : tensor<37x4x32xf16>) outs(%e : tensor<4x37x32xf16>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%kx : tensor<37x4x32xf16>) outs(%e : tensor<4x37x32xf16>) permutation = [1, 0, 2]
  %vt = linalg.transpose ins(%vx : tensor<37x4x32xf16>) outs(%e : tensor<4x37x32xf16>) permutation = [1, 0, 2]
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(h, m, n, k, j) -> (h, m, k)>, affine_map<(h, m, n, k, j) -> (h, j, k)>, affine_map<(h, m, n, k, j) -> (h, j, n)>, affine_map<(h, m, n, k, j) -> ()>, affine_map<(h, m, n, k, j) -> (h, m, n)>]} ins(%qt, %kt, %vt, %scale : tensor<4x37x32xf16>, tensor<4x37x32xf16>, tensor<4x37x32xf16>, f16) outs(%e : tensor<4x37x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<4x37x32xf16>
  %o = tensor.empty() : tensor<37x4x32xf16>
  %t = linalg.transpose ins(%r : tensor<4x37x32xf16>) outs(%o : tensor<37x4x32xf16>) permutation = [1, 0, 2]
  return %t : tensor<37x4x32xf16>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @columns(%arg0: tensor<40x192xf16>) -> tensor<40x2x32xf16> attributes {translation_info = #translation} {
//   func.func @planes(%arg0: tensor<3x37x128xf16>) -> tensor<37x4x32xf16> attributes {translation_info = #translation} {

// $ raddle run %s --all
// ok       @columns
// ok       @planes
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @columns
// ok       @planes
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @columns
// ok       @planes
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @columns
// ok       @planes
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @columns
// ok       @planes
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
