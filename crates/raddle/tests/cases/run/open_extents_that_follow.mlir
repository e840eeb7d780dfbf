// Extents of results that are sums and products of others, on the host and in kernels.
// RUN: raddle run %s --all
func.func @joined(%a: tensor<?x16xf32>, %b: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
func.func @merged(%x: tensor<?x?x8xf16>) -> tensor<?x8xf16> {
  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf16> into tensor<?x8xf16>
  return %r : tensor<?x8xf16>
}
func.func @heads(%x: tensor<?x?x64xf16>) -> tensor<?x4x?x16xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x64xf16>
  %t = tensor.dim %x, %c1 : tensor<?x?x64xf16>
  %y = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [%b, %t, 4, 16] : tensor<?x?x64xf16> into tensor<?x?x4x16xf16>
  %e = tensor.empty(%b, %t) : tensor<?x4x?x16xf16>
  %r = linalg.transpose ins(%y : tensor<?x?x4x16xf16>) outs(%e : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
  return %r : tensor<?x4x?x16xf16>
}
func.func @best(%x: tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %o = tensor.empty(%n) : tensor<?x3xf32>
  %p = tensor.empty(%n) : tensor<?x3xi32>
  %f = linalg.fill ins(%least : f32) outs(%o : tensor<?x3xf32>) -> tensor<?x3xf32>
  %g = linalg.fill ins(%zero : i32) outs(%p : tensor<?x3xi32>) -> tensor<?x3xi32>
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<?x?xf32>) outs(%f, %g : tensor<?x3xf32>, tensor<?x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %before : i1
  } -> tensor<?x3xf32>, tensor<?x3xi32>
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x3xi32>
}

// $ raddle run %s --all
// ok       @joined
// ok       @merged
// ok       @heads
// ok       @best
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
