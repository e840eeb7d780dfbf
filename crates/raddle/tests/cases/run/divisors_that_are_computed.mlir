// Beyond the end of a row nobody looks at a quotient, but it has a divisor that is not zero, also where that is computed.
// RUN: raddle run %s --function=counted --quiet
// RUN: raddle run %s --function=read --input=3x9xi32=7 --input=3x9xi32=3 --quiet
func.func @counted(%sums: tensor<3x9xi64>) -> tensor<3x9xi64> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %e = tensor.empty() : tensor<3x9xi64>
  %means = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<3x9xi64>) outs(%e : tensor<3x9xi64>) {
  ^body(%x: i64, %old: i64):
    %j = linalg.index 1 : index
    %first = arith.index_cast %j : index to i64
    %n = arith.subi %c9, %first : i64
    %most = arith.maxsi %n, %c0 : i64
    %mean = arith.divsi %x, %most : i64
    linalg.yield %mean : i64
  } -> tensor<3x9xi64>
  return %means : tensor<3x9xi64>
}
func.func @read(%a: tensor<3x9xi32>, %b: tensor<3x9xi32>) -> tensor<3x9xi32> {
  %c1 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<3x9xi32>
  %rest = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<3x9xi32>, tensor<3x9xi32>) outs(%e : tensor<3x9xi32>) {
  ^body(%x: i32, %y: i32, %old: i32):
    %less = arith.subi %y, %c1 : i32
    %r = arith.remsi %x, %less : i32
    linalg.yield %r : i32
  } -> tensor<3x9xi32>
  return %rest : tensor<3x9xi32>
}

// $ raddle run %s --function=counted --quiet
// correct: all 27 elements equal the reference bit for bit

// $ raddle run %s --function=read --input=3x9xi32=7 --input=3x9xi32=3 --quiet
// correct: all 27 elements equal the reference bit for bit
