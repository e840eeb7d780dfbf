// Attributes that belong to an operation may stand between angle brackets in front of the dictionary.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%q: tensor<16x64xf16>, %k: tensor<32x64xf16>, %v: tensor<32x8xf16>, %s: f16, %o: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]}
      ins(%q, %k, %v, %s : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%o : tensor<16x8xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<16x8xf16>
  return %r : tensor<16x8xf16>
}

// -----
func.func @f(%q: tensor<16x64xf16>, %k: tensor<32x64xf16>, %v: tensor<32x8xf16>, %s: f16, %o: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %r = iree_linalg_ext.attention <indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]>
      ins(%q, %k, %v, %s : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%o : tensor<16x8xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<16x8xf16>
  return %r : tensor<16x8xf16>
}

// -----
func.func @f(%q: tensor<16x64xf16>, %k: tensor<32x64xf16>, %v: tensor<32x8xf16>, %s: f16, %o: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %r = iree_linalg_ext.attention <indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]> {note = 1 : i32}
      ins(%q, %k, %v, %s : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%o : tensor<16x8xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<16x8xf16>
  return %r : tensor<16x8xf16>
}

// -----
func.func @g(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : vector<4xf16>, vector<4xf16> into vector<4xf32>
  return %r : vector<4xf32>
}

// -----
func.func @g(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) <indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : vector<4xf16>, vector<4xf16> into vector<4xf32>
  return %r : vector<4xf32>
}

// -----
func.func @g(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) <indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> {note = 1 : i32} : vector<4xf16>, vector<4xf16> into vector<4xf32>
  return %r : vector<4xf32>
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// #map = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// #map1 = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// #map2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// #map3 = affine_map<(d0, d1, d2, d3) -> ()>
// #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// module {
//   func.func @f(%arg0: tensor<16x64xf16>, %arg1: tensor<32x64xf16>, %arg2: tensor<32x8xf16>, %arg3: f16, %arg4: tensor<16x8xf16>) -> tensor<16x8xf16> {
//     %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map1, #map2, #map3, #map4]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%arg4 : tensor<16x8xf16>) {
//     ^bb0(%arg5: f32):
//       iree_linalg_ext.yield %arg5 : f32
//     } -> tensor<16x8xf16>
//     return %0 : tensor<16x8xf16>
//   }
// #map = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// #map1 = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// #map2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// #map3 = affine_map<(d0, d1, d2, d3) -> ()>
// #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// module {
//   func.func @f(%arg0: tensor<16x64xf16>, %arg1: tensor<32x64xf16>, %arg2: tensor<32x8xf16>, %arg3: f16, %arg4: tensor<16x8xf16>) -> tensor<16x8xf16> {
//     %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map1, #map2, #map3, #map4]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%arg4 : tensor<16x8xf16>) {
//     ^bb0(%arg5: f32):
//       iree_linalg_ext.yield %arg5 : f32
//     } -> tensor<16x8xf16>
//     return %0 : tensor<16x8xf16>
//   }
// #map = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// #map1 = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// #map2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// #map3 = affine_map<(d0, d1, d2, d3) -> ()>
// #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// module {
//   func.func @f(%arg0: tensor<16x64xf16>, %arg1: tensor<32x64xf16>, %arg2: tensor<32x8xf16>, %arg3: f16, %arg4: tensor<16x8xf16>) -> tensor<16x8xf16> {
//     %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map1, #map2, #map3, #map4], note = 1 : i32} ins(%arg0, %arg1, %arg2, %arg3 : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%arg4 : tensor<16x8xf16>) {
//     ^bb0(%arg5: f32):
//       iree_linalg_ext.yield %arg5 : f32
//     } -> tensor<16x8xf16>
//     return %0 : tensor<16x8xf16>
//   }
// #map = affine_map<() -> ()>
// module {
//   func.func @g(%arg0: vector<4xf16>, %arg1: vector<4xf16>, %arg2: vector<4xf32>) -> vector<4xf32> {
//     %0 = iree_codegen.inner_tiled ins(%arg0, %arg1) outs(%arg2) {indexing_maps = [#map, #map, #map], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : vector<4xf16>, vector<4xf16> into vector<4xf32>
//     return %0 : vector<4xf32>
//   }
// #map = affine_map<() -> ()>
// module {
//   func.func @g(%arg0: vector<4xf16>, %arg1: vector<4xf16>, %arg2: vector<4xf32>) -> vector<4xf32> {
//     %0 = iree_codegen.inner_tiled ins(%arg0, %arg1) outs(%arg2) {indexing_maps = [#map, #map, #map], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : vector<4xf16>, vector<4xf16> into vector<4xf32>
//     return %0 : vector<4xf32>
//   }
// #map = affine_map<() -> ()>
// module {
//   func.func @g(%arg0: vector<4xf16>, %arg1: vector<4xf16>, %arg2: vector<4xf32>) -> vector<4xf32> {
//     %0 = iree_codegen.inner_tiled ins(%arg0, %arg1) outs(%arg2) {indexing_maps = [#map, #map, #map], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, note = 1 : i32, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : vector<4xf16>, vector<4xf16> into vector<4xf32>
//     return %0 : vector<4xf32>
//   }
