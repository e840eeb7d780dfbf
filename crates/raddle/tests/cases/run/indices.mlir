// Random data for an argument that holds indices names rows that are there.
// RUN: raddle run %s | grep inputs
// RUN: raddle run %s | grep correct
func.func @lookup(%table: tensor<100x8xf32>, %tokens: tensor<5xi64>) -> tensor<5x8xf32> {
  %empty = tensor.empty() : tensor<5x8xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%tokens : tensor<5xi64>) outs(%empty : tensor<5x8xf32>) {
  ^body(%token: i64, %o: f32):
    %row = arith.index_cast %token : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%row, %j] : tensor<100x8xf32>
    linalg.yield %x : f32
  } -> tensor<5x8xf32>
  return %rows : tensor<5x8xf32>
}

// $ raddle run %s | grep inputs
// inputs     0: random normal, seed 0 · 1: random indices below 100, seed 0

// $ raddle run %s | grep correct
// correct: all 40 elements equal the reference bit for bit
