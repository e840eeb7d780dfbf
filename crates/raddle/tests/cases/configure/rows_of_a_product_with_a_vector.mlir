// RUN: raddle opt %s --target=sm_90a --to=configured
// Many rows are several in a thread; of fewer rows, each is shared by subgroups, so that as many reads are under way.
func.func @many(%x: tensor<4096xf16>, %w: tensor<32000x4096xf16>, %r: tensor<32000xf32>) -> tensor<32000xf32> {
  %0 = linalg.matvec ins(%w, %x : tensor<32000x4096xf16>, tensor<4096xf16>) outs(%r : tensor<32000xf32>) -> tensor<32000xf32>
  return %0 : tensor<32000xf32>
}
func.func @fewer(%x: tensor<4096xf16>, %w: tensor<4096x4096xf16>, %r: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = linalg.matvec ins(%w, %x : tensor<4096x4096xf16>, tensor<4096xf16>) outs(%r : tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
func.func @few(%x: tensor<4096xf16>, %w: tensor<1000x4096xf16>, %r: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = linalg.matvec ins(%w, %x : tensor<1000x4096xf16>, tensor<4096xf16>) outs(%r : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// $ raddle opt %s --target=sm_90a --to=configured
// #map = affine_map<(d0, d1) -> (d0, d1)>
// #map1 = affine_map<(d0, d1) -> (d1)>
// #map2 = affine_map<(d0, d1) -> (d0)>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
// #translation1 = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 32>
// module {
//   func.func @many(%arg0: tensor<4096xf16>, %arg1: tensor<32000x4096xf16>, %arg2: tensor<32000xf32>) -> tensor<32000xf32> attributes {translation_info = #translation} {
//     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg1, %arg0 : tensor<32000x4096xf16>, tensor<4096xf16>) outs(%arg2 : tensor<32000xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 256], subgroup_basis = [[4, 1], [0, 1]], thread = [1, 8], workgroup = [16, 0]}>} {
//     ^bb0(%in: f16, %in_0: f16, %out: f32):
//       %1 = arith.extf %in : f16 to f32
//       %2 = arith.extf %in_0 : f16 to f32
//       %3 = arith.mulf %1, %2 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<32000xf32>
//     return %0 : tensor<32000xf32>
//   }
//   func.func @fewer(%arg0: tensor<4096xf16>, %arg1: tensor<4096x4096xf16>, %arg2: tensor<4096xf32>) -> tensor<4096xf32> attributes {translation_info = #translation} {
//     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg1, %arg0 : tensor<4096x4096xf16>, tensor<4096xf16>) outs(%arg2 : tensor<4096xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 1024], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 8], workgroup = [4, 0]}>} {
//     ^bb0(%in: f16, %in_0: f16, %out: f32):
//       %1 = arith.extf %in : f16 to f32
//       %2 = arith.extf %in_0 : f16 to f32
//       %3 = arith.mulf %1, %2 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<4096xf32>
//     return %0 : tensor<4096xf32>
//   }
//   func.func @few(%arg0: tensor<4096xf16>, %arg1: tensor<1000x4096xf16>, %arg2: tensor<1000xf32>) -> tensor<1000xf32> attributes {translation_info = #translation1} {
//     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg1, %arg0 : tensor<1000x4096xf16>, tensor<4096xf16>) outs(%arg2 : tensor<1000xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 4096], subgroup_basis = [[1, 8], [0, 1]], thread = [1, 8], workgroup = [2, 0]}>} {
//     ^bb0(%in: f16, %in_0: f16, %out: f32):
//       %1 = arith.extf %in : f16 to f32
//       %2 = arith.extf %in_0 : f16 to f32
//       %3 = arith.mulf %1, %2 : f32
//       %4 = arith.addf %out, %3 : f32
//       linalg.yield %4 : f32
//     } -> tensor<1000xf32>
//     return %0 : tensor<1000xf32>
//   }
// }
