// On GPUs, convolutions whose images have long rows read windows in a copy of the image whose rows are channels, 16 bytes
// at a time. A product of images whose rows of places begin between words reads such a copy, too, and what is computed of
// each element in front of it is in the kernel of the copy.

// RUN: raddle build %s --function=rows --emit=ptx | grep '.entry'
// RUN: raddle build %s --function=rows --emit=ptx | grep -c 'cp.async.cg'
// RUN: raddle build %s --function=places --emit=ptx | grep '.entry'
// RUN: raddle build %s --function=places --emit=ptx | grep -c 'ld.global.nc.v4.b32'
// RUN: raddle build %s --function=bias --emit=ptx | grep '.entry'
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --target=gfx942

func.func @rows(%x: tensor<1x32x3x96xf16>, %w: tensor<64x32x3x3xf16>) -> tensor<1x64x3x96xf32> {
  %none = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : f16
  } : tensor<1x32x3x96xf16> to tensor<1x32x5x98xf16>
  %empty = tensor.empty() : tensor<1x64x3x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x3x96xf32>) -> tensor<1x64x3x96xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %w : tensor<1x32x5x98xf16>, tensor<64x32x3x3xf16>) outs(%init : tensor<1x64x3x96xf32>) -> tensor<1x64x3x96xf32>
  return %y : tensor<1x64x3x96xf32>
}

// Of few filters, a row of the image is rows of a tile.
func.func @few_filters(%x: tensor<1x64x4x110xf16>, %w: tensor<48x64x2x3xf16>) -> tensor<1x48x3x108xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x48x3x108xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x48x3x108xf32>) -> tensor<1x48x3x108xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x64x4x110xf16>, tensor<48x64x2x3xf16>) outs(%init : tensor<1x48x3x108xf32>) -> tensor<1x48x3x108xf32>
  return %y : tensor<1x48x3x108xf32>
}

func.func @places(%x: tensor<2x128x7x7xf16>, %w: tensor<344x128x1x1xf16>) -> tensor<2x344x7x7xf32> {
  %none = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %positive = tensor.empty() : tensor<2x128x7x7xf16>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x128x7x7xf16>) outs(%positive : tensor<2x128x7x7xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.maximumf %a, %none : f16
    linalg.yield %m : f16
  } -> tensor<2x128x7x7xf16>
  %empty = tensor.empty() : tensor<2x344x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x344x7x7xf32>) -> tensor<2x344x7x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%relu, %w : tensor<2x128x7x7xf16>, tensor<344x128x1x1xf16>) outs(%init : tensor<2x344x7x7xf32>) -> tensor<2x344x7x7xf32>
  return %y : tensor<2x344x7x7xf32>
}

// What the sums begin with is repeated in the kernel of the product, not in one of its own.
func.func @bias(%x: tensor<1x32x5x98xf16>, %w: tensor<64x32x3x3xf16>, %b: tensor<64xf32>) -> tensor<1x64x3x96xf32> {
  %empty = tensor.empty() : tensor<1x64x3x96xf32>
  %init = linalg.broadcast ins(%b : tensor<64xf32>) outs(%empty : tensor<1x64x3x96xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x32x5x98xf16>, tensor<64x32x3x3xf16>) outs(%init : tensor<1x64x3x96xf32>) -> tensor<1x64x3x96xf32>
  return %y : tensor<1x64x3x96xf32>
}

// $ raddle build %s --function=rows --emit=ptx | grep '.entry'
// .visible .entry rows_kernel_0(
// .visible .entry rows_kernel_1(
// .visible .entry rows_kernel_2(

// $ raddle build %s --function=rows --emit=ptx | grep -c 'cp.async.cg'
// 8

// $ raddle build %s --function=places --emit=ptx | grep '.entry'
// .visible .entry places_kernel_0(
// .visible .entry places_kernel_1(

// $ raddle build %s --function=places --emit=ptx | grep -c 'ld.global.nc.v4.b32'
// 8

// $ raddle build %s --function=bias --emit=ptx | grep '.entry'
// .visible .entry bias_kernel_0(
// .visible .entry bias_kernel_1(
// .visible .entry bias_kernel_2(

// $ raddle run %s --all
// ok       @rows
// ok       @few_filters
// ok       @places
// ok       @bias
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @rows
// ok       @few_filters
// ok       @places
// ok       @bias
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @rows
// ok       @few_filters
// ok       @places
// ok       @bias
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
