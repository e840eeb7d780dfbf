// Sums over windows of each channel that make two channels of it, as where a network halves its images: no product of
// matrices. A thread has several places, and several channels read the same windows in one workgroup; windows that would be
// worth writing out for a product are read where they are.
// RUN: raddle opt %s --to configured | grep -e func.func -e lowering_config
// RUN: raddle run %s --function=small | grep correct
// RUN: raddle run %s --function=large | grep correct
func.func @small(%x: tensor<1x48x10x10xf16>, %w: tensor<48x2x3x3xf16>) -> tensor<1x48x2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48x2x8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48x2x8x8xf32>) -> tensor<1x48x2x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w, i, j) -> (n, g, h + i, w + j)>, affine_map<(n, g, f, h, w, i, j) -> (g, f, i, j)>, affine_map<(n, g, f, h, w, i, j) -> (n, g, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x48x10x10xf16>, tensor<48x2x3x3xf16>) outs(%zeros : tensor<1x48x2x8x8xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x48x2x8x8xf32>
  return %r : tensor<1x48x2x8x8xf32>
}

func.func @large(%x: tensor<2x96x37x37xf16>, %w: tensor<96x2x7x7xf16>) -> tensor<2x96x2x16x16xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x96x2x16x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x96x2x16x16xf32>) -> tensor<2x96x2x16x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w, i, j) -> (n, g, h * 2 + i, w * 2 + j)>, affine_map<(n, g, f, h, w, i, j) -> (g, f, i, j)>, affine_map<(n, g, f, h, w, i, j) -> (n, g, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x96x37x37xf16>, tensor<96x2x7x7xf16>) outs(%zeros : tensor<2x96x2x16x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x96x2x16x16xf32>
  %o = tensor.empty() : tensor<2x96x2x16x16xf16>
  %n = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>, affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<2x96x2x16x16xf32>) outs(%o : tensor<2x96x2x16x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x96x2x16x16xf16>
  return %n : tensor<2x96x2x16x16xf16>
}

// $ raddle opt %s --to configured | grep -e func.func -e lowering_config
//   func.func @small(%arg0: tensor<1x48x10x10xf16>, %arg1: tensor<48x2x3x3xf16>) -> tensor<1x48x2x8x8xf32> attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg1, %3 : tensor<48x2x3x3xf16>, tensor<1x48x8x3x8x3xf16>) outs(%1 : tensor<1x48x2x8x8xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 2, 4, 4, 1, 1], [0, 1, 2, 3, 4, 5, 6]], partial_reduction = [0, 0, 0, 0, 0, 3, 3], subgroup_basis = [[1, 1, 1, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], thread = [1, 1, 1, 1, 2, 1, 1], workgroup = [1, 1, 2, 8, 8, 0, 0]}>} {
//   func.func @large(%arg0: tensor<2x96x37x37xf16>, %arg1: tensor<96x2x7x7xf16>) -> tensor<2x96x2x16x16xf16> attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg1, %3 : tensor<96x2x7x7xf16>, tensor<2x96x16x7x16x7xf16>) outs(%1 : tensor<2x96x2x16x16xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 2, 16, 1, 1], [0, 1, 2, 3, 4, 5, 6]], partial_reduction = [0, 0, 0, 0, 0, 7, 7], subgroup_basis = [[1, 1, 1, 2, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], thread = [1, 1, 1, 4, 1, 1, 1], workgroup = [2, 1, 2, 16, 16, 0, 0]}>} {

// $ raddle run %s --function=small | grep correct
// correct: all 6144 elements agree with the reference within 1.14e-5 + 2.38e-7·|expected| (3881 bit for bit)

// $ raddle run %s --function=large | grep correct
// correct: all 98304 elements agree with the reference within 5.44e-2 + 1.95e-3·|expected| (98253 bit for bit)
