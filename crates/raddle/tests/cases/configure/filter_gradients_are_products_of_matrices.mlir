// The gradient of a filter is a convolution whose windows are nearly the whole image: what they are of, written out, is one
// factor of a product, whose sums, all places of all images, are divided where its tiles are few.

// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --function=of_floats | grep -c correct:
// RUN: raddle run %s --function=of_floats --device=ptx-emu | grep -c correct:
// RUN: raddle run %s --function=of_floats --target=gfx942 | grep -c correct:
// RUN: raddle run %s --function=of_points | grep -c correct:

func.func @of_floats(%x: tensor<24x8x30x30xf32>, %g: tensor<40x8x28x28xf32>) -> tensor<24x40x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x40x3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x40x3x3xf32>) -> tensor<24x40x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %g : tensor<24x8x30x30xf32>, tensor<40x8x28x28xf32>) outs(%zeros : tensor<24x40x3x3xf32>) -> tensor<24x40x3x3xf32>
  return %r : tensor<24x40x3x3xf32>
}

func.func @large(%x: tensor<64x16x58x58xf16>, %g: tensor<64x16x56x56xf16>) -> tensor<64x64x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64x3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64x3x3xf32>) -> tensor<64x64x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %g : tensor<64x16x58x58xf16>, tensor<64x16x56x56xf16>) outs(%zeros : tensor<64x64x3x3xf32>) -> tensor<64x64x3x3xf32>
  return %r : tensor<64x64x3x3xf32>
}

func.func @of_points(%x: tensor<64x8x14x14xf16>, %g: tensor<64x8x14x14xf16>) -> tensor<64x64x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64x1x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %g : tensor<64x8x14x14xf16>, tensor<64x8x14x14xf16>) outs(%zeros : tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
  return %r : tensor<64x64x1x1xf32>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @of_floats_kernel_0(%arg0: tensor<24x8x30x30xf32>) -> tensor<24x3x3x8x28x28xf32> attributes {translation_info = #translation} {
//   func.func @of_floats_kernel_1(%arg0: tensor<40x8x28x28xf32>, %arg1: tensor<216x8x28x28xf32>) -> tensor<40x216xf32> attributes {translation_info = #translation} {
//   func.func @of_floats_kernel_2(%arg0: tensor<40x8x28x28xf32>, %arg1: tensor<216x8x28x28xf32>) -> tensor<27x40x216xf32> attributes {translation_info = #translation1} {
//   func.func @of_floats_kernel_3(%arg0: tensor<27x40x216xf32>, %arg1: tensor<40x216xf32>) -> tensor<40x216xf32> attributes {translation_info = #translation2} {
//   func.func @of_floats_kernel_4(%arg0: tensor<40x216xf32>) -> tensor<24x40x3x3xf32> attributes {translation_info = #translation1} {
//   func.func @large_kernel_0(%arg0: tensor<64x16x58x58xf16>) -> tensor<64x3x3x16x56x56xf16> attributes {translation_info = #translation} {
//   func.func @large_kernel_1(%arg0: tensor<64x8x6272xf16>, %arg1: tensor<576x8x6272xf16>) -> tensor<8x64x576xf32> attributes {translation_info = #translation} {
//   func.func @large_kernel_2(%arg0: tensor<8x64x576xf32>) -> tensor<64x576xf32> attributes {translation_info = #translation1} {
//   func.func @large_kernel_3(%arg0: tensor<64x576xf32>) -> tensor<64x64x3x3xf32> attributes {translation_info = #translation} {
//   func.func @of_points_kernel_0(%arg0: tensor<64x1568xf16>, %arg1: tensor<64x1568xf16>) -> tensor<64x64xf32> attributes {translation_info = #translation1} {

// $ raddle run %s --function=of_floats | grep -c correct:
// 1

// $ raddle run %s --function=of_floats --device=ptx-emu | grep -c correct:
// 1

// $ raddle run %s --function=of_floats --target=gfx942 | grep -c correct:
// 1

// $ raddle run %s --function=of_points | grep -c correct:
// 1
