// One step of decoding: the new key and value go into a cache, and one query attends to all positions so far.
func.func @decode(%q: tensor<8x64xf16>, %k: tensor<8x64xf16>, %v: tensor<8x64xf16>, %keys: tensor<?x8x64xf16>,
                  %values: tensor<?x8x64xf16>) -> (tensor<8x64xf32>, tensor<?x8x64xf16>, tensor<?x8x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %n = tensor.dim %keys, %c0 : tensor<?x8x64xf16>
  %k1 = tensor.expand_shape %k [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
  %v1 = tensor.expand_shape %v [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
  %allkeys = tensor.concat dim(0) %keys, %k1 : (tensor<?x8x64xf16>, tensor<1x8x64xf16>) -> tensor<?x8x64xf16>
  %allvalues = tensor.concat dim(0) %values, %v1 : (tensor<?x8x64xf16>, tensor<1x8x64xf16>) -> tensor<?x8x64xf16>
  %m = arith.addi %n, %c1 : index
  %e = tensor.empty(%m) : tensor<8x?xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(h, t, d) -> (h, d)>, affine_map<(h, t, d) -> (t, h, d)>, affine_map<(h, t, d) -> (h, t)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %allkeys : tensor<8x64xf16>, tensor<?x8x64xf16>) outs(%i : tensor<8x?xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x?xf32>
  %weights = linalg.softmax dimension(1) ins(%scores : tensor<8x?xf32>) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %eo = tensor.empty() : tensor<8x64xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x64xf32>) -> tensor<8x64xf32>
  %out = linalg.generic {
      indexing_maps = [affine_map<(h, d, t) -> (h, t)>, affine_map<(h, d, t) -> (t, h, d)>, affine_map<(h, d, t) -> (h, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %allvalues : tensor<8x?xf32>, tensor<?x8x64xf16>) outs(%io : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %a, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %out, %allkeys, %allvalues : tensor<8x64xf32>, tensor<?x8x64xf16>, tensor<?x8x64xf16>
}
