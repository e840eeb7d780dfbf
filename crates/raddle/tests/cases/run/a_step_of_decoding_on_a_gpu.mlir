// A step of decoding on a GPU: heads that share keys are the rows of one kernel, whose workgroups share the keys as well, and
// a second kernel combines what the pieces give. Keys that a region counts are divided, too, and open caches are not.
// RUN: raddle run %s --all --target=sm_80
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --target=sm_80 --normalize --partition | grep func.func
#q = affine_map<(b, h, g, m, n, k, c) -> (b, h, g, m, k)>
#k = affine_map<(b, h, g, m, n, k, c) -> (b, h, n, k)>
#v = affine_map<(b, h, g, m, n, k, c) -> (b, h, n, c)>
#s = affine_map<(b, h, g, m, n, k, c) -> ()>
#x = affine_map<(b, h, g, m, n, k, c) -> (b, m, n)>
#o = affine_map<(b, h, g, m, n, k, c) -> (b, h, g, m, c)>
#q1 = affine_map<(b, m, n, k, c) -> (b, m, k)>
#k1 = affine_map<(b, m, n, k, c) -> (b, n, k)>
#v1 = affine_map<(b, m, n, k, c) -> (b, n, c)>
#s1 = affine_map<(b, m, n, k, c) -> ()>
#o1 = affine_map<(b, m, n, k, c) -> (b, m, c)>
func.func @heads_that_share_keys(%q: tensor<1x2x5x1x32xf16>, %k: tensor<1x2x512x32xf16>, %v: tensor<1x2x512x32xf16>) -> tensor<1x2x5x1x32xf16> {
  %scale = arith.constant 0.176777 : f16
  %e = tensor.empty() : tensor<1x2x5x1x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]} ins(%q, %k, %v, %scale : tensor<1x2x5x1x32xf16>, tensor<1x2x512x32xf16>, tensor<1x2x512x32xf16>, f16) outs(%e : tensor<1x2x5x1x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x2x5x1x32xf16>
  return %r : tensor<1x2x5x1x32xf16>
}
func.func @masked(%q: tensor<1x1x3x1x32xf16>, %k: tensor<1x1x384x32xf16>, %v: tensor<1x1x384x32xf16>, %x: tensor<1x1x384xf16>) -> tensor<1x1x3x1x32xf16> {
  %scale = arith.constant 0.176777 : f16
  %e = tensor.empty() : tensor<1x1x3x1x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]} ins(%q, %k, %v, %scale, %x : tensor<1x1x3x1x32xf16>, tensor<1x1x384x32xf16>, tensor<1x1x384x32xf16>, f16, tensor<1x1x384xf16>) outs(%e : tensor<1x1x3x1x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x1x3x1x32xf16>
  return %r : tensor<1x1x3x1x32xf16>
}
func.func @open_cache(%q: tensor<1x2x3x1x32xf16>, %k: tensor<1x2x?x32xf16>, %v: tensor<1x2x?x32xf16>) -> tensor<1x2x3x1x32xf16> {
  %scale = arith.constant 0.176777 : f16
  %e = tensor.empty() : tensor<1x2x3x1x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]} ins(%q, %k, %v, %scale : tensor<1x2x3x1x32xf16>, tensor<1x2x?x32xf16>, tensor<1x2x?x32xf16>, f16) outs(%e : tensor<1x2x3x1x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x2x3x1x32xf16>
  return %r : tensor<1x2x3x1x32xf16>
}
func.func @rows_of_heads(%q: tensor<2x1x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x1x64xf16> {
  %scale = arith.constant 0.125000 : f16
  %e = tensor.empty() : tensor<2x1x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q1, #k1, #v1, #s1, #o1]} ins(%q, %k, %v, %scale : tensor<2x1x64xf16>, tensor<2x512x64xf16>, tensor<2x512x64xf16>, f16) outs(%e : tensor<2x1x64xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x1x64xf16>
  return %r : tensor<2x1x64xf16>
}
func.func @counted_keys(%q: tensor<2x16x32xf16>, %k: tensor<2x512x32xf16>, %v: tensor<2x512x32xf16>) -> tensor<2x16x32xf16> {
  %scale = arith.constant 0.176777 : f16
  %e = tensor.empty() : tensor<2x16x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q1, #k1, #v1, #s1, #o1]} ins(%q, %k, %v, %scale : tensor<2x16x32xf16>, tensor<2x512x32xf16>, tensor<2x512x32xf16>, f16) outs(%e : tensor<2x16x32xf16>) {
  ^bb0(%s: f32):
    %row = iree_linalg_ext.index 1 : index
    %key = iree_linalg_ext.index 2 : index
    %least = arith.constant 0xFF800000 : f32
    %c496 = arith.constant 300 : index
    %last = arith.addi %row, %c496 : index
    %sees = arith.cmpi sle, %key, %last : index
    %r = arith.select %sees, %s, %least : f32
    iree_linalg_ext.yield %r : f32
  } -> tensor<2x16x32xf16>
  return %r : tensor<2x16x32xf16>
}

