// One function is run at a time; others that call the same ones are as they were.
// RUN: raddle run %s --all
// RUN: raddle run %s --function=f | grep correct
// RUN: raddle run %s --function=g | grep correct
func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  %z = util.optimization_barrier %y : tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = call @twice(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// $ raddle run %s --all
// ok       @g
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=f | grep correct
// correct: all 8 elements equal the reference bit for bit

// $ raddle run %s --function=g | grep correct
// correct: all 8 elements equal the reference bit for bit
