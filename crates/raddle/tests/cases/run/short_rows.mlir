// Rows of 7 places leave half of a tile empty: all places of images whose channels are last are one loop.
// RUN: raddle run %s --target=sm_80 | grep -e 'matrix instructions' -e correct
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --device=cpu | grep correct
func.func @f(%x: tensor<3x9x9x32xf16>, %w: tensor<3x3x32x128xf16>, %bias: tensor<128xf32>) -> tensor<3x7x7x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x7x7x128xf32>
  %start = linalg.broadcast ins(%bias : tensor<128xf32>) outs(%empty : tensor<3x7x7x128xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<3x9x9x32xf16>, tensor<3x3x32x128xf16>) outs(%start : tensor<3x7x7x128xf32>) -> tensor<3x7x7x128xf32>
  %relu = linalg.elementwise kind = #linalg.elementwise_kind<max_signed> ins(%r, %start : tensor<3x7x7x128xf32>, tensor<3x7x7x128xf32>) outs(%empty : tensor<3x7x7x128xf32>) -> tensor<3x7x7x128xf32>
  return %relu : tensor<3x7x7x128xf32>
}

// $ raddle run %s --target=sm_80 | grep -e 'matrix instructions' -e correct
//            2880 matrix instructions, 0 shuffles, 720 barriers; bytes read 1455616 global, 2211840 shared; written 75264 global, 1474560 shared
// correct: all 18816 elements agree with the reference within 1.37e-4 + 2.38e-7·|expected| (10387 bit for bit)

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 18816 elements agree with the reference within 1.37e-4 + 2.38e-7·|expected| (10387 bit for bit)

// $ raddle run %s --device=cpu | grep correct
// correct: all 18816 elements agree with the reference within 1.37e-4 + 2.38e-7·|expected| (10387 bit for bit)
