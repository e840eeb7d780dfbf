// Workgroups of a product go down a group of rows of tiles before they take the next column, where more of them than run at
// once share the cache so: 10 rows of tiles are one group, 29 are two of 10 and a smaller one, and so are open ones.
// RUN: raddle opt %s --to=vector | grep delinearize
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --function=open --input=500x16xf16=random --input=1040x16xf16=random --quiet | grep -c correct
// RUN: raddle run %s --function=open --device=ptx-emu --input=333x16xf16=random --input=1040x16xf16=random --quiet | grep -c correct

#of_a = affine_map<(m, n, k) -> (m, k)>
#of_b = affine_map<(m, n, k) -> (n, k)>
#of_c = affine_map<(m, n, k) -> (m, n)>
#tile = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 16], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, subgroup_basis = [[1, 1, 1], [0, 1, 2]]}>
#info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>

func.func @one(%a: tensor<160x16xf16>, %b: tensor<1040x16xf16>) -> tensor<160x1040xf32> attributes {translation_info = #info} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<160x1040xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<160x1040xf32>) -> tensor<160x1040xf32>
  %c = linalg.matmul indexing_maps = [#of_a, #of_b, #of_c] {lowering_config = #tile} ins(%a, %b : tensor<160x16xf16>, tensor<1040x16xf16>) outs(%init : tensor<160x1040xf32>) -> tensor<160x1040xf32>
  return %c : tensor<160x1040xf32>
}

func.func @several(%a: tensor<464x16xf16>, %b: tensor<1040x16xf16>) -> tensor<464x1040xf32> attributes {translation_info = #info} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<464x1040xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<464x1040xf32>) -> tensor<464x1040xf32>
  %c = linalg.matmul indexing_maps = [#of_a, #of_b, #of_c] {lowering_config = #tile} ins(%a, %b : tensor<464x16xf16>, tensor<1040x16xf16>) outs(%init : tensor<464x1040xf32>) -> tensor<464x1040xf32>
  return %c : tensor<464x1040xf32>
}

func.func @open(%a: tensor<?x16xf16>, %b: tensor<1040x16xf16>) -> tensor<?x1040xf32> attributes {translation_info = #info} {
  %zero = arith.constant 0.0 : f32
  %d0 = arith.constant 0 : index
  %rows = tensor.dim %a, %d0 : tensor<?x16xf16>
  %empty = tensor.empty(%rows) : tensor<?x1040xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x1040xf32>) -> tensor<?x1040xf32>
  %c = linalg.matmul indexing_maps = [#of_a, #of_b, #of_c] {lowering_config = #tile} ins(%a, %b : tensor<?x16xf16>, tensor<1040x16xf16>) outs(%init : tensor<?x1040xf32>) -> tensor<?x1040xf32>
  return %c : tensor<?x1040xf32>
}

// $ raddle opt %s --to=vector | grep delinearize
//     %1:2 = affine.delinearize_index %0 into (1, 650) : index, index
//     %2:2 = affine.delinearize_index %1#1 into (65, 10) : index, index
//     %1:2 = affine.delinearize_index %0 into (3, 650) : index, index
//     %3:2 = affine.delinearize_index %1#1 into (65, %2) : index, index
//     %1:2 = affine.delinearize_index %block_id_x into (%0, 65) : index, index
//     %3:2 = affine.delinearize_index %2 into (650) : index, index
//     %5:2 = affine.delinearize_index %3#1 into (65, %4) : index, index

// $ raddle run %s --all
// ok       @one
// ok       @several
// ok       @open
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @one
// ok       @several
// ok       @open
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=open --input=500x16xf16=random --input=1040x16xf16=random --quiet | grep -c correct
// 1

// $ raddle run %s --function=open --device=ptx-emu --input=333x16xf16=random --input=1040x16xf16=random --quiet | grep -c correct
// 1
