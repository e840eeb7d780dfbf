// What an instruction of several products asks of a configuration.
// RUN: raddle run %s --all --target=gfx942

func.func @too_few(%l: tensor<8x32x12xf16>, %r: tensor<8x12x32xf16>, %acc: tensor<8x32x32xf32>) -> tensor<8x32x32xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : tensor<8x32x12xf16>, tensor<8x12x32xf16>) outs(%acc : tensor<8x32x32xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x4x4B_F16>, subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], workgroup = [2, 16, 16, 0], reduction = [0, 0, 0, 4]}>,
        translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>>} {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32x32xf32>
  return %0 : tensor<8x32x32xf32>
}

func.func @one_product(%l: tensor<16x16xf16>, %r: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.matmul {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x4x4B_F16>, subgroup_basis = [[1, 1, 1], [0, 1, 2]], workgroup = [16, 16, 0], reduction = [0, 0, 4]}>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>>}
      ins(%l, %r : tensor<16x16xf16>, tensor<16x16xf16>) outs(%acc : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// $ raddle run %s --all --target=gfx942
// refused  @too_few: line 5, error[E0301]: the tile 2 of loop 0 is not a multiple of 4: 4 for each subgroup, the size of the matrix instruction
// refused  @one_product: line 23, error[E0301]: `MFMA_F32_16x16x4x4B_F16` computes 4 products at once, and no loop counts such
// 2 functions: 0 right, 2 refused, 0 wrong, 0 bugs
// [exit status 1]
