// Rows and columns of an image of 7 x 7 places follow one another in what a product reads and gives, and are one loop there,
// of more places than there are images: tiles go along it.
// RUN: raddle opt %s --to=configured --target=sm_90a | grep mma_kind
// RUN: raddle run %s --target=sm_90a | grep correct
func.func @f(%x: tensor<8x96x7x7xf16>, %t: tensor<7x7xf16>, %w: tensor<128x96x1x1xf16>) -> tensor<8x128x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %half = tensor.empty() : tensor<8x96x7x7xf16>
  %sum = linalg.generic {
    indexing_maps = [affine_map<(b, c, h, w) -> (b, c, h, w)>, affine_map<(b, c, h, w) -> (w, h)>,
      affine_map<(b, c, h, w) -> (b, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %t : tensor<8x96x7x7xf16>, tensor<7x7xf16>) outs(%half : tensor<8x96x7x7xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %0 = arith.addf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<8x96x7x7xf16>
  %empty = tensor.empty() : tensor<8x128x7x7xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x128x7x7xf32>) -> tensor<8x128x7x7xf32>
  %sums = linalg.conv_2d_nchw_fchw ins(%sum, %w : tensor<8x96x7x7xf16>, tensor<128x96x1x1xf16>)
    outs(%fill : tensor<8x128x7x7xf32>) -> tensor<8x128x7x7xf32>
  return %sums : tensor<8x128x7x7xf32>
}

// $ raddle opt %s --to=configured --target=sm_90a | grep mma_kind
//     %2 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<128x96xf16>, tensor<8x49x96xf16>) outs(%1 : tensor<8x128x49xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 0, 96], subgroup_basis = [[1, 1, 2, 1], [0, 1, 2, 3]], workgroup = [1, 16, 16, 0]}>} {

// $ raddle run %s --target=sm_90a | grep correct
// correct: all 50176 elements agree with the reference within 1.16e-1 + 2.38e-7·|expected| (6 bit for bit)
