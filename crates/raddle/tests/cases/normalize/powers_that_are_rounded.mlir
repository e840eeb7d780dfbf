// Powers of a softmax may be approximated where their sum, quotients and products with numbers are rounded to 16 bits, and
// nothing else is made of them. Sums of products with numbers of either sign lose more.
// RUN: raddle opt %s --normalize | grep -e func.func -e math.exp
// RUN: raddle run %s --all --device=ptx-emu
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @rounded(%x: tensor<8x96xbf16>) -> tensor<8x96xbf16> {
  %e = tensor.empty() : tensor<8x96xf32>
  %w = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x96xbf16>) outs(%e : tensor<8x96xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %y = arith.extf %a : bf16 to f32
    linalg.yield %y : f32
  } -> tensor<8x96xf32>
  %s = linalg.softmax dimension(1) ins(%w : tensor<8x96xf32>) outs(%e : tensor<8x96xf32>) -> tensor<8x96xf32>
  %er = tensor.empty() : tensor<8x96xbf16>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x96xf32>) outs(%er : tensor<8x96xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %half = arith.constant 0.5 : f32
    %z = arith.mulf %a, %half : f32
    %y = arith.truncf %z : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<8x96xbf16>
  return %r : tensor<8x96xbf16>
}
func.func @in_f32(%x: tensor<8x96xf32>) -> tensor<8x96xf32> {
  %e = tensor.empty() : tensor<8x96xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<8x96xf32>) outs(%e : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %s : tensor<8x96xf32>
}
func.func @mean(%x: tensor<8x96xf32>, %v: tensor<8x96xf32>) -> tensor<8xf16> {
  %e = tensor.empty() : tensor<8x96xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<8x96xf32>) outs(%e : tensor<8x96xf32>) -> tensor<8x96xf32>
  %zero = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<8xf32>
  %zm = linalg.fill ins(%zero : f32) outs(%em : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%s, %v : tensor<8x96xf32>, tensor<8x96xf32>) outs(%zm : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %y = arith.addf %o, %p : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %er = tensor.empty() : tensor<8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m : tensor<8xf32>) outs(%er : tensor<8xf16>) {
  ^bb0(%a: f32, %o: f16):
    %y = arith.truncf %a : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8xf16>
  return %r : tensor<8xf16>
}

// $ raddle opt %s --normalize | grep -e func.func -e math.exp
//   func.func @rounded(%arg0: tensor<8x96xbf16>) -> tensor<8x96xbf16> {
//       %12 = math.exp %11 fastmath<afn> {raddle.not_positive} : f32
//   func.func @in_f32(%arg0: tensor<8x96xf32>) -> tensor<8x96xf32> {
//       %9 = math.exp %8 {raddle.not_positive} : f32
//   func.func @mean(%arg0: tensor<8x96xf32>, %arg1: tensor<8x96xf32>) -> tensor<8xf16> {
//       %12 = math.exp %11 {raddle.not_positive} : f32

// $ raddle run %s --all --device=ptx-emu
// ok       @rounded
// ok       @in_f32
// ok       @mean
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
