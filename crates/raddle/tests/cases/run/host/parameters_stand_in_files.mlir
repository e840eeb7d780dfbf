// Weights that stand beside the program, as iree-turbine exports them, are random where no file is named; a file that does
// not have them, or holds something else, is refused.
// RUN: raddle run %s --all
// RUN: raddle run %s --parameters=model=absent.irpa
// RUN: raddle run %s --parameters=%s
util.global private @w = #flow.parameter.named<"model"::"fc.weight"> : tensor<4x8xf32>
func.func @scaled(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = util.global.load @w : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.mul ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// $ raddle run %s --all
// ok       @scaled
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --parameters=model=absent.irpa
// error[E0902]: cannot read `absent.irpa`: no such file or directory
//  |
//  = help: check the path; it is relative to the current directory
// [exit status 2]

// $ raddle run %s --parameters=%s
// error[E0902]: `run/host/parameters_stand_in_files.mlir` is not a file of parameters: its header is longer than the file
//  |
//  = help: parameters are read from `.irpa`, as IREE writes them, and from `.safetensors`
// [exit status 2]
