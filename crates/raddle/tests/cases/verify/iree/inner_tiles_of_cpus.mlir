// A tile for CPUs goes over the intrinsics first; a scalable extent is one that is not known.
// RUN: raddle check %s --split-input-file
func.func @f(%a: tensor<1x1x16x1xf32>, %b: tensor<1x1x16x1xf32>, %c: tensor<1x1x16x16xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512_1x16x1_F32_F32, intrinsics_m = 16>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x16x1xf32>, tensor<1x1x16x1xf32> into tensor<1x1x16x16xf32>
  return
}

// -----
func.func @f(%a: tensor<1x1x16x1xf32>, %b: tensor<1x1x16x1xf32>, %c: tensor<1x1x16x16xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512_1x16x1_F32_F32>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x16x1xf32>, tensor<1x1x16x1xf32> into tensor<1x1x16x16xf32>
  return
}

// -----
func.func @f(%a: tensor<1x1x16x1xf16>, %b: tensor<1x1x16x1xf16>, %c: tensor<1x1x16x16xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512_1x16x1_F32_F32, intrinsics_m = 16>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x16x1xf16>, tensor<1x1x16x1xf16> into tensor<1x1x16x16xf32>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x2xf16>, %b: tensor<1x1x2x32xf16>, %c: tensor<1x1x1x32xf16>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512FP16_1x32x1_F16_F16, intrinsics_k = 2>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x2xf16>, tensor<1x1x2x32xf16> into tensor<1x1x1x32xf16>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x2xf16>, %b: tensor<1x1x32x2xf16>, %c: tensor<1x1x1x32xf16>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512FP16_1x32x1_F16_F16, intrinsics_k = 2>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x2xf16>, tensor<1x1x32x2xf16> into tensor<1x1x1x32xf16>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x2xi16>, %b: tensor<1x1x16x2xi16>, %c: tensor<1x1x1x16xi32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512_1x16x2_I32_I16>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x2xi16>, tensor<1x1x16x2xi16> into tensor<1x1x1x16xi32>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x4xi8>, %b: tensor<1x1x16x4xi8>, %c: tensor<1x1x1x16xi32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_X86_AVX512VNNI_1x16x4_I32_UI8_I8>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x4xi8>, tensor<1x1x16x4xi8> into tensor<1x1x1x16xi32>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x1xf32>, %b: tensor<1x1x?x1xf32>, %c: tensor<1x1x1x?xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_ARM_SVE_FMLA_1x4VLx1_F32_F32>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x1xf32>, tensor<1x1x?x1xf32> into tensor<1x1x1x?xf32>
  return
}

// -----
func.func @f(%a: tensor<1x1x1x1xf32>, %b: tensor<1x1x4x1xf32>, %c: tensor<1x1x1x?xf32>) {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_cpu.data_tiled_mma_layout<intrinsic = MMA_ARM_SVE_FMLA_1x4VLx1_F32_F32>, semantics = #iree_cpu.mma_semantics<>} : tensor<1x1x1x1xf32>, tensor<1x1x4x1xf32> into tensor<1x1x1x?xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_codegen.inner_tiled' op operand #0 inner tile 'tensor<16x1xf32>' is incompatible with expected MMA tile type 'vector<1x1xf32>'
//   --> verify/iree/inner_tiles_of_cpus.mlir:10:3
//    |
// 10 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...nsor<1x1x16x1xf32> into tensor<1x1x16x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.inner_tiled' op operand #0 inner tile 'tensor<16x1xf16>' is incompatible with expected MMA tile type 'vector<16x1x1xf32>'
//   --> verify/iree/inner_tiles_of_cpus.mlir:16:3
//    |
// 16 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...nsor<1x1x16x1xf16> into tensor<1x1x16x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.inner_tiled' op operand #1 inner tile 'tensor<32x2xf16>' is incompatible with expected MMA tile type 'vector<2x32x1xf16>'
//   --> verify/iree/inner_tiles_of_cpus.mlir:28:3
//    |
// 28 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out...ensor<1x1x32x2xf16> into tensor<1x1x1x32xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.inner_tiled' op operand #1 inner tile 'tensor<4x1xf32>' is incompatible with expected MMA tile type 'vector<[4]x1xf32>'
//   --> verify/iree/inner_tiles_of_cpus.mlir:52:3
//    |
// 52 |   %0 = iree_codegen.inner_tiled ins(%a, %b) out... tensor<1x1x4x1xf32> into tensor<1x1x1x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
