// Upstream's Winograd transforms are products from both sides, or from the one along which the filter has elements; that of
// products adds to what is there. Together they are a convolution.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --function=ones --quiet --output=-
func.func @conv(%x: tensor<2x10x14x3xf32>, %k: tensor<5x3x3x3xf32>, %o: tensor<2x8x12x5xf32>) -> tensor<2x8x12x5xf32> {
  %e0 = tensor.empty() : tensor<6x6x3x5xf32>
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%k : tensor<5x3x3x3xf32>) outs(%e0 : tensor<6x6x3x5xf32>) -> tensor<6x6x3x5xf32>
  %e1 = tensor.empty() : tensor<6x6x2x3x2x3xf32>
  %v = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x14x3xf32>) outs(%e1 : tensor<6x6x2x3x2x3xf32>) -> tensor<6x6x2x3x2x3xf32>
  %a = tensor.collapse_shape %u [[0, 1], [2], [3]] : tensor<6x6x3x5xf32> into tensor<36x3x5xf32>
  %b = tensor.collapse_shape %v [[0, 1], [2, 3, 4], [5]] : tensor<6x6x2x3x2x3xf32> into tensor<36x12x3xf32>
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<36x12x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<36x12x5xf32>) -> tensor<36x12x5xf32>
  %c = linalg.batch_matmul ins(%b, %a : tensor<36x12x3xf32>, tensor<36x3x5xf32>) outs(%z : tensor<36x12x5xf32>) -> tensor<36x12x5xf32>
  %d = tensor.expand_shape %c [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 2, 3, 2, 5] : tensor<36x12x5xf32> into tensor<6x6x2x3x2x5xf32>
  %r = linalg.winograd_output_transform fmr(F_4_3) ins(%d : tensor<6x6x2x3x2x5xf32>) outs(%o : tensor<2x8x12x5xf32>) -> tensor<2x8x12x5xf32>
  return %r : tensor<2x8x12x5xf32>
}
func.func @rows(%x: tensor<1x7x9x3xf32>, %k: tensor<5x1x5x3xf32>, %p: tensor<1x6x7x2x1x5xf32>, %o: tensor<1x7x4x5xf32>) -> (tensor<1x6x3x5xf32>, tensor<1x6x7x2x1x3xf32>, tensor<1x7x4x5xf32>) {
  %e0 = tensor.empty() : tensor<1x6x3x5xf32>
  %u = linalg.winograd_filter_transform fmr(F_2_5) ins(%k : tensor<5x1x5x3xf32>) outs(%e0 : tensor<1x6x3x5xf32>) -> tensor<1x6x3x5xf32>
  %e1 = tensor.empty() : tensor<1x6x7x2x1x3xf32>
  %v = linalg.winograd_input_transform fmr(F_2_5) ins(%x : tensor<1x7x9x3xf32>) outs(%e1 : tensor<1x6x7x2x1x3xf32>) -> tensor<1x6x7x2x1x3xf32>
  %r = linalg.winograd_output_transform fmr(F_2_5) ins(%p : tensor<1x6x7x2x1x5xf32>) outs(%o : tensor<1x7x4x5xf32>) -> tensor<1x7x4x5xf32>
  return %u, %v, %r : tensor<1x6x3x5xf32>, tensor<1x6x7x2x1x3xf32>, tensor<1x7x4x5xf32>
}
func.func @columns(%x: tensor<1x8x5x3xf16>, %k: tensor<2x3x1x3xf16>, %p: tensor<4x1x3x5x1x2xf16>, %o: tensor<1x6x5x2xf16>) -> (tensor<4x1x3x2xf16>, tensor<4x1x3x5x1x3xf16>, tensor<1x6x5x2xf16>) {
  %e0 = tensor.empty() : tensor<4x1x3x2xf16>
  %u = linalg.winograd_filter_transform fmr(F_2_3) ins(%k : tensor<2x3x1x3xf16>) outs(%e0 : tensor<4x1x3x2xf16>) -> tensor<4x1x3x2xf16>
  %e1 = tensor.empty() : tensor<4x1x3x5x1x3xf16>
  %v = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<1x8x5x3xf16>) outs(%e1 : tensor<4x1x3x5x1x3xf16>) -> tensor<4x1x3x5x1x3xf16>
  %r = linalg.winograd_output_transform fmr(F_2_3) ins(%p : tensor<4x1x3x5x1x2xf16>) outs(%o : tensor<1x6x5x2xf16>) -> tensor<1x6x5x2xf16>
  return %u, %v, %r : tensor<4x1x3x2xf16>, tensor<4x1x3x5x1x3xf16>, tensor<1x6x5x2xf16>
}
// A filter of ones: each sum is that of the 25 elements of its window, twice 25.
func.func @ones() -> tensor<1x2x2x1xf32> {
  %x = arith.constant dense<2.0> : tensor<1x6x6x1xf32>
  %k = arith.constant dense<1.0> : tensor<1x5x5x1xf32>
  %o = arith.constant dense<0.0> : tensor<1x2x2x1xf32>
  %e0 = tensor.empty() : tensor<6x6x1x1xf32>
  %u = linalg.winograd_filter_transform fmr(F_2_5) ins(%k : tensor<1x5x5x1xf32>) outs(%e0 : tensor<6x6x1x1xf32>) -> tensor<6x6x1x1xf32>
  %e1 = tensor.empty() : tensor<6x6x1x1x1x1xf32>
  %v = linalg.winograd_input_transform fmr(F_2_5) ins(%x : tensor<1x6x6x1xf32>) outs(%e1 : tensor<6x6x1x1x1x1xf32>) -> tensor<6x6x1x1x1x1xf32>
  %a = tensor.expand_shape %u [[0], [1], [2, 3, 4], [5]] output_shape [6, 6, 1, 1, 1, 1] : tensor<6x6x1x1xf32> into tensor<6x6x1x1x1x1xf32>
  %e2 = tensor.empty() : tensor<6x6x1x1x1x1xf32>
  %d = linalg.mul ins(%a, %v : tensor<6x6x1x1x1x1xf32>, tensor<6x6x1x1x1x1xf32>) outs(%e2 : tensor<6x6x1x1x1x1xf32>) -> tensor<6x6x1x1x1x1xf32>
  %r = linalg.winograd_output_transform fmr(F_2_5) ins(%d : tensor<6x6x1x1x1x1xf32>) outs(%o : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %r : tensor<1x2x2x1xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --all
// ok       @conv
// ok       @rows
// ok       @columns
// ok       @ones
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @conv
// ok       @rows
// ok       @columns
// ok       @ones
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=ones --quiet --output=-
// result 0: tensor<1x2x2x1xf32>=50.000004 50.000004 50.000004 50.000004
// correct: all 4 elements agree with the reference within 6.20e-4 + 2.38e-7·|expected| (0 bit for bit)
