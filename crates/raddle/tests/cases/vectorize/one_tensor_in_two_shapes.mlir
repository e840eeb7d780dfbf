// A tile of a tensor stands for vectors of two shapes, for an operand of a product and for what is added to its result,
// whose other dimension is as long and has a longer tile.
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --partition --target=gfx942 | grep call
#bcl = affine_map<(b, c, l) -> (b, c, l)>
func.func @behind(%x: tensor<2x8x37xf32>, %w: tensor<8x8xf32>) -> tensor<2x8x37xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x37xf32>
  %square = linalg.mul ins(%x, %x : tensor<2x8x37xf32>, tensor<2x8x37xf32>) outs(%e : tensor<2x8x37xf32>) -> tensor<2x8x37xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x37xf32>) -> tensor<2x8x37xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(b, n, l, k) -> (b, k, l)>, affine_map<(b, n, l, k) -> (n, k)>, affine_map<(b, n, l, k) -> (b, n, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%square, %w : tensor<2x8x37xf32>, tensor<8x8xf32>) outs(%init : tensor<2x8x37xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<2x8x37xf32>
  %sum = linalg.add ins(%product, %x : tensor<2x8x37xf32>, tensor<2x8x37xf32>) outs(%e : tensor<2x8x37xf32>) -> tensor<2x8x37xf32>
  return %sum : tensor<2x8x37xf32>
}
func.func @in_front(%x: tensor<2x8x37xf32>, %w: tensor<8x8xf32>) -> tensor<2x8x37xf32> {
  %e = tensor.empty() : tensor<2x8x37xf32>
  %square = linalg.mul ins(%x, %x : tensor<2x8x37xf32>, tensor<2x8x37xf32>) outs(%e : tensor<2x8x37xf32>) -> tensor<2x8x37xf32>
  %init = linalg.generic {indexing_maps = [#bcl, #bcl], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x8x37xf32>) outs(%e : tensor<2x8x37xf32>) {
  ^bb0(%a: f32, %out: f32):
    %twice = arith.addf %a, %a : f32
    linalg.yield %twice : f32
  } -> tensor<2x8x37xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(b, n, l, k) -> (b, k, l)>, affine_map<(b, n, l, k) -> (n, k)>, affine_map<(b, n, l, k) -> (b, n, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%square, %w : tensor<2x8x37xf32>, tensor<8x8xf32>) outs(%init : tensor<2x8x37xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<2x8x37xf32>
  return %product : tensor<2x8x37xf32>
}
func.func @bias(%x: tensor<2x8x37xf32>, %w: tensor<8x8xf32>, %c: tensor<8xf32>) -> tensor<2x8x37xf32> {
  %e = tensor.empty() : tensor<2x8x37xf32>
  %square = linalg.mul ins(%x, %x : tensor<2x8x37xf32>, tensor<2x8x37xf32>) outs(%e : tensor<2x8x37xf32>) -> tensor<2x8x37xf32>
  %init = linalg.broadcast ins(%c : tensor<8xf32>) outs(%e : tensor<2x8x37xf32>) dimensions = [0, 2]
  %product = linalg.generic {indexing_maps = [affine_map<(b, n, l, k) -> (b, k, l)>, affine_map<(b, n, l, k) -> (n, k)>, affine_map<(b, n, l, k) -> (b, n, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%square, %w : tensor<2x8x37xf32>, tensor<8x8xf32>) outs(%init : tensor<2x8x37xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<2x8x37xf32>
  return %product : tensor<2x8x37xf32>
}

// $ raddle run %s --all --target=gfx942
// ok       @behind
// ok       @in_front
// ok       @bias
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --partition --target=gfx942 | grep call
