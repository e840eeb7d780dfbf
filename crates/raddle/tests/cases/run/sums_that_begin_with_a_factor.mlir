// A product whose sums begin with one of its factors, of one row, beside a sum of an open row: a loop fills the first result
// part by part, and each part begins with what stands in the argument.
//
// RUN: raddle run %s --input=1x1xf32=2 --input=1x5000xf32=random --input=5000xf32=1 | grep correct
// RUN: raddle run %s --target=gfx942 --input=1x1xf32=2 --input=1x77xf32=random --input=77xf32=1 | grep correct
// RUN: raddle run %s --device=cpu --input=1x1xf32=2 --input=1x5000xf32=random --input=5000xf32=1 | grep correct

func.func @sums(%a: tensor<1x1xf32>, %b: tensor<1x?xf32>, %c: tensor<?xf32>) -> (tensor<f32>, tensor<1x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<1x1xf32>, tensor<1x?xf32>) outs(%b : tensor<1x?xf32>) -> tensor<1x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%c, %0 : tensor<?xf32>, tensor<1x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  %empty = tensor.empty() : tensor<f32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%1 : tensor<?xf32>) outs(%zeros : tensor<f32>) {
  ^bb0(%x: f32, %out: f32):
    %sum = arith.addf %x, %out : f32
    linalg.yield %sum : f32
  } -> tensor<f32>
  return %2, %0 : tensor<f32>, tensor<1x?xf32>
}

// $ raddle run %s --input=1x1xf32=2 --input=1x5000xf32=random --input=5000xf32=1 | grep correct
// correct: result 0, all 1 elements agree with the reference within 1.90e-2 + 2.38e-7·|expected| (0 bit for bit)
// correct: result 1, all 5000 elements equal the reference bit for bit

// $ raddle run %s --target=gfx942 --input=1x1xf32=2 --input=1x77xf32=random --input=77xf32=1 | grep correct
// correct: result 0, all 1 elements equal the reference bit for bit
// correct: result 1, all 77 elements equal the reference bit for bit

// $ raddle run %s --device=cpu --input=1x1xf32=2 --input=1x5000xf32=random --input=5000xf32=1 | grep correct
// correct: result 0, all 1 elements equal the reference bit for bit
// correct: result 1, all 5000 elements equal the reference bit for bit
