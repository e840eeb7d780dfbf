// On a CPU, products of several matrices with the same right factor are blocked as one, a factor of one column lies along
// the sum as well as a row does, vectors go along the rows of the result where it has one column, and windows of a
// depthwise convolution share what they read.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
func.func @matrices(%a0: tensor<5x25x40xf32>, %a1: tensor<21x40xf32>) -> tensor<5x25x21xf32> {
  %e = tensor.empty() : tensor<5x25x21xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x25x21xf32>) -> tensor<5x25x21xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<5x25x40xf32>, tensor<21x40xf32>) outs(%i : tensor<5x25x21xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<5x25x21xf32>
  return %r : tensor<5x25x21xf32>
}
func.func @column(%a0: tensor<20x70xf32>, %a1: tensor<70x1xf32>) -> tensor<20x1xf32> {
  %e = tensor.empty() : tensor<20x1xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20x1xf32>) -> tensor<20x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<20x70xf32>, tensor<70x1xf32>) outs(%i : tensor<20x1xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<20x1xf32>
  return %r : tensor<20x1xf32>
}
func.func @column_left_along_rows(%a0: tensor<70x37xf32>, %a1: tensor<70x1xf32>) -> tensor<37x1xf32> {
  %e = tensor.empty() : tensor<37x1xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<37x1xf32>) -> tensor<37x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<70x37xf32>, tensor<70x1xf32>) outs(%i : tensor<37x1xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<37x1xf32>
  return %r : tensor<37x1xf32>
}
func.func @windows_7_by_1(%a0: tensor<1x15x15x21xf32>, %a1: tensor<7x7x21xf32>) -> tensor<1x9x9x21xf32> {
  %e = tensor.empty() : tensor<1x9x9x21xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x9x9x21xf32>) -> tensor<1x9x9x21xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a0, %a1 : tensor<1x15x15x21xf32>, tensor<7x7x21xf32>) outs(%i : tensor<1x9x9x21xf32>) -> tensor<1x9x9x21xf32>
  return %r : tensor<1x9x9x21xf32>
}
func.func @windows_3_by_1(%a0: tensor<1x15x15x16xf32>, %a1: tensor<3x3x16xf32>) -> tensor<1x13x13x16xf32> {
  %e = tensor.empty() : tensor<1x13x13x16xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x13x13x16xf32>) -> tensor<1x13x13x16xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a0, %a1 : tensor<1x15x15x16xf32>, tensor<3x3x16xf32>) outs(%i : tensor<1x13x13x16xf32>) -> tensor<1x13x13x16xf32>
  return %r : tensor<1x13x13x16xf32>
}
func.func @windows_5_by_2(%a0: tensor<1x13x13x9xf32>, %a1: tensor<5x5x9xf32>) -> tensor<1x5x5x9xf32> {
  %e = tensor.empty() : tensor<1x5x5x9xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x5x9xf32>) -> tensor<1x5x5x9xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : vector<2xi64>} ins(%a0, %a1 : tensor<1x13x13x9xf32>, tensor<5x5x9xf32>) outs(%i : tensor<1x5x5x9xf32>) -> tensor<1x5x5x9xf32>
  return %r : tensor<1x5x5x9xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @matrices
// ok       @column
// ok       @column_left_along_rows
// ok       @windows_7_by_1
// ok       @windows_3_by_1
// ok       @windows_5_by_2
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @matrices
// ok       @column
// ok       @column_left_along_rows
// ok       @windows_7_by_1
// ok       @windows_3_by_1
// ok       @windows_5_by_2
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs
