// Two columns of a window are neighbours in memory, but windows begin at odd columns too: copies of two columns at once
// would not be aligned.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @two_by_two(%a: tensor<1x32x33x33xf16>, %k: tensor<16x32x2x2xf16>) -> tensor<1x16x32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%a, %k : tensor<1x32x33x33xf16>, tensor<16x32x2x2xf16>) outs(%f : tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
  return %r : tensor<1x16x32x32xf32>
}
func.func @four_of_one(%a: tensor<2x64x67xf16>, %k: tensor<32x64x4xf16>) -> tensor<2x32x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
    ins(%a, %k : tensor<2x64x67xf16>, tensor<32x64x4xf16>) outs(%f : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  return %r : tensor<2x32x64xf32>
}

// $ raddle run %s --all
// ok       @two_by_two
// ok       @four_of_one
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @two_by_two
// ok       @four_of_one
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
