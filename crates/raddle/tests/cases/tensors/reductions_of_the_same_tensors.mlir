// Kernels that reduce the same tensors are one reduction of several results: sums of a gradient and of the same times what a norm
// gave, and the least and the greatest of each row. A sum that needs the other one stays behind it.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --function=sums_of_a_gradient | grep correct
// RUN: raddle run %s --function=ends_of_rows | grep correct
// RUN: raddle run %s --function=one_behind_the_other | grep correct
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @sums_of_a_gradient(%x: tensor<600x250xf16>, %y: tensor<600x250xf16>, %mean: tensor<250xf32>) -> (tensor<250xf32>, tensor<250xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<250xf32>
  %w = tensor.empty() : tensor<600x250xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<250xf32>) -> tensor<250xf32>
  %y32 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<600x250xf16>) outs(%w : tensor<600x250xf32>) {
  ^bb0(%a: f16, %o: f32):
    %t = arith.extf %a : f16 to f32
    linalg.yield %t : f32
  } -> tensor<600x250xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]} ins(%y32 : tensor<600x250xf32>) outs(%z : tensor<250xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<250xf32>
  %d = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<600x250xf16>, tensor<250xf32>) outs(%w : tensor<600x250xf32>) {
  ^bb0(%a: f16, %m: f32, %o: f32):
    %t = arith.extf %a : f16 to f32
    %u = arith.subf %t, %m : f32
    linalg.yield %u : f32
  } -> tensor<600x250xf32>
  %p = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y32, %d : tensor<600x250xf32>, tensor<600x250xf32>) outs(%w : tensor<600x250xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<600x250xf32>
  %other = linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]} ins(%p : tensor<600x250xf32>) outs(%z : tensor<250xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<250xf32>
  return %sum, %other : tensor<250xf32>, tensor<250xf32>
}

func.func @ends_of_rows(%x: tensor<700x300xf16>) -> (tensor<700xf16>, tensor<700xf16>) {
  %low = arith.constant 0xFC00 : f16
  %high = arith.constant 0x7C00 : f16
  %e = tensor.empty() : tensor<700xf16>
  %l = linalg.fill ins(%low : f16) outs(%e : tensor<700xf16>) -> tensor<700xf16>
  %h = linalg.fill ins(%high : f16) outs(%e : tensor<700xf16>) -> tensor<700xf16>
  %greatest = linalg.reduce {arith.maximumf} ins(%x : tensor<700x300xf16>) outs(%l : tensor<700xf16>) dimensions = [1]
  %least = linalg.reduce {arith.minimumf} ins(%x : tensor<700x300xf16>) outs(%h : tensor<700xf16>) dimensions = [1]
  return %least, %greatest : tensor<700xf16>, tensor<700xf16>
}

func.func @one_behind_the_other(%x: tensor<600x250xf32>) -> (tensor<250xf32>, tensor<250xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<250xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<250xf32>) -> tensor<250xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<600x250xf32>) outs(%z : tensor<250xf32>) dimensions = [0]
  %r = linalg.generic {indexing_maps = [#ij, #j, #j], iterator_types = ["reduction", "parallel"]} ins(%x, %sum : tensor<600x250xf32>, tensor<250xf32>) outs(%z : tensor<250xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %t = arith.subf %a, %s : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  } -> tensor<250xf32>
  return %sum, %r : tensor<250xf32>, tensor<250xf32>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @sums_of_a_gradient(%arg0: tensor<600x250xf16>, %arg1: tensor<600x250xf16>, %arg2: tensor<250xf32>) -> (tensor<250xf32>, tensor<250xf32>) attributes {translation_info = #translation} {
//   func.func @ends_of_rows(%arg0: tensor<700x300xf16>) -> (tensor<700xf16>, tensor<700xf16>) attributes {translation_info = #translation1} {
//   func.func @one_behind_the_other(%arg0: tensor<600x250xf32>) -> (tensor<250xf32>, tensor<250xf32>) attributes {translation_info = #translation2} {

// $ raddle run %s --function=sums_of_a_gradient | grep correct
// correct: result 0, all 250 elements agree with the reference within 6.67e-4 + 2.38e-7·|expected| (208 bit for bit)
// correct: result 1, all 250 elements agree with the reference within 9.15e-4 + 2.38e-7·|expected| (77 bit for bit)

// $ raddle run %s --function=ends_of_rows | grep correct
// correct: result 0, all 700 elements equal the reference bit for bit
// correct: result 1, all 700 elements equal the reference bit for bit

// $ raddle run %s --function=one_behind_the_other | grep correct
// correct: result 0, all 250 elements agree with the reference within 5.69e-4 + 2.38e-7·|expected| (65 bit for bit)
// correct: result 1, all 250 elements agree with the reference within 3.41e-1 + 2.38e-7·|expected| (59 bit for bit)
