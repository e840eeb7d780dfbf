// Rows of open extent are written by a transposition: only of known extents it is known whether they are lines of memory.
// RUN: raddle run %s --all --device=cpu
func.func @turned(%x: tensor<2x?x64xf32>) -> tensor<2x64x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?x64xf32>
  %e = tensor.empty(%n) : tensor<2x64x?xf32>
  %0 = linalg.transpose ins(%x : tensor<2x?x64xf32>) outs(%e : tensor<2x64x?xf32>) permutation = [0, 2, 1]
  return %0 : tensor<2x64x?xf32>
}

// $ raddle run %s --all --device=cpu
// ok       @turned
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
