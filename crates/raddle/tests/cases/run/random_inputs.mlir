// Open extents are chosen where no input is given; an input may state them and be random.
// RUN: raddle run %s | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32=random --input=random | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32 --input=random | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32=random
// RUN: raddle run %s --input=random --input=random | grep -e inputs -e correct
func.func @scale(%rows: tensor<?x8xf32>, %factors: tensor<8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %rows, %zero : tensor<?x8xf32>
  %empty = tensor.empty(%n) : tensor<?x8xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%rows, %factors : tensor<?x8xf32>, tensor<8xf32>) outs(%empty : tensor<?x8xf32>) {
  ^bb0(%row: f32, %factor: f32, %out: f32):
    %product = arith.mulf %row, %factor : f32
    linalg.yield %product : f32
  } -> tensor<?x8xf32>
  return %scaled : tensor<?x8xf32>
}

// $ raddle run %s | grep -e inputs -e correct
// run/random_inputs.mlir @scale: (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>)
// inputs     0: 37x8xf32, random normal, seed 0 · 1: random normal, seed 0
// correct: all 296 elements equal the reference bit for bit

// $ raddle run %s --input=3x8xf32=random --input=random | grep -e inputs -e correct
// run/random_inputs.mlir @scale: (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>)
// inputs     0: 3x8xf32, random normal, seed 0 · 1: random normal, seed 0
// correct: all 24 elements equal the reference bit for bit

// $ raddle run %s --input=3x8xf32 --input=random | grep -e inputs -e correct
// run/random_inputs.mlir @scale: (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>)
// inputs     0: zeros · 1: random normal, seed 0
// correct: all 24 elements equal the reference bit for bit

// $ raddle run %s --input=3x8xf32=random
// error[E0901]: the function takes 2 inputs, and 1 are given
//  --> run/random_inputs.mlir:7:1
//   |
// 7 | func.func @scale(%rows: tensor<?x8xf32>, %factors: tensor<8xf32>) -> tensor<?x8xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: for example `--input=?x8xf32=@0.npy --input=8xf32=@1.npy`; `random` instead of a file gives random data
// [exit status 2]

// $ raddle run %s --input=random --input=random | grep -e inputs -e correct
// run/random_inputs.mlir @scale: (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>)
// inputs     0: 37x8xf32, random normal, seed 0 · 1: random normal, seed 0
// correct: all 296 elements equal the reference bit for bit
