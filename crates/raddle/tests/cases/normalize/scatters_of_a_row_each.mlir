// A scatter of one update for each row of a matrix, whose first index counts the rows, is elementwise; a column outside of the
// matrix is no element's.
// RUN: raddle opt %s --normalize | grep -c scatter
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --function=gradient --input=4x5xf32=1 --input=4xi64=[4,-1,0,5] --quiet
// RUN: raddle run %s --function=gradient --input=4x5xf32=1 --input=4xi64=[4,-1,0,5] --quiet --device=ptx-emu
// RUN: raddle run %s --function=sums --input=4x5xf32=1 --input=4xi32=[4,-1,0,5] --input=4xf32=[1,2,3,4] --quiet
func.func @gradient(%x: tensor<4x5xf32>, %at: tensor<4xi64>) -> tensor<4x5xf32> {
  %none = arith.constant dense<0.0> : tensor<4x5xf32>
  %minus = arith.constant -1.0 : f32
  %c0 = arith.constant 0 : i64
  %rows = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x1xi64>
  %e1 = tensor.empty() : tensor<4xf32>
  %column = tensor.expand_shape %at [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
  %counted:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e, %e1 : tensor<4x1xi64>, tensor<4xf32>) {
  ^bb0(%o: i64, %p: f32):
    %i = linalg.index 0 : index
    %row = arith.remsi %i, %rows : index
    %j = arith.index_cast %row : index to i64
    linalg.yield %j, %minus : i64, f32
  } -> (tensor<4x1xi64>, tensor<4xf32>)
  %e2 = tensor.empty() : tensor<4x2xi64>
  %z2 = linalg.fill ins(%c0 : i64) outs(%e2 : tensor<4x2xi64>) -> tensor<4x2xi64>
  %one = tensor.insert_slice %counted#0 into %z2[0, 0] [4, 1] [1, 1] : tensor<4x1xi64> into tensor<4x2xi64>
  %both = tensor.insert_slice %column into %one[0, 1] [4, 1] [1, 1] : tensor<4x1xi64> into tensor<4x2xi64>
  %s = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%counted#1, %both : tensor<4xf32>, tensor<4x2xi64>) outs(%none : tensor<4x5xf32>) {
  ^bb0(%new: f32, %old: f32):
    iree_linalg_ext.yield %new : f32
  } -> tensor<4x5xf32>
  %e3 = tensor.empty() : tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e3 : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func @sums(%x: tensor<4x5xf32>, %at: tensor<4xi32>, %new: tensor<4xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x1xi32>
  %e2 = tensor.empty() : tensor<4x5xf32>
  %double = linalg.add ins(%x, %x : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e2 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %counted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x1xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    linalg.yield %j : i32
  } -> tensor<4x1xi32>
  %column = tensor.expand_shape %at [[0, 1]] output_shape [4, 1] : tensor<4xi32> into tensor<4x1xi32>
  %both = tensor.concat dim(1) %counted, %column : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %s = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%new, %both : tensor<4xf32>, tensor<4x2xi32>) outs(%double : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    iree_linalg_ext.yield %t : f32
  } -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}

// $ raddle opt %s --normalize | grep -c scatter
// 0

// $ raddle opt %s --to=configured | grep func.func
//   func.func @gradient(%arg0: tensor<4x5xf32>, %arg1: tensor<4xi64>) -> tensor<4x5xf32> attributes {translation_info = #translation} {
//   func.func @sums(%arg0: tensor<4x5xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>) -> tensor<4x5xf32> attributes {translation_info = #translation} {

// $ raddle run %s --function=gradient --input=4x5xf32=1 --input=4xi64=[4,-1,0,5] --quiet
// correct: all 20 elements equal the reference bit for bit

// $ raddle run %s --function=gradient --input=4x5xf32=1 --input=4xi64=[4,-1,0,5] --quiet --device=ptx-emu
// correct: all 20 elements equal the reference bit for bit

// $ raddle run %s --function=sums --input=4x5xf32=1 --input=4xi32=[4,-1,0,5] --input=4xf32=[1,2,3,4] --quiet
// correct: all 20 elements equal the reference bit for bit
