// Open extents are chosen where no input is given; an input may state them and be random.
// RUN: raddle run %s | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32=random --input=random | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32 --input=random | grep -e inputs -e correct
// RUN: raddle run %s --input=3x8xf32=random
// RUN: raddle run %s --input=random --input=random
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

// $ raddle run %s --input=random --input=random
// run/random_inputs.mlir @scale: (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>)
// target     sm_80 (the default), executed on device `emu`
// inputs     0: 37x8xf32, random normal, seed 0 · 1: random normal, seed 0
//
// stage      lowered
// steps      parse 1.16 ms · configure 1.57 ms · tile 0.94 ms · vectorize 17.27 ms · lay-out 0.64 ms · overlap 0.16 ms · distribute 0.72 ms · lower 0.88 ms · execute 0.27 ms
// layouts    L0: #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [2, 1]>
//                vector.transfer_read of argument 0 : vector<16x8xf32>, iree_vector_ext.to_layout : vector<16x8xf32>, vector.broadcast : vector<16x8xf32>, arith.mulf : vector<16x8xf32>
//            L1: #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [2], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
//                vector.transfer_read of argument 1 : vector<8xf32>, iree_vector_ext.to_layout : vector<8xf32>
// launch     grid 3x1x1, each workgroup 32 threads: 1 subgroup of 32 lanes
//            subgroups and workgroups run in the order of seed 0 (one after the other)
// emulator   4234 lane-ops in 0.000 s: 15.4 million lane-ops/s
//            0 matrix instructions, 0 shuffles, 0 barriers; bytes read 2720 global, 0 shared; written 1184 global, 0 shared
// error      none
// correct: all 296 elements equal the reference bit for bit
