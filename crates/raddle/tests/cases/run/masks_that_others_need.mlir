// A mask that the caller gets as well is not a part of the attention's kernel: each of its workgroups would write all of it.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @masked(%q: tensor<4x64x32xf16>, %k: tensor<4x64x32xf16>, %v: tensor<4x64x32xf16>, %p: tensor<64xi32>) -> (tensor<4x64x64xi1>, tensor<4x64x32xf16>) {
  %scale = arith.constant 0.25 : f16
  %me = tensor.empty() : tensor<4x64x64xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (i)>, affine_map<(h, i, j) -> (j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %p : tensor<64xi32>, tensor<64xi32>) outs(%me : tensor<4x64x64xi1>) {
  ^bb0(%a: i32, %b: i32, %o: i1):
    %r = arith.cmpi sge, %a, %b : i32
    linalg.yield %r : i1
  } -> tensor<4x64x64xi1>
  %e = tensor.empty() : tensor<4x64x32xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k1, k2) -> (b, m, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, n)>, affine_map<(b, m, n, k1, k2) -> ()>, affine_map<(b, m, n, k1, k2) -> (b, m, k2)>, affine_map<(b, m, n, k1, k2) -> (b, m, n)>]}
    ins(%q, %k, %v, %scale, %mask : tensor<4x64x32xf16>, tensor<4x64x32xf16>, tensor<4x64x32xf16>, f16, tensor<4x64x64xi1>) outs(%e : tensor<4x64x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<4x64x32xf16>
  return %mask, %r : tensor<4x64x64xi1>, tensor<4x64x32xf16>
}

// $ raddle run %s --all
// ok       @masked
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @masked
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
