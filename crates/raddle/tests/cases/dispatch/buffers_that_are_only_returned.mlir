// A handle that is returned as it came, and imported nowhere, is the argument itself: bytes, or what the input says.

// RUN: raddle run %s --function=main --quiet
// RUN: raddle run %s --function=main --input=2x3xf32=4 --output=- --expected_output=2x3xf32=4 --quiet
// RUN: raddle run %s --function=main --input=4xi1=1 --expected_output=4xi1=0 --quiet
// RUN: raddle run %s --function=both --input=3xbf16=3 --input=2xf32=4 --expected_output=2xf32=8 --expected_output=3xbf16=3 --quiet
// RUN: raddle run %s --function=storage --input=2xf32=7 --input=2xf32=4 --expected_output=2xf32=8 --quiet
// RUN: raddle build %s --function=main

util.func public @main(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub} {
  hal.fence.signal<%signal : !hal.fence>
  util.return %x : !hal.buffer_view
}

util.func public @both(%x: !hal.buffer_view, %y: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %0 = hal.tensor.import %y : !hal.buffer_view -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2xf32>
  %2 = linalg.add ins(%0, %0 : tensor<2xf32>, tensor<2xf32>) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
  %3 = hal.tensor.export %2 : tensor<2xf32> -> !hal.buffer_view
  util.return %3, %x : !hal.buffer_view, !hal.buffer_view
}

// What is written into the memory of an argument is no part of it.
util.func public @storage(%x: !hal.buffer_view, %y: !hal.buffer_view) attributes {iree.abi.stub} {
  %0 = hal.tensor.import %y : !hal.buffer_view -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2xf32>
  %2 = linalg.add ins(%0, %0 : tensor<2xf32>, tensor<2xf32>) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
  %3 = hal.tensor.alias %2 : tensor<2xf32> to %x : !hal.buffer_view
  util.return
}

// $ raddle run %s --function=main --quiet
// correct: all 37 elements equal the reference bit for bit

// $ raddle run %s --function=main --input=2x3xf32=4 --output=- --expected_output=2x3xf32=4 --quiet
// result 0: tensor<2x3xf32>=4 4 4 4 4 4
// correct: all 6 elements equal the expected output bit for bit

// $ raddle run %s --function=main --input=4xi1=1 --expected_output=4xi1=0 --quiet
// WRONG: 4 of 4 elements (100.000 %) differ from the expected output; accepted: exactly equal
//   pattern: every element is wrong
//   [0]: got -1, expected 0
//   [1]: got -1, expected 0
//   [2]: got -1, expected 0
//   [3]: got -1, expected 0
// [exit status 1]

// $ raddle run %s --function=both --input=3xbf16=3 --input=2xf32=4 --expected_output=2xf32=8 --expected_output=3xbf16=3 --quiet
// correct: result 0, all 2 elements equal the expected output bit for bit
// correct: result 1, all 3 elements equal the expected output bit for bit

// $ raddle run %s --function=storage --input=2xf32=7 --input=2xf32=4 --expected_output=2xf32=8 --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle build %s --function=main
// error[E0703]: `@main` has nothing for a kernel
//  |
//  = note: it moves tensors about, or computes with numbers: that is done by whoever calls kernels
//  = help: `raddle run` carries it out
// [exit status 1]
