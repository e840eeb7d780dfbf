// Reductions below a running maximum are right.
// RUN: raddle run %s | grep -c 'correct:'
func.func @f(%s: tensor<32x24xf32>, %v: tensor<24x8xf32>, %m: tensor<32xf32>, %acc: tensor<32x8xf32>) -> (tensor<32xf32>, tensor<32x8xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>],
      exp_reduced_operands = [1]}
      ins(%s, %v : tensor<32x24xf32>, tensor<24x8xf32>) outs(%m, %acc : tensor<32xf32>, tensor<32x8xf32>) {
  ^bb0(%ex: f32, %value: f32, %max: f32, %part: f32):
    %p = arith.mulf %ex, %value : f32
    %a = arith.addf %p, %part : f32
    iree_linalg_ext.yield %max, %a : f32, f32
  } -> tensor<32xf32>, tensor<32x8xf32>
  return %r#0, %r#1 : tensor<32xf32>, tensor<32x8xf32>
}

// $ raddle run %s | grep -c 'correct:'
// 2
