// What an exponential reduction rescales are its outputs, but not the first, which is the maximum.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----
func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [0]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----
func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [2]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----
func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j + j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----
func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %k = linalg.index 0 : index
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.exp_reduction' op operand index in exp_reduced_operands cannot be the 0th operand, it always contains the maximum value
//   --> verify/linalg_ext/exp_reduction.mlir:14:3
//    |
// 14 |   %r:2 = iree_linalg_ext.exp_reduction {indexin...type<reduction>], exp_reduced_operands = [0]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.exp_reduction' op operand index in exp_reduced_operands must index the outs operands (outs has 2 operands)
//   --> verify/linalg_ext/exp_reduction.mlir:24:3
//    |
// 24 |   %r:2 = iree_linalg_ext.exp_reduction {indexin...type<reduction>], exp_reduced_operands = [2]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.exp_reduction' op all indexing maps must be projected permutations
//   --> verify/linalg_ext/exp_reduction.mlir:34:3
//    |
// 34 |   %r:2 = iree_linalg_ext.exp_reduction {indexin...type<reduction>], exp_reduced_operands = [1]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.exp_reduction' op linalg.index is not supported in body
//   --> verify/linalg_ext/exp_reduction.mlir:44:3
//    |
// 44 |   %r:2 = iree_linalg_ext.exp_reduction {indexin...type<reduction>], exp_reduced_operands = [1]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
