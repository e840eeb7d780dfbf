// What cannot be dealt says why, at its line.
// RUN: raddle opt %s --split-input-file --target=gfx942 --deal-tiles 2>&1 | grep -e error -e .mlir: -e note:
// Rows of 32 in runs of 4 are not a slice before they are expanded.
func.func @f(%a: tensor<32x8xf16>, %b: tensor<8x32xf16>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  } : tensor<32x8xf16>, tensor<8x32xf16> into tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----
func.func @f(%a: tensor<4x16xf32>, %b: tensor<4x16xf32>, %c: tensor<4x16x4xf32>) -> tensor<4x16x4xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  } : tensor<4x16xf32>, tensor<4x16xf32> into tensor<4x16x4xf32>
  return %r : tensor<4x16x4xf32>
}

// -----
func.func @f(%a: tensor<8x2x8x2xf16>, %b: tensor<2x8x8xf16>, %c: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>, permutations = [array<i64: 3, 2, 1, 0>, array<i64: 0, 1, 2>, array<i64: 0, 1, 2>]
  } : tensor<8x2x8x2xf16>, tensor<2x8x8xf16> into tensor<2x8x8xf32>
  return %r : tensor<2x8x8xf32>
}

// -----
func.func @f(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.mma_layout<NV_WMMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  } : tensor<16x16xf16>, tensor<16x16xf16> into tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// $ raddle opt %s --split-input-file --target=gfx942 --deal-tiles 2>&1 | grep -e error -e .mlir: -e note:
// error[E0501]: `iree_codegen.inner_tiled` cannot be distributed
//  --> tiles/tiles_that_cannot_be_dealt_are_refused.mlir:5:3
//   = note: what a lane holds of operand 2 is not a slice
// error[E0501]: `iree_codegen.inner_tiled` cannot be distributed
//   --> tiles/tiles_that_cannot_be_dealt_are_refused.mlir:14:3
//    = note: its tiles belong to all threads of a workgroup, and nobody says how many these are
// error[E0501]: `iree_codegen.inner_tiled` cannot be distributed
//   --> tiles/tiles_that_cannot_be_dealt_are_refused.mlir:23:3
//    = note: operand 0 has the slots of a lane in another order than the instruction
// error[E0501]: `iree_codegen.inner_tiled` cannot be distributed
//   --> tiles/tiles_that_cannot_be_dealt_are_refused.mlir:32:3
//    = note: the operands of `NV_WMMA_F32_16x16x16_F16` are not all in known registers of one subgroup
// [exit status 1]
