// Subgroups share the sums of products of few rows: each has groups of its own, of which there may be fewer in the last step.
// RUN: raddle opt %s --target=sm_90a --to=configured | grep partial_reduction
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --function=bytes_and_scales --target=sm_80 --compare=vector,distributed --quiet
#all = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>
func.func @bytes_and_scales(%x: tensor<5x640xf16>, %q: tensor<100x640xi8>, %scale: tensor<100x5xf16>) -> tensor<5x100xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %q [[0], [1, 2]] output_shape [100, 5, 128] : tensor<100x640xi8> into tensor<100x5x128xi8>
  %e = tensor.empty() : tensor<100x5x128xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<100x5x128xi8>, tensor<100x5xf16>) outs(%e : tensor<100x5x128xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %b = arith.sitofp %a : i8 to f16
    %r = arith.mulf %b, %s : f16
    linalg.yield %r : f16
  } -> tensor<100x5x128xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<100x5x128xf16> into tensor<100x640xf16>
  %f = tensor.empty() : tensor<5x100xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<5x100xf32>) -> tensor<5x100xf32>
  %r = linalg.matmul indexing_maps = [#x, #w, #r] ins(%x, %w : tensor<5x640xf16>, tensor<100x640xf16>) outs(%zeros : tensor<5x100xf32>) -> tensor<5x100xf32>
  return %r : tensor<5x100xf32>
}
// Neighbours in memory are those of a lane, so that groups of 32 are read by 64 bits.
func.func @short_groups(%x: tensor<3x480xf16>, %q: tensor<40x480xi8>, %scale: tensor<40x15xf16>) -> tensor<3x40xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %q [[0], [1, 2]] output_shape [40, 15, 32] : tensor<40x480xi8> into tensor<40x15x32xi8>
  %e = tensor.empty() : tensor<40x15x32xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<40x15x32xi8>, tensor<40x15xf16>) outs(%e : tensor<40x15x32xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %b = arith.uitofp %a : i8 to f16
    %r = arith.mulf %b, %s : f16
    linalg.yield %r : f16
  } -> tensor<40x15x32xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<40x15x32xf16> into tensor<40x480xf16>
  %f = tensor.empty() : tensor<3x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<3x40xf32>) -> tensor<3x40xf32>
  %r = linalg.matmul indexing_maps = [#x, #w, #r] ins(%x, %w : tensor<3x480xf16>, tensor<40x480xf16>) outs(%zeros : tensor<3x40xf32>) -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}
// Sums of one loop are divided where the larger factor is computed of narrower numbers.
func.func @one_loop(%x: tensor<7x640xbf16>, %q: tensor<2150x640xi8>) -> tensor<7x2150xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2150x640xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<2150x640xi8>) outs(%e : tensor<2150x640xbf16>) {
  ^bb0(%a: i8, %o: bf16):
    %b = arith.sitofp %a : i8 to bf16
    linalg.yield %b : bf16
  } -> tensor<2150x640xbf16>
  %f = tensor.empty() : tensor<7x2150xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<7x2150xf32>) -> tensor<7x2150xf32>
  %r = linalg.matmul indexing_maps = [#x, #w, #r] ins(%x, %w : tensor<7x640xbf16>, tensor<2150x640xbf16>) outs(%zeros : tensor<7x2150xf32>) -> tensor<7x2150xf32>
  return %r : tensor<7x2150xf32>
}
// One that lies in memory as it is goes through rings.
func.func @bytes(%x: tensor<16x640xi8>, %w: tensor<2200x640xi8>) -> tensor<16x2200xi32> {
  %zero = arith.constant 0 : i32
  %f = tensor.empty() : tensor<16x2200xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%f : tensor<16x2200xi32>) -> tensor<16x2200xi32>
  %r = linalg.matmul indexing_maps = [#x, #w, #r] ins(%x, %w : tensor<16x640xi8>, tensor<2200x640xi8>) outs(%zeros : tensor<16x2200xi32>) -> tensor<16x2200xi32>
  return %r : tensor<16x2200xi32>
}

// $ raddle opt %s --target=sm_90a --to=configured | grep partial_reduction
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1, %expanded_0 : tensor<100x5x128xf16>, tensor<5x5x128xf16>) outs(%3 : tensor<5x100xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, partial_reduction = [0, 0, 4, 0], reduction = [0, 0, 0, 128], subgroup_basis = [[1, 1, 4, 1], [0, 1, 2, 3]], thread = [0, 0, 0, 16], workgroup = [8, 16, 0, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1, %expanded_0 : tensor<40x15x32xf16>, tensor<3x15x32xf16>) outs(%3 : tensor<3x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, partial_reduction = [0, 0, 8, 0], reduction = [0, 0, 0, 32], subgroup_basis = [[1, 1, 4, 1], [0, 1, 2, 3]], thread = [0, 0, 0, 8], workgroup = [8, 16, 0, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1, %expanded_0 : tensor<2150x10x64xbf16>, tensor<7x10x64xbf16>) outs(%3 : tensor<7x2150xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_BF16>, partial_reduction = [0, 0, 8, 0], reduction = [0, 0, 0, 64], subgroup_basis = [[1, 1, 4, 1], [0, 1, 2, 3]], thread = [0, 0, 0, 16], workgroup = [8, 16, 0, 0]}>} {

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @bytes_and_scales
// ok       @short_groups
// ok       @one_loop
// ok       @bytes
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=bytes_and_scales --target=sm_80 --compare=vector,distributed --quiet
// correct: stage `vector`, all 500 elements agree with the reference within 1.21e0 + 2.38e-7·|expected| (0 bit for bit)
// correct: stage `distributed`, all 500 elements agree with the reference within 1.21e0 + 2.38e-7·|expected| (0 bit for bit)
// correct: stage `distributed`, all 500 elements agree with stage `vector` within 1.21e0 + 2.38e-7·|expected| (75 bit for bit)
