// On a CPU, products of few rows with rows go along the sum; other products whose columns lie along their sums are packed,
// whatever their rows are, and so are those with several sums; no step along a window goes beyond its end.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
func.func @rows_5_f32(%a0: tensor<5x64xf32>, %a1: tensor<9x64xf32>) -> tensor<5x9xf32> {
  %e = tensor.empty() : tensor<5x9xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<5x64xf32>, tensor<9x64xf32>) outs(%i : tensor<5x9xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}
func.func @rows_13_f16(%a0: tensor<13x70xf16>, %a1: tensor<7x70xf16>) -> tensor<13x7xf32> {
  %e = tensor.empty() : tensor<13x7xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<13x7xf32>) -> tensor<13x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<13x70xf16>, tensor<7x70xf16>) outs(%i : tensor<13x7xf32>) {
  ^bb0(%x0: f16, %x1: f16, %o: f32):
    %y0 = arith.extf %x0 : f16 to f32
    %y1 = arith.extf %x1 : f16 to f32
    %p = arith.mulf %y0, %y1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<13x7xf32>
  return %r : tensor<13x7xf32>
}
func.func @rows_16_bf16(%a0: tensor<16x100xbf16>, %a1: tensor<5x100xbf16>) -> tensor<16x5xf32> {
  %e = tensor.empty() : tensor<16x5xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16x5xf32>) -> tensor<16x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<16x100xbf16>, tensor<5x100xbf16>) outs(%i : tensor<16x5xf32>) {
  ^bb0(%x0: bf16, %x1: bf16, %o: f32):
    %y0 = arith.extf %x0 : bf16 to f32
    %y1 = arith.extf %x1 : bf16 to f32
    %p = arith.mulf %y0, %y1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<16x5xf32>
  return %r : tensor<16x5xf32>
}
func.func @rows_7_i8(%a0: tensor<7x65xi8>, %a1: tensor<6x65xi8>) -> tensor<7x6xi32> {
  %e = tensor.empty() : tensor<7x6xi32>
  %z = arith.constant 0 : i32
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<7x6xi32>) -> tensor<7x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<7x65xi8>, tensor<6x65xi8>) outs(%i : tensor<7x6xi32>) {
  ^bb0(%x0: i8, %x1: i8, %o: i32):
    %y0 = arith.extsi %x0 : i8 to i32
    %y1 = arith.extsi %x1 : i8 to i32
    %p = arith.muli %y0, %y1 : i32
    %v = arith.addi %o, %p : i32
    linalg.yield %v : i32
  } -> tensor<7x6xi32>
  return %r : tensor<7x6xi32>
}
func.func @rows_18_f32(%a0: tensor<18x66xf32>, %a1: tensor<40x66xf32>) -> tensor<18x40xf32> {
  %e = tensor.empty() : tensor<18x40xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<18x40xf32>) -> tensor<18x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<18x66xf32>, tensor<40x66xf32>) outs(%i : tensor<18x40xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<18x40xf32>
  return %r : tensor<18x40xf32>
}
func.func @rows_9_f16(%a0: tensor<9x20xf16>, %a1: tensor<18x20xf16>) -> tensor<9x18xf32> {
  %e = tensor.empty() : tensor<9x18xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<9x18xf32>) -> tensor<9x18xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<9x20xf16>, tensor<18x20xf16>) outs(%i : tensor<9x18xf32>) {
  ^bb0(%x0: f16, %x1: f16, %o: f32):
    %y0 = arith.extf %x0 : f16 to f32
    %y1 = arith.extf %x1 : f16 to f32
    %p = arith.mulf %y0, %y1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<9x18xf32>
  return %r : tensor<9x18xf32>
}
func.func @two_sums(%a0: tensor<13x5x7xf32>, %a1: tensor<37x5x7xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<13x37xf32>) -> tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (j, k, l)>, affine_map<(i, j, k, l) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a0, %a1 : tensor<13x5x7xf32>, tensor<37x5x7xf32>) outs(%i : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @two_sums_of_matrices(%a0: tensor<2x5x4x6xf16>, %a1: tensor<2x4x18x6xf16>) -> tensor<2x5x18xf32> {
  %e = tensor.empty() : tensor<2x5x18xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x5x18xf32>) -> tensor<2x5x18xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j, k, l) -> (b, i, k, l)>, affine_map<(b, i, j, k, l) -> (b, k, j, l)>, affine_map<(b, i, j, k, l) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a0, %a1 : tensor<2x5x4x6xf16>, tensor<2x4x18x6xf16>) outs(%i : tensor<2x5x18xf32>) {
  ^bb0(%x0: f16, %x1: f16, %o: f32):
    %y0 = arith.extf %x0 : f16 to f32
    %y1 = arith.extf %x1 : f16 to f32
    %p = arith.mulf %y0, %y1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<2x5x18xf32>
  return %r : tensor<2x5x18xf32>
}
func.func @two_sums_of_rows_in_two_loops(%a0: tensor<3x5x4x6xf32>, %a1: tensor<37x4x6xf32>) -> tensor<3x5x37xf32> {
  %e = tensor.empty() : tensor<3x5x37xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x5x37xf32>) -> tensor<3x5x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i, j, k, l) -> (h, i, k, l)>, affine_map<(h, i, j, k, l) -> (j, k, l)>, affine_map<(h, i, j, k, l) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a0, %a1 : tensor<3x5x4x6xf32>, tensor<37x4x6xf32>) outs(%i : tensor<3x5x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<3x5x37xf32>
  return %r : tensor<3x5x37xf32>
}
func.func @one_sum(%a0: tensor<3x70xf32>, %a1: tensor<3x70xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, l) -> (k, l)>, affine_map<(k, l) -> (k, l)>, affine_map<(k, l) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a0, %a1 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%i : tensor<f32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @dots(%a0: tensor<3x130xf32>, %a1: tensor<3x130xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b)>], iterator_types = ["parallel", "reduction"]} ins(%a0, %a1 : tensor<3x130xf32>, tensor<3x130xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %v = arith.addf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @filters_first(%a0: tensor<1x5x11x5xf32>, %a1: tensor<19x3x3x5xf32>) -> tensor<1x3x9x19xf32> {
  %e = tensor.empty() : tensor<1x3x9x19xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x9x19xf32>) -> tensor<1x3x9x19xf32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%a0, %a1 : tensor<1x5x11x5xf32>, tensor<19x3x3x5xf32>) outs(%i : tensor<1x3x9x19xf32>) -> tensor<1x3x9x19xf32>
  return %r : tensor<1x3x9x19xf32>
}
func.func @window_of_five(%a0: tensor<1x7x9x20xf32>, %a1: tensor<5x5x20xf32>) -> tensor<1x3x5x20xf32> {
  %e = tensor.empty() : tensor<1x3x5x20xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x5x20xf32>) -> tensor<1x3x5x20xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a0, %a1 : tensor<1x7x9x20xf32>, tensor<5x5x20xf32>) outs(%i : tensor<1x3x5x20xf32>) -> tensor<1x3x5x20xf32>
  return %r : tensor<1x3x5x20xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @rows_5_f32
// ok       @rows_13_f16
// ok       @rows_16_bf16
// ok       @rows_7_i8
// ok       @rows_18_f32
// ok       @rows_9_f16
// ok       @two_sums
// ok       @two_sums_of_matrices
// ok       @two_sums_of_rows_in_two_loops
// ok       @one_sum
// ok       @dots
// ok       @filters_first
// ok       @window_of_five
// 13 functions: 13 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @rows_5_f32
// ok       @rows_13_f16
// ok       @rows_16_bf16
// ok       @rows_7_i8
// ok       @rows_18_f32
// ok       @rows_9_f16
// ok       @two_sums
// ok       @two_sums_of_matrices
// ok       @two_sums_of_rows_in_two_loops
// ok       @one_sum
// ok       @dots
// ok       @filters_first
// ok       @window_of_five
// 13 functions: 13 right, 0 refused, 0 wrong, 0 bugs
