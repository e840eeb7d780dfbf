// A step of decoding on a CPU: heads that share keys are the rows of both products, so that keys and values are read once;
// keys that are as long as one step of the sum are combined as vectors.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle opt %s --to=configured --target=x86-64-v4 | grep -c 'thread = [1, 5, 1, 32]'
#q = affine_map<(b, h, g, m, n, k, c) -> (b, h, g, m, k)>
#k = affine_map<(b, h, g, m, n, k, c) -> (b, h, n, k)>
#v = affine_map<(b, h, g, m, n, k, c) -> (b, h, n, c)>
#s = affine_map<(b, h, g, m, n, k, c) -> ()>
#x = affine_map<(b, h, g, m, n, k, c) -> (b, m, n)>
#o = affine_map<(b, h, g, m, n, k, c) -> (b, h, g, m, c)>
func.func @heads_that_share_keys(%q: tensor<1x2x5x1x32xf32>, %k: tensor<1x2x70x32xf32>, %v: tensor<1x2x70x32xf32>) -> tensor<1x2x5x1x32xf32> {
  %scale = arith.constant 0.176777 : f32
  %e = tensor.empty() : tensor<1x2x5x1x32xf32>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]} ins(%q, %k, %v, %scale : tensor<1x2x5x1x32xf32>, tensor<1x2x70x32xf32>, tensor<1x2x70x32xf32>, f32) outs(%e : tensor<1x2x5x1x32xf32>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x2x5x1x32xf32>
  return %r : tensor<1x2x5x1x32xf32>
}
func.func @the_same_in_f16(%q: tensor<1x2x5x1x32xf16>, %k: tensor<1x2x70x32xf16>, %v: tensor<1x2x70x32xf16>) -> tensor<1x2x5x1x32xf16> {
  %scale = arith.constant 0.176777 : f16
  %e = tensor.empty() : tensor<1x2x5x1x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]} ins(%q, %k, %v, %scale : tensor<1x2x5x1x32xf16>, tensor<1x2x70x32xf16>, tensor<1x2x70x32xf16>, f16) outs(%e : tensor<1x2x5x1x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x2x5x1x32xf16>
  return %r : tensor<1x2x5x1x32xf16>
}
func.func @open_cache(%q: tensor<1x2x3x1x64xf32>, %k: tensor<1x2x?x64xf32>, %v: tensor<1x2x?x64xf32>, %x: tensor<1x1x?xf32>) -> tensor<1x2x3x1x64xf32> {
  %scale = arith.constant 0.125000 : f32
  %e = tensor.empty() : tensor<1x2x3x1x64xf32>
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]} ins(%q, %k, %v, %scale, %x : tensor<1x2x3x1x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>, f32, tensor<1x1x?xf32>) outs(%e : tensor<1x2x3x1x64xf32>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<1x2x3x1x64xf32>
  return %r : tensor<1x2x3x1x64xf32>
}
func.func @keys_of_one_step(%a0: tensor<1x64xf32>, %a1: tensor<9x64xf32>) -> tensor<1x9xf32> {
  %e = tensor.empty() : tensor<1x9xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x9xf32>) -> tensor<1x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<1x64xf32>, tensor<9x64xf32>) outs(%i : tensor<1x9xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<1x9xf32>
  return %r : tensor<1x9xf32>
}
func.func @bytes_of_one_step(%a0: tensor<2x3x32xi8>, %a1: tensor<2x9x32xi8>) -> tensor<2x3x9xi32> {
  %e = tensor.empty() : tensor<2x3x9xi32>
  %z = arith.constant 0 : i32
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<2x3x9xi32>) -> tensor<2x3x9xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<2x3x32xi8>, tensor<2x9x32xi8>) outs(%i : tensor<2x3x9xi32>) {
  ^bb0(%x0: i8, %x1: i8, %o: i32):
    %y0 = arith.extsi %x0 : i8 to i32
    %y1 = arith.extsi %x1 : i8 to i32
    %p = arith.muli %y0, %y1 : i32
    %v = arith.addi %o, %p : i32
    linalg.yield %v : i32
  } -> tensor<2x3x9xi32>
  return %r : tensor<2x3x9xi32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @heads_that_share_keys
// ok       @the_same_in_f16
// ok       @open_cache
// ok       @keys_of_one_step
// ok       @bytes_of_one_step
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @heads_that_share_keys
// ok       @the_same_in_f16
// ok       @open_cache
// ok       @keys_of_one_step
// ok       @bytes_of_one_step
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --target=x86-64-v4 | grep -c 'thread = [1, 5, 1, 32]'
// 2
