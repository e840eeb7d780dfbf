// A row is taken for each row of a tensor whose number of rows is open.
// RUN: raddle run %s --all
func.func @bias(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %one = tensor.empty() : tensor<1x8xf32>
  %row = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%one : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8xf32>
  %all = tensor.empty(%n) : tensor<?x8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%row : tensor<1x8xf32>) outs(%all : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x8xf32>
  %sum = linalg.add ins(%x, %rows : tensor<?x8xf32>, tensor<?x8xf32>) outs(%all : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %sum : tensor<?x8xf32>
}

// $ raddle run %s --all
// ok       @bias
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
