// A scatter has as many updates as places: PyTorch's assignments to what a mask selects have one update where it selects
// nothing, and so does this one.
// RUN: raddle run %s --input=4x3xf32=1 --input=i64=0 --input=3xf32=5 --expected_output=4x3xf32=1 --quiet
// RUN: raddle run %s --input=4x3xf32=1 --input=i64=0 --input=3xf32=5 --quiet
// RUN: raddle run %s --input=4x3xf32=1 --input=i64=2 --input=3xf32=5 --output=- --quiet
func.func @f(%x: tensor<4x3xf32>, %count: tensor<i64>, %row: tensor<3xf32>) -> tensor<4x3xf32> {
  %c1 = arith.constant 1 : index
  %c = tensor.extract %count[] : tensor<i64>
  %n = arith.index_cast %c : i64 to index
  %some = arith.maxsi %n, %c1 : index
  %e = tensor.empty(%n) : tensor<?x1xi32>
  %places = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x1xi32>) {
  ^body(%old: i32):
    %i = linalg.index 0 : index
    %place = arith.index_cast %i : index to i32
    linalg.yield %place : i32
  } -> tensor<?x1xi32>
  %rows = tensor.empty(%some) : tensor<?x3xf32>
  %updates = linalg.broadcast ins(%row : tensor<3xf32>) outs(%rows : tensor<?x3xf32>) dimensions = [0]
  %y = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%updates, %places : tensor<?x3xf32>, tensor<?x1xi32>) outs(%x : tensor<4x3xf32>) {
  ^body(%new: f32, %old: f32):
    iree_linalg_ext.yield %new : f32
  } -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// $ raddle run %s --input=4x3xf32=1 --input=i64=0 --input=3xf32=5 --expected_output=4x3xf32=1 --quiet
// correct: all 12 elements equal the expected output bit for bit

// $ raddle run %s --input=4x3xf32=1 --input=i64=0 --input=3xf32=5 --quiet
// correct: all 12 elements equal the reference, kernel by kernel, bit for bit

// $ raddle run %s --input=4x3xf32=1 --input=i64=2 --input=3xf32=5 --output=- --quiet
// result 0: tensor<4x3xf32>=5 5 5 5 5 5 1 1 1 1 1 1
// correct: all 12 elements equal the reference, kernel by kernel, bit for bit
