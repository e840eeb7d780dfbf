// A constant whose data the text does not have, as in the dispatches that IREE dumps, is random as inputs are; one whose data
// is there has that.
// RUN: raddle run %s --all
// RUN: raddle run %s --function=there --input=2xf32=[1,1] --expected_output=2xf32=[2,3] | grep correct
func.func @absent(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = arith.constant dense_resource<weights> : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.mul ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @there(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense_resource<two> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.mul ins(%x, %w : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000000004000004040"
    }
  }
#-}

// $ raddle run %s --all
// ok       @absent
// ok       @there
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=there --input=2xf32=[1,1] --expected_output=2xf32=[2,3] | grep correct
// correct: all 2 elements equal the expected output bit for bit
