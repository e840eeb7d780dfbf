// What is unrolled to scalars on flat memory looks as if it were lowered; its functions are written out all the same.
// RUN: raddle run %s --all --device=cpu
func.func @softmax(%a: tensor<1xf32>) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = linalg.softmax dimension(0) ins(%a : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// $ raddle run %s --all --device=cpu
// ok       @softmax
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
