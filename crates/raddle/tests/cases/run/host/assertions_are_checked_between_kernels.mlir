// What a program asserts between its kernels is checked by the host: two extents that only the run knows are the same.
// RUN: raddle run %s --function=rows --input=3x4xf32=2 --input=3xi64=5 | grep correct
// RUN: raddle run %s --function=rows --input=3x4xf32=2 --input=2xi64=5
func.func @rows(%x: tensor<?x4xf32>, %n: tensor<?xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xf32>
  %lengths = tensor.dim %n, %c0 : tensor<?xi64>
  %same = arith.cmpi eq, %rows, %lengths : index
  cf.assert %same, "as many lengths as rows"
  %empty = tensor.empty(%rows) : tensor<?x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<?x4xf32>, tensor<?xi64>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%in: f32, %length: i64, %out: f32):
    %f = arith.sitofp %length : i64 to f32
    %d = arith.divf %in, %f : f32
    linalg.yield %d : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// $ raddle run %s --function=rows --input=3x4xf32=2 --input=3xi64=5 | grep correct
// correct: all 12 elements equal the reference bit for bit

// $ raddle run %s --function=rows --input=3x4xf32=2 --input=2xi64=5
// error[E0817]: the assertion does not hold: as many lengths as rows
//  --> run/host/assertions_are_checked_between_kernels.mlir:9:3
//   |
// 9 |   cf.assert %same, "as many lengths as rows"
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
