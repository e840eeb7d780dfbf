// A product without rows reads nothing.
// RUN: raddle run %s | grep correct
func.func @no_rows(%a0: tensor<0x2xf32>, %a1: tensor<4x2xf32>, %a2: tensor<0x4xf32>) -> tensor<0x4xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %r = linalg.generic {lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 0, 0], subgroup_basis = [[1, 1, 4], [0, 1, 2]], reduction = [0, 0, 1024], lane_basis = [[1, 1, 32], [0, 1, 2]], thread = [1, 0, 4], promote_operands = [0, 1]}>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<0x2xf32>, tensor<4x2xf32>) outs(%a2 : tensor<0x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// $ raddle run %s | grep correct
// correct: all 0 elements equal the reference bit for bit
