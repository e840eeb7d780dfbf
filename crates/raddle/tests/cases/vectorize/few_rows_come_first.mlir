// Of 8 rows with 2048 elements of f32 as many are multiplied at once as stay in the first cache: four. Each four of the
// others are read for both tiles of these before the next four are: the number of the tile of rows is the fastest digit.
// RUN: raddle run %s --target=x86-64-v4 | grep correct
// RUN: raddle opt %s --to=vector --target=x86-64-v4 | grep delinearize
// RUN: raddle opt %s --to=vector --target=x86-64-v4 | grep multi_reduction
func.func @rows_of_weights(%a: tensor<8x2048xf32>, %b: tensor<32x2048xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x2048xf32>, tensor<32x2048xf32>) outs(%zeros : tensor<8x32xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// $ raddle run %s --target=x86-64-v4 | grep correct
// correct: all 256 elements agree with the reference within 1.08e-3 + 2.38e-7·|expected| (34 bit for bit)

// $ raddle opt %s --to=vector --target=x86-64-v4 | grep delinearize
//     %1:2 = affine.delinearize_index %0 into (8, 2) : index, index

// $ raddle opt %s --to=vector --target=x86-64-v4 | grep multi_reduction
//     %6 = vector.multi_reduction <add>, %5, %cst_2 [2] : vector<4x4x16xf32> to vector<4x4xf32>
