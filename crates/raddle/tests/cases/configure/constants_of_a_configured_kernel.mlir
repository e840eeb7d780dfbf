// A kernel that is configured takes constant tensors from its host, as any other does.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --to=tiled | grep func.func
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [96, 1, 1] subgroup_size = 32>
func.func @scaled(%x: tensor<96xf32>, %w: tensor<8x96xf32>) -> tensor<8xf32> attributes {translation_info = #launch} {
  %c = arith.constant dense<[0.5, 0.25, 2.0, 1.0, 3.0, -1.0, 4.0, 8.0]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<96xf32>, tensor<8x96xf32>) outs(%f : tensor<8xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 96], subgroup_basis = [[1, 3], [0, 1]], thread = [0, 1], workgroup = [1, 0]}>} {
  ^bb0(%v: f32, %k: f32, %o: f32):
    %q = arith.mulf %v, %k : f32
    %t = arith.addf %o, %q : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %r = linalg.add ins(%s, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// $ raddle run %s --all
// ok       @scaled
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @scaled
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=tiled | grep func.func
//   func.func @scaled_kernel_0(%arg0: tensor<96xf32>, %arg1: tensor<8x96xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> attributes {translation_info = #translation} {
