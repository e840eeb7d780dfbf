// Loops of an elementwise operation stay apart where what it reads, or what sums its results, needs them apart: they could
// share no kernel otherwise. What is read of the product of heads is in f16, and extended where it is squared; heads are
// moved and turned at once.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --all --device=ptx-emu
func.func @norm_of_heads(%x: tensor<48x64xf16>, %w: tensor<64x64xf16>) -> tensor<48x4x16xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x64xf32>) -> tensor<48x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<48x64xf16>, tensor<64x64xf16>) outs(%z : tensor<48x64xf32>) -> tensor<48x64xf32>
  %eh = tensor.empty() : tensor<48x64xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<48x64xf32>) outs(%eh : tensor<48x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %b = arith.truncf %a : f32 to f16
    linalg.yield %b : f16
  } -> tensor<48x64xf16>
  %heads = tensor.expand_shape %h [[0], [1, 2]] output_shape [48, 4, 16] : tensor<48x64xf16> into tensor<48x4x16xf16>
  %ew = tensor.empty() : tensor<48x4x16xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<48x4x16xf16>) outs(%ew : tensor<48x4x16xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    linalg.yield %b : f32
  } -> tensor<48x4x16xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%wide : tensor<48x4x16xf32>) outs(%ew : tensor<48x4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<48x4x16xf32>
  %es = tensor.empty() : tensor<48x4xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<48x4xf32>) -> tensor<48x4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%square : tensor<48x4x16xf32>) outs(%zs : tensor<48x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<48x4xf32>
  %en = tensor.empty() : tensor<48x4x16xf16>
  %norm = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%wide, %sum : tensor<48x4x16xf32>, tensor<48x4xf32>) outs(%en : tensor<48x4x16xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %one = arith.constant 1.0 : f32
    %more = arith.addf %s, %one : f32
    %f = math.rsqrt %more : f32
    %b = arith.mulf %a, %f : f32
    %c = arith.truncf %b : f32 to f16
    linalg.yield %c : f16
  } -> tensor<48x4x16xf16>
  return %norm : tensor<48x4x16xf16>
}

func.func @turned_heads(%x: tensor<2x24x64xf16>, %cos: tensor<24x16xf16>, %k: tensor<8x16x24xf16>) -> (tensor<8x24x24xf32>, tensor<8x24x16xf16>) {
  %zero = arith.constant 0.0 : f32
  %heads = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<2x24x64xf16> into tensor<2x24x4x16xf16>
  %em = tensor.empty() : tensor<2x4x24x16xf16>
  %moved = linalg.transpose ins(%heads : tensor<2x24x4x16xf16>) outs(%em : tensor<2x4x24x16xf16>) permutation = [0, 2, 1, 3]
  %turned = linalg.generic {indexing_maps = [affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%moved, %cos : tensor<2x4x24x16xf16>, tensor<24x16xf16>) outs(%em : tensor<2x4x24x16xf16>) {
  ^bb0(%a: f16, %c: f16, %o: f16):
    %b = arith.mulf %a, %c : f16
    linalg.yield %b : f16
  } -> tensor<2x4x24x16xf16>
  %flat = tensor.collapse_shape %turned [[0, 1], [2], [3]] : tensor<2x4x24x16xf16> into tensor<8x24x16xf16>
  %e = tensor.empty() : tensor<8x24x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %r = linalg.batch_matmul ins(%flat, %k : tensor<8x24x16xf16>, tensor<8x16x24xf16>) outs(%z : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  return %r, %flat : tensor<8x24x24xf32>, tensor<8x24x16xf16>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @norm_of_heads_kernel_0(%arg0: tensor<48x64xf16>, %arg1: tensor<64x64xf16>) -> tensor<48x64xf16> attributes {translation_info = #translation} {
//   func.func @norm_of_heads_kernel_1(%arg0: tensor<48x64xf16>) -> tensor<48x4x16xf16> attributes {translation_info = #translation1} {
//   func.func @turned_heads_kernel_0(%arg0: tensor<2x24x64xf16>, %arg1: tensor<24x16xf16>) -> tensor<2x4x24x16xf16> attributes {translation_info = #translation1} {
//   func.func @turned_heads_kernel_1(%arg0: tensor<8x24x16xf16>, %arg1: tensor<8x16x24xf16>) -> tensor<8x24x24xf32> attributes {translation_info = #translation1} {

// $ raddle run %s --all --device=ptx-emu
// ok       @norm_of_heads
// ok       @turned_heads
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
