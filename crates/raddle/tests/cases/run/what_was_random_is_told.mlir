// What the user did not give is random: a result that differs from an expected one says so.
// RUN: raddle run %s --function=f | grep -e weights -e correct
// RUN: raddle run %s --function=f --expected_output=2xf32=1000 | grep -e note: -e WRONG
// RUN: raddle run %s --function=f --input=2xf32=1 --expected_output=2xf32=1000 | grep -e note: -e WRONG
// RUN: raddle run %s --function=f --input=2xf32=1 --grid=7
// RUN: raddle run %s --function=f --expected_atol=-1
// RUN: raddle run %s --function=f --input=a.npy
// RUN: raddle run %s --function=product --input=2x3xf32=1 --input=4x2xf32=1 --input=2x2xf32=1
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense_resource<not_here> : tensor<2xf32>
  %0 = arith.addf %x, %w : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// $ raddle run %s --function=f | grep -e weights -e correct
// weights    1 that the text does not hold: random normal, seed 0
// correct: all 2 elements equal the reference bit for bit

// $ raddle run %s --function=f --expected_output=2xf32=1000 | grep -e note: -e WRONG
// WRONG: 2 of 2 elements (100.000 %) differ from the expected output; accepted: within 4.77e-4 + 2.38e-7·|expected|
// note: the inputs were random; `--input` gives those that the expected output is for
// [exit status 1]

// $ raddle run %s --function=f --input=2xf32=1 --expected_output=2xf32=1000 | grep -e note: -e WRONG
// WRONG: 2 of 2 elements (100.000 %) differ from the expected output; accepted: within 4.77e-4 + 2.38e-7·|expected|
// note: weights were random; `--parameters` gives those that the expected output is for
// [exit status 1]

// $ raddle run %s --function=f --input=2xf32=1 --grid=7
// error[E0901]: the kernel has a grid of its own, 1,1,1, which `--grid` does not change
//  --> run/what_was_random_is_told.mlir:9:1
//   |
// 9 | func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: leave out `--grid`
// [exit status 2]

// $ raddle run %s --function=f --expected_atol=-1
// error: invalid value '-1' for '--expected_atol <NUMBER>': it is a number from 0 on
//
// For more information, try '--help'.
// [exit status 2]

// $ raddle run %s --function=f --input=a.npy
// error[E0901]: input 0, `a.npy`: a file is named behind `@`, as in `@a.npy`
//  --> run/what_was_random_is_told.mlir:9:1
//   |
// 9 | func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ input 0 is a tensor<2xf32>
//   |
//   = help: write it as `4x8xf32=@file.npy`, `4x8xf32=0`, `3xf32=1 2 3`, `f32=1.5` or `@file.npy`
// [exit status 2]

// $ raddle run %s --function=product --input=2x3xf32=1 --input=4x2xf32=1 --input=2x2xf32=1
// error[E0817]: loop d2 of `linalg.matmul` is 4 long for one operand and 3 for another
//   --> run/what_was_random_is_told.mlir:16:3
//    |
// 16 |   %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
