// Products of f32 by matrix instructions of tf32, where the user asks for them: three of pieces of the factors, two where a
// factor was made longer from 16 bits, or one. Attention and convolutions are products, too.
// RUN: raddle run %s --function=batch | grep 'matrix instructions'
// RUN: raddle run %s --function=batch --f32-products=tf32x3 | grep 'matrix instructions'
// RUN: raddle run %s --function=made_longer --f32-products=tf32x3 | grep 'matrix instructions'
// RUN: raddle run %s --function=batch --f32-products=tf32 | grep 'matrix instructions'
// RUN: raddle run %s --all --f32-products=tf32x3 | grep right
// RUN: raddle run %s --all --f32-products=tf32x3 --device=ptx-emu --target=sm_90a | grep right
// RUN: raddle run %s --all --f32-products=tf32 | grep right

func.func @attention(%Q: tensor<2x128x64xf32>, %K: tensor<2x192x64xf32>, %V: tensor<2x192x64xf32>) -> tensor<2x128x64xf32> {
  %scale = arith.constant 0.125 : f32
  %empty = tensor.empty() : tensor<2x128x64xf32>
  %O = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, d, k, n) -> (b, m, d)>, affine_map<(b, m, d, k, n) -> (b, k, d)>, affine_map<(b, m, d, k, n) -> (b, k, n)>, affine_map<(b, m, d, k, n) -> ()>, affine_map<(b, m, d, k, n) -> (b, m, n)>]}
      ins(%Q, %K, %V, %scale : tensor<2x128x64xf32>, tensor<2x192x64xf32>, tensor<2x192x64xf32>, f32) outs(%empty : tensor<2x128x64xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x128x64xf32>
  return %O : tensor<2x128x64xf32>
}
func.func @conv(%i: tensor<1x18x18x32xf32>, %f: tensor<3x3x32x64xf32>) -> tensor<1x16x16x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x18x18x32xf32>, tensor<3x3x32x64xf32>) outs(%c : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  return %r : tensor<1x16x16x64xf32>
}
func.func @batch(%a: tensor<3x50x70xf32>, %b: tensor<3x70x33xf32>, %bias: tensor<33xf32>) -> tensor<3x50x33xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x50x33xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x50x33xf32>) -> tensor<3x50x33xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x50x70xf32>, tensor<3x70x33xf32>) outs(%c : tensor<3x50x33xf32>) -> tensor<3x50x33xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %bias : tensor<3x50x33xf32>, tensor<33xf32>) outs(%e : tensor<3x50x33xf32>) {
  ^bb0(%x: f32, %y: f32, %q: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<3x50x33xf32>
  return %o : tensor<3x50x33xf32>
}
func.func @open(%a: tensor<?x64xf32>, %b: tensor<64x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @made_longer(%a: tensor<128x64xf32>, %b: tensor<64x96xf16>) -> tensor<128x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x96xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<128x96xf32>) -> tensor<128x96xf32>
  %we = tensor.empty() : tensor<64x96xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64x96xf16>) outs(%we : tensor<64x96xf32>) {
  ^bb0(%x: f16, %q: f32):
    %s = arith.extf %x : f16 to f32
    linalg.yield %s : f32
  } -> tensor<64x96xf32>
  %r = linalg.matmul ins(%a, %w : tensor<128x64xf32>, tensor<64x96xf32>) outs(%c : tensor<128x96xf32>) -> tensor<128x96xf32>
  return %r : tensor<128x96xf32>
}

// $ raddle run %s --function=batch | grep 'matrix instructions'
//            0 matrix instructions, 0 shuffles, 30 barriers; bytes read 103776 global, 1966080 shared; written 19800 global, 184320 shared

// $ raddle run %s --function=batch --f32-products=tf32x3 | grep 'matrix instructions'
//            2160 matrix instructions, 0 shuffles, 180 barriers; bytes read 249552 global, 552960 shared; written 19800 global, 368640 shared

// $ raddle run %s --function=made_longer --f32-products=tf32x3 | grep 'matrix instructions'
//            1536 matrix instructions, 0 shuffles, 48 barriers; bytes read 294912 global, 589824 shared; written 49152 global, 393216 shared

// $ raddle run %s --function=batch --f32-products=tf32 | grep 'matrix instructions'
//            720 matrix instructions, 0 shuffles, 180 barriers; bytes read 249552 global, 552960 shared; written 19800 global, 368640 shared

// $ raddle run %s --all --f32-products=tf32x3 | grep right
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --f32-products=tf32x3 --device=ptx-emu --target=sm_90a | grep right
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --f32-products=tf32 | grep right
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs
