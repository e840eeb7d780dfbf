// What is computed of one number, as the mean of a row in a step of decoding, has no loops, and is in the kernel of what
// sums the row and of what it is a factor of. A product of one row has no loop for it, as what is computed of its result.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --all --device=ptx-emu
#all = affine_map<(b, s, d) -> (b, s, d)>
#row = affine_map<(b, s, d) -> (b, s, 0)>
func.func @decoded(%x: tensor<1x1x256xf16>, %w: tensor<256x192xf16>) -> tensor<1x1x192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x256xf32>
  %square = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x1x256xf16>) outs(%e : tensor<1x1x256xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    %c = arith.mulf %b, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x1x256xf32>
  %e1 = tensor.empty() : tensor<1x1x1xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%square : tensor<1x1x256xf32>) outs(%z1 : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<1x1x1xf32>
  %factor = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<1x1x1xf32>) outs(%e1 : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 256.0 : f32
    %mean = arith.divf %a, %n : f32
    %b = math.rsqrt %mean : f32
    linalg.yield %b : f32
  } -> tensor<1x1x1xf32>
  %eh = tensor.empty() : tensor<1x1x256xf16>
  %norm = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %factor : tensor<1x1x256xf16>, tensor<1x1x1xf32>) outs(%eh : tensor<1x1x256xf16>) {
  ^bb0(%a: f16, %f: f32, %o: f16):
    %b = arith.extf %a : f16 to f32
    %c = arith.mulf %b, %f : f32
    %d = arith.truncf %c : f32 to f16
    linalg.yield %d : f16
  } -> tensor<1x1x256xf16>
  %flat = tensor.collapse_shape %norm [[0, 1], [2]] : tensor<1x1x256xf16> into tensor<1x256xf16>
  %er = tensor.empty() : tensor<1x192xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<1x192xf32>) -> tensor<1x192xf32>
  %r = linalg.matmul ins(%flat, %w : tensor<1x256xf16>, tensor<256x192xf16>) outs(%zr : tensor<1x192xf32>) -> tensor<1x192xf32>
  %back = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 1, 192] : tensor<1x192xf32> into tensor<1x1x192xf32>
  return %back : tensor<1x1x192xf32>
}

#r = affine_map<(i, j) -> (i, j)>
func.func @dense(%x: tensor<1x256xf16>, %w: tensor<256x192xf16>, %b: tensor<192xf16>) -> (tensor<1x192xf16>, tensor<1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x192xf32>) -> tensor<1x192xf32>
  %m = linalg.matmul ins(%x, %w : tensor<1x256xf16>, tensor<256x192xf16>) outs(%z : tensor<1x192xf32>) -> tensor<1x192xf32>
  %eh = tensor.empty() : tensor<1x192xf16>
  %h = linalg.generic {indexing_maps = [#r, affine_map<(i, j) -> (j)>, #r], iterator_types = ["parallel", "parallel"]} ins(%m, %b : tensor<1x192xf32>, tensor<192xf16>) outs(%eh : tensor<1x192xf16>) {
  ^bb0(%a: f32, %c: f16, %o: f16):
    %n = arith.truncf %a : f32 to f16
    %d = arith.addf %n, %c : f16
    linalg.yield %d : f16
  } -> tensor<1x192xf16>
  %w2 = tensor.expand_shape %b [[0, 1]] output_shape [192, 1] : tensor<192xf16> into tensor<192x1xf16>
  %e2 = tensor.empty() : tensor<1x1xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %m2 = linalg.matmul ins(%h, %w2 : tensor<1x192xf16>, tensor<192x1xf16>) outs(%z2 : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %h, %m2 : tensor<1x192xf16>, tensor<1x1xf32>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @decoded_kernel_0(%arg0: tensor<256xf16>) -> tensor<256xf16> attributes {translation_info = #translation} {
//   func.func @decoded_kernel_1(%arg0: tensor<256xf16>, %arg1: tensor<256x192xf16>) -> tensor<192xf32> attributes {translation_info = #translation1} {
//   func.func @dense_kernel_0(%arg0: tensor<256xf16>, %arg1: tensor<256x192xf16>, %arg2: tensor<192xf16>) -> tensor<192xf16> attributes {translation_info = #translation1} {
//   func.func @dense_kernel_1(%arg0: tensor<192xf16>, %arg1: tensor<192xf16>) -> tensor<f32> attributes {translation_info = #translation} {

// $ raddle run %s --all --device=ptx-emu
// ok       @decoded
// ok       @dense
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
