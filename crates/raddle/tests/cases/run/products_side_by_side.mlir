// Instructions of several products, of factors of their own each: a loop that both factors and the result have counts
// them. Operands lie in any order, edges are masked, subgroups share rows and columns, and of both kinds of pipelines.
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --target=gfx90a | grep -v ok
// RUN: raddle run %s --all --target=gfx1100 | grep -c gfx1100
// RUN: raddle opt %s --to=distributed --target=gfx942 | grep -c amdgpu.mfma

func.func @four_products(%l: tensor<8x32x12xf16>, %r: tensor<8x12x32xf16>, %acc: tensor<8x32x32xf32>) -> tensor<8x32x32xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : tensor<8x32x12xf16>, tensor<8x12x32xf16>) outs(%acc : tensor<8x32x32xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x4x4B_F16>, subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], workgroup = [4, 16, 16, 0], reduction = [0, 0, 0, 4]}>,
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

func.func @two_of_words(%l: tensor<40x3x20xbf16>, %r: tensor<3x64x20xbf16>, %acc: tensor<40x3x64xf32>) -> tensor<40x3x64xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (m, b, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : tensor<40x3x20xbf16>, tensor<3x64x20xbf16>) outs(%acc : tensor<40x3x64xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x4x2B_BF16>, subgroup_basis = [[1, 2, 2, 1], [0, 1, 2, 3]], workgroup = [2, 64, 64, 0], reduction = [0, 0, 0, 8]}>,
        translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>>} {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x3x64xf32>
  return %0 : tensor<40x3x64xf32>
}

func.func @sixteen_of_bytes(%l: tensor<16x16x8xi8>, %r: tensor<16x12x16xi8>, %acc: tensor<12x8x16xi32>) -> tensor<12x8x16xi32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (n, m, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : tensor<16x16x8xi8>, tensor<16x12x16xi8>) outs(%acc : tensor<12x8x16xi32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_I32_4x4x4x16B_I8>, subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], workgroup = [16, 4, 4, 0], reduction = [0, 0, 0, 4]}>,
        translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>>} {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  } -> tensor<12x8x16xi32>
  return %0 : tensor<12x8x16xi32>
}

func.func @tile_and_fuse(%l: tensor<8x32x16xbf16>, %r: tensor<8x32x16xbf16>, %acc: tensor<8x32x32xf32>) -> tensor<8x32x32xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : tensor<8x32x16xbf16>, tensor<8x32x16xbf16>) outs(%acc : tensor<8x32x32xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x4x4B_BF16>, subgroup = [1, 1, 1, 0], promote_operands = [0, 1], workgroup = [4, 16, 32, 0], reduction = [0, 0, 0, 2]}>,
        translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 64>>} {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32x32xf32>
  return %0 : tensor<8x32x32xf32>
}

// $ raddle run %s --all --target=gfx942
// ok       @four_products
// ok       @two_of_words
// ok       @sixteen_of_bytes
// ok       @tile_and_fuse
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx90a | grep -v ok
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100 | grep -c gfx1100
// 4
// [exit status 1]

// $ raddle opt %s --to=distributed --target=gfx942 | grep -c amdgpu.mfma
// 6
