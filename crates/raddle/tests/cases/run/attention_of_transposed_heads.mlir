// Keys and values that are written over the same empty tensor have vectors of their own lengths: rows of both are as
// long, but lanes go further along those of the value.
// RUN: raddle run %s --all
func.func @heads_of_16(%q: tensor<9x2x16xf32>, %k: tensor<5x2x16xf32>, %v: tensor<5x2x16xf32>) -> tensor<9x2x16xf32> {
  %s = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x9x16xf32>
  %eq = tensor.empty() : tensor<2x9x16xf32>
  %ek = tensor.empty() : tensor<2x5x16xf32>
  %ev = tensor.empty() : tensor<2x5x16xf32>
  %eo = tensor.empty() : tensor<9x2x16xf32>
  %tq = linalg.transpose ins(%q : tensor<9x2x16xf32>) outs(%eq : tensor<2x9x16xf32>) permutation = [1, 0, 2]
  %tk = linalg.transpose ins(%k : tensor<5x2x16xf32>) outs(%ek : tensor<2x5x16xf32>) permutation = [1, 0, 2]
  %tv = linalg.transpose ins(%v : tensor<5x2x16xf32>) outs(%ev : tensor<2x5x16xf32>) permutation = [1, 0, 2]
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]} ins(%tq, %tk, %tv, %s : tensor<2x9x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>, f32) outs(%e : tensor<2x9x16xf32>) {
    ^bb0(%x: f32):
      iree_linalg_ext.yield %x : f32
    } -> tensor<2x9x16xf32>
  %to = linalg.transpose ins(%r : tensor<2x9x16xf32>) outs(%eo : tensor<9x2x16xf32>) permutation = [1, 0, 2]
  return %to : tensor<9x2x16xf32>
}

// $ raddle run %s --all
// ok       @heads_of_16
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
