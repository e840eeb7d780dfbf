// Quantized product with zero points and requantization, and 4-bit weights in groups.
func.func @quant(%a: tensor<32x128xi8>, %b: tensor<128x64xi8>, %s: tensor<64xf32>) -> tensor<32x64xi8> {
  %zero = arith.constant 0 : i32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<32x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<32x64xi32>) -> tensor<32x64xi32>
  %m = linalg.matmul ins(%a, %b : tensor<32x128xi8>, tensor<128x64xi8>) outs(%f : tensor<32x64xi32>) -> tensor<32x64xi32>
  %e8 = tensor.empty() : tensor<32x64xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m, %s : tensor<32x64xi32>, tensor<64xf32>) outs(%e8 : tensor<32x64xi8>) {
  ^bb0(%v: i32, %sc: f32, %o: i8):
    %x = arith.sitofp %v : i32 to f32
    %y = arith.mulf %x, %sc : f32
    %z = math.roundeven %y : f32
    %c = arith.maximumf %z, %lo : f32
    %d = arith.minimumf %c, %hi : f32
    %i = arith.fptosi %d : f32 to i8
    linalg.yield %i : i8
  } -> tensor<32x64xi8>
  return %r : tensor<32x64xi8>
}
func.func @grouped(%x: tensor<1x4x32xf16>, %w: tensor<64x4x32xi4>, %s: tensor<64x4xf16>, %z: tensor<64x4xf16>) -> tensor<1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x4x32xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(i, g, k) -> (i, g, k)>, affine_map<(i, g, k) -> (i, g)>, affine_map<(i, g, k) -> (i, g)>, affine_map<(i, g, k) -> (i, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %s, %z : tensor<64x4x32xi4>, tensor<64x4xf16>, tensor<64x4xf16>) outs(%e : tensor<64x4x32xf16>) {
  ^bb0(%q: i4, %sc: f16, %zp: f16, %o: f16):
    %u = arith.extui %q : i4 to i32
    %fq = arith.uitofp %u : i32 to f16
    %t = arith.subf %fq, %zp : f16
    %r = arith.mulf %t, %sc : f16
    linalg.yield %r : f16
  } -> tensor<64x4x32xf16>
  %eo = tensor.empty() : tensor<1x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>, affine_map<(m, n, g, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %d : tensor<1x4x32xf16>, tensor<64x4x32xf16>) outs(%fo : tensor<1x64xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}
