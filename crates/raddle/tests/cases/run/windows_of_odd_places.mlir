// Where rows of places begin between words, the rows of written windows go along the sums, so that tiles of them are copied
// ahead.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle build %s | grep -c cp.async.cg
// RUN: raddle run %s --device=ptx-emu --quiet
func.func @odd(%x: tensor<3x64x9x9xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<3x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x64x7x7xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x64x7x7xf32>) -> tensor<3x64x7x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<3x64x9x9xf16>, tensor<64x64x3x3xf16>) outs(%none : tensor<3x64x7x7xf32>) -> tensor<3x64x7x7xf32>
  return %y : tensor<3x64x7x7xf32>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @odd_kernel_0(%arg0: tensor<3x64x9x9xf16>) -> tensor<3x7x7x64x3x3xf16> attributes {translation_info = #translation} {
//   func.func @odd_kernel_1(%arg0: tensor<64x576xf16>, %arg1: tensor<3x49x576xf16>) -> tensor<3x64x49xf32> attributes {translation_info = #translation1} {

// $ raddle build %s | grep -c cp.async.cg
// 16

// $ raddle run %s --device=ptx-emu --quiet
// correct: all 9408 elements agree with the reference within 3.30e-4 + 2.38e-7·|expected| (712 bit for bit)
