// Loops that are counted inside of a branch are counted as well where dimensions of one element go.
// RUN: raddle run %s | grep correct
// RUN: raddle run %s --device=cpu | grep correct
func.func @f(%x: tensor<1x8x16xf32>, %y: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x8x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x16xf32>) outs(%0 : tensor<1x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %positive = arith.cmpf ogt, %in, %zero : f32
    %r = scf.if %positive -> (f32) {
      %i = linalg.index 2 : index
      %j = linalg.index 0 : index
      %s = arith.addi %i, %j : index
      %int = arith.index_cast %s : index to i32
      %f = arith.sitofp %int : i32 to f32
      scf.yield %f : f32
    } else {
      scf.yield %in : f32
    }
    linalg.yield %r : f32
  } -> tensor<1x8x16xf32>
  %c = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%c, %y : tensor<8x16xf32>, tensor<16x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

// $ raddle run %s | grep correct
// correct: all 64 elements agree with the reference within 8.40e-5 + 2.38e-7·|expected| (25 bit for bit)

// $ raddle run %s --device=cpu | grep correct
// correct: all 64 elements agree with the reference within 8.40e-5 + 2.38e-7·|expected| (25 bit for bit)
