// The longest loop of a side of a product has the rows of its tiles, also where the other factor is a slice, as the weights
// of keys and values in one tensor of all three are.
// RUN: raddle opt %s --to=tiled --target=sm_90a | grep scf.forall
// RUN: raddle run %s --quiet
func.func @turned(%x: tensor<8x196x64xf16>, %w: tensor<192x64xf16>) -> tensor<196x8x128xf16> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.extract_slice %w[64, 0] [128, 64] [1, 1] : tensor<192x64xf16> to tensor<128x64xf16>
  %et = tensor.empty() : tensor<196x8x64xf16>
  %t = linalg.transpose ins(%x : tensor<8x196x64xf16>) outs(%et : tensor<196x8x64xf16>) permutation = [1, 0, 2]
  %e = tensor.empty() : tensor<196x8x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<196x8x128xf32>) -> tensor<196x8x128xf32>
  %p = linalg.generic {
    indexing_maps = [affine_map<(i, b, n, k) -> (i, b, k)>, affine_map<(i, b, n, k) -> (n, k)>, affine_map<(i, b, n, k) -> (i, b, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%t, %rows : tensor<196x8x64xf16>, tensor<128x64xf16>) outs(%fill : tensor<196x8x128xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %a = arith.extf %in : f16 to f32
    %b = arith.extf %in_0 : f16 to f32
    %c = arith.mulf %a, %b : f32
    %d = arith.addf %out, %c : f32
    linalg.yield %d : f32
  } -> tensor<196x8x128xf32>
  %eh = tensor.empty() : tensor<196x8x128xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, b, n) -> (i, b, n)>, affine_map<(i, b, n) -> (i, b, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<196x8x128xf32>) outs(%eh : tensor<196x8x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %a = arith.truncf %in : f32 to f16
    linalg.yield %a : f16
  } -> tensor<196x8x128xf16>
  return %r : tensor<196x8x128xf16>
}

// $ raddle opt %s --to=tiled --target=sm_90a | grep scf.forall
//     %2 = scf.forall (%arg2, %arg3, %arg4) = (0, 0, 0) to (8, 196, 128) step (1, 16, 16) shared_outs(%arg5 = %1) -> (tensor<196x8x128xf16>) {
//       scf.forall.in_parallel {

// $ raddle run %s --quiet
// correct: all 200704 elements agree with the reference within 9.27e-2 + 1.95e-3·|expected| (200578 bit for bit)
