// IREE's virtual instructions compute products: several of the machine's, or a sparse one of which two rows are one.
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle build %s --target=gfx942 --emit=llvm | grep declare
func.func @vmfma_f32_16x16x32_f16(%a: tensor<32x64xf16>, %b: tensor<64x64xf16>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 32, 0], reduction = [0, 0, 32], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F16>}>} ins(%a, %b : tensor<32x64xf16>, tensor<64x64xf16>) outs(%c : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
func.func @vmfma_f32_32x32x16_f16(%a: tensor<61x39xf16>, %b: tensor<123x39xf16>, %c: tensor<61x123xf32>) -> tensor<61x123xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VMFMA_F32_32x32x16_F16>}>} ins(%a, %b : tensor<61x39xf16>, tensor<123x39xf16>) outs(%c : tensor<61x123xf32>) -> tensor<61x123xf32>
  return %r : tensor<61x123xf32>
}
func.func @vmfma_f32_16x16x32_f8e4m3fnuz(%a: tensor<32x64xf8E4M3FNUZ>, %b: tensor<64x64xf8E4M3FNUZ>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 32, 0], reduction = [0, 0, 32], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F8E4M3FNUZ>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<32x64xf8E4M3FNUZ>, tensor<64x64xf8E4M3FNUZ>) outs(%c : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
func.func @vmfma_f32_32x32x16_f8e4m3fnuz(%a: tensor<61x39xf8E4M3FNUZ>, %b: tensor<39x123xf8E4M3FNUZ>, %c: tensor<61x123xf32>) -> tensor<61x123xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VMFMA_F32_32x32x16_F8E4M3FNUZ>}>} ins(%a, %b : tensor<61x39xf8E4M3FNUZ>, tensor<39x123xf8E4M3FNUZ>) outs(%c : tensor<61x123xf32>) -> tensor<61x123xf32>
  return %r : tensor<61x123xf32>
}
func.func @vdmfma_f32_8x16x64x2_f16(%a: tensor<16x128xf16>, %b: tensor<64x128xf16>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {lowering_config = #iree_gpu.lowering_config<{workgroup = [8, 32, 0], reduction = [0, 0, 64], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x64x2_F16>}>} ins(%a, %b : tensor<16x128xf16>, tensor<64x128xf16>) outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
func.func @vdmfma_f32_8x16x64x2_bf16(%a: tensor<13x135xbf16>, %b: tensor<135x59xbf16>, %c: tensor<13x59xf32>) -> tensor<13x59xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 32, 0], reduction = [0, 0, 64], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x64x2_BF16>}>} ins(%a, %b : tensor<13x135xbf16>, tensor<135x59xbf16>) outs(%c : tensor<13x59xf32>) -> tensor<13x59xf32>
  return %r : tensor<13x59xf32>
}
func.func @vdmfma_i32_8x16x128x2_i8(%a: tensor<16x256xi8>, %b: tensor<256x64xi8>, %c: tensor<16x64xi32>) -> tensor<16x64xi32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [8, 32, 0], reduction = [0, 0, 128], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_I32_8x16x128x2_I8>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<16x256xi8>, tensor<256x64xi8>) outs(%c : tensor<16x64xi32>) -> tensor<16x64xi32>
  return %r : tensor<16x64xi32>
}
func.func @vdmfma_f32_8x16x128x2_f8e5m2fnuz(%a: tensor<13x263xf8E5M2FNUZ>, %b: tensor<59x263xf8E5M2FNUZ>, %c: tensor<13x59xf32>) -> tensor<13x59xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 32, 0], reduction = [0, 0, 128], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x128x2_F8E5M2FNUZ>}>} ins(%a, %b : tensor<13x263xf8E5M2FNUZ>, tensor<59x263xf8E5M2FNUZ>) outs(%c : tensor<13x59xf32>) -> tensor<13x59xf32>
  return %r : tensor<13x59xf32>
}
func.func @vdmfma_f32_8x16x128x2_f8e5m2fnuz_f8e4m3fnuz(%a: tensor<16x256xf8E5M2FNUZ>, %b: tensor<256x64xf8E4M3FNUZ>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [8, 32, 0], reduction = [0, 0, 128], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x128x2_F8E5M2FNUZ_F8E4M3FNUZ>}>} ins(%a, %b : tensor<16x256xf8E5M2FNUZ>, tensor<256x64xf8E4M3FNUZ>) outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
func.func @vdmfma_f32_8x16x128x2_f8e4m3fnuz_f8e5m2fnuz(%a: tensor<13x263xf8E4M3FNUZ>, %b: tensor<263x59xf8E5M2FNUZ>, %c: tensor<13x59xf32>) -> tensor<13x59xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 32, 0], reduction = [0, 0, 128], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x128x2_F8E4M3FNUZ_F8E5M2FNUZ>}>} ins(%a, %b : tensor<13x263xf8E4M3FNUZ>, tensor<263x59xf8E5M2FNUZ>) outs(%c : tensor<13x59xf32>) -> tensor<13x59xf32>
  return %r : tensor<13x59xf32>
}
func.func @vdmfma_f32_8x16x128x2_f8e4m3fnuz(%a: tensor<16x256xf8E4M3FNUZ>, %b: tensor<64x256xf8E4M3FNUZ>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {lowering_config = #iree_gpu.lowering_config<{workgroup = [8, 32, 0], reduction = [0, 0, 128], subgroup_basis = [[1, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.virtual_mma_layout<VDMFMA_F32_8x16x128x2_F8E4M3FNUZ>, promote_operands = [0, 1]}>} ins(%a, %b : tensor<16x256xf8E4M3FNUZ>, tensor<64x256xf8E4M3FNUZ>) outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// $ raddle run %s --all --target=gfx942
// ok       @vmfma_f32_16x16x32_f16
// ok       @vmfma_f32_32x32x16_f16
// ok       @vmfma_f32_16x16x32_f8e4m3fnuz
// ok       @vmfma_f32_32x32x16_f8e4m3fnuz
// ok       @vdmfma_f32_8x16x64x2_f16
// ok       @vdmfma_f32_8x16x64x2_bf16
// ok       @vdmfma_i32_8x16x128x2_i8
// ok       @vdmfma_f32_8x16x128x2_f8e5m2fnuz
// ok       @vdmfma_f32_8x16x128x2_f8e5m2fnuz_f8e4m3fnuz
// ok       @vdmfma_f32_8x16x128x2_f8e4m3fnuz_f8e5m2fnuz
// ok       @vdmfma_f32_8x16x128x2_f8e4m3fnuz
// 11 functions: 11 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --target=gfx942 --emit=llvm | grep declare
// declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)
// declare i32 @llvm.amdgcn.workgroup.id.x()
// declare i32 @llvm.amdgcn.workgroup.id.y()
// declare i32 @llvm.amdgcn.workitem.id.x()
// declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8(i64, i64, <4 x float>, i32, i32, i32)
// declare void @llvm.amdgcn.s.barrier()
// declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8(i64, i64, <16 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x32.f16(<4 x half>, <8 x half>, <4 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x32.bf16(<4 x i16>, <8 x i16>, <4 x float>, i32, i32, i32)
// declare <4 x i32> @llvm.amdgcn.smfmac.i32.16x16x64.i8(<2 x i32>, <4 x i32>, <4 x i32>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.bf8.bf8(<2 x i32>, <4 x i32>, <4 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.bf8.fp8(<2 x i32>, <4 x i32>, <4 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.fp8.bf8(<2 x i32>, <4 x i32>, <4 x float>, i32, i32, i32)
// declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.fp8.fp8(<2 x i32>, <4 x i32>, <4 x float>, i32, i32, i32)
// 11 of 11 functions compiled, 0 refused
