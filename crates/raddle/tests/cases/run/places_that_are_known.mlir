// Padding by edges reads the places 0, 0, 0, 1, 2, 3, … of a row. Where a tile has the whole row, the places of each vector are
// known: what lies there is read, and shuffled, and no element is read alone. A vector that ends beyond the row is masked.
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep -c 'vector.shuffle'
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep -c 'memref.load'
// RUN: raddle run %s --target=x86-64-v4 | grep correct
// RUN: raddle run %s --target=x86-64-v3 | grep correct
// RUN: raddle run %s --device=cpu | grep correct
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @edges(%x: tensor<5x40xf32>) -> (tensor<5x46xf32>, tensor<5x46xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c39 = arith.constant 39 : index
  %c78 = arith.constant 78 : index
  %e = tensor.empty() : tensor<5x46xf32>
  %edges = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x46xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %place = arith.subi %j, %c3 : index
    %low = arith.maxsi %place, %c0 : index
    %inside = arith.minsi %low, %c39 : index
    %v = tensor.extract %x[%i, %inside] : tensor<5x40xf32>
    linalg.yield %v : f32
  } -> tensor<5x46xf32>
  %mirror = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x46xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %place = arith.subi %j, %c3 : index
    %minus = arith.subi %c0, %place : index
    %is_below = arith.cmpi slt, %place, %c0 : index
    %low = arith.select %is_below, %minus, %place : index
    %back = arith.subi %c78, %low : index
    %is_above = arith.cmpi sgt, %low, %c39 : index
    %inside = arith.select %is_above, %back, %low : index
    %v = tensor.extract %x[%i, %inside] : tensor<5x40xf32>
    linalg.yield %v : f32
  } -> tensor<5x46xf32>
  return %edges, %mirror : tensor<5x46xf32>, tensor<5x46xf32>
}

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep -c 'vector.shuffle'
// 4

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep -c 'memref.load'
// 0

// $ raddle run %s --target=x86-64-v4 | grep correct
// correct: result 0, all 230 elements equal the reference bit for bit
// correct: result 1, all 230 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 | grep correct
// correct: result 0, all 230 elements equal the reference bit for bit
// correct: result 1, all 230 elements equal the reference bit for bit

// $ raddle run %s --device=cpu | grep correct
// correct: result 0, all 230 elements equal the reference bit for bit
// correct: result 1, all 230 elements equal the reference bit for bit
