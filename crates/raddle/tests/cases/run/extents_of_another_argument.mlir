// A result may have the extents of an argument that is not what it is computed from, and extents that only
// folding finds to be 0.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v3
func.func @softmax(%shape: tensor<16x?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %shape, %c1 : tensor<16x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.softmax dimension(0) ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @nothing(%x: tensor<4xf16>) -> tensor<?xf16> {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %none = tensor.empty(%c0, %c0) : tensor<?x?xf16>
  %e = tensor.empty(%c0) : tensor<?xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?xf16>) -> tensor<?xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%none : tensor<?x?xf16>) outs(%f : tensor<?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %s = arith.addf %in, %out : f16
    linalg.yield %s : f16
  } -> tensor<?xf16>
  return %r : tensor<?xf16>
}

// $ raddle run %s --all
// ok       @softmax
// ok       @nothing
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @softmax
// ok       @nothing
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
