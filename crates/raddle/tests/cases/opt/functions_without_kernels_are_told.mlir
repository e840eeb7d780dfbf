// A function that the host carries out alone has nothing to print behind the first stage: beside others it is a warning.
// RUN: raddle opt %s --to=configured --split-input-file

func.func @numbers() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @same(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

func.func @filled(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant 1.0 : f32
  %1 = linalg.fill ins(%0 : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// $ raddle opt %s --to=configured --split-input-file
//
// #map = affine_map<(d0) -> ()>
// #map1 = affine_map<(d0) -> (d0)>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @filled(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {translation_info = #translation} {
//     %cst = arith.constant 1.000000e+00 : f32
//     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : f32) outs(%arg0 : tensor<4xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1], [0]], subgroup_basis = [[1], [0]], thread = [4], workgroup = [4]}>} {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<4xf32>
//     return %0 : tensor<4xf32>
//   }
// }
// error[E0703]: `@numbers` has nothing for a kernel
//  |
//  = note: it moves tensors about, or computes with numbers: that is done by whoever calls kernels
//  = help: `raddle run` carries it out
// warning[E0703]: `@same` has nothing for a kernel
//  |
//  = note: it moves tensors about, or computes with numbers: that is done by whoever calls kernels
//  = help: `raddle run` carries it out
// [exit status 1]
