// Without a name, the function is meant that is there for others than the module's own functions.
// RUN: raddle run %s --quiet
func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = call @twice(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// $ raddle run %s --quiet
// correct: all 8 elements equal the reference bit for bit
