// Powers by a number, and of one, are written with what is known of them.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all
func.func @root(%a0: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf32>) outs(%e : tensor<5x24xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %c = arith.constant 0.5 : f32
    %v = math.powf %x0, %c : f32
    linalg.yield %v : f32
  } -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
func.func @inverse_root(%a0: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf32>) outs(%e : tensor<5x24xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %c = arith.constant -0.5 : f32
    %v = math.powf %x0, %c : f32
    linalg.yield %v : f32
  } -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
func.func @odd(%a0: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf32>) outs(%e : tensor<5x24xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %c = arith.constant 5.0 : f32
    %v = math.powf %x0, %c : f32
    linalg.yield %v : f32
  } -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
func.func @even(%a0: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf32>) outs(%e : tensor<5x24xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %c = arith.constant -6.0 : f32
    %v = math.powf %x0, %c : f32
    linalg.yield %v : f32
  } -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
func.func @other(%a0: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf32>) outs(%e : tensor<5x24xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %c = arith.constant 2.5 : f32
    %v = math.powf %x0, %c : f32
    linalg.yield %v : f32
  } -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
func.func @of_a_number(%a0: tensor<5x24xf16>) -> tensor<5x24xf16> {
  %e = tensor.empty() : tensor<5x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<5x24xf16>) outs(%e : tensor<5x24xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %c = arith.constant 1.5 : f16
    %v = math.powf %c, %x0 : f16
    linalg.yield %v : f16
  } -> tensor<5x24xf16>
  return %r : tensor<5x24xf16>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @root
// ok       @inverse_root
// ok       @odd
// ok       @even
// ok       @other
// ok       @of_a_number
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all
// ok       @root
// ok       @inverse_root
// ok       @odd
// ok       @even
// ok       @other
// ok       @of_a_number
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs
