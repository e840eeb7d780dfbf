// What one kernel leaves in a global another one takes, and calls reach other functions.
// RUN: raddle run %s --function=f --input=8xf32=3 --expected_output=8xf32=36 | grep correct
util.global private mutable @state = dense<2.0> : tensor<8xf32>
func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %old = util.global.load @state : tensor<8xf32>
  %new = arith.mulf %old, %x : tensor<8xf32>
  util.global.store %new, @state : tensor<8xf32>
  return %new : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = call @step(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// $ raddle run %s --function=f --input=8xf32=3 --expected_output=8xf32=36 | grep correct
// correct: all 8 elements equal the expected output bit for bit
