// Heads that are transposed, repeated and collapsed around an attention: it reads and writes them where they lie, also if the
// number of sequences is open.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=cpu
func.func @one_mask_for_all_heads(%q: tensor<2x24x3x32xf16>, %k: tensor<2x24x3x32xf16>, %v: tensor<2x24x3x32xf16>, %mask: tensor<2x24x24xf16>) -> tensor<2x24x96xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<2x3x24x32xf16>
  %qt = linalg.transpose ins(%q : tensor<2x24x3x32xf16>) outs(%e : tensor<2x3x24x32xf16>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k : tensor<2x24x3x32xf16>) outs(%e : tensor<2x3x24x32xf16>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v : tensor<2x24x3x32xf16>) outs(%e : tensor<2x3x24x32xf16>) permutation = [0, 2, 1, 3]
  %me = tensor.empty() : tensor<2x3x24x24xf16>
  %mr = linalg.broadcast ins(%mask : tensor<2x24x24xf16>) outs(%me : tensor<2x3x24x24xf16>) dimensions = [1]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x3x24x32xf16> into tensor<6x24x32xf16>
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x24x32xf16> into tensor<6x24x32xf16>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x3x24x32xf16> into tensor<6x24x32xf16>
  %mc = tensor.collapse_shape %mr [[0, 1], [2], [3]] : tensor<2x3x24x24xf16> into tensor<6x24x24xf16>
  %o = tensor.empty() : tensor<6x24x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(h, m, n, k, j) -> (h, m, k)>, affine_map<(h, m, n, k, j) -> (h, j, k)>, affine_map<(h, m, n, k, j) -> (h, j, n)>, affine_map<(h, m, n, k, j) -> ()>, affine_map<(h, m, n, k, j) -> (h, m, j)>, affine_map<(h, m, n, k, j) -> (h, m, n)>]} ins(%qc, %kc, %vc, %scale, %mc : tensor<6x24x32xf16>, tensor<6x24x32xf16>, tensor<6x24x32xf16>, f16, tensor<6x24x24xf16>) outs(%o : tensor<6x24x32xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<6x24x32xf16>
  %rx = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 3, 24, 32] : tensor<6x24x32xf16> into tensor<2x3x24x32xf16>
  %te = tensor.empty() : tensor<2x24x3x32xf16>
  %t = linalg.transpose ins(%rx : tensor<2x3x24x32xf16>) outs(%te : tensor<2x24x3x32xf16>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x24x3x32xf16> into tensor<2x24x96xf16>
  return %c : tensor<2x24x96xf16>
}

func.func @keys_for_two_heads(%q: tensor<?x16x4x32xf16>, %k: tensor<?x16x2x32xf16>, %v: tensor<?x16x2x32xf16>) -> tensor<?x16x4x32xf16> {
  %scale = arith.constant 0.125 : f16
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %b = tensor.dim %q, %c0 : tensor<?x16x4x32xf16>
  %n = arith.muli %b, %c4 : index
  %qe = tensor.empty(%b) : tensor<?x4x16x32xf16>
  %qt = linalg.transpose ins(%q : tensor<?x16x4x32xf16>) outs(%qe : tensor<?x4x16x32xf16>) permutation = [0, 2, 1, 3]
  %re = tensor.empty(%b) : tensor<?x2x2x16x32xf16>
  %kr = linalg.generic {indexing_maps = [affine_map<(b, h, g, s, d) -> (b, s, h, d)>, affine_map<(b, h, g, s, d) -> (b, h, g, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<?x16x2x32xf16>) outs(%re : tensor<?x2x2x16x32xf16>) {
  ^bb0(%x: f16, %y: f16):
    linalg.yield %x : f16
  } -> tensor<?x2x2x16x32xf16>
  %vr = linalg.generic {indexing_maps = [affine_map<(b, h, g, s, d) -> (b, s, h, d)>, affine_map<(b, h, g, s, d) -> (b, h, g, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v : tensor<?x16x2x32xf16>) outs(%re : tensor<?x2x2x16x32xf16>) {
  ^bb0(%x: f16, %y: f16):
    linalg.yield %x : f16
  } -> tensor<?x2x2x16x32xf16>
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<?x4x16x32xf16> into tensor<?x16x32xf16>
  %kc = tensor.collapse_shape %kr [[0, 1, 2], [3], [4]] : tensor<?x2x2x16x32xf16> into tensor<?x16x32xf16>
  %vc = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<?x2x2x16x32xf16> into tensor<?x16x32xf16>
  %o = tensor.empty(%n) : tensor<?x16x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(h, m, n, k, j) -> (h, m, k)>, affine_map<(h, m, n, k, j) -> (h, j, k)>, affine_map<(h, m, n, k, j) -> (h, j, n)>, affine_map<(h, m, n, k, j) -> ()>, affine_map<(h, m, n, k, j) -> (h, m, n)>]} ins(%qc, %kc, %vc, %scale : tensor<?x16x32xf16>, tensor<?x16x32xf16>, tensor<?x16x32xf16>, f16) outs(%o : tensor<?x16x32xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<?x16x32xf16>
  %rx = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [%b, 4, 16, 32] : tensor<?x16x32xf16> into tensor<?x4x16x32xf16>
  %te = tensor.empty(%b) : tensor<?x16x4x32xf16>
  %t = linalg.transpose ins(%rx : tensor<?x4x16x32xf16>) outs(%te : tensor<?x16x4x32xf16>) permutation = [0, 2, 1, 3]
  return %t : tensor<?x16x4x32xf16>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @one_mask_for_all_heads_kernel_0(%arg0: tensor<2x24x3x32xf16>, %arg1: tensor<2x24x3x32xf16>, %arg2: tensor<2x24x3x32xf16>, %arg3: tensor<2x24x24xf16>) -> tensor<2x24x3x32xf16> attributes {translation_info = #translation} {
//   func.func @keys_for_two_heads_kernel_0(%arg0: tensor<?x16x2x2x32xf16>, %arg1: tensor<?x16x2x32xf16>, %arg2: tensor<?x16x2x32xf16>, %arg3: tensor<?x16x4x32xf16>) -> tensor<?x16x2x2x32xf16> attributes {translation_info = #translation1} {

// $ raddle run %s --all
// ok       @one_mask_for_all_heads
// ok       @keys_for_two_heads
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @one_mask_for_all_heads
// ok       @keys_for_two_heads
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @one_mask_for_all_heads
// ok       @keys_for_two_heads
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
