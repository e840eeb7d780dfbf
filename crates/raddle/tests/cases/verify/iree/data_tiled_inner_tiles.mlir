// A tile that lies in memory as lanes take it has their dimensions: lanes along k, lanes along the rows, elements.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<2x2x4x16x4xf16>, %b: tensor<2x2x4x16x4xf16>, %c: tensor<2x2x4x16x4xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>} : tensor<2x2x4x16x4xf16>, tensor<2x2x4x16x4xf16> into tensor<2x2x4x16x4xf32>
  return
}

// -----
func.func @f(%a: tensor<2x2x1x1x4xf16>, %b: tensor<2x2x4xf16>, %c: tensor<2x2x1x4xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : tensor<2x2x1x1x4xf16>, tensor<2x2x4xf16> into tensor<2x2x1x4xf32>
  return
}

// -----
func.func @f(%a: tensor<2x2x4x16x4xf16>, %b: tensor<2x2x4x16x4xf16>, %c: tensor<2x2x16x16xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>} : tensor<2x2x4x16x4xf16>, tensor<2x2x4x16x4xf16> into tensor<2x2x16x16xf32>
  return
}

// -----
func.func @f(%a: tensor<2x2x4xf16>, %b: tensor<2x2x4xf16>, %c: tensor<2x2x2x2xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : tensor<2x2x4xf16>, tensor<2x2x4xf16> into tensor<2x2x2x2xf32>
  return
}

// -----
func.func @f(%a: tensor<2x2x4x16xf32>, %b: tensor<2x2x16x4xf32>, %c: tensor<2x2x4x16x4xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>} : tensor<2x2x4x16xf32>, tensor<2x2x16x4xf32> into tensor<2x2x4x16x4xf32>
  return
}

// -----
func.func @f(%a: tensor<2x2x8x8xf16>, %b: tensor<2x2x8xf16>, %c: tensor<2x2x16xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x16_F16, intrinsics_m = 2>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : tensor<2x2x8x8xf16>, tensor<2x2x8xf16> into tensor<2x2x16xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_codegen.inner_tiled' op operand #2 inner tile 'tensor<16x16xf32>' is incompatible with expected MMA tile type 'vector<4x16x4xf32>'
//   --> verify/iree/data_tiled_inner_tiles.mlir:16:3
//    |
// 16 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...or<2x2x4x16x4xf16> into tensor<2x2x16x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.inner_tiled' op operand #2 inner tile 'tensor<2x2xf32>' is incompatible with expected MMA tile type 'vector<1x1x4xf32>'
//   --> verify/iree/data_tiled_inner_tiles.mlir:22:3
//    |
// 22 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...>, tensor<2x2x4xf16> into tensor<2x2x2x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.inner_tiled' op operand #1 inner tile 'tensor<16x4xf32>' is incompatible with expected MMA tile type 'vector<4x16xf32>'
//   --> verify/iree/data_tiled_inner_tiles.mlir:28:3
//    |
// 28 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...sor<2x2x16x4xf32> into tensor<2x2x4x16x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
