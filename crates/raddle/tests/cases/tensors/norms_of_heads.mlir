// A product gives its rows in 16 bits to a norm of each head of them: what the norm extends and squares is not in the
// product's kernel, also where it has dimensions of one element and is read behind reshapes.
// RUN: raddle opt %s --normalize --partition | grep func.func
// RUN: raddle run %s --quiet
#row = affine_map<(b, i, h, d) -> (b, i, h, d)>
#head = affine_map<(b, i, h, d) -> (b, i, h, 0)>
func.func @heads(%x: tensor<32x64xf16>, %w: tensor<64x256xf16>) -> tensor<1x32x16x16xf16> {
  %zero = arith.constant 0.0 : f32
  %few = arith.constant 1.0e-6 : f32
  %n = arith.constant 16.0 : f32
  %e = tensor.empty() : tensor<32x256xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x256xf16>) outs(%fill : tensor<32x256xf32>) -> tensor<32x256xf32>
  %eh = tensor.empty() : tensor<32x256xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<32x256xf32>) outs(%eh : tensor<32x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<32x256xf16>
  %heads = tensor.expand_shape %h [[0, 1], [2, 3]] output_shape [1, 32, 16, 16] : tensor<32x256xf16> into tensor<1x32x16x16xf16>
  %ew = tensor.empty() : tensor<1x32x16x16xf32>
  %wide = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<1x32x16x16xf16>) outs(%ew : tensor<1x32x16x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %t = arith.extf %in : f16 to f32
    linalg.yield %t : f32
  } -> tensor<1x32x16x16xf32>
  %squares = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%wide : tensor<1x32x16x16xf32>) outs(%ew : tensor<1x32x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.mulf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<1x32x16x16xf32>
  %es = tensor.empty() : tensor<1x32x16x1xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<1x32x16x1xf32>) -> tensor<1x32x16x1xf32>
  %sums = linalg.generic {indexing_maps = [#row, #head], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%squares : tensor<1x32x16x16xf32>) outs(%fs : tensor<1x32x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %out, %in : f32
    linalg.yield %t : f32
  } -> tensor<1x32x16x1xf32>
  %er = tensor.empty() : tensor<1x32x16x16xf16>
  %r = linalg.generic {indexing_maps = [#row, #head, #row], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%wide, %sums : tensor<1x32x16x16xf32>, tensor<1x32x16x1xf32>) outs(%er : tensor<1x32x16x16xf16>) {
  ^bb0(%in: f32, %sum: f32, %out: f16):
    %mean = arith.divf %sum, %n : f32
    %more = arith.addf %mean, %few : f32
    %by = math.rsqrt %more : f32
    %y = arith.mulf %in, %by : f32
    %t = arith.truncf %y : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x32x16x16xf16>
  return %r : tensor<1x32x16x16xf16>
}

// $ raddle opt %s --normalize --partition | grep func.func
//   func.func @heads(%arg0: tensor<32x64xf16>, %arg1: tensor<64x256xf16>) -> tensor<1x32x16x16xf16> {
//   func.func @heads_kernel_0(%arg0: tensor<32x64xf16>, %arg1: tensor<64x256xf16>) -> tensor<32x256xf16> {
//   func.func @heads_kernel_1(%arg0: tensor<32x256xf16>) -> tensor<32x16x16xf16> {

// $ raddle run %s --quiet
// correct: all 8192 elements agree with the reference within 1.56e-2 + 1.95e-3·|expected| (6117 bit for bit)
