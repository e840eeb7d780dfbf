// A long row goes in several passes, each of which has a sum for each point of a step, whatever is stated. A program that is configured already is checked, too.
// RUN: raddle run %s --all --target=sm_80
func.func @partial(%a: tensor<2x20000xf32>) -> tensor<2x20000xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %o = tensor.empty() : tensor<2x20000xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<2x20000xf32>) outs(%f : tensor<2xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 0], partial_reduction = [0, 1024], thread=[1,4], lane_basis = [[1,32],[0,1]], subgroup_basis=[[1,8],[0,1]]}>} {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.addf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %m : tensor<2x20000xf32>, tensor<2xf32>) outs(%o : tensor<2x20000xf32>) {
  ^bb0(%in: f32, %mm: f32, %out: f32):
    %7 = arith.divf %in, %mm : f32
    linalg.yield %7 : f32
  } -> tensor<2x20000xf32>
  return %s : tensor<2x20000xf32>
}
func.func @steps(%a: tensor<2x20000xf32>) -> tensor<2x20000xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %o = tensor.empty() : tensor<2x20000xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<2x20000xf32>) outs(%f : tensor<2xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 0], reduction = [0, 1024], thread=[1,4], lane_basis = [[1,32],[0,1]], subgroup_basis=[[1,8],[0,1]]}>} {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.addf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %m : tensor<2x20000xf32>, tensor<2xf32>) outs(%o : tensor<2x20000xf32>) {
  ^bb0(%in: f32, %mm: f32, %out: f32):
    %7 = arith.divf %in, %mm : f32
    linalg.yield %7 : f32
  } -> tensor<2x20000xf32>
  return %s : tensor<2x20000xf32>
}

// $ raddle run %s --all --target=sm_80
// ok       @partial
// ok       @steps
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
