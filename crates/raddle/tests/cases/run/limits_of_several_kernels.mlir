// A limit that one of several kernels meets is named with the flags that raise it.
// RUN: raddle run %s --memory=1M --quiet
func.func @f(%a: tensor<300x1xf32>, %b: tensor<1x300xf32>) -> tensor<300x1xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<300x300xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%wide : tensor<300x300xf32>) -> tensor<300x300xf32>
  %c = linalg.matmul ins(%a, %b : tensor<300x1xf32>, tensor<1x300xf32>) outs(%zeros : tensor<300x300xf32>) -> tensor<300x300xf32>
  %d = linalg.matmul ins(%c, %c : tensor<300x300xf32>, tensor<300x300xf32>) outs(%zeros : tensor<300x300xf32>) -> tensor<300x300xf32>
  %narrow = tensor.empty() : tensor<300x1xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%narrow : tensor<300x1xf32>) -> tensor<300x1xf32>
  %0 = linalg.matmul ins(%d, %a : tensor<300x300xf32>, tensor<300x1xf32>) outs(%zeros1 : tensor<300x1xf32>) -> tensor<300x1xf32>
  return %0 : tensor<300x1xf32>
}

// $ raddle run %s --memory=1M --quiet
// error[E0802]: limit: the buffers need more than the run's 1048576 bytes of memory
//  --> run/limits_of_several_kernels.mlir:3:1
//   |
// 3 | func.func @f(%a: tensor<300x1xf32>, %b: tensor<1x300xf32>) -> tensor<300x1xf32> {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: run it with `--memory=40M`, or look for a grid, a bound or a loop that is wrong
// [exit status 3]
