// A program that does not import a buffer takes anything for it; one that imports elements as others is the host's.

// RUN: raddle run %s --input=4xf32=1,2,3,4 --input=2x3xf16=7 --expected_output=4xf32=2,4,6,8 | grep correct
// RUN: raddle run %s --input=4xf32=1,2,3,4 --input=2x3xf31=7

util.func public @main$async(%x: !hal.buffer_view, %like: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  %0 = hal.tensor.import wait(%wait) => %x : !hal.buffer_view -> tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %twice = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = hal.tensor.barrier join(%twice : tensor<4xf32>) => %signal : !hal.fence
  %2 = hal.tensor.export %1 : tensor<4xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}

// $ raddle run %s --input=4xf32=1,2,3,4 --input=2x3xf16=7 --expected_output=4xf32=2,4,6,8 | grep correct
// correct: all 4 elements equal the expected output bit for bit

// $ raddle run %s --input=4xf32=1,2,3,4 --input=2x3xf31=7
// error[E0901]: input 1, `2x3xf31=7`: `2x3xf31` is not a shape and an element type
//  --> dispatch/buffers_that_nobody_imports.mlir:6:1
//   |
// 6 | util.func public @main$async(%x: !hal.buffer_view, %like: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ input 1 is a tensor<0xi8>
//   |
//   = help: write it as `4x8xf32=@file.npy`, `4x8xf32=0`, `3xf32=1 2 3`, `f32=1.5` or `@file.npy`
// [exit status 2]
