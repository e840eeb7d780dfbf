// Keys that are turned by their positions: each workgroup of an attention would turn all keys of its head, with sines and
// cosines of its own. There are kernels for the table, the keys and the attention; where there are few keys and no
// functions, it is one kernel.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --function=few_keys | grep correct
func.func @turned_keys(%q: tensor<32x512x128xf16>, %k: tensor<32x512x128xf16>, %v: tensor<32x512x128xf16>, %angles: tensor<512x128xf32>) -> tensor<32x512x128xf16> {
  %scale = arith.constant 0.0883 : f16
  %te = tensor.empty() : tensor<512x128xf16>
  %table = linalg.generic {indexing_maps = [affine_map<(i, d) -> (i, d)>, affine_map<(i, d) -> (i, d)>], iterator_types = ["parallel", "parallel"]} ins(%angles : tensor<512x128xf32>) outs(%te : tensor<512x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = math.sin %a : f32
    %h = arith.truncf %s : f32 to f16
    linalg.yield %h : f16
  } -> tensor<512x128xf16>
  %e = tensor.empty() : tensor<32x512x128xf16>
  %turned = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k, %table : tensor<32x512x128xf16>, tensor<512x128xf16>) outs(%e : tensor<32x512x128xf16>) {
  ^bb0(%x: f16, %s: f16, %o: f16):
    %y = arith.mulf %x, %s : f16
    linalg.yield %y : f16
  } -> tensor<32x512x128xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, j) -> (b, m, k)>, affine_map<(b, m, n, k, j) -> (b, j, k)>, affine_map<(b, m, n, k, j) -> (b, j, n)>, affine_map<(b, m, n, k, j) -> ()>, affine_map<(b, m, n, k, j) -> (b, m, n)>]} ins(%q, %turned, %v, %scale : tensor<32x512x128xf16>, tensor<32x512x128xf16>, tensor<32x512x128xf16>, f16) outs(%e : tensor<32x512x128xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<32x512x128xf16>
  return %r : tensor<32x512x128xf16>
}

func.func @few_keys(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>, %table: tensor<64x32xf16>) -> tensor<2x64x32xf16> {
  %scale = arith.constant 0.1 : f16
  %e = tensor.empty() : tensor<2x64x32xf16>
  %turned = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k, %table : tensor<2x64x32xf16>, tensor<64x32xf16>) outs(%e : tensor<2x64x32xf16>) {
  ^bb0(%x: f16, %s: f16, %o: f16):
    %y = arith.mulf %x, %s : f16
    linalg.yield %y : f16
  } -> tensor<2x64x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, j) -> (b, m, k)>, affine_map<(b, m, n, k, j) -> (b, j, k)>, affine_map<(b, m, n, k, j) -> (b, j, n)>, affine_map<(b, m, n, k, j) -> ()>, affine_map<(b, m, n, k, j) -> (b, m, n)>]} ins(%q, %turned, %v, %scale : tensor<2x64x32xf16>, tensor<2x64x32xf16>, tensor<2x64x32xf16>, f16) outs(%e : tensor<2x64x32xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x64x32xf16>
  return %r : tensor<2x64x32xf16>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @few_keys(%arg0: tensor<2x64x32xf16>, %arg1: tensor<2x64x32xf16>, %arg2: tensor<2x64x32xf16>, %arg3: tensor<64x32xf16>) -> tensor<2x64x32xf16> attributes {translation_info = #translation} {
//   func.func @turned_keys_kernel_0(%arg0: tensor<512x128xf32>) -> tensor<512x128xf16> attributes {translation_info = #translation1} {
//   func.func @turned_keys_kernel_1(%arg0: tensor<32x512x128xf16>, %arg1: tensor<512x128xf16>) -> tensor<32x512x128xf16> attributes {translation_info = #translation} {
//   func.func @turned_keys_kernel_2(%arg0: tensor<32x512x128xf16>, %arg1: tensor<32x512x128xf16>, %arg2: tensor<32x512x128xf16>) -> tensor<32x512x128xf16> attributes {translation_info = #translation} {

// $ raddle run %s --function=few_keys | grep correct
// correct: all 4096 elements agree with the reference within 1.82e-3 + 1.95e-3·|expected| (2334 bit for bit)
