// Where one workgroup alone asks for its part of a factor, its ring has as many slots as memory has bytes under way for: a
// product of few rows, and not one of many.
// RUN: raddle opt %s --target=sm_90a --to=pipelined --remarks 2>&1 | grep ahead
func.func @few(%a: tensor<8x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<8x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<8x4096xbf16>, tensor<4096x4096xbf16>) outs(%init : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  return %c : tensor<8x4096xf32>
}

func.func @many(%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1024x1024xf16>, tensor<1024x1024xf16>) outs(%init : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}

// $ raddle opt %s --target=sm_90a --to=pipelined --remarks 2>&1 | grep ahead
// remark[E0403]: copies of this loop's tiles run 7 iterations ahead, through 8 slots
// remark[E0403]: copies of this loop's tiles run 2 iterations ahead, through 4 slots
