// The gradient of a filter is a convolution whose windows are nearly the whole image: what they are of, written out, is one
// factor of a product, whose sums, all places of all images, are divided where its tiles are few.

// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --function=of_floats | grep -c correct:
// RUN: raddle run %s --function=of_floats --device=ptx-emu | grep -c correct:
// RUN: raddle run %s --function=of_floats --target=gfx942 | grep -c correct:
// RUN: raddle run %s --function=of_points | grep -c correct:
// RUN: raddle run %s --function=of_images | grep -c correct:
// RUN: raddle run %s --function=of_images --device=ptx-emu | grep -c correct:
// RUN: raddle run %s --function=of_lines --device=ptx-emu | grep -c correct:
// RUN: raddle run %s --function=of_groups --device=ptx-emu | grep -c correct:

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

// As PyTorch has them: images, which are summed, lie in front of both channels, so that sums are two loops.
func.func @of_images(%x: tensor<4x16x30x30xf16>, %g: tensor<4x32x28x28xf16>) -> tensor<32x16x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x16x3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x16x3x3xf32>) -> tensor<32x16x3x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(f, c, i, j, n, h, w) -> (n, c, i + h, j + w)>, affine_map<(f, c, i, j, n, h, w) -> (n, f, h, w)>,
                     affine_map<(f, c, i, j, n, h, w) -> (f, c, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %g : tensor<4x16x30x30xf16>, tensor<4x32x28x28xf16>) outs(%zeros : tensor<32x16x3x3xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %other = arith.extf %b : f16 to f32
    %product = arith.mulf %wide, %other : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<32x16x3x3xf32>
  return %r : tensor<32x16x3x3xf32>
}

func.func @of_lines(%x: tensor<4x32x258xf16>, %g: tensor<4x64x256xf16>) -> tensor<64x32x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x32x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32x3xf32>) -> tensor<64x32x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(f, c, i, n, w) -> (n, c, i + w)>, affine_map<(f, c, i, n, w) -> (n, f, w)>,
                     affine_map<(f, c, i, n, w) -> (f, c, i)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %g : tensor<4x32x258xf16>, tensor<4x64x256xf16>) outs(%zeros : tensor<64x32x3xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %other = arith.extf %b : f16 to f32
    %product = arith.mulf %wide, %other : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<64x32x3xf32>
  return %r : tensor<64x32x3xf32>
}

func.func @of_groups(%x: tensor<4x4x8x30x30xf16>, %g: tensor<4x4x16x28x28xf16>) -> tensor<4x16x8x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16x8x3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16x8x3x3xf32>) -> tensor<4x16x8x3x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(u, f, c, i, j, n, h, w) -> (n, u, c, i + h, j + w)>, affine_map<(u, f, c, i, j, n, h, w) -> (n, u, f, h, w)>,
                     affine_map<(u, f, c, i, j, n, h, w) -> (u, f, c, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %g : tensor<4x4x8x30x30xf16>, tensor<4x4x16x28x28xf16>) outs(%zeros : tensor<4x16x8x3x3xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %other = arith.extf %b : f16 to f32
    %product = arith.mulf %wide, %other : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<4x16x8x3x3xf32>
  return %r : tensor<4x16x8x3x3xf32>
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
//   func.func @of_images_kernel_0(%arg0: tensor<4x16x30x30xf16>) -> tensor<16x3x3x4x28x28xf16> attributes {translation_info = #translation} {
//   func.func @of_images_kernel_1(%arg0: tensor<4x32x4x196xf16>, %arg1: tensor<144x4x4x196xf16>) -> tensor<4x32x144xf32> attributes {translation_info = #translation1} {
//   func.func @of_images_kernel_2(%arg0: tensor<4x32x144xf32>) -> tensor<32x144xf32> attributes {translation_info = #translation3} {
//   func.func @of_lines_kernel_0(%arg0: tensor<4x32x258xf16>) -> tensor<32x3x4x256xf16> attributes {translation_info = #translation} {
//   func.func @of_lines_kernel_1(%arg0: tensor<4x64x256xf16>, %arg1: tensor<96x4x256xf16>) -> tensor<64x96xf32> attributes {translation_info = #translation1} {
//   func.func @of_groups_kernel_0(%arg0: tensor<4x4x8x30x30xf16>) -> tensor<4x8x3x3x4x28x28xf16> attributes {translation_info = #translation} {
//   func.func @of_groups_kernel_1(%arg0: tensor<4x4x16x4x196xf16>, %arg1: tensor<4x72x4x4x196xf16>) -> tensor<4x4x16x72xf32> attributes {translation_info = #translation1} {
//   func.func @of_groups_kernel_2(%arg0: tensor<4x4x16x72xf32>) -> tensor<4x16x72xf32> attributes {translation_info = #translation3} {

// $ raddle run %s --function=of_floats | grep -c correct:
// 1

// $ raddle run %s --function=of_floats --device=ptx-emu | grep -c correct:
// 1

// $ raddle run %s --function=of_floats --target=gfx942 | grep -c correct:
// 1

// $ raddle run %s --function=of_points | grep -c correct:
// 1

// $ raddle run %s --function=of_images | grep -c correct:
// 1

// $ raddle run %s --function=of_images --device=ptx-emu | grep -c correct:
// 1

// $ raddle run %s --function=of_lines --device=ptx-emu | grep -c correct:
// 1

// $ raddle run %s --function=of_groups --device=ptx-emu | grep -c correct:
// 1
