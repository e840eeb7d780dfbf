// A maximum that keeps NaN beside an index that only a greater element moves, as PyTorch's `max` of a dimension is imported:
// the index stays where the greatest element in front of the first NaN is.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=greatest --input=4x5xf32=[[1,5,5,2,0],[1,3,nan,9,nan],[nan,1,2,3,4],[3,-inf,nan,3,3]] --expected_output=4xf32=[5,nan,nan,nan] --expected_output=4xi64=[1,1,0,0] --quiet
// RUN: raddle run %s --function=greatest --input=4x5xf32=[[1,5,5,2,0],[1,3,nan,9,nan],[nan,1,2,3,4],[3,-inf,nan,3,3]] --expected_output=4xf32=[5,nan,nan,nan] --expected_output=4xi64=[1,1,0,0] --device=ptx-emu --quiet
// RUN: raddle run %s --function=least --input=1x3x2xf16=[[[1,2],[nan,1],[0,1]]] --expected_output=1x2xf16=[[nan,1]] --expected_output=1x2xi32=[[0,1]] --quiet
func.func @greatest(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xi64>
  %best = linalg.fill ins(%least : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %at = linalg.fill ins(%zero : i64) outs(%f : tensor<?xi64>) -> tensor<?xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%best, %at : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%in: f32, %out: f32, %i: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %out : f32
    %3 = arith.cmpf ogt, %in, %out : f32
    %4 = arith.select %3, %1, %i : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}
func.func @least(%x: tensor<1x3x2xf16>) -> (tensor<1x2xf16>, tensor<1x2xi32>) {
  %most = arith.constant 0x7C00 : f16
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x2xf16>
  %f = tensor.empty() : tensor<1x2xi32>
  %best = linalg.fill ins(%most : f16) outs(%e : tensor<1x2xf16>) -> tensor<1x2xf16>
  %at = linalg.fill ins(%zero : i32) outs(%f : tensor<1x2xi32>) -> tensor<1x2xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<1x3x2xf16>) outs(%best, %at : tensor<1x2xf16>, tensor<1x2xi32>) {
  ^bb0(%in: f16, %out: f16, %i: i32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.minimumf %in, %out : f16
    %3 = arith.cmpf olt, %in, %out : f16
    %4 = arith.select %3, %1, %i : i32
    linalg.yield %2, %4 : f16, i32
  } -> (tensor<1x2xf16>, tensor<1x2xi32>)
  return %r#0, %r#1 : tensor<1x2xf16>, tensor<1x2xi32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --all
// ok       @greatest
// ok       @least
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @greatest
// ok       @least
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @greatest
// ok       @least
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=greatest --input=4x5xf32=[[1,5,5,2,0],[1,3,nan,9,nan],[nan,1,2,3,4],[3,-inf,nan,3,3]] --expected_output=4xf32=[5,nan,nan,nan] --expected_output=4xi64=[1,1,0,0] --quiet
// correct: result 0, all 4 elements equal the expected output bit for bit
// correct: result 1, all 4 elements equal the expected output bit for bit

// $ raddle run %s --function=greatest --input=4x5xf32=[[1,5,5,2,0],[1,3,nan,9,nan],[nan,1,2,3,4],[3,-inf,nan,3,3]] --expected_output=4xf32=[5,nan,nan,nan] --expected_output=4xi64=[1,1,0,0] --device=ptx-emu --quiet
// correct: result 0, all 4 elements agree with the expected output within 7.15e-6 + 2.38e-7·|expected| (1 bit for bit)
// correct: result 1, all 4 elements equal the expected output bit for bit

// $ raddle run %s --function=least --input=1x3x2xf16=[[[1,2],[nan,1],[0,1]]] --expected_output=1x2xf16=[[nan,1]] --expected_output=1x2xi32=[[0,1]] --quiet
// correct: result 0, all 2 elements equal the expected output bit for bit
// correct: result 1, all 2 elements equal the expected output bit for bit
