// Vectors reduce angles together; a vector of which one is large goes element by element, and so keeps signs of zeros.
// RUN: raddle run %s --all --target=x86-64-v4
#id = affine_map<(i) -> (i)>
func.func @sin() -> tensor<48xf32> {
  %a = arith.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 3.141593e+00, 6.283186e+00, 1.005000e+02, -1.000250e+03, 1.000000e-03, -1.000000e-20, 7.853982e-01, 1.570796e+00, -2.356194e+00, 5.000000e+04, -6.500000e+04, 7.000000e+00, 1.000000e+00, -0.000000e+00, 1.000000e+06, -1.000000e+10, 3.000000e+38, -6.553600e+04, 2.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 5.000000e-01, 6.553700e+04, -1.000000e-30, 1.000000e+20, -4.000000e+00, 8.500000e+04, 7.300000e+05, -7.300000e+07, 7.300000e+09, -7.300000e+11, 7.300000e+13, -7.300000e+15, 7.300000e+17, -7.300000e+19, 7.300000e+21, -7.300000e+23, 7.300000e+25, -7.300000e+27, 7.300000e+29, -7.300000e+31, 7.300000e+33, -7.300000e+35]> : tensor<48xf32>
  %x = util.optimization_barrier %a : tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<48xf32>) outs(%e : tensor<48xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.sin %v : f32
    linalg.yield %w : f32
  } -> tensor<48xf32>
  return %r : tensor<48xf32>
}
func.func @cos() -> tensor<48xf32> {
  %a = arith.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 3.141593e+00, 6.283186e+00, 1.005000e+02, -1.000250e+03, 1.000000e-03, -1.000000e-20, 7.853982e-01, 1.570796e+00, -2.356194e+00, 5.000000e+04, -6.500000e+04, 7.000000e+00, 1.000000e+00, -0.000000e+00, 1.000000e+06, -1.000000e+10, 3.000000e+38, -6.553600e+04, 2.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 5.000000e-01, 6.553700e+04, -1.000000e-30, 1.000000e+20, -4.000000e+00, 8.500000e+04, 7.300000e+05, -7.300000e+07, 7.300000e+09, -7.300000e+11, 7.300000e+13, -7.300000e+15, 7.300000e+17, -7.300000e+19, 7.300000e+21, -7.300000e+23, 7.300000e+25, -7.300000e+27, 7.300000e+29, -7.300000e+31, 7.300000e+33, -7.300000e+35]> : tensor<48xf32>
  %x = util.optimization_barrier %a : tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<48xf32>) outs(%e : tensor<48xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.cos %v : f32
    linalg.yield %w : f32
  } -> tensor<48xf32>
  return %r : tensor<48xf32>
}
func.func @tan() -> tensor<48xf32> {
  %a = arith.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 3.141593e+00, 6.283186e+00, 1.005000e+02, -1.000250e+03, 1.000000e-03, -1.000000e-20, 7.853982e-01, 1.570796e+00, -2.356194e+00, 5.000000e+04, -6.500000e+04, 7.000000e+00, 1.000000e+00, -0.000000e+00, 1.000000e+06, -1.000000e+10, 3.000000e+38, -6.553600e+04, 2.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 5.000000e-01, 6.553700e+04, -1.000000e-30, 1.000000e+20, -4.000000e+00, 8.500000e+04, 7.300000e+05, -7.300000e+07, 7.300000e+09, -7.300000e+11, 7.300000e+13, -7.300000e+15, 7.300000e+17, -7.300000e+19, 7.300000e+21, -7.300000e+23, 7.300000e+25, -7.300000e+27, 7.300000e+29, -7.300000e+31, 7.300000e+33, -7.300000e+35]> : tensor<48xf32>
  %x = util.optimization_barrier %a : tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<48xf32>) outs(%e : tensor<48xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.tan %v : f32
    linalg.yield %w : f32
  } -> tensor<48xf32>
  return %r : tensor<48xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @sin
// ok       @cos
// ok       @tan
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
