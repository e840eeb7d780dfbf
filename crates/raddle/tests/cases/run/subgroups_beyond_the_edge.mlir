// Tiles of 64 x 64 for four subgroups, at the edges of which subgroups have nothing of the result: they go without matrix
// instructions. 3 x 3 of 4 x 4 subgroups have a part, which makes 216 instructions of 384. What is computed of sums element by
// element does not change this. Sums over columns are of all that a row has, and nothing is known of them.
// RUN: raddle run %s --function=product --target=sm_90a | grep 'matrix instructions'
// RUN: raddle run %s --function=product --target=sm_80 --device=ptx-emu | grep 'matrix instructions'
// RUN: raddle run %s --function=sums --target=sm_80 --device=ptx-emu | grep 'matrix instructions'
// RUN: raddle run %s --all --target=sm_90a | grep right
// RUN: raddle run %s --all --target=sm_80 --device=ptx-emu | grep right

#config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>

func.func @product(%a: tensor<67x41xf16>, %b: tensor<41x75xf16>, %bias: tensor<75xf32>) -> (tensor<67x75xf32>, tensor<67x75xf16>)
    attributes {translation_info = #translation} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<67x75xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<67x75xf32>) -> tensor<67x75xf32>
  %c = linalg.matmul {lowering_config = #config} ins(%a, %b : tensor<67x41xf16>, tensor<41x75xf16>)
      outs(%init : tensor<67x75xf32>) -> tensor<67x75xf32>
  %to = tensor.empty() : tensor<67x75xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<67x75xf32>, tensor<75xf32>) outs(%to : tensor<67x75xf16>) {
  ^bb0(%x: f32, %y: f32, %o: f16):
    %s = arith.addf %x, %y : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<67x75xf16>
  return %c, %d : tensor<67x75xf32>, tensor<67x75xf16>
}

func.func @sums(%a: tensor<67x41xf16>, %b: tensor<41x61xf16>) -> tensor<67xf32> attributes {translation_info = #translation} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<67x61xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<67x61xf32>) -> tensor<67x61xf32>
  %c = linalg.matmul {lowering_config = #config} ins(%a, %b : tensor<67x41xf16>, tensor<41x61xf16>)
      outs(%init : tensor<67x61xf32>) -> tensor<67x61xf32>
  %none = tensor.empty() : tensor<67xf32>
  %first = linalg.fill ins(%zero : f32) outs(%none : tensor<67xf32>) -> tensor<67xf32>
  %sum = linalg.reduce ins(%c : tensor<67x61xf32>) outs(%first : tensor<67xf32>) dimensions = [1]
    (%x: f32, %acc: f32) {
      %y = math.absf %x : f32
      %s = arith.addf %y, %acc : f32
      linalg.yield %s : f32
    }
  return %sum : tensor<67xf32>
}

// $ raddle run %s --function=product --target=sm_90a | grep 'matrix instructions'
//            216 matrix instructions, 0 shuffles, 20 barriers; bytes read 32888 global, 202118 shared; written 30150 global, 147456 shared

// $ raddle run %s --function=product --target=sm_80 --device=ptx-emu | grep 'matrix instructions'
//            216 matrix instructions, 0 shuffles, 20 barriers; bytes read 53368 global, 202118 shared; written 30150 global, 147456 shared

// $ raddle run %s --function=sums --target=sm_80 --device=ptx-emu | grep 'matrix instructions'
//            192 matrix instructions, 64 shuffles, 8 barriers; bytes read 21642 global, 57344 shared; written 268 global, 25600 shared

// $ raddle run %s --all --target=sm_90a | grep right
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_80 --device=ptx-emu | grep right
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
