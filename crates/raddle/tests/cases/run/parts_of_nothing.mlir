// Parts of a tensor without elements, whose offsets lie at its end, and what is computed of them.
// RUN: raddle run %s --function=rolled | grep correct
// RUN: raddle run %s --function=spread --input=0xi64 --input=1x3xi64 --input=0 | grep correct
func.func @rolled(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %part = tensor.extract_slice %x[%c0, 0] [%c0, 3] [%c1, 1] : tensor<0x3xf32> to tensor<?x3xf32>
  %r = tensor.concat dim(0) %part, %part : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}
func.func @spread(%x: tensor<0xi64>, %y: tensor<1x3xi64>, %n: index) -> tensor<0x3xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %part = tensor.extract_slice %x[%c0] [%n] [%c1] : tensor<0xi64> to tensor<?xi64>
  %column = tensor.expand_shape %part [[0, 1]] output_shape [%n, 1] : tensor<?xi64> into tensor<?x1xi64>
  %empty = tensor.empty() : tensor<0x3xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%column, %y : tensor<?x1xi64>, tensor<1x3xi64>) outs(%empty : tensor<0x3xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %s = arith.addi %a, %b : i64
    linalg.yield %s : i64
  } -> tensor<0x3xi64>
  return %r : tensor<0x3xi64>
}

// $ raddle run %s --function=rolled | grep correct
// correct: all 0 elements equal the reference bit for bit

// $ raddle run %s --function=spread --input=0xi64 --input=1x3xi64 --input=0 | grep correct
// correct: all 0 elements equal the reference bit for bit
