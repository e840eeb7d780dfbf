// A chip without asynchronous copies reads the next tiles while it multiplies these; rows may end inside of a tile.
// RUN: raddle opt %s --to=pipelined --target=gfx942 | grep -e scf -e transfer_read -e contract
// RUN: raddle run %s --target=gfx942 --compare=vector,lowered --quiet
// RUN: raddle build %s --target=gfx942 | grep -e 'shared memory'
func.func @product(%A: tensor<64x144xf16>, %B: tensor<144x64xf16>) -> tensor<64x64xf32> attributes {
    translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32],
      subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1]}>}
    ins(%A, %B : tensor<64x144xf16>, tensor<144x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}

// $ raddle opt %s --to=pipelined --target=gfx942 | grep -e scf -e transfer_read -e contract
//     %0 = vector.transfer_read %arg0[%c0_1, %c0_5], %cst_2 {in_bounds = [true, true], layouts = [#nested1]} : memref<64x144xf16>, vector<64x32xf16>
//     %1 = vector.transfer_read %arg1[%c0_6, %c0_3], %cst_4 {in_bounds = [true, true], layouts = [#nested2]} : memref<144x64xf16>, vector<32x64xf16>
//     %3:3 = scf.for %arg3 = %c0 to %c128 step %c32 iter_args(%arg4 = %cst_0, %arg5 = %0, %arg6 = %1) -> (vector<64x64xf32>, vector<64x32xf16>, vector<32x64xf16>) {
//       %19 = vector.transfer_read %arg0[%c0_1, %18], %cst_2 {in_bounds = [true, false], layouts = [#nested1]} : memref<64x144xf16>, vector<64x32xf16>
//       %20 = vector.transfer_read %arg1[%18, %c0_3], %cst_4 {in_bounds = [false, true], layouts = [#nested2]} : memref<144x64xf16>, vector<32x64xf16>
//       %21 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %15, %16, %17 {iree.gpu.mma = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, layouts = [#nested]} : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
//       scf.yield %22, %19, %20 : vector<64x64xf32>, vector<64x32xf16>, vector<32x64xf16>
//     %10 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %7, %8, %9 {iree.gpu.mma = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, layouts = [#nested]} : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>

// $ raddle run %s --target=gfx942 --compare=vector,lowered --quiet
// correct: stage `vector`, all 4096 elements agree with the reference within 9.83e-5 + 2.38e-7·|expected| (587 bit for bit)
// correct: stage `lowered`, all 4096 elements agree with the reference within 9.83e-5 + 2.38e-7·|expected| (587 bit for bit)
// correct: stage `lowered`, all 4096 elements equal stage `vector` bit for bit

// $ raddle build %s --target=gfx942 | grep -e 'shared memory'
// ; shared memory: 8192 bytes
