// A product and what divides its rows by their sums, all columns of which a workgroup of one kernel would have: where tiles
// of the product alone are so much faster that it is worth the memory in between, it is a kernel of its own.
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
#all = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
func.func @long_sums(%x: tensor<1568x1536xf16>, %w: tensor<1536x384xf16>) -> tensor<1568x384xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1568x384xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1568x384xf32>) -> tensor<1568x384xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1568x1536xf16>, tensor<1536x384xf16>) outs(%zeros : tensor<1568x384xf32>) -> tensor<1568x384xf32>
  %f = tensor.empty() : tensor<1568xf32>
  %none = linalg.fill ins(%zero : f32) outs(%f : tensor<1568xf32>) -> tensor<1568xf32>
  %sum = linalg.reduce { arith.addf } ins(%y : tensor<1568x384xf32>) outs(%none : tensor<1568xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%y, %sum : tensor<1568x384xf32>, tensor<1568xf32>) outs(%e : tensor<1568x384xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<1568x384xf32>
  return %r : tensor<1568x384xf32>
}
func.func @short_rows(%x: tensor<1568x256xf16>, %w: tensor<256x64xf16>) -> tensor<1568x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1568x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1568x64xf32>) -> tensor<1568x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1568x256xf16>, tensor<256x64xf16>) outs(%zeros : tensor<1568x64xf32>) -> tensor<1568x64xf32>
  %f = tensor.empty() : tensor<1568xf32>
  %none = linalg.fill ins(%zero : f32) outs(%f : tensor<1568xf32>) -> tensor<1568xf32>
  %sum = linalg.reduce { arith.addf } ins(%y : tensor<1568x64xf32>) outs(%none : tensor<1568xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%y, %sum : tensor<1568x64xf32>, tensor<1568xf32>) outs(%e : tensor<1568x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<1568x64xf32>
  return %r : tensor<1568x64xf32>
}

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
//   func.func @short_rows(%arg0: tensor<1568x256xf16>, %arg1: tensor<256x64xf16>) -> tensor<1568x64xf32> attributes {translation_info = #translation} {
//     %2 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 64], subgroup_basis = [[1, 8, 1], [0, 1, 2]], workgroup = [16, 64, 0]}>} ins(%arg0, %arg1 : tensor<1568x256xf16>, tensor<256x64xf16>) outs(%1 : tensor<1568x64xf32>) -> tensor<1568x64xf32>
//   func.func @long_sums_kernel_0(%arg0: tensor<1568x1536xf16>, %arg1: tensor<1536x384xf16>) -> tensor<1568x384xf32> attributes {translation_info = #translation1} {
//     %2 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 128], subgroup_basis = [[4, 1, 1], [0, 1, 2]], workgroup = [64, 128, 0]}>} ins(%arg0, %arg1 : tensor<1568x1536xf16>, tensor<1536x384xf16>) outs(%1 : tensor<1568x384xf32>) -> tensor<1568x384xf32>
//   func.func @long_sums_kernel_1(%arg0: tensor<1568x384xf32>) -> tensor<1568x384xf32> attributes {translation_info = #translation1} {
//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<1568x384xf32>) outs(%1 : tensor<1568xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[4, 1], [0, 1]], thread = [1, 4], workgroup = [4, 0]}>} {
