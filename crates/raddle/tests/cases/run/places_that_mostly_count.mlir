// Padding by edges reads the places 0, 0, 0, 1, 2, 3, …: on CPUs, the run asks of each vector whether its places count one
// by one, and reads it at once if they do.
// RUN: raddle build %s --target=x86-64-v4 --emit=ir -o - | grep -c 'vector.reduction <and>'
// RUN: raddle run %s --device=cpu | grep correct
// RUN: raddle run %s --target=sm_80 | grep correct
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @edges(%x: tensor<5x400xf32>) -> (tensor<5x406xf32>, tensor<5x406xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c399 = arith.constant 399 : index
  %c798 = arith.constant 798 : index
  %e = tensor.empty() : tensor<5x406xf32>
  %edges = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x406xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %place = arith.subi %j, %c3 : index
    %low = arith.maxsi %place, %c0 : index
    %inside = arith.minsi %low, %c399 : index
    %v = tensor.extract %x[%i, %inside] : tensor<5x400xf32>
    linalg.yield %v : f32
  } -> tensor<5x406xf32>
  %mirror = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x406xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %place = arith.subi %j, %c3 : index
    %minus = arith.subi %c0, %place : index
    %is_below = arith.cmpi slt, %place, %c0 : index
    %low = arith.select %is_below, %minus, %place : index
    %back = arith.subi %c798, %low : index
    %is_above = arith.cmpi sgt, %low, %c399 : index
    %inside = arith.select %is_above, %back, %low : index
    %v = tensor.extract %x[%i, %inside] : tensor<5x400xf32>
    linalg.yield %v : f32
  } -> tensor<5x406xf32>
  return %edges, %mirror : tensor<5x406xf32>, tensor<5x406xf32>
}

// $ raddle build %s --target=x86-64-v4 --emit=ir -o - | grep -c 'vector.reduction <and>'
// 8

// $ raddle run %s --device=cpu | grep correct
// correct: result 0, all 2030 elements equal the reference bit for bit
// correct: result 1, all 2030 elements equal the reference bit for bit

// $ raddle run %s --target=sm_80 | grep correct
// correct: result 0, all 2030 elements equal the reference bit for bit
// correct: result 1, all 2030 elements equal the reference bit for bit
