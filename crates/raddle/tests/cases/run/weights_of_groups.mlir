// Weights of 8 bits with a scale for each group of them, as PyTorch's programs have them between two reshapes: the product
// sums along groups and what is in them, and computes the weights itself; it was three kernels. Where there are so many
// rows that weights had better be made once, they are made by one kernel, and the product sums along one loop again.
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e iterator_types
// RUN: raddle run %s --target=sm_90a --function=few_rows | grep correct
// RUN: raddle run %s --target=gfx942 --function=few_rows | grep correct
// RUN: raddle run %s --function=one_row | grep correct
#all = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>
func.func @few_rows(%x: tensor<8x128xf16>, %q: tensor<96x128xi8>, %scale: tensor<96x4xf16>) -> tensor<8x96xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %q [[0], [1, 2]] output_shape [96, 4, 32] : tensor<96x128xi8> into tensor<96x4x32xi8>
  %e = tensor.empty() : tensor<96x4x32xf16>
  %numbers = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups : tensor<96x4x32xi8>) outs(%e : tensor<96x4x32xf16>) {
  ^bb0(%a: i8, %o: f16):
    %r = arith.sitofp %a : i8 to f16
    linalg.yield %r : f16
  } -> tensor<96x4x32xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%numbers, %scale : tensor<96x4x32xf16>, tensor<96x4xf16>) outs(%e : tensor<96x4x32xf16>) {
  ^bb0(%a: f16, %s: f16, %o: f16):
    %r = arith.mulf %a, %s : f16
    linalg.yield %r : f16
  } -> tensor<96x4x32xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<96x4x32xf16> into tensor<96x128xf16>
  %t = tensor.empty() : tensor<128x96xf16>
  %columns = linalg.transpose ins(%w : tensor<96x128xf16>) outs(%t : tensor<128x96xf16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<8x96xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<8x96xf32>) -> tensor<8x96xf32>
  %r = linalg.matmul ins(%x, %columns : tensor<8x128xf16>, tensor<128x96xf16>) outs(%zeros : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %r : tensor<8x96xf32>
}
func.func @one_row(%x: tensor<1x128xf16>, %q: tensor<96x128xi8>, %scale: tensor<96x4xf16>) -> tensor<1x96xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %q [[0], [1, 2]] output_shape [96, 4, 32] : tensor<96x128xi8> into tensor<96x4x32xi8>
  %e = tensor.empty() : tensor<96x4x32xf16>
  %numbers = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups : tensor<96x4x32xi8>) outs(%e : tensor<96x4x32xf16>) {
  ^bb0(%a: i8, %o: f16):
    %r = arith.sitofp %a : i8 to f16
    linalg.yield %r : f16
  } -> tensor<96x4x32xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%numbers, %scale : tensor<96x4x32xf16>, tensor<96x4xf16>) outs(%e : tensor<96x4x32xf16>) {
  ^bb0(%a: f16, %s: f16, %o: f16):
    %r = arith.mulf %a, %s : f16
    linalg.yield %r : f16
  } -> tensor<96x4x32xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<96x4x32xf16> into tensor<96x128xf16>
  %t = tensor.empty() : tensor<128x96xf16>
  %columns = linalg.transpose ins(%w : tensor<96x128xf16>) outs(%t : tensor<128x96xf16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<1x96xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<1x96xf32>) -> tensor<1x96xf32>
  %r = linalg.matmul ins(%x, %columns : tensor<1x128xf16>, tensor<128x96xf16>) outs(%zeros : tensor<1x96xf32>) -> tensor<1x96xf32>
  return %r : tensor<1x96xf32>
}
func.func @many_rows(%x: tensor<512x4096xf16>, %q: tensor<4096x4096xi8>, %scale: tensor<4096x32xf16>) -> tensor<512x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %q [[0], [1, 2]] output_shape [4096, 32, 128] : tensor<4096x4096xi8> into tensor<4096x32x128xi8>
  %e = tensor.empty() : tensor<4096x32x128xf16>
  %numbers = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups : tensor<4096x32x128xi8>) outs(%e : tensor<4096x32x128xf16>) {
  ^bb0(%a: i8, %o: f16):
    %r = arith.sitofp %a : i8 to f16
    linalg.yield %r : f16
  } -> tensor<4096x32x128xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%numbers, %scale : tensor<4096x32x128xf16>, tensor<4096x32xf16>) outs(%e : tensor<4096x32x128xf16>) {
  ^bb0(%a: f16, %s: f16, %o: f16):
    %r = arith.mulf %a, %s : f16
    linalg.yield %r : f16
  } -> tensor<4096x32x128xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<4096x32x128xf16> into tensor<4096x4096xf16>
  %t = tensor.empty() : tensor<4096x4096xf16>
  %columns = linalg.transpose ins(%w : tensor<4096x4096xf16>) outs(%t : tensor<4096x4096xf16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<512x4096xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<512x4096xf32>) -> tensor<512x4096xf32>
  %r = linalg.matmul ins(%x, %columns : tensor<512x4096xf16>, tensor<4096x4096xf16>) outs(%zeros : tensor<512x4096xf32>) -> tensor<512x4096xf32>
  return %r : tensor<512x4096xf32>
}

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e iterator_types
//   func.func @few_rows(%arg0: tensor<8x128xf16>, %arg1: tensor<96x128xi8>, %arg2: tensor<96x4xf16>) -> tensor<8x96xf32> attributes {translation_info = #translation} {
//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<96x4x32xi8>) outs(%0 : tensor<96x4x32xf16>) {
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg2 : tensor<96x4x32xf16>, tensor<96x4xf16>) outs(%0 : tensor<96x4x32xf16>) {
//     %5 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%2, %expanded_0 : tensor<96x4x32xf16>, tensor<8x4x32xf16>) outs(%4 : tensor<8x96xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, partial_reduction = [0, 0, 2, 0], reduction = [0, 0, 0, 32], subgroup_basis = [[1, 1, 2, 1], [0, 1, 2, 3]], thread = [0, 0, 0, 8], workgroup = [8, 16, 0, 0]}>} {
//   func.func @one_row_kernel_0(%arg0: tensor<96x128xi8>, %arg1: tensor<96x4xf16>, %arg2: tensor<128xf16>) -> tensor<96xf32> attributes {translation_info = #translation1} {
//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<96x4x32xi8>) outs(%0 : tensor<96x4x32xf16>) {
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<96x4x32xf16>, tensor<96x4xf16>) outs(%0 : tensor<96x4x32xf16>) {
//     %5 = linalg.generic {indexing_maps = [#map5, #map, #map6], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_0, %2 : tensor<4x32xf16>, tensor<96x4x32xf16>) outs(%4 : tensor<96xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 4, 2], [0, 1, 2]], partial_reduction = [0, 4, 32], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 1, 16], workgroup = [4, 0, 0]}>} {
//   func.func @many_rows_kernel_0(%arg0: tensor<4096x4096xi8>, %arg1: tensor<4096x32xf16>) -> tensor<4096x32x128xf16> attributes {translation_info = #translation2} {
//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<4096x32x128xi8>) outs(%0 : tensor<4096x32x128xf16>) {
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<4096x32x128xf16>, tensor<4096x32xf16>) outs(%0 : tensor<4096x32x128xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 2, 16], [0, 1, 2]], subgroup_basis = [[1, 4, 1], [0, 1, 2]], thread = [1, 1, 8], workgroup = [1, 32, 128]}>} {
//   func.func @many_rows_kernel_1(%arg0: tensor<512x4096xf16>, %arg1: tensor<4096x4096xf16>) -> tensor<512x4096xf32> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map7, #map5, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<512x4096xf16>, tensor<4096x4096xf16>) outs(%1 : tensor<512x4096xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 64], subgroup_basis = [[8, 1, 1], [0, 1, 2]], workgroup = [128, 128, 0]}>} {

// $ raddle run %s --target=sm_90a --function=few_rows | grep correct
// correct: all 768 elements agree with the reference within 9.23e-1 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --target=gfx942 --function=few_rows | grep correct
// correct: all 768 elements agree with the reference within 9.23e-1 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --function=one_row | grep correct
// correct: all 96 elements agree with the reference within 9.42e-1 + 2.38e-7·|expected| (0 bit for bit)
