// A factor of truth values is 0 or 1, as for IREE, wherever the program is executed.

// RUN: raddle run %s --input=3xi32=1,0,1 --input=3x2xf32=1,2,3,4,5,6 --expected_output=2xf32=6,8 | grep correct
// RUN: raddle run %s --target=x86-64-v4 --input=3xi32=1,0,1 --input=3x2xf32=1,2,3,4,5,6 --expected_output=2xf32=6,8 | grep correct
// RUN: raddle opt %s --linalg-generalize-named-ops | grep tofp

func.func @product(%mask: tensor<3xi32>, %values: tensor<3x2xf32>) -> tensor<2xf32> {
  %zero = arith.constant dense<0> : tensor<3xi32>
  %taken = arith.cmpi ne, %mask, %zero : tensor<3xi32>
  %none = arith.constant dense<0.0> : tensor<2xf32>
  %sum = linalg.vecmat ins(%taken, %values : tensor<3xi1>, tensor<3x2xf32>) outs(%none : tensor<2xf32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}

// $ raddle run %s --input=3xi32=1,0,1 --input=3x2xf32=1,2,3,4,5,6 --expected_output=2xf32=6,8 | grep correct
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --target=x86-64-v4 --input=3xi32=1,0,1 --input=3x2xf32=1,2,3,4,5,6 --expected_output=2xf32=6,8 | grep correct
// correct: all 2 elements equal the expected output bit for bit

// $ raddle opt %s --linalg-generalize-named-ops | grep tofp
//       %2 = arith.uitofp %in : i1 to f32
