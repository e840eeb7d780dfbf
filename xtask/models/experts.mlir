// A mixture of experts: scores of the gate, softmax over the experts, each expert's product, and their weighted sum.
func.func @experts(%x: tensor<32x64xf16>, %gate: tensor<64x4xf16>, %w: tensor<4x64x128xf16>) -> tensor<32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %eg = tensor.empty() : tensor<32x4xf32>
  %ig = linalg.fill ins(%zero : f32) outs(%eg : tensor<32x4xf32>) -> tensor<32x4xf32>
  %scores = linalg.matmul ins(%x, %gate : tensor<32x64xf16>, tensor<64x4xf16>) outs(%ig : tensor<32x4xf32>) -> tensor<32x4xf32>
  %weights = linalg.softmax dimension(1) ins(%scores : tensor<32x4xf32>) outs(%eg : tensor<32x4xf32>) -> tensor<32x4xf32>
  %ee = tensor.empty() : tensor<4x32x128xf32>
  %ie = linalg.fill ins(%zero : f32) outs(%ee : tensor<4x32x128xf32>) -> tensor<4x32x128xf32>
  %each = linalg.generic {
      indexing_maps = [affine_map<(e, m, n, k) -> (m, k)>, affine_map<(e, m, n, k) -> (e, k, n)>, affine_map<(e, m, n, k) -> (e, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xf16>, tensor<4x64x128xf16>) outs(%ie : tensor<4x32x128xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x32x128xf32>
  %eo = tensor.empty() : tensor<32x128xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<32x128xf32>) -> tensor<32x128xf32>
  %out = linalg.generic {
      indexing_maps = [affine_map<(m, n, e) -> (e, m, n)>, affine_map<(m, n, e) -> (m, e)>, affine_map<(m, n, e) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%each, %weights : tensor<4x32x128xf32>, tensor<32x4xf32>) outs(%io : tensor<32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x128xf32>
  return %out : tensor<32x128xf32>
}