// $ raddle run %s --all --target=sm_80
// ok       @heads_that_share_keys
// ok       @masked
// ok       @open_cache
// ok       @rows_of_heads
// ok       @counted_keys
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @heads_that_share_keys
// ok       @masked
// ok       @open_cache
// ok       @rows_of_heads
// ok       @counted_keys
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --target=sm_80 --normalize --partition | grep func.func
//   func.func @heads_that_share_keys(%arg0: tensor<1x2x5x1x32xf16>, %arg1: tensor<1x2x512x32xf16>, %arg2: tensor<1x2x512x32xf16>) -> tensor<1x2x5x1x32xf16> {
//   func.func @masked(%arg0: tensor<1x1x3x1x32xf16>, %arg1: tensor<1x1x384x32xf16>, %arg2: tensor<1x1x384x32xf16>, %arg3: tensor<1x1x384xf16>) -> tensor<1x1x3x1x32xf16> {
//   func.func @open_cache(%arg0: tensor<1x2x3x1x32xf16>, %arg1: tensor<1x2x?x32xf16>, %arg2: tensor<1x2x?x32xf16>) -> tensor<1x2x3x1x32xf16> {
//   func.func @rows_of_heads(%arg0: tensor<2x1x64xf16>, %arg1: tensor<2x512x64xf16>, %arg2: tensor<2x512x64xf16>) -> tensor<2x1x64xf16> {
//   func.func @counted_keys(%arg0: tensor<2x16x32xf16>, %arg1: tensor<2x512x32xf16>, %arg2: tensor<2x512x32xf16>) -> tensor<2x16x32xf16> {
//   func.func @heads_that_share_keys_kernel_0(%arg0: tensor<1x2x5x32xf16>, %arg1: tensor<1x2x4x128x32xf16>, %arg2: tensor<1x2x4x128x32xf16>) -> (tensor<4x1x2x5x32xf32>, tensor<4x1x2x5xf32>, tensor<4x1x2x5xf32>) {
//   func.func @heads_that_share_keys_kernel_1(%arg0: tensor<4x1x2x5xf32>, %arg1: tensor<4x1x2x5xf32>, %arg2: tensor<4x1x2x5x32xf32>) -> tensor<1x2x5x32xf16> {
//   func.func @masked_kernel_0(%arg0: tensor<1x1x3x32xf16>, %arg1: tensor<1x1x2x192x32xf16>, %arg2: tensor<1x1x2x192x32xf16>, %arg3: tensor<1x2x192xf16>) -> (tensor<2x1x1x3x32xf32>, tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>) {
//   func.func @masked_kernel_1(%arg0: tensor<2x1x1x3xf32>, %arg1: tensor<2x1x1x3xf32>, %arg2: tensor<2x1x1x3x32xf32>) -> tensor<1x1x3x32xf16> {
//   func.func @open_cache_kernel_0(%arg0: tensor<1x2x3x32xf16>, %arg1: tensor<1x2x?x32xf16>, %arg2: tensor<1x2x?x32xf16>) -> (tensor<?x1x2x3x32xf32>, tensor<?x1x2x3xf32>, tensor<?x1x2x3xf32>) {
//   func.func @open_cache_kernel_1(%arg0: tensor<?x1x2x3xf32>, %arg1: tensor<1x2x?x32xf16>, %arg2: tensor<?x1x2x3xf32>, %arg3: tensor<?x1x2x3x32xf32>) -> tensor<1x2x3x32xf16> {
//   func.func @rows_of_heads_kernel_0(%arg0: tensor<2x1x64xf16>, %arg1: tensor<2x4x128x64xf16>, %arg2: tensor<2x4x128x64xf16>) -> (tensor<4x2x1x64xf32>, tensor<4x2x1xf32>, tensor<4x2x1xf32>) {
//   func.func @rows_of_heads_kernel_1(%arg0: tensor<4x2x1xf32>, %arg1: tensor<4x2x1xf32>, %arg2: tensor<4x2x1x64xf32>) -> tensor<2x1x64xf16> {
//   func.func @counted_keys_kernel_0(%arg0: tensor<2x16x32xf16>, %arg1: tensor<2x4x128x32xf16>, %arg2: tensor<2x4x128x32xf16>) -> (tensor<4x2x16x32xf32>, tensor<4x2x16xf32>, tensor<4x2x16xf32>) {
//   func.func @counted_keys_kernel_1(%arg0: tensor<4x2x16xf32>, %arg1: tensor<4x2x16xf32>, %arg2: tensor<4x2x16x32xf32>) -> tensor<2x16x32xf16> {
