// Windows with channels last: neighbouring places are one tile, a row of a window is written out, and vectors lie along the
// channels. Zeros have signs, and a number that is none stays one.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle run %s --all --device=cpu
// RUN: raddle build %s --target=x86-64-v4 --emit=llvm | grep -c "call.*mask.range"
func.func @maxima(%a: tensor<1x9x18x32xf32>) -> tensor<1x7x16x32xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x7x16x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x16x32xf32>) -> tensor<1x7x16x32xf32>
  %r = linalg.pooling_nhwc_max ins(%a, %w : tensor<1x9x18x32xf32>, tensor<3x3xf32>)
      outs(%i : tensor<1x7x16x32xf32>) -> tensor<1x7x16x32xf32>
  return %r : tensor<1x7x16x32xf32>
}
func.func @of_bytes(%a: tensor<2x7x9x20xi8>) -> tensor<2x3x4x20xi8> {
  %w = tensor.empty() : tensor<3x3xi8>
  %z = arith.constant -128 : i8
  %e = tensor.empty() : tensor<2x3x4x20xi8>
  %i = linalg.fill ins(%z : i8) outs(%e : tensor<2x3x4x20xi8>) -> tensor<2x3x4x20xi8>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%a, %w : tensor<2x7x9x20xi8>, tensor<3x3xi8>)
      outs(%i : tensor<2x3x4x20xi8>) -> tensor<2x3x4x20xi8>
  return %r : tensor<2x3x4x20xi8>
}
func.func @no_numbers(%b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = arith.constant dense<[0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0, 0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0,
      0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0, 0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0,
      0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0, 0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0,
      0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0, 0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 1.0, -1.0]> : tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e, %e : tensor<64xf32>, tensor<64xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32, %p: f32):
      %s = arith.constant 0.0 : f32
      %q = arith.mulf %y, %s : f32
      %l = arith.maximumf %x, %q : f32
      %m = arith.minimumf %x, %q : f32
      linalg.yield %l, %m : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

// $ raddle run %s --all
// ok       @maxima
// ok       @of_bytes
// ok       @no_numbers
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @maxima
// ok       @of_bytes
// ok       @no_numbers
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @maxima
// ok       @of_bytes
// ok       @no_numbers
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @maxima
// ok       @of_bytes
// ok       @no_numbers
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --target=x86-64-v4 --emit=llvm | grep -c "call.*mask.range"
// 0
// 3 of 3 functions compiled, 0 refused
