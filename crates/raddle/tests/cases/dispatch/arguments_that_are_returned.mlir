// A handle that a program imports and returns as it came is a result; where the program writes to it, it is the host's,
// since what comes back is what was written.

// RUN: raddle run %s --function=both --input=4xf32=1,2,3,4 --expected_output=4xf32=1,2,3,4 --expected_output=4xf32=2,4,6,8 | grep correct
// RUN: raddle build %s --function=both | grep visible
// RUN: raddle run %s --function=written

util.func public @both(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
  %0 = hal.tensor.import wait(%wait) => %x : !hal.buffer_view -> tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %twice = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = hal.tensor.barrier join(%twice : tensor<4xf32>) => %signal : !hal.fence
  %2 = hal.tensor.export %1 : tensor<4xf32> -> !hal.buffer_view
  util.return %x, %2 : !hal.buffer_view, !hal.buffer_view
}

util.func public @written(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  %0 = hal.tensor.import wait(%wait) => %x : !hal.buffer_view -> tensor<4xf32>
  %twice = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = hal.tensor.alias wait(%wait) => %twice : tensor<4xf32> to %x : !hal.buffer_view
  %2 = hal.tensor.barrier join(%1 : tensor<4xf32>) => %signal : !hal.fence
  util.return %x : !hal.buffer_view
}

// $ raddle run %s --function=both --input=4xf32=1,2,3,4 --expected_output=4xf32=1,2,3,4 --expected_output=4xf32=2,4,6,8 | grep correct
// correct: result 0, all 4 elements equal the expected output bit for bit
// correct: result 1, all 4 elements equal the expected output bit for bit

// $ raddle build %s --function=both | grep visible
// .visible .entry both_kernel_0(

// $ raddle run %s --function=written
// error[E0903]: there is no function `written`
//  |
//  = help: there is `both`
// [exit status 2]
